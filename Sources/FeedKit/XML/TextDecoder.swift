/// Converts a document's bytes to UTF-8 as they arrive, whatever its encoding is or claims to be.
///
/// The encoding is determined by, in this order: byte order mark or NUL pattern, which are always right; the HTTP
/// charset (RFC 7303 §3); the XML declaration; UTF-8. The last three are checked: the first bytes beyond ASCII are
/// buffered until they give evidence. If they are valid UTF-8, the document is UTF-8, whatever it declares (servers
/// declare ISO-8859-1 by default, tools write `us-ascii` without meaning it). If they are not, a declaration as UTF-8
/// is wrong: then the other declaration is used, or else `CharsetGuess`, which defaults to Windows-1252. A text that
/// is UTF-8 except for a few bytes stays UTF-8, and `XMLRepair` reads those bytes as Windows-1252.
final class TextDecoder {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  private enum Phase {
    /// Too few bytes to decide. All are buffered.
    case sniffing
    /// ASCII so far, which is passed on. The first other bytes are buffered and decide between UTF-8 and this
    /// charset. `isNamed`: the charset was declared; otherwise it is only the fallback.
    case undecided(CharsetConverter, isNamed: Bool)
    case utf8
    case converting(CharsetConverter)
  }

  /// How many bytes to search for a declaration, and how many from the first non-ASCII one to decide by.
  private static let headBytes = 1024
  private static let evidenceBytes = 2048
  /// How many of them are used to guess the charset.
  private static let guessedBytes = 65_536
  /// How many passed-on ASCII bytes to remember, because they may contain the document's language.
  private static let rememberedBytes = 4096

  private let httpCharset: String?
  private var phase = Phase.sniffing
  private var held = ByteBuffer(capacity: 4096)
  private var out = ByteBuffer(capacity: 1024)
  private var passed = ByteBuffer(capacity: 1024)
  private(set) var isDamaged = false

  init(charset: String?) { httpCharset = charset }

  /// The output is the document's own UTF-8, or was assumed to be.
  var isUTF8: Bool { if case .utf8 = phase { true } else { false } }

  /// Passes the text of `bytes` to `output`, now or in a later call. `final`: no more bytes follow.
  func decode(_ bytes: Bytes, final: Bool, to output: (Bytes) -> Void) {
    switch phase {
    case .sniffing:
      if let start = bytes.baseAddress { held.append(start, bytes.count) }
      guard final || Self.suffices(held.bytes) else { return }
      begin()
      release(final, output)
    case .utf8: output(bytes)
    case .undecided(let charset, let isNamed):
      if !held.isEmpty {
        if let start = bytes.baseAddress { held.append(start, bytes.count) }
        decide(charset, isNamed, final, output)
      } else if let high = bytes.firstIndex(where: { $0 >= 0x80 }) {
        pass(Bytes(rebasing: bytes[..<high]), output)
        if let start = bytes.baseAddress { held.append(start + high, bytes.count - high) }
        decide(charset, isNamed, final, output)
      } else {
        pass(bytes, output)
      }
    case .converting(let charset): convert(bytes, charset, final, output)
    }
  }

  /// Passes on ASCII bytes.
  private func pass(_ bytes: Bytes, _ output: (Bytes) -> Void) {
    let room = Self.rememberedBytes - passed.count
    if room > 0, let start = bytes.baseAddress { passed.append(start, min(room, bytes.count)) }
    output(bytes)
  }

  /// Decodes the buffered bytes in the phase just chosen.
  private func release(_ final: Bool, _ output: (Bytes) -> Void) {
    var taken = ByteBuffer(capacity: held.count)
    taken.append(held.start, held.count)
    held.removeAll()
    decode(taken.bytes, final: final, to: output)
  }

  private func convert(_ bytes: Bytes, _ charset: CharsetConverter, _ final: Bool, _ output: (Bytes) -> Void) {
    if !charset.convert(bytes, final: final, into: &out) { isDamaged = true }
    output(out.bytes)
    out.removeAll()
  }

  private func decide(
    _ charset: CharsetConverter, _ isNamed: Bool, _ final: Bool, _ output: (Bytes) -> Void
  ) {
    guard final || held.count >= Self.evidenceBytes else { return }
    let (valid, invalid) = Self.sequences(held.bytes, countsControls: !isNamed)
    let isUTF8 = isNamed ? invalid == 0 && valid >= (charset.isSingleByte ? 1 : 3) : valid >= invalid
    if isUTF8 {
      phase = .utf8
    } else {
      let better = guess(against: charset, isNamed)
      if !isNamed || better != nil { isDamaged = true }
      phase = .converting(better ?? charset)
    }
    release(final, output)
  }

  /// The charset of the buffered bytes, if it differs from the declared or assumed one.
  private func guess(against charset: CharsetConverter, _ isNamed: Bool) -> CharsetConverter? {
    let bytes = Bytes(rebasing: held.bytes.prefix(Self.guessedBytes))
    let language = DocumentLanguage.named(in: passed.bytes) ?? DocumentLanguage.named(in: bytes)
    let guess = CharsetGuess(bytes)
    guard isNamed else { return guess.charset(language: language) }
    if charset.isWindows1252 { return guess.charsetDespiteLatin1(language: language) }
    // In a single-byte charset all bytes are valid, so it cannot be disproved. Other charsets can.
    return charset.isSingleByte || charset.fits(bytes) ? nil : guess.charset(language: language)
  }

  /// The number of UTF-8 sequences (the last may be incomplete), and of other bytes beyond ASCII. A C1 control never
  /// occurs in text, so unless `countsControls`, it counts as a pair of another charset that happens to be valid.
  private static func sequences(_ bytes: Bytes, countsControls: Bool) -> (valid: Int, invalid: Int) {
    guard var at = bytes.baseAddress else { return (0, 0) }
    let end = at + bytes.count
    var valid = 0
    var invalid = 0
    while at < end {
      if at.pointee < 0x80 {
        at += 1
        continue
      }
      switch ByteScan.sequence(at, end) {
      case .valid(let length):
        let isControl = length == 2 && at[0] == 0xC2 && at[1] < 0xA0
        if isControl, !countsControls { invalid += 1 } else { valid += 1 }
        at += length
      case .incomplete: return (valid, invalid)
      case .invalid:
        invalid += 1
        at += 1
      }
    }
    return (valid, invalid)
  }
}

// MARK: - Which encoding
extension TextDecoder {
  /// Whether there are enough bytes to find a declaration or to rule it out.
  private static func suffices(_ bytes: Bytes) -> Bool {
    if bytes.count >= headBytes { return true }
    guard bytes.count >= 8 else { return false }
    if bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE { return bytes.count >= 8 }
    let text = bytes.drop { $0 <= 0x20 || $0 >= 0x80 }
    guard text.count >= 6, text.first == UInt8(ascii: "<") else { return false }
    return text.dropFirst().first != UInt8(ascii: "?") || text.contains(UInt8(ascii: ">"))
  }

  /// Chooses the phase from the buffered bytes, and removes a byte order mark.
  private func begin() {
    let bytes = held.bytes
    for (mark, name) in Self.marks where bytes.starts(with: mark) {
      held.removeFirst(mark.count)
      phase = name.flatMap { CharsetConverter(label: $0) }.map { .converting($0) } ?? .utf8
      return
    }
    if let wide = Self.wideCharset(bytes), let charset = CharsetConverter(label: wide) {
      phase = .converting(charset)
      return
    }
    var head = Array(bytes.prefix(Self.headBytes))
    if head.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) {
      // `<?xm` in EBCDIC. All its code pages agree on the letters of a declaration.
      var ascii = ByteBuffer(capacity: 256)
      let known = CharsetConverter(label: "ibm037")
      _ = head.prefix(256).withUnsafeBufferPointer { known?.convert($0, final: true, into: &ascii) }
      head = Array(ascii.bytes)
      if let name = Self.declaredCharset(head), let charset = CharsetConverter(label: name) {
        phase = .converting(charset)
        return
      }
    }
    let witnesses = [httpCharset, Self.declaredCharset(head)].compactMap { $0.map(CharsetLabel.init) }
    // The first declaration other than UTF-8 is the alternative. A wide charset has been ruled out by now.
    let other = witnesses.lazy.filter { !$0.isUTF8 && !$0.isWide && !$0.isASCII }.compactMap { CharsetConverter($0) }
      .first {
        $0.isStateful || $0.extendsASCII
      }
    if witnesses.contains(where: { !$0.isUTF8 && !$0.isWide && !$0.isASCII }), other == nil { isDamaged = true }
    if let other {
      phase = other.isStateful ? .converting(other) : .undecided(other, isNamed: true)
    } else {
      phase = CharsetConverter(label: "windows-1252").map { .undecided($0, isNamed: false) } ?? .utf8
    }
  }

  private static let marks: [([UInt8], String?)] = [
    ([0xEF, 0xBB, 0xBF], nil), ([0xFF, 0xFE, 0, 0], "utf-32le"), ([0, 0, 0xFE, 0xFF], "utf-32be"),
    ([0xFF, 0xFE], "utf-16le"), ([0xFE, 0xFF], "utf-16be"),
  ]

  /// Detects UTF-16 and UTF-32 without a mark: a document starts with ASCII, so its NUL bytes show the width (XML
  /// 1.0, appendix F).
  private static func wideCharset(_ bytes: Bytes) -> String? {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0] == 0, bytes[1] == 0, bytes[2] == 0, bytes[3] == 0) {
    case (true, true, true, false): return "utf-32be"
    case (false, true, true, true): return "utf-32le"
    case (true, false, true, false): return "utf-16be"
    case (false, true, false, true): return "utf-16le"
    default: return nil
    }
  }

  /// The `encoding` of an XML declaration anywhere in `head`.
  private static func declaredCharset(_ head: [UInt8]) -> String? {
    let text = String(decoding: head, as: UTF8.self)
    guard let start = text.firstRange(of: "<?xml"), let end = text[start.upperBound...].firstIndex(of: ">") else {
      return nil
    }
    let declaration = text[start.upperBound..<end]
    guard let name = declaration.firstRange(of: "encoding") else { return nil }
    // The quotes of some EBCDIC code pages are not in ASCII yet.
    let value = declaration[name.upperBound...].utf8.drop {
      ByteScan.isBlank($0) || [0x3D, 0x22, 0x27].contains($0) || $0 >= 0x80
    }
    let label = value.prefix { $0 < 0x80 && ByteScan.isName($0) }
    return label.isEmpty ? nil : String(decoding: label, as: UTF8.self)
  }
}
