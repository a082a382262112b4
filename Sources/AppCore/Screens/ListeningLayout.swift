import TerminalKit

/// The areas of the panes of the full-screen view: all side by side, a list beside a text, or a single one. The cover
/// is above the list.
enum ListeningLayout {
  static func areas(
    in body: Rect, _ listening: ListeningView, showsCover: Bool
  ) -> (panes: [Layout.Area], cover: Rect?) {
    if body.width < Layout.medium { return ([Layout.area(listening.part, body)], nil) }
    let isWide = body.width >= 150
    let side = body.splitLeft(isWide ? body.width * 28 / 100 : body.width * 36 / 100)
    var (cover, lists): (Rect?, Rect) = (nil, side.left)
    // A cell is about twice as high as wide.
    let coverHeight = min(side.left.width / 2, body.height / 2)
    if showsCover, coverHeight >= 5 {
      let cut = side.left.splitTop(coverHeight)
      (cover, lists) = (cut.top, cut.rest)
    }
    let panes: [(Pane, Rect)]
    if !isWide {
      panes = [(listening.list, lists), (listening.text, side.rest)]
    } else if listening.lacksTranscript {
      let rest = side.rest.splitLeft(body.width * 42 / 100)
      panes = [(.chapters, lists), (.notes, rest.left), (.upNext, rest.rest)]
    } else {
      let middle = side.rest.splitLeft(body.width * 40 / 100)
      let right = middle.rest.splitTop(middle.rest.height * 60 / 100)
      panes = [(.chapters, lists), (.transcript, middle.left), (.notes, right.top), (.upNext, right.rest)]
    }
    return (panes.map { Layout.area($0, $1) }, cover)
  }
}
