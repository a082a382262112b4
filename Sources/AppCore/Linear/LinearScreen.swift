import Model
import TerminalKit

/// The screen of `--linear`, for screen readers and braille displays.
///
/// It shows one pane at a time, one entry a row, and words instead of symbols. It has no frames, no columns, and no
/// meaning in colours. Screen readers read what changes, so nothing changes without a command: moving in a list only
/// moves the cursor, lists scroll by pages, and no clock runs (press `w` for the position).
public struct LinearScreen {
  let state: State

  func draw(into frame: inout Frame) {
    let layout = state.layout
    guard let room = layout.areas.first?.content else { return }
    let page = LinearPage(state: state, size: room.size)
    let text = state.theme[.text]
    frame.put(page.heading, x: 0, y: 0, style: state.theme[.title].over(text), ellipsis: "")
    for (index, line) in page.lines.prefix(room.height).enumerated() {
      frame.put(line, x: 0, y: room.y + index, style: text, ellipsis: "")
    }
    frame.cursor = Point(0, room.y + min(max(0, room.height - 1), page.cursor))
    drawStatus(layout.status, into: &frame)
    frame.put(footer, x: 0, y: layout.player.y, style: text, ellipsis: "")
  }

  /// The bottom row: the topmost overlay's text, else the player's.
  private var footer: String {
    state.overlays.last?.content.footer(state) ?? AccessibleText.player(state)
  }

  /// A question or a prompt, else the last message.
  private func drawStatus(_ row: Rect, into frame: inout Frame) {
    if let overlay = state.overlays.last?.content, overlay.drawStatus(self, row, into: &frame) { return }
    guard let message = state.message else { return }
    let more = state.messages.unread > 0 ? " (\(state.messages.unread) more: :log)" : ""
    draw(message.kind.sign + Sanitize.line(message.text) + more, upwardsFrom: row, into: &frame)
  }

  /// Draws a text of any length upwards from the bottom row, over the end of the page. If it does not fit, its end is
  /// shown, because a question ends with its answers.
  /// - Returns: the columns of the last row.
  @discardableResult
  func draw(_ text: String, upwardsFrom row: Rect, into frame: inout Frame) -> Int {
    let style = state.theme[.text]
    let lines = TextFlow.wrap(text, width: max(1, row.width - 1)).suffix(max(1, row.y))
    var used = 0
    for (index, line) in lines.enumerated() {
      let y = row.y - lines.count + 1 + index
      frame.fill(Rect(x: 0, y: y, width: row.width, height: 1), style: style)
      used = frame.put(line, x: 0, y: y, style: style, ellipsis: "")
    }
    return used
  }
}
