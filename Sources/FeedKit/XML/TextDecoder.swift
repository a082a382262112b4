/// Makes UTF-8 of a document's bytes as they arrive, whatever its encoding is, is called, or pretends to be.
///
/// Order of belief: byte order mark and NUL pattern, which cannot be wrong; the HTTP charset (RFC 7303 §3); the XML
/// declaration; UTF-8. None of the last three is believed blindly. The first bytes beyond ASCII are held until they can
/// tell: what is valid UTF-8 is UTF-8 under any name (servers say ISO-8859-1 by default, tools write `us-ascii` and mean
/// nothing by it); what is not, under the name of UTF-8, is what the other witness says, and Windows-1252 when there is
/// none and `CharsetGuess` knows no better. A text that is UTF-8 but for a few bytes stays UTF-8, and `XMLRepair` reads those as Windows-1252.
final class TextDecoder {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  private enum Phase {
    /// Too few bytes to know; all are held.
    case sniffing
    /// ASCII so far and passed on; the first other bytes will be held and decide between UTF-8 and this charset.
    /// `isNamed`: a witness says so; otherwise it is only what remains when UTF-8 is out of the question.
    case undecided(CharsetConverter, isNamed: Bool)
    case utf8
    case converting(CharsetConverter)
  }

  /// Bytes looked at for a declaration, and bytes from the first non-ASCII one on for the decision.
  private static let headBytes = 1024
  private static let evidenceBytes = 2048
  /// Bytes of ASCII that were passed on and are remembered: the document's language may be among them.
  private static let rememberedBytes = 4096

  private let httpCharset: String?
  private var phase = Phase.sniffing
  private var held = ByteBuffer(capacity: 4096)
  private var out = ByteBuffer(capacity: 1024)
  private var passed = ByteBuffer(capacity: 1024)
  private(set) var isDamaged = false

  init(charset: String?) { httpCharset = charset }

  /// The text passed on is the document's own UTF-8, or taken for it.
  var isUTF8: Bool { if case .utf8 = phase { true } else { false } }

  /// Hands the text of `bytes` to `output`, now or with a later call; `final` tells that no more will come.
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

  /// Hands on what is ASCII.
  private func pass(_ bytes: Bytes, _ output: (Bytes) -> Void) {
    let room = Self.rememberedBytes - passed.count
    if room > 0, let start = bytes.baseAddress { passed.append(start, min(room, bytes.count)) }
    output(bytes)
  }

  /// Sends what was held through the phase just chosen.
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

  /// The charset of what is held, when it is not the one that was named, or assumed.
  private func guess(against charset: CharsetConverter, _ isNamed: Bool) -> CharsetConverter? {
    let language = DocumentLanguage.named(in: passed.bytes) ?? DocumentLanguage.named(in: held.bytes)
    let guess = CharsetGuess(held.bytes)
    guard isNamed else { return guess.charset(language: language) }
    if charset.isWindows1252 { return guess.charsetDespiteLatin1(language: language) }
    // Every byte means something in a charset of one byte a character; others are caught.
    return charset.isSingleByte || charset.fits(held.bytes) ? nil : guess.charset(language: language)
  }

  /// How many UTF-8 sequences there are (the last may be cut), and how many bytes beyond ASCII that belong to none. A
  /// C1 control never stands in a text: unless it counts, it is another charset's pair that happens to be valid.
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
  /// Enough bytes to see a declaration, or that there is none.
  private static func suffices(_ bytes: Bytes) -> Bool {
    if bytes.count >= headBytes { return true }
    guard bytes.count >= 8 else { return false }
    if bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE { return bytes.count >= 8 }
    let text = bytes.drop { $0 <= 0x20 || $0 >= 0x80 }
    guard text.count >= 6, text.first == UInt8(ascii: "<") else { return false }
    return text.dropFirst().first != UInt8(ascii: "?") || text.contains(UInt8(ascii: ">"))
  }

  /// Chooses the phase from the held bytes, and drops a byte order mark from them.
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
      // `<?xm` in EBCDIC: all its code pages agree on the letters of a declaration.
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
    // The first witness that names something else than UTF-8 is the alternative; a wide charset is a lie by now.
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

  /// UTF-16 and UTF-32 without a mark: a document begins with ASCII, so its zeroes tell (XML 1.0, appendix F).
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
    let value = declaration[name.upperBound...].utf8.drop { ByteScan.isBlank($0) || [0x3D, 0x22, 0x27].contains($0) }
    let label = value.prefix { $0 < 0x80 && ByteScan.isName($0) }
    return label.isEmpty ? nil : String(decoding: label, as: UTF8.self)
  }
}
