import TerminalKit

/// The first row: the screens with their keys, and the program's name if there is room.
struct TabsView {
  let state: State

  func draw(into frame: inout Frame, _ rect: Rect) {
    let theme = state.theme
    let header = theme[.header].over(theme[.text])
    frame.fill(rect, style: header)
    let labels = self.labels(width: rect.width)
    for label in labels {
      let isShown = label.tab == state.tab && state.listening == nil
      let style = isShown ? theme[.accent].over(header).with([.bold, .underline]) : header
      let x = label.columns.lowerBound
      let end = x + frame.put(label.text, x: x, y: rect.y, style: style)
      frame.put(label.count, x: end + 1, y: rect.y, style: theme[.accent].over(header))
    }
    let used = labels.last?.columns.upperBound ?? 0
    let corner = state.listening.map { $0.chosen == nil ? "Now playing" : "Reading" } ?? "Earshot"
    if rect.width - used > corner.count + 3 {
      let style = state.listening == nil ? header.with(.dim) : theme[.accent].over(header).with([.bold, .underline])
      frame.put(corner, x: rect.maxX - corner.count - 1, y: rect.y, style: style)
      drawSync(into: &frame, x: rect.maxX - corner.count - 3, from: used, y: rect.y, header: header)
    }
  }

  /// Draws the state of sync beside the name, if there is room.
  private func drawSync(into frame: inout Frame, x end: Int, from start: Int, y: Int, header: Style) {
    guard var mark = state.sync.mark else { return }
    if state.preferences.ascii { mark = mark.replacing("…", with: "~") }
    guard end - mark.count > start + 1 else { return }
    let hasFailed = if case .failed = state.sync.phase { true } else { false }
    let style = hasFailed ? state.theme[.warning].over(header) : header.with(.dim)
    frame.put(mark, x: end - mark.count, y: y, style: style)
  }

  /// A screen in the row.
  struct Label {
    var tab: Tab
    /// Its key, and its name if there is room.
    var text: String
    /// Empty: none.
    var count = ""
    var columns = 0..<0
    var width: Int { text.count + (count.isEmpty ? 0 : count.count + 1) }
  }

  func labels(width: Int) -> [Label] {
    let counts = Dictionary(uniqueKeysWithValues: Tab.allCases.map { ($0, $0.kind.count(state)) })
    return Self.labels(
      width: width, shown: state.listening == nil ? state.tab : nil, counts: counts, keymap: state.keymap)
  }

  /// The label of each screen with its columns. All have their names if they fit. If not, the screens near the current
  /// one have names and the others only their keys; below `Layout.medium` columns only the current one has its name and
  /// its count. If not even the keys fit, the screens far from the current one are left out.
  /// - Parameter shown: nil: none of them, but the full-screen view.
  static func labels(width: Int, shown: Tab?, counts: [Tab: Int] = [:], keymap: Keymap) -> [Label] {
    func named(_ tab: Tab, withCount: Bool = true) -> Label {
      let key = keymap.key(tab.kind.traits.command)
      return Label(
        tab: tab, text: [key, tab.title].compactMap { $0 }.joined(separator: " "),
        count: withCount ? Totals.shown(counts[tab] ?? 0) : "")
    }
    let isNarrow = width < Layout.medium
    var labels = Tab.allCases.map { named($0, withCount: !isNarrow || $0 == shown) }
    func used(_ gap: Int) -> Int { labels.reduce(1) { $0 + $1.width + gap } - gap }
    // All names with narrow gaps are better than fewer names with wide gaps. Beside a count they are hard to read.
    let gap = used(2) > width && used(1) <= width && labels.allSatisfy(\.count.isEmpty) ? 1 : 2
    let center = (shown ?? .podcasts).rawValue
    let nearest = Tab.allCases.sorted { left, right in
      let (one, other) = (abs(left.rawValue - center), abs(right.rawValue - center))
      return one == other ? left.rawValue > right.rawValue : one < other
    }
    var farthest = nearest.filter { $0 != shown }
    while used(gap) > width, let tab = farthest.popLast() {
      // One name beside the current one would be as good as any other.
      let without = isNarrow ? farthest + [tab] : [tab]
      for tab in without { labels[tab.rawValue - 1] = Label(tab: tab, text: keymap.key(tab.kind.traits.command) ?? "") }
    }
    farthest = nearest
    while used(gap) > width, let tab = farthest.popLast() { labels.removeAll { $0.tab == tab } }
    var x = 1
    return labels.map { label in
      var label = label
      label.columns = x..<x + label.width
      x += label.width + gap
      return label
    }
  }
}
