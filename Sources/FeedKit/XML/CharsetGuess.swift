/// Which charset bytes are in that are no UTF-8 and have no witness, or one that was caught lying.
///
/// Windows-1252 is right for most of them, so that nothing else is believed without a reason. Letters of other alphabets
/// stand beside each other, where those of Latin beyond ASCII stand alone: that tells the two kinds apart. Which of the
/// kind it is the language says that the document names, and `CharsetDetector`.
struct CharsetGuess {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// Fewer bytes beyond ASCII say nothing.
  private static let leastForeign = 6
  private static let leastLatin = 16
  /// To overrule a document that calls itself ISO-8859-1, which servers say of everything.
  private static let leastAgainstLatin1 = 24

  private let bytes: Bytes
  /// Bytes beyond ASCII, and those of them that have another beside them.
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

  /// Nil: Windows-1252, as far as anybody can tell.
  /// - Parameter language: of the document, as it says (`ko`, `zh-TW`).
  func charset(language: String?) -> CharsetConverter? {
    let detected = CharsetDetector.shared?.guess(bytes)
    let expected = language.map(CharsetFamily.charsets(of:)) ?? []
    // A detector that names one of the language's own charsets is believed at once; the order of the table is else.
    let ordered = expected.filter { $0.isSame(as: detected) } + expected.filter { !$0.isSame(as: detected) }
    for label in ordered where isForeign == CharsetFamily.isForeign(label) {
      if let converter = sound(label) { return converter }
    }
    guard let detected, high >= (isForeign ? Self.leastForeign : Self.leastLatin),
      CharsetFamily.isForeign(detected) == isForeign
    else { return nil }
    return sound(detected)
  }

  /// What the bytes of a document are that calls itself ISO-8859-1 or Windows-1252; nil when it tells the truth.
  func charsetDespiteLatin1(language: String?) -> CharsetConverter? {
    high >= Self.leastAgainstLatin1 && isForeign ? charset(language: language) : nil
  }

  private var isForeign: Bool { joined * 3 >= high * 2 }

  /// The converter, when it knows every byte and what comes out can be words.
  private func sound(_ label: CharsetLabel) -> CharsetConverter? {
    guard !label.isWindows1252, let converter = CharsetConverter(label), converter.extendsASCII else { return nil }
    var text = ByteBuffer(capacity: bytes.count * 2)
    guard converter.convert(bytes, final: false, into: &text), isPlausible(text.bytes) else { return nil }
    return CharsetConverter(label)
  }

  /// Nearly all that is beyond ASCII are letters, and capitals stand where capitals do: what is Chinese makes Greek with
  /// a capital in every word's middle.
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
