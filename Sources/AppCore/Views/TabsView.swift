import TerminalKit

/// The first row: the screens with their keys, and the program's name if there is room.
struct TabsView {
  let state: State

  func draw(into frame: inout Frame, _ rect: Rect) {
    let theme = state.theme
    let header = theme[.header].over(theme[.text])
    frame.fill(rect, style: header)
    let places = Self.places(width: rect.width, shown: state.tab, keymap: state.keymap)
    for place in places {
      let isShown = place.tab == state.tab && state.listening == nil
      let style = isShown ? theme[.accent].over(header).with([.bold, .underline]) : header
      frame.put(place.text, x: place.columns.lowerBound, y: rect.y, style: style)
    }
    let used = places.last?.columns.upperBound ?? 0
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

  /// The label of each screen with its columns. If not all names fit, the screens near the current one have names, and
  /// the others only their keys. If not even the keys fit, the screens far from the current one are left out.
  static func places(width: Int, shown: Tab, keymap: Keymap) -> [(tab: Tab, text: String, columns: Range<Int>)] {
    let named = Tab.allCases.reduce(0) { $0 + label($1, keymap).count }
    // All names with narrow gaps are better than fewer names with wide gaps.
    let gap = 1 + named + 2 * (Tab.allCases.count - 1) <= width || 1 + named + Tab.allCases.count - 1 > width ? 2 : 1
    var texts = Dictionary(uniqueKeysWithValues: Tab.allCases.map { ($0, keymap.key($0.kind.command) ?? "") })
    var used = texts.values.reduce(1) { $0 + $1.count + gap } - gap
    let nearest = Tab.allCases.sorted { left, right in
      let (one, other) = (abs(left.rawValue - shown.rawValue), abs(right.rawValue - shown.rawValue))
      return one == other ? left.rawValue > right.rawValue : one < other
    }
    for tab in nearest where tab == shown || used + tab.title.count + 1 <= width {
      texts[tab] = label(tab, keymap)
      used += tab.title.count + 1
    }
    var kept = nearest
    while used > width, let farthest = kept.popLast() { used -= (texts[farthest] ?? "").count + gap }
    var x = 1
    return Tab.allCases.filter(kept.contains).map { tab in
      let text = texts[tab] ?? ""
      defer { x += text.count + gap }
      return (tab, text, x..<x + text.count)
    }
  }

  private static func label(_ tab: Tab, _ keymap: Keymap) -> String {
    [keymap.key(tab.kind.command), tab.title].compactMap { $0 }.joined(separator: " ")
  }
}
