#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Functions that scan bytes in memory, for runs and names. No state; pointers never go beyond `end`.
enum ByteScan {
  typealias Bytes = UnsafePointer<UInt8>

  static func find(_ byte: UInt8, _ start: Bytes, _ end: Bytes) -> Bytes? {
    guard start < end else { return nil }
    return memchr(start, Int32(byte), end - start).map { Bytes($0.assumingMemoryBound(to: UInt8.self)) }
  }

  /// Searches for a byte from one place after the other. It remembers where the next one is, or that none follows, so
  /// that all searches together read the bytes once.
  struct Next {
    let byte: UInt8
    let end: Bytes
    /// From here to here the result is known.
    private var searched: ClosedRange<Bytes>?

    init(_ byte: UInt8, before end: Bytes) {
      self.byte = byte
      self.end = end
    }

    mutating func find(from start: Bytes) -> Bytes? {
      guard start < end else { return nil }
      if searched?.contains(start) != true { searched = start...(ByteScan.find(byte, start, end) ?? end) }
      return searched.flatMap { $0.upperBound < end ? $0.upperBound : nil }
    }
  }

  static func has(_ text: StaticString, _ at: Bytes, _ end: Bytes, ignoringCase: Bool = false) -> Bool {
    let length = text.utf8CodeUnitCount
    return end - at >= length && equal(at, text.utf8Start, length, ignoringCase: ignoringCase)
  }

  @inline(__always)
  static func equal(_ a: Bytes, _ b: Bytes, _ length: Int) -> Bool { memcmp(a, b, length) == 0 }

  static func equal(_ a: Bytes, _ b: Bytes, _ length: Int, ignoringCase: Bool) -> Bool {
    guard ignoringCase else { return memcmp(a, b, length) == 0 }
    for offset in 0..<length where lower(a[offset]) != lower(b[offset]) { return false }
    return true
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  // MARK: Runs

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Sets the high bit of every byte of `word` that is zero. Bits above the first such byte may be wrong.
  @inline(__always)
  private static func zeroes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  /// The first byte from `start` that needs special handling in text: `<`, `>`, `&`, a control character, or an
  /// unusual UTF-8 sequence. Eight bytes per step.
  @inline(__always)
  static func text(_ start: Bytes, _ end: Bytes) -> Bytes {
    run(start, end) { word in
      zeroes((word & 0xFDFD_FDFD_FDFD_FDFD) ^ (ones &* 0x3C)) | zeroes(word ^ (ones &* 0x26))
    } stops: {
      $0 & 0xFD == 0x3C || $0 == 0x26
    }
  }

  /// Like `text`, for the inside of a CDATA section: stops at `]`, control characters and unusual UTF-8.
  @inline(__always)
  static func cdata(_ start: Bytes, _ end: Bytes) -> Bytes {
    run(start, end) {
      zeroes($0 ^ (ones &* 0x5D))
    } stops: {
      $0 == 0x5D
    }
  }

  @inline(__always)
  private static func run(
    _ start: Bytes, _ end: Bytes, flags: (UInt64) -> UInt64, stops: (UInt8) -> Bool
  ) -> Bytes {
    var at = start
    while true {
      while end - at >= 8 {
        let word = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
        let controls = (word &- ones &* 0x20) & ~word & highs
        let found = flags(word) | controls | (word & highs)
        guard found != 0 else {
          at += 8
          continue
        }
        at += found.trailingZeroBitCount >> 3
        break
      }
      guard at < end else { return end }
      let byte = at.pointee
      if byte >= 0x80 {
        let next = plainSequences(at, end)
        if next == at { return at }
        at = next
      } else if byte < 0x20 {
        guard byte == 0x0A || byte == 0x0D || byte == 0x09 else { return at }
        at += 1
      } else if stops(byte) {
        return at
      } else {
        at += 1
      }
    }
  }

  /// Skips valid sequences of two and three bytes that are allowed in text (no C1 control, surrogate, U+FFFE).
  @inline(__always)
  private static func plainSequences(_ start: Bytes, _ end: Bytes) -> Bytes {
    var at = start
    while end - at >= 4 {
      let lead = at[0]
      if lead >= 0xC3, lead <= 0xDF || lead == 0xC2 && at[1] >= 0xA0 {
        guard at[1] & 0xC0 == 0x80 else { return at }
        at += 2
      } else if lead >= 0xE1, lead <= 0xEC || lead == 0xEE {
        guard at[1] & 0xC0 == 0x80, at[2] & 0xC0 == 0x80 else { return at }
        at += 3
      } else {
        return at
      }
    }
    return at
  }

  enum Sequence { case valid(Int), incomplete, invalid }

  /// The UTF-8 sequence that starts with a byte of 0x80 or more (RFC 3629: no overlong forms, no surrogates, nothing
  /// above U+10FFFF).
  static func sequence(_ at: Bytes, _ end: Bytes) -> Sequence {
    let lead = at[0]
    let length: Int
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return .invalid
    }
    if end - at >= 2 {
      let second = at[1]
      let low: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
      let high: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
      guard second >= low, second <= high else { return .invalid }
    }
    for offset in 2..<max(2, length) where end - at > offset {
      guard at[offset] & 0xC0 == 0x80 else { return .invalid }
    }
    return end - at >= length ? .valid(length) : .incomplete
  }

  static func isUTF8(_ start: Bytes, _ end: Bytes) -> Bool {
    var at = start
    while at < end {
      if at.pointee < 0x80 {
        at += 1
      } else if case .valid(let length) = sequence(at, end) {
        at += length
      } else {
        return false
      }
    }
    return true
  }

  // MARK: Names and attributes

  static func isNameStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte == 0x5F || byte == 0x3A || byte >= 0x80
  }

  @inline(__always)
  static func isName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte < 0x40 ? nameBytes.low : nameBytes.high) >> UInt64(byte & 0x3F) & 1 == 1
  }

  /// The ASCII characters of names, a bit for each: `-.0…9:` and `A…Z_a…z`. Faster than comparisons in long names.
  private static var nameBytes: (low: UInt64, high: UInt64) { (0x07FF_6000_0000_0000, 0x07FF_FFFE_87FF_FFFE) }

  static func isReferenceByte(_ byte: UInt8) -> Bool { byte < 0x80 && isName(byte) || byte == 0x23 }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// Whether the byte can follow the name of a start tag.
  static func endsName(_ byte: UInt8) -> Bool { isBlank(byte) || byte == 0x3E || byte == 0x2F || byte == 0x3C }

  /// The end of the name at `start`. Nil if the bytes end first.
  static func name(_ start: Bytes, _ end: Bytes) -> Bytes? {
    var at = start
    while at < end, isName(at.pointee) { at += 1 }
    return at < end ? at : nil
  }

  /// A name of at most ten letters and digits as a number. The names of HTML's elements and references are that short.
  static func packed(_ name: some Collection<UInt8>) -> UInt64? {
    var key: UInt64 = 0
    var count = 0
    for byte in name {
      guard count < 10 else { return nil }
      // Six bits per character, for 62 digits and letters.
      let code: UInt64
      switch byte {
      case 0x30...0x39: code = UInt64(byte) - 0x30 + 1
      case 0x41...0x5A: code = UInt64(byte) - 0x41 + 11
      case 0x61...0x7A: code = UInt64(byte) - 0x61 + 37
      default: return nil
      }
      key = key << 6 | code
      count += 1
    }
    return key
  }

  static func blanks(_ start: Bytes, _ end: Bytes) -> Bytes {
    var at = start
    while at < end, isBlank(at.pointee) { at += 1 }
    return at
  }

  static func local(_ name: Bytes, _ length: Int) -> String {
    let bytes = UnsafeBufferPointer(start: name, count: length)
    let colon = bytes.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
    return String(decoding: bytes[colon...], as: UTF8.self)
  }

  /// An attribute's value. `next` is where the tag continues.
  struct Value {
    var start: Bytes
    var end: Bytes
    var next: Bytes
    var quote: UInt8?
    /// The value is quoted and properly closed.
    var isSound: Bool
  }

  /// The value at `start`, quoted or not. Nil if the bytes end first. A missing closing quote is detected by what
  /// follows the next quote; the value then ends with its tag.
  static func value(_ start: Bytes, _ end: Bytes) -> Value? {
    let quote = start.pointee
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard let close = find(quote, start + 1, end), close + 1 < end else { return nil }
      let after = close[1]
      if isBlank(after) || after == UInt8(ascii: ">") || after == UInt8(ascii: "/") || after == UInt8(ascii: "?") {
        return Value(start: start + 1, end: close, next: close + 1, quote: quote, isSound: true)
      }
      if let cut = find(UInt8(ascii: ">"), start + 1, close) {
        return Value(start: start + 1, end: cut, next: cut, quote: quote, isSound: false)
      }
      return Value(start: start + 1, end: close, next: close + 1, quote: quote, isSound: false)
    }
    var at = start
    while at < end, !isBlank(at.pointee), at.pointee != UInt8(ascii: ">") { at += 1 }
    guard at < end else { return nil }
    return Value(start: start, end: at, next: at, quote: nil, isSound: false)
  }

  /// The end of the `-->` of a comment whose content begins at `start`.
  static func endOfComment(_ start: Bytes, _ end: Bytes) -> Bytes? {
    var at = start
    while let hyphen = find(UInt8(ascii: "-"), at, end) {
      if has("-->", hyphen, end) { return hyphen + 3 }
      at = hyphen + 1
    }
    return nil
  }

  /// The `>` that ends a `<!…>` declaration, ignoring quoted ones.
  static func endOfDeclaration(_ start: Bytes, _ end: Bytes) -> Bytes? {
    var at = start
    var quote: UInt8?
    while at < end {
      let byte = at.pointee
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return at
      }
      at += 1
    }
    return nil
  }
}
