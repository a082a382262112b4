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
        .note, "Every change is saved already; :\(CommandName.exportSubscriptions) writes the podcasts to a file")
    case "e", "e!", "edit":
      // As vim opens a file.
      if let argument { return perform(.visit, argument) }
      showMessage(
        .note,
        ":\(CommandName.visit) opens a podcast by its address, :\(CommandName.add) adds it, "
          + ":\(CommandName.refresh) asks for new episodes")
    case "mark", "ma", "k":
      showMessage(
        .note,
        ":\(CommandName.played) marks as played, :\(CommandName.clipStart) the start of a clip, "
          + ":\(CommandName.selectRange) selects rows")
    case "set", "se":
      showMessage(
        .note, "The settings are in config.toml; :show has those of the podcast, :\(CommandName.help) the keys")
    default: return nil
    }
    return []
  }
}
