import Model
import TerminalKit

/// The help: all commands with the listener's keys. `/` filters it.
public struct HelpOverlay: ScrollingOverlay {
  public var filter = LineEditor()
  public var isFiltering = false
  public var top = 0

  /// A line of the help: the heading of a group, a command with its keys, the rest of its text on a narrow screen, or
  /// marks with their meaning.
  enum Line: Equatable, Sendable {
    case heading(String)
    case command(keys: String, name: String, help: String)
    case rest(String)
    case marks([MarkLegend.Mark])
  }

  /// On a screen with few rows the most common marks come first, and the others before the last group of commands.
  func lines(_ state: State) -> [Line] {
    let width = OverlayLayout.page(in: state.size).content.width
    let commands = commands(state.keymap).flatMap { state.preferences.isLinear ? [$0] : Columns(width).wrap($0) }
    let legend = MarkLegend(state.glyphs)
    if state.size.height >= 20 { return marks(legend, "Marks in lists", state) + commands }
    let last = commands.lastIndex { if case .heading = $0 { true } else { false } } ?? commands.endIndex
    return marks(legend.common, "Marks in lists", state) + Array(commands[..<last])
      + marks(legend.rare, "More marks", state) + Array(commands[last...])
  }

  /// Linear mode has words instead of marks.
  private func marks(_ legend: MarkLegend, _ title: String, _ state: State) -> [Line] {
    guard !state.preferences.isLinear else { return [] }
    let words = TextFolding.fold(filter.text)
    var legend = legend
    if !words.isEmpty, !TextFolding.matches(title, words) {
      legend.marks.removeAll { !TextFolding.matches($0.meaning, words) }
    }
    let width = OverlayLayout.page(in: state.size).content.width
    let rows = legend.rows(width: width).map { Line.marks($0) }
    return rows.isEmpty ? [] : [.heading(title)] + rows
  }

  private func commands(_ keymap: Keymap) -> [Line] {
    let words = TextFolding.fold(filter.text)
    var lines: [Line] = []
    for group in Command.Group.allCases {
      let rows = Command.table.filter { command in
        command.group == group
          && (words.isEmpty || TextFolding.matches("\(command.help) \(command.name)", words))
      }
      guard !rows.isEmpty else { continue }
      lines.append(.heading(group.rawValue))
      lines += rows.map { command in
        .command(
          keys: keymap.keys(of: command.name).joined(separator: " "),
          name: [command.name.description, command.argument.word].filter { !$0.isEmpty }.joined(separator: " "),
          help: command.help)
      }
    }
    return lines
  }

  // MARK: Keys and mouse

  /// While the filter is typed.
  public var takesAllKeys: Bool { isFiltering }

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome {
    if isFiltering {
      switch key {
      case Key(.escape):
        isFiltering = false
        filter = LineEditor()
      case Key(.enter): isFiltering = false
      default: if filter.handle(key) { top = 0 }
      }
      return .stay()
    }
    let command = state.overlayCommand(key)
    if command == .search {
      isFiltering = true
      return .stay()
    }
    return scroll(command, state)
  }

  public mutating func paste(_ text: String, _ state: inout State) -> OverlayOutcome {
    filter.insert(text)
    top = 0
    return .stay()
  }

  public func lastTop(_ state: State) -> Int { lines(state).count - pageHeight(state) }

  /// The filter takes one row.
  public func pageHeight(_ state: State) -> Int {
    max(1, OverlayLayout.page(in: state.size).content.height - (filter.isEmpty ? 0 : 1))
  }

  // MARK: Drawing

  /// The columns of the row of a command. On a narrow screen the name of the command is left out.
  private struct Columns {
    let width: Int
    private var isWide: Bool { width >= 60 }
    private var keyWidth: Int { isWide ? 18 : 12 }
    /// Where the text begins.
    var text: Int { keyWidth + 1 }

    init(_ width: Int) { self.width = width }

    /// Whether the name fits behind the text, with two columns between them.
    func showsName(_ name: String, behind help: String) -> Bool {
      isWide && text + Clusters.width(help) + 2 + Clusters.width(name) <= width
    }

    /// What is in the column of the keys. A command without a key needs its name, because it can only be typed.
    func keys(_ keys: String, _ name: String, showsName: Bool) -> (text: String, room: Int) {
      guard keys.isEmpty, !showsName else { return (keys, keyWidth - 1) }
      let typed = ":" + String(name.prefix { $0 != " " })
      return (typed, max(keyWidth - 1, Clusters.width(typed)))
    }

    func wrap(_ line: Line) -> [Line] {
      guard !isWide, case .command(let keys, let name, let help) = line else { return [line] }
      // The first row has less room after a long name.
      let indent = self.keys(keys, name, showsName: false).room - (keyWidth - 1)
      let rows = TextFlow.lines(of: [help], width: max(1, width - text), firstIndent: indent).map { row in
        row.map(\.text).joined()
      }
      return [.command(keys: keys, name: name, help: rows.first ?? help)] + rows.dropFirst().map { .rest($0) }
    }
  }

  public func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = OverlayLayout.page(in: frame.size)
    let lines = lines(state)
    let top = firstRow(state)
    var content = layout.content
    let seen = min(lines.count, top + content.height)
    let note = seen - top < lines.count ? "\(seen * 100 / max(1, lines.count)) %" : ""
    OverlayBox(state: state, title: "Keys and commands", note: note, hints: hints(state))
      .draw(layout, into: &frame)
    if isFiltering || !filter.isEmpty {
      let cut = content.splitTop(1)
      content = cut.rest
      let used = frame.put("/", x: cut.top.x, y: cut.top.y, style: theme[.key].over(theme[.overlay]))
      let visible = filter.visible(width: max(1, cut.top.width - used - 1))
      frame.put(visible.text, x: cut.top.x + used, y: cut.top.y, style: theme[.overlay], ellipsis: "")
      if isFiltering { frame.cursor = Point(cut.top.x + used + visible.cursorColumn, cut.top.y) }
    }
    for (index, line) in lines.dropFirst(top).prefix(content.height).enumerated() {
      draw(line, theme, into: &frame, content, y: content.y + index)
    }
    if lines.isEmpty {
      frame.put(
        "No command matches", x: content.x, y: content.y, width: content.width, style: theme[.dim].over(theme[.overlay])
      )
    }
  }

  private func draw(_ line: Line, _ theme: Theme, into frame: inout Frame, _ content: Rect, y: Int) {
    switch line {
    case .heading(let text):
      frame.put(text, x: content.x, y: y, width: content.width, style: theme[.heading].over(theme[.overlay]))
    case .command(let keys, let name, let text):
      let columns = Columns(content.width)
      let showsName = columns.showsName(name, behind: text)
      let shown = columns.keys(keys, name, showsName: showsName)
      frame.put(shown.text, x: content.x + 1, y: y, width: shown.room, style: theme[.key].over(theme[.overlay]))
      let textX = content.x + max(columns.text, shown.room + 2)
      frame.put(text, x: textX, y: y, width: content.maxX - textX, style: theme[.overlay])
      // The names end in one column, because there is no column in which all of them can begin.
      let nameX = content.maxX - Clusters.width(name) - 1
      if showsName {
        frame.put(":" + name, x: nameX, y: y, width: content.maxX - nameX, style: theme[.dim].over(theme[.overlay]))
      }
    case .rest(let text):
      let x = content.x + Columns(content.width).text
      frame.put(text, x: x, y: y, width: content.maxX - x, style: theme[.overlay])
    case .marks(let marks):
      let width = (content.width - 1) / MarkLegend.perRow(content.width)
      for (index, mark) in marks.enumerated() {
        let x = content.x + 1 + index * width
        frame.put(mark.glyph, x: x, y: y, width: 1, style: theme[mark.role].over(theme[.overlay]))
        frame.put(mark.meaning, x: x + 2, y: y, width: width - 3, style: theme[.overlay])
      }
    }
  }

  /// While the filter is typed, the keys are those of the text field, which cannot be rebound.
  public func hints(_ state: State) -> [Hint] {
    let keymap = state.keymap
    if isFiltering { return [Hint("Enter", "keep"), Hint("Esc", "show all")] }
    return [Hint(.back, "close", keymap), Hint(.search, "search", keymap), Hint(.pageDown, "page", keymap)]
      .compactMap { $0 }
  }

  public var linearTitle: String { "Help: keys and commands" }

  public func linearText(_ state: State, width: Int) -> [String] { lines(state).map(Self.words) }

  private static func words(_ line: Line) -> String {
    switch line {
    case .heading(let text): text + ":"
    case .command(let keys, let name, let help): help + ", " + (keys.isEmpty ? "no key" : keys) + ", :" + name
    case .rest(let text): text
    case .marks(let marks): marks.map { "\($0.glyph) \($0.meaning)" }.joined(separator: ", ")
    }
  }
}
