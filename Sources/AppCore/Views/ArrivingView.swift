import Model
import TerminalKit

/// Shows a podcast that is being added, in a box above the status line. It takes no keys and hides as little as
/// possible.
struct ArrivingView {
  let state: State
  let podcast: ArrivingPodcast

  func draw(into frame: inout Frame, above status: Rect) {
    let room = min(ArrivingPodcast.titleLimit, (status.y - 1) / 2 - 1)
    guard room > 0 else { return }
    let titles = podcast.titles.prefix(room)
    let style = state.theme[.overlay]
    let top = status.y - titles.count - 1
    frame.fill(Rect(x: status.x, y: top, width: status.width, height: titles.count + 1), style: style)
    put(heading, y: top, style: state.theme[.overlayTitle].over(style), status, into: &frame)
    for (index, title) in titles.enumerated() {
      put("  " + title, y: top + 1 + index, style: style, status, into: &frame)
    }
  }

  private var heading: String {
    let name = podcast.title.map { "“\($0)”" } ?? "a podcast"
    return "Adding \(name): \(podcast.progress)\(state.glyphs.ellipsis)"
  }

  private func put(_ text: String, y: Int, style: Style, _ status: Rect, into frame: inout Frame) {
    frame.put(Sanitize.line(text), x: status.x + 1, y: y, width: max(0, status.width - 2), style: style)
  }
}
