import TerminalKit

/// The help: the command table with the listener's own keys; typing after `/` narrows it.
public struct HelpOverlay: Equatable, Sendable {
  public var filter = LineEditor()
  public var isFiltering = false
  public var top = 0
  public init() {}

  /// A line of the help: a group's heading, or a command with its keys.
  public enum Line: Equatable, Sendable {
    case heading(String)
    case command(keys: String, name: String, help: String)
  }

  public func lines(_ keymap: Keymap) -> [Line] {
    let words = SearchText.fold(filter.text)
    var lines: [Line] = []
    for group in Command.Group.allCases {
      let rows = Command.table.filter { command in
        command.group == group
          && (words.isEmpty || SearchText.matches(command.help + " " + command.name.rawValue, words))
      }
      guard !rows.isEmpty else { continue }
      lines.append(.heading(group.rawValue))
      lines += rows.map { command in
        .command(
          keys: keymap.keys(of: command.name).joined(separator: " "),
          name: [command.name.rawValue, command.argument.word].filter { !$0.isEmpty }.joined(separator: " "),
          help: command.help)
      }
    }
    return lines
  }
}

extension State {
  mutating func handle(_ help: HelpOverlay, _ key: Key) {
    var help = help
    if help.isFiltering {
      switch key {
      case Key(.escape):
        help.isFiltering = false
        help.filter = LineEditor()
      case Key(.enter): help.isFiltering = false
      default: if help.filter.handle(key) { help.top = 0 }
      }
      replaceTop(.help(help))
      return
    }
    let command = overlayCommand(key)
    if command == .search {
      help.isFiltering = true
      replaceTop(.help(help))
      return
    }
    switch scrollStep(command, height: height(of: help)) {
    case .close: overlays.removeLast()
    case .rows(let rows): scroll(help, by: rows)
    }
  }

  mutating func scroll(_ help: HelpOverlay, by rows: Int) {
    var help = help
    help.top = min(max(0, help.top + rows), max(0, help.lines(keymap).count - height(of: help)))
    replaceTop(.help(help))
  }

  /// Rows for the commands: the filter takes one of its own.
  private func height(of help: HelpOverlay) -> Int {
    max(1, OverlayLayout.page(in: size).content.height - (help.filter.isEmpty ? 0 : 1))
  }
}
