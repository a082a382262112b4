import Model
import TerminalKit

/// The screen of `--linear`, for those who hear it or read it in braille.
///
/// One pane at a time and an entry a row; words instead of symbols; no frames, no columns, no colours that say anything.
/// Screen readers read what is written and where the cursor stands, so nothing is written that was not asked for: moving
/// in a list moves the cursor and nothing else, lists turn by pages, and no clock runs (`w` says where the sound is).
struct LinearScreen {
  let state: State

  func draw(into frame: inout Frame) {
    let layout = state.layout
    guard let room = layout.places.first?.content else { return }
    let page = LinearPage(state: state, size: room.size)
    let text = state.theme[.text]
    frame.put(page.heading, x: 0, y: 0, style: state.theme[.title].over(text), ellipsis: "")
    for (index, line) in page.lines.prefix(room.height).enumerated() {
      frame.put(line, x: 0, y: room.y + index, style: text, ellipsis: "")
    }
    frame.cursor = Point(0, room.y + min(max(0, room.height - 1), page.cursor))
    drawStatus(layout.status, into: &frame)
    frame.put(LinearText.player(state), x: 0, y: layout.player.y, style: text, ellipsis: "")
  }

  /// A question or a line to type into; else the last message.
  private func drawStatus(_ row: Rect, into frame: inout Frame) {
    switch state.overlays.last {
    case .prompt: break
    case .confirm(let confirm):
      // Where there is no room for all of it, the end: the answers are always seen.
      let text = confirm.question + " y: yes, n: no"
      let lines = TextFlow.wrap(text, width: max(1, row.width - 1)).suffix(max(1, row.y))
      for (index, line) in lines.enumerated() {
        let place = Rect(x: 0, y: row.y - lines.count + 1 + index, width: row.width, height: 1)
        frame.fill(place, style: state.theme[.text])
        let used = frame.put(line, x: 0, y: place.y, style: state.theme[.text], ellipsis: "")
        frame.cursor = Point(min(row.width - 1, used), place.y)
      }
    default:
      guard let message = state.message else { return }
      frame.put(
        message.kind.sign + Sanitize.line(message.text), x: 0, y: row.y, style: state.theme[.text], ellipsis: "")
    }
  }
}
