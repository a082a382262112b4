import Foundation
import TerminalKit

/// Keeps the pictures of pixels on the screen as the frames have them. ncurses knows nothing of them: they are drawn past
/// it, over cells that it believes to be blanks of a kind that it never clears.
struct TerminalPictures {
  let language: GraphicsProtocol?
  /// Whose pixels are on the screen, whole or not.
  private var shown: [Frame.Picture] = []
  /// Those of them that cells were written over.
  private var hurt: Set<Frame.Picture> = []

  init(language: GraphicsProtocol? = nil) { self.language = language }

  /// What must go before `frame` is written: a text to send, and rows whose cells must be written once more, because
  /// pixels lie over them.
  struct Leave: Equatable {
    var text = ""
    var rows: Set<Int> = []
    var isEmpty: Bool { text.isEmpty && rows.isEmpty }
  }

  mutating func leave(for frame: Frame) -> Leave {
    let gone = shown.filter { !frame.pictures.contains($0) }
    guard !gone.isEmpty else { return Leave() }
    guard !isLayered else { return Leave(text: leaveAll()) }
    let rows = Set(gone.flatMap { $0.rect.y..<$0.rect.maxY })
    shown.removeAll { gone.contains($0) }
    // Another one beside them is written over with its rows.
    hurt.formUnion(shown.filter { !rows.isDisjoint(with: $0.rect.y..<$0.rect.maxY) })
    return Leave(rows: rows)
  }

  /// The screen is given away, or cleared and written in full. What must be sent then.
  mutating func leaveAll() -> String {
    defer { (shown, hurt) = ([], []) }
    // Pictures have no names here: all of them go, and those that stay are drawn anew.
    return isLayered && !shown.isEmpty ? Self.deleteAll : ""
  }

  /// Cells were written in these columns of these rows.
  mutating func write(over changed: [Int: Range<Int>]) {
    guard !isLayered else { return }
    hurt.formUnion(
      shown.filter { picture in
        let rect = picture.rect
        return (rect.y..<rect.maxY).contains { changed[$0]?.overlaps(rect.x..<rect.maxX) ?? false }
      })
  }

  /// What draws those that are not there, or not whole.
  mutating func bytes(for frame: Frame) -> [UInt8] {
    let missing = frame.pictures.filter { !shown.contains($0) || hurt.contains($0) }
    guard !missing.isEmpty else { return [] }
    (shown, hurt) = (frame.pictures, [])
    return Array(Self.save.utf8)
      + missing.flatMap { Array("\u{1B}[\($0.at.y + 1);\($0.at.x + 1)H".utf8) + $0.graphic.bytes }
      + Array(Self.restore.utf8)
  }

  /// kitty's pictures lie on a layer of their own; the others' are pixels of the cells, and what is written there wipes
  /// them out.
  private var isLayered: Bool { language == .kitty }

  /// Cursor and attributes (DECSC, DECRC): ncurses finds the terminal as it left it.
  private static let save = "\u{1B}7"
  private static let restore = "\u{1B}8"
  /// kitty, "Deleting images": all that are seen, and their data; quietly.
  static let deleteAll = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"
}
