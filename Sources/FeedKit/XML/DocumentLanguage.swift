/// The declared language of a document, read before its charset is known. Tags and language tags are ASCII.
enum DocumentLanguage {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  private static let marks = ["<language>", "<dc:language>", "xml:lang=\"", "xml:lang='"]

  /// The language tag (`de`, `zh-TW`) from RSS's `language` or from `xml:lang`. Nil if there is none.
  static func named(in bytes: Bytes) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let tags = marks.lazy.compactMap { mark -> String? in
      guard let start = text.firstRange(of: mark)?.upperBound else { return nil }
      let value = text[start...].drop(while: \.isWhitespace)
      let tag = value.prefix(while: { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
      return (2...35).contains(tag.utf8.count) ? String(tag) : nil
    }
    return tags.first
  }
}
