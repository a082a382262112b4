import TerminalKit

/// The help: all commands with the listener's keys. `/` filters it.
public struct HelpOverlay: ScrollingOverlay {
  public var filter = LineEditor()
  public var isFiltering = false
  public var top = 0
  public init() {}

  /// A line of the help: the heading of a group, a command with its keys, or marks with their meaning.
  enum Line: Equatable, Sendable {
    case heading(String)
    case command(keys: String, name: String, help: String)
    case marks([MarkLegend.Mark])
  }

  /// On a screen with few rows the most common marks come first, and the others before the last group of commands.
  func lines(_ state: State) -> [Line] {
    let commands = commands(state.keymap)
    let legend = MarkLegend(Glyphs(ascii: state.preferences.ascii))
    if state.size.height >= 20 { return marks(legend, "Marks in lists", state) + commands }
    let last = commands.lastIndex { if case .heading = $0 { true } else { false } } ?? commands.endIndex
    return marks(legend.common, "Marks in lists", state) + Array(commands[..<last])
      + marks(legend.rare, "More marks", state) + Array(commands[last...])
  }

  /// Linear mode has words instead of marks.
  private func marks(_ legend: MarkLegend, _ title: String, _ state: State) -> [Line] {
    guard !state.preferences.isLinear else { return [] }
    let words = SearchText.fold(filter.text)
    var legend = legend
    if !words.isEmpty, !SearchText.matches(title, words) {
      legend.marks.removeAll { !SearchText.matches($0.meaning, words) }
    }
    let width = OverlayLayout.page(in: state.size).content.width
    let rows = legend.rows(width: width).map { Line.marks($0) }
    return rows.isEmpty ? [] : [.heading(title)] + rows
  }

  private func commands(_ keymap: Keymap) -> [Line] {
    let words = SearchText.fold(filter.text)
    var lines: [Line] = []
    for group in Command.Group.allCases {
      let rows = Command.table.filter { command in
        command.group == group
          && (words.isEmpty || SearchText.matches("\(command.help) \(command.name)", words))
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
      // On a narrow screen the name of a command is left out.
      let isWide = content.width >= 60
      let keyWidth = isWide ? 18 : 12
      let showsNames = isWide && keyWidth + 1 + Clusters.width(text) + 2 + Clusters.width(name) <= content.width
      // A command without a key needs its name, because it can only be typed.
      let typed = ":" + String(name.prefix { $0 != " " })
      let isTyped = !showsNames && keys.isEmpty
      let shown = isTyped ? typed : keys
      let room = isTyped ? Clusters.width(typed) : keyWidth - 1
      frame.put(shown, x: content.x + 1, y: y, width: room, style: theme[.key].over(theme[.overlay]))
      let textX = content.x + max(keyWidth, isTyped ? room + 1 : 0) + 1
      let used = frame.put(text, x: textX, y: y, width: content.maxX - textX, style: theme[.overlay])
      // The name has a column of its own, unless the text before it is too long.
      let nameX = max(content.maxX - 25, min(textX + used + 1, content.maxX - Clusters.width(name) - 1))
      if showsNames {
        frame.put(":" + name, x: nameX, y: y, width: content.maxX - nameX, style: theme[.dim].over(theme[.overlay]))
      }
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
    case .marks(let marks): marks.map { "\($0.glyph) \($0.meaning)" }.joined(separator: ", ")
    }
  }
}
