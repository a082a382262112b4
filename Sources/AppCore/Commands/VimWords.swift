import Model

/// Words that fingers used to vim type after `:`, and that are no commands here.
extension State {
  /// Does what the word means, or says which command does.
  /// - Returns: nil if it is no such word.
  mutating func runVimWord(_ word: String, _ argument: String?) -> [Effect]? {
    switch word {
    case "q", "q!", "qa", "qa!", "quit!", "x", "xa", "wq", "wq!", "wqa": return perform(.quit)
    case "h": return perform(.help)
    case "u": return perform(.undo)
    case "w", "w!", "wa", "write", "update":
      showMessage(
        .info,
        "Every change is saved already. Type :\(CommandName.exportSubscriptions) to write the podcasts to a file.")
    case "e", "e!", "edit":
      // As vim opens a file.
      if let argument { return perform(.visit, argument) }
      showMessage(
        .info,
        "Type :\(CommandName.visit) to open a podcast by its address, :\(CommandName.add) to add it, "
          + ":\(CommandName.refresh) for new episodes.")
    case "mark", "ma", "k":
      showMessage(
        .info,
        "Type :\(CommandName.played) to mark as played, :\(CommandName.clipStart) to start a clip, "
          + ":\(CommandName.selectRange) to select rows.")
    case "set", "se":
      showMessage(
        .info,
        "The settings are in config.toml. Type :\(CommandName.show) for those of the podcast, "
          + ":\(CommandName.help) for the keys.")
    default: return nil
    }
    return []
  }
}
