import TerminalKit

/// The areas of the panes of the full-screen view: all side by side, a list beside a text, or a single one. The cover is
/// above the list.
enum ListeningLayout {
  static func areas(
    in body: Rect, _ listening: ListeningView, showsCover: Bool
  ) -> (panes: [Layout.Area], cover: Rect?) {
    if body.width < Layout.medium { return ([Layout.area(listening.part, body, isFirst: true)], nil) }
    let isWide = body.width >= 150
    let side = body.splitLeft(isWide ? body.width * 28 / 100 : body.width * 36 / 100)
    var (cover, lists): (Rect?, Rect) = (nil, side.left)
    // A cell is about twice as high as wide.
    let coverHeight = min(side.left.width / 2, body.height / 2)
    if showsCover, coverHeight >= 5 {
      let cut = side.left.splitTop(coverHeight)
      (cover, lists) = (cut.top, cut.rest)
    }
    let panes: [Layout.Area]
    if !isWide {
      panes = [
        Layout.area(listening.list, lists, isFirst: true), Layout.area(listening.text, side.rest, isFirst: false),
      ]
    } else if listening.lacksTranscript {
      let rest = side.rest.splitLeft(body.width * 42 / 100)
      panes = [
        Layout.area(.chapters, lists, isFirst: true), Layout.area(.notes, rest.left, isFirst: false),
        Layout.area(.upNext, rest.rest, isFirst: false),
      ]
    } else {
      let middle = side.rest.splitLeft(body.width * 40 / 100)
      let right = middle.rest.splitTop(middle.rest.height * 60 / 100)
      panes = [
        Layout.area(.chapters, lists, isFirst: true), Layout.area(.transcript, middle.left, isFirst: false),
        Layout.area(.notes, right.top, isFirst: false), Layout.area(.upNext, right.rest, isFirst: false),
      ]
    }
    return (panes, cover)
  }
}
