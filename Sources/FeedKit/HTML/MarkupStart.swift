/// What a `<` in a description begins. Feeds write comments without an end, wrap their text in CDATA twice, and use `<`
/// in plain text.
enum MarkupStart: Equatable {
  /// A tag or a declaration.
  case tag
  /// The `<` is text: `<3`, `<mail@example.com>`, `<www.example.com>`, Markdown's `<https://…>`.
  case text
  /// What is skipped: a comment up to `end`, or only the start of a CDATA section or of a comment without an end, whose
  /// content is text.
  case skipped(end: Int)

  /// - Parameters:
  ///   - index: of the `<`.
  ///   - commentsEnd: false if a search for the end of a comment has failed. All later ones would fail, too. This keeps
  ///     hostile text linear.
  init(at index: Int, in bytes: UnsafeBufferPointer<UInt8>, commentsEnd: inout Bool) {
    let rest = UnsafeBufferPointer(rebasing: bytes[index...])
    if rest.starts(with: Self.cdata) {
      self = .skipped(end: index + Self.cdata.count)
    } else if rest.starts(with: Self.comment) {
      let start = index + Self.comment.count
      let end = bytes.baseAddress.flatMap { first in
        commentsEnd ? ByteScan.endOfComment(first + start, first + bytes.count).map { $0 - first } : nil
      }
      commentsEnd = end != nil
      self = .skipped(end: end ?? start)
    } else {
      self = Self.opensTag(rest.dropFirst().prefix(64)) ? .tag : .text
    }
  }

  /// Whether a comment or a CDATA section begins at the `<`.
  static func opensSection(_ rest: some Collection<UInt8>) -> Bool {
    rest.starts(with: comment) || rest.starts(with: cdata)
  }

  /// Removed wherever it stands: the start of its CDATA section may be elsewhere.
  static let cdataEnd = Array("]]>".utf8)
  private static let cdata = Array("<![CDATA[".utf8)
  private static let comment = Array("<!--".utf8)

  private static func opensTag(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = rest.first else { return false }
    if first == UInt8(ascii: "!") { return true }
    let isMarked = first == UInt8(ascii: "/") || first == UInt8(ascii: "?")
    let name = isMarked ? rest.dropFirst() : rest
    guard let letter = name.first, ByteScan.isLetter(letter) else { return false }
    for (offset, byte) in name.enumerated() {
      switch byte {
      case UInt8(ascii: "@"): return false
      case UInt8(ascii: ":"): return name.dropFirst(offset + 1).first != UInt8(ascii: "/")
      // WebVTT has "<v.loud Name>".
      case UInt8(ascii: ".") where offset > 2 && name.prefix(offset).allSatisfy(ByteScan.isLetter): return false
      case UInt8(ascii: ">"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
        UInt8(ascii: "/"):
        return true
      default: continue
      }
    }
    return true
  }
}
