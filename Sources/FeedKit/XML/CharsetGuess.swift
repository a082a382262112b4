/// Guesses the charset of bytes that are not UTF-8 and have no declared charset, or a wrong one.
///
/// Windows-1252 is right for most of them, so other charsets need evidence. In other alphabets, bytes beyond ASCII are
/// adjacent, while in Latin texts they are isolated. The document's language and `CharsetDetector` then decide which
/// charset it is.
struct CharsetGuess {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Fewer bytes beyond ASCII are no evidence.
  private static let minimumForeign = 6
  private static let minimumLatin = 16
  /// Needed to override a declared ISO-8859-1, which servers often declare by default.
  private static let minimumAgainstLatin1 = 24

  private let bytes: Bytes
  /// The number of bytes beyond ASCII, and of those adjacent to another one.
  private let high: Int
  private let joined: Int

  init(_ bytes: Bytes) {
    self.bytes = bytes
    var (high, joined) = (0, 0)
    for index in bytes.indices where bytes[index] >= 0x80 {
      high += 1
      let hasNeighbour =
        (index > 0 && bytes[index - 1] >= 0x80) || (index + 1 < bytes.count && bytes[index + 1] >= 0x80)
      if hasNeighbour { joined += 1 }
    }
    (self.high, self.joined) = (high, joined)
  }

  /// The guessed charset. Nil: Windows-1252.
  /// - Parameter language: the document's declared language (`ko`, `zh-TW`).
  func charset(language: String?) -> CharsetConverter? {
    let detected = CharsetDetector.shared?.guess(bytes)
    let expected = language.map(CharsetFamily.charsets(of:)) ?? []
    // If the detector returns one of the language's own charsets, it is tried first. Otherwise the order of the table
    // applies.
    let ordered = expected.filter { $0.isSame(as: detected) } + expected.filter { !$0.isSame(as: detected) }
    for label in ordered where isForeign == CharsetFamily.isForeign(label) {
      if let converter = sound(label) { return converter }
    }
    guard let detected, high >= (isForeign ? Self.minimumForeign : Self.minimumLatin),
      CharsetFamily.isForeign(detected) == isForeign
    else { return nil }
    return sound(detected)
  }

  /// The real charset of a document that declares ISO-8859-1 or Windows-1252. Nil if the declaration is right.
  func charsetDespiteLatin1(language: String?) -> CharsetConverter? {
    high >= Self.minimumAgainstLatin1 && isForeign ? charset(language: language) : nil
  }

  private var isForeign: Bool { joined * 3 >= high * 2 }

  /// The converter, if all bytes are valid in the charset and the text is plausible.
  private func sound(_ label: CharsetLabel) -> CharsetConverter? {
    guard !label.isWindows1252, let converter = CharsetConverter(label), converter.extendsASCII else { return nil }
    var text = ByteBuffer(capacity: bytes.count * 2)
    guard converter.convert(bytes, final: false, into: &text), isPlausible(text.bytes) else { return nil }
    return CharsetConverter(label)
  }

  /// Whether nearly all characters beyond ASCII are letters, and capitals are at the start of words. Chinese text
  /// that is decoded as Greek has capitals in the middle of words.
  private func isPlausible(_ text: Bytes) -> Bool {
    var (beyond, letters, misplaced) = (0, 0, 0)
    var wasSmall = false
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let properties = scalar.properties
      let isCapital = properties.isUppercase
      if scalar.value >= 0x80 {
        beyond += 1
        if properties.isAlphabetic || CleanText.isUnspaced(scalar) || properties.isGraphemeExtend { letters += 1 }
        if isCapital && wasSmall { misplaced += 1 }
      }
      wasSmall = properties.isLowercase
    }
    return letters * 10 >= beyond * 7 && misplaced * 10 <= letters
  }
}

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
