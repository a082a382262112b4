import Foundation
import TerminalKit

/// Keeps the pictures on the screen in step with the frames. ncurses does not know about pictures: they are drawn over
/// cells that ncurses believes to be blank and never clears.
struct TerminalPictures {
  let language: GraphicsProtocol?
  /// The pictures on the screen, complete or damaged.
  private var shown: [Frame.Picture] = []
  /// The pictures on the screen that cells were written over.
  private var damaged: Set<Frame.Picture> = []

  init(language: GraphicsProtocol? = nil) { self.language = language }

  /// What must be removed before `frame` is written: a text to send, and rows whose cells must be written again to
  /// remove pixels.
  struct Removal: Equatable {
    var text = ""
    var rows: Set<Int> = []
    var isEmpty: Bool { text.isEmpty && rows.isEmpty }
  }

  mutating func removal(for frame: Frame) -> Removal {
    let gone = shown.filter { !frame.pictures.contains($0) }
    guard !gone.isEmpty else { return Removal() }
    guard !isLayered else { return Removal(text: removeAll()) }
    let rows = Set(gone.flatMap { $0.rect.y..<$0.rect.maxY })
    shown.removeAll { gone.contains($0) }
    // Other pictures in these rows are overwritten, too.
    damaged.formUnion(shown.filter { !rows.isDisjoint(with: $0.rect.y..<$0.rect.maxY) })
    return Removal(rows: rows)
  }

  /// Removes all pictures, because the screen is left or cleared.
  /// - Returns: the text to send.
  mutating func removeAll() -> String {
    defer { (shown, damaged) = ([], []) }
    // Our pictures have no ids, so all are deleted, and the remaining ones are drawn again.
    return isLayered && !shown.isEmpty ? Self.deleteAll : ""
  }

  /// Records which columns of which rows were written.
  mutating func write(over changed: [Int: Range<Int>]) {
    guard !isLayered else { return }
    damaged.formUnion(
      shown.filter { picture in
        let rect = picture.rect
        return (rect.y..<rect.maxY).contains { changed[$0]?.overlaps(rect.x..<rect.maxX) ?? false }
      })
  }

  /// The bytes that draw missing and damaged pictures.
  mutating func bytes(for frame: Frame) -> [UInt8] {
    let missing = frame.pictures.filter { !shown.contains($0) || damaged.contains($0) }
    guard !missing.isEmpty else { return [] }
    (shown, damaged) = (frame.pictures, [])
    var bytes = Array(TerminalMode.save.utf8)
    for picture in missing {
      bytes += "\u{1B}[\(picture.at.y + 1);\(picture.at.x + 1)H".utf8
      bytes += picture.graphic.bytes
    }
    return bytes + Array(TerminalMode.restore.utf8)
  }

  /// kitty draws pictures on their own layer. With other protocols they are pixels of the cells, and writing the cells
  /// removes them.
  private var isLayered: Bool { language == .kitty }

  /// kitty, "Deleting images": all visible ones with their data, without an answer.
  static let deleteAll = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"
}
