/// The language that a document names, read before its charset is known: tags and language tags are ASCII.
enum DocumentLanguage {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  private static let places = ["<language>", "<dc:language>", "xml:lang=\"", "xml:lang='"]

  /// A language tag (`de`, `zh-TW`) of RSS's `language` or of `xml:lang`; nil when there is none.
  static func named(in bytes: Bytes) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let tags = places.lazy.compactMap { place -> String? in
      guard let start = text.firstRange(of: place)?.upperBound else { return nil }
      let value = text[start...].drop(while: \.isWhitespace)
      let tag = value.prefix(while: { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
      return (2...35).contains(tag.utf8.count) ? String(tag) : nil
    }
    return tags.first
  }
}
