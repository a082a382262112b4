import Seeded
import Testing

@testable import TerminalKit

@Suite struct FrameDifferenceTests {
  private static let dim = Style(.standard, on: .standard, .dim)
  private static let red = Style(.palette(1))

  private func frame(_ texts: (String, Style)..., width: Int = 12) -> Frame {
    var frame = Frame(Size(width, 1))
    var x = 0
    for (text, style) in texts { x += frame.put(text, x: x, y: 0, style: style) }
    return frame
  }

  @Test func equalRowsNeedNothing() {
    #expect(frame(("流動", Self.red)).changedColumns(of: 0, since: frame(("流動", Self.red))) == nil)
    #expect(Frame(Size(0, 1)).changedColumns(of: 0, since: Frame(Size(0, 1))) == nil)
    #expect(Frame(Size(0, 1)).clusters(of: 0, in: 0..<0) == [])
  }

  @Test func changesAreWholeClusters() {
    let old = frame(("a流b", .plain))
    #expect(frame(("a動b", .plain)).changedColumns(of: 0, since: old) == 1..<3)
    #expect(frame(("a動b", .plain)).clusters(of: 0, in: 1..<3).map(\.text) == ["動"])
    #expect(frame(("axyb", .plain)).changedColumns(of: 0, since: old) == 1..<3)
    #expect(frame(("a xb", .plain)).changedColumns(of: 0, since: frame(("a流b", .plain))) == 1..<3)
    #expect(frame(("a流b", Self.dim)).changedColumns(of: 0, since: old) == 0..<4)
  }

  /// Columns of a table in one style need no change of style between them.
  @Test func blanksTakeTheStyleBeforeThem() {
    let row = frame(("1", Self.dim), (" ", .plain), ("2", Self.dim), (" ", .plain), ("3", Self.red))
    let styles = row.clusters(of: 0, in: 0..<12).map(\.style)
    #expect(styles.prefix(5) == [Self.dim, Self.dim, Self.dim, Self.dim, Self.red])
    #expect(styles.dropFirst(5).allSatisfy { $0 == .plain }, "blanks at the end of the row")
  }

  @Test(arguments: [
    Style(.standard, on: .palette(2)), Style(.standard, on: .standard, .reverse),
    Style(.standard, on: .standard, .underline),
  ]) func visibleBlanksKeepTheirStyle(style: Style) {
    let own = frame(("1", Self.dim), (" ", style), ("2", Self.dim))
    #expect(own.clusters(of: 0, in: 0..<3).map(\.style) == [Self.dim, style, Self.dim])
    let before = frame(("1", style), (" ", Self.dim), ("2", Self.dim))
    #expect(before.clusters(of: 0, in: 0..<3).map(\.style) == [style, Self.dim, Self.dim])
  }

  /// Writing the changed columns over the old row gives the new row.
  @Test func changesTurnOneRowIntoTheOther() {
    let texts = Array(HostileText(seed: 7, count: 400))
    for pair in zip(texts, texts.dropFirst()) {
      let (old, new) = (frame((pair.0, .plain), width: 20), frame((pair.1, .plain), width: 20))
      var written = Array(old.row(0))
      if let columns = new.changedColumns(of: 0, since: old) {
        #expect(new.row(0) != old.row(0))
        written.replaceSubrange(columns, with: new.row(0)[columns])
        #expect(written[columns.lowerBound].width > 0)
        let width = new.clusters(of: 0, in: columns).reduce(0) { $0 + Int($1.width) }
        #expect(width == columns.count)
      }
      #expect(written[...] == new.row(0), "\(pair)")
    }
  }
}
