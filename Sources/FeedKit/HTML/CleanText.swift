/// Makes text from feeds safe for a terminal.
///
/// Removed are: control characters, ECMA-48 escape sequences (a title could clear the screen), C1 controls,
/// bidirectional overrides (U+202A–202E, U+2066–2069: "gpj.exe" shown as "exe.jpg"), and zero-width characters, which
/// break searching. C1 numbers are first read as Windows-1252, because that is what a page with `&#146;` means (HTML
/// Standard, 13.2.5.80).
public enum CleanText {
  /// One line: cleaned, white space reduced to single blanks, trimmed.
  public static func line(_ text: String) -> String {
    collapsed(scrubbed(text).unicodeScalars)
  }

  /// Several lines: cleaned, each line trimmed, line ends as "\n", blank lines kept.
  static func lines(_ text: String) -> [String] {
    scrubbed(text).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(collapsed)
  }

  private static func collapsed(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(scalars.underestimatedCount)
    var collapser = WhitespaceCollapser()
    for scalar in scalars { collapser.append(scalar, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Cleaned, with white space kept (line ends as "\n"). For code.
  static func scrubbed(_ text: String) -> String {
    guard text.utf8.contains(where: isSuspect) else { return text }
    let scalars = Array(text.unicodeScalars)
    // Collects bytes, because appending to a String takes ten times as long.
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var previous: Unicode.Scalar?
    var inFlag = false
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if let length = escapeSequence(in: scalars, at: index) {
        index += length
        continue
      }
      index += 1
      let next = index < scalars.count ? scalars[index] : nil
      let isTag = (0xE0000...0xE007F).contains(scalar.value)
      inFlag = scalar.value == 0x1F3F4 || (inFlag && isTag)
      guard isTag ? inFlag : true, let clean = replacement(for: scalar, previous: previous, next: next) else {
        continue
      }
      result.append(utf8: clean)
      previous = clean
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether the character is white space.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09, 0x0A, 0x0D, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  /// Chinese and Japanese characters, which are written without blanks. A line break between them is no blank either
  /// (CSS Text 4, segment break transformation). Korean has blanks.
  static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// Decodes a byte of Windows-1252. Nil if it has no character.
  static func windows1252(_ byte: UInt8) -> Unicode.Scalar? {
    let value = Windows1252.printable(byte)
    return value == 0xFFFD ? nil : Unicode.Scalar(value)
  }

  /// Reduces white space while text is copied: one blank between words, none at the ends.
  struct WhitespaceCollapser {
    private enum Pending { case nothing, blank, lineEnd }
    private var pending = Pending.nothing
    private var last: Unicode.Scalar?

    mutating func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
      if CleanText.isSpace(scalar) {
        guard last != nil else { return }
        pending = scalar == "\n" || pending == .lineEnd ? .lineEnd : .blank
        return
      }
      if pending != .nothing, let last {
        let joins = pending == .lineEnd && CleanText.isUnspaced(last) && CleanText.isUnspaced(scalar)
        if !joins { text.append(0x20) }
      }
      pending = .nothing
      last = scalar
      text.append(utf8: scalar)
    }
  }
}

extension CleanText {
  /// Bytes that may start something to remove. Text without them needs no cleaning.
  private static func isSuspect(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x08, 0x0B...0x1F, 0x7F, 0xC2, 0xCD, 0xE1, 0xE2, 0xEF, 0xF3: true
    default: false
    }
  }

  /// The replacement of a character. Nil: it is removed.
  private static func replacement(
    for scalar: Unicode.Scalar, previous: Unicode.Scalar?, next: Unicode.Scalar?
  ) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x09, 0x0A: scalar
    case 0x0D: next == "\n" ? nil : "\n"
    case 0x0B, 0x0C: " "
    case 0x00...0x1F, 0x7F: nil
    case 0x80...0x9F: windows1252(UInt8(scalar.value))
    case 0xA0: " "
    case 0x2028, 0x2029: "\n"
    // Joiners are needed in Persian, Indic scripts and emoji. Next to Latin letters they are useless.
    case 0x200C, 0x200D: joins(previous) && joins(next) ? scalar : nil
    // Soft hyphen, combining grapheme joiner, Mongolian separator, zero-width spaces and marks, bidirectional
    // controls, BOM, object replacement.
    case 0xAD, 0x034F, 0x180E, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFC: nil
    case 0xFFFE, 0xFFFF: nil
    default: scalar
    }
  }

  private static func joins(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, scalar.value > 0xA0 else { return false }
    return !isSpace(scalar) && !(0x2000...0x206F).contains(scalar.value)
  }

  /// The length of the escape sequence at this index. Nil if there is none (ECMA-48, 5.4 and 8.3.89).
  private static func escapeSequence(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
    let isEightBit = scalars[start].value == 0x9B
    guard scalars[start].value == 0x1B || isEightBit else { return nil }
    let next = start + 1 < scalars.count ? scalars[start + 1].value : 0
    if isEightBit {
      // U+009B may be "›" of Windows-1252. It is a sequence only if a parameter follows.
      guard (0x30...0x3F).contains(next) else { return nil }
      return controlSequence(in: scalars, from: start + 1).map { $0 - start }
    }
    switch next {
    case 0x5B: return (controlSequence(in: scalars, from: start + 2) ?? start + 2) - start
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F:
      return (controlString(in: scalars, from: start + 2) ?? start + 2) - start
    case 0x20...0x7E: return 2
    default: return 1
    }
  }

  /// The index after the final byte of a CSI, which must come within 64 characters.
  private static func controlSequence(in scalars: [Unicode.Scalar], from start: Int) -> Int? {
    for index in start..<max(start, min(start + 64, scalars.count)) {
      switch scalars[index].value {
      case 0x20...0x3F: continue
      case 0x40...0x7E: return index + 1
      default: return nil
      }
    }
    return nil
  }

  /// The index after the BEL or ST that ends an OSC, DCS, SOS, PM or APC string of at most 4,096 characters.
  private static func controlString(in scalars: [Unicode.Scalar], from start: Int) -> Int? {
    for index in start..<max(start, min(start + 4096, scalars.count)) {
      let value = scalars[index].value
      if value == 0x07 || value == 0x9C { return index + 1 }
      if value == 0x1B { return index + 1 < scalars.count && scalars[index + 1] == "\\" ? index + 2 : index }
    }
    return nil
  }
}

extension Array<UInt8> {
  /// Appends a character in UTF-8.
  mutating func append(utf8 scalar: Unicode.Scalar) {
    // Most text is ASCII.
    if scalar.value < 0x80 { append(UInt8(scalar.value)) } else { append(contentsOf: UTF8.encode(scalar) ?? .init()) }
  }
}
