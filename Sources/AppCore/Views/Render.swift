import Model
import TerminalKit

/// Draws the whole screen from the state, at any size. It changes nothing.
public func render(_ state: State) -> Frame {
  var frame = Frame(state.size, style: state.theme[.text])
  frame.ellipsis = state.glyphs.ellipsis
  let layout = state.layout
  guard !layout.isTooSmall else {
    let minimum = Layout.minimumSize
    let text = "Earshot needs \(minimum.width)x\(minimum.height)"
    for (index, line) in TextFlow.wrap(text, width: max(1, state.size.width)).prefix(state.size.height).enumerated() {
      frame.put(line, x: 0, y: index, style: state.theme[.warning])
    }
    return frame
  }
  guard !state.preferences.isLinear else {
    LinearScreen(state: state).draw(into: &frame)
    return frame
  }
  TabsView(state: state).draw(into: &frame, layout.tabs)
  if let rect = layout.cover {
    CoverView(state: state, address: state.listeningCover(CoverView.size(in: rect))).drawCentered(into: &frame, rect)
  }
  for area in layout.areas { PaneView(state: state, area: area).draw(into: &frame) }
  if let newest = state.awaited.newestArriving {
    ArrivingView(state: state, podcast: newest).draw(into: &frame, above: layout.status)
  }
  StatusView(state: state).draw(into: &frame, layout.status)
  PlayerView(state: state).draw(into: &frame, layout.player)
  for overlay in state.overlays { overlay.content.draw(state, into: &frame) }
  if !state.overlays.isEmpty { frame.dropLinks() }
  frame.resolvePictures()
  return frame
}
