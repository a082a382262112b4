import TerminalKit

/// The areas of the panes of the full-screen view: all side by side, a list beside a text, or a single one.
enum ListeningLayout {
  static func areas(in body: Rect, _ listening: ListeningView, showsCover: Bool) -> [Layout.Area] {
    if body.width < Layout.medium { return [Layout.area(listening.part, body, isFirst: true)] }
    let isWide = body.width >= 150
    let side = body.splitLeft(isWide ? body.width * 28 / 100 : body.width * 36 / 100)
    var areas: [Layout.Area] = []
    var lists = side.left
    // A cell is about twice as high as wide.
    let coverHeight = min(side.left.width / 2, body.height / 2)
    if showsCover, coverHeight >= 5 {
      let cut = side.left.splitTop(coverHeight)
      areas.append(Layout.Area(pane: .cover, rect: cut.top, content: cut.top))
      lists = cut.rest
    }
    guard isWide else {
      return areas + [
        Layout.area(listening.list, lists, isFirst: true),
        Layout.area(listening.text, side.rest, isFirst: false),
      ]
    }
    if listening.lacksTranscript {
      let rest = side.rest.splitLeft(body.width * 42 / 100)
      return areas + [
        Layout.area(.chapters, lists, isFirst: true), Layout.area(.notes, rest.left, isFirst: false),
        Layout.area(.upNext, rest.rest, isFirst: false),
      ]
    }
    let middle = side.rest.splitLeft(body.width * 40 / 100)
    let right = middle.rest.splitTop(middle.rest.height * 60 / 100)
    return areas + [
      Layout.area(.chapters, lists, isFirst: true), Layout.area(.transcript, middle.left, isFirst: false),
      Layout.area(.notes, right.top, isFirst: false), Layout.area(.upNext, right.rest, isFirst: false),
    ]
  }
}
