import Foundation
import Model

/// Writes JSON (RFC 8259) directly to bytes, in the format of `JSONEncoder` with pretty printing, sorted keys and
/// unescaped slashes. With `Encodable`, a list of 150,000 episodes took ten times as long. The caller must write the
/// keys in sorted order.
struct JSONBytes {
  private(set) var bytes: [UInt8] = []
  /// Whether passwords and keys in addresses are written unchanged.
  let showsSecrets: Bool
  /// The number of open containers.
  private var depth: Int
  /// Nothing has been written in the innermost container.
  private var isFirst = true

  /// - Parameter depth: how many containers are open around what is written. The caller writes their brackets.
  init(showsSecrets: Bool, depth: Int = 0) {
    self.showsSecrets = showsSecrets
    self.depth = depth
  }

  // MARK: Containers

  mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    bytes.append(Self.newline)
    depth += 1
    isFirst = true
  }

  mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(Self.newline)
    depth -= 1
    indent()
    bytes.append(UInt8(ascii: bracket))
    isFirst = false
  }

  /// Starts an element of an array.
  mutating func element() {
    if !isFirst {
      bytes.append(UInt8(ascii: ","))
      bytes.append(Self.newline)
    }
    isFirst = false
    indent()
  }

  mutating func key(_ name: StaticString) {
    key(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// - Parameter name: the text between the quotes.
  mutating func key(_ name: UnsafeBufferPointer<UInt8>) {
    element()
    bytes.append(Self.quote)
    bytes += name
    bytes.append(Self.quote)
    bytes.append(UInt8(ascii: " "))
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
  }

  private mutating func indent() {
    for _ in 0..<depth {
      bytes.append(UInt8(ascii: " "))
      bytes.append(UInt8(ascii: " "))
    }
  }

  // MARK: Values

  mutating func raw(_ text: some Sequence<UInt8>) { bytes += text }

  mutating func value(_ flag: Bool) { bytes += flag ? "true".utf8 : "false".utf8 }

  mutating func value(_ number: Int64) { bytes += String(number).utf8 }

  /// Writes whole numbers without a decimal point. The number must be finite.
  mutating func value(_ number: Double) {
    let text = number.description
    bytes += text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...]
  }

  /// Writes a date in ISO 8601, in UTC with whole seconds.
  /// - Parameter seconds: since 1970.
  mutating func date(_ seconds: Double) {
    bytes.append(Self.quote)
    bytes += Self.iso(seconds).utf8
    bytes.append(Self.quote)
  }

  mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { self.text($0) }
  }

  mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
    if !showsSecrets, let shown = Redaction.redacted(text) {
      shown.withUnsafeBufferPointer { quoted($0) }
    } else {
      quoted(text)
    }
  }

  /// Writes a copy of the bytes at `range`.
  mutating func again(_ range: Range<Int>) {
    // A slice would share the buffer, and appending would then copy all of it.
    let copy = Array(bytes[range])
    bytes += copy
  }

  private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
    let start = bytes.count
    bytes.append(Self.quote)
    guard escape(text) else {
      // Invalid UTF-8, from a damaged file. Invalid bytes are replaced.
      bytes.removeLast(bytes.count - start)
      return self.quoted(repaired: String(decoding: text, as: UTF8.self))
    }
    bytes.append(Self.quote)
  }

  private mutating func quoted(repaired text: String) {
    var text = text
    text.withUTF8 { quoted($0) }
  }

  /// Copies runs of plain bytes, and escapes the others one by one.
  /// - Returns: false if the text is not UTF-8.
  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = 0
    var index = 0
    while index < text.count {
      index = Self.endOfPlain(text, from: index)
      guard index < text.count else { break }
      let byte = text[index]
      if byte >= 0x80 {
        let length = UTF8Length.of(text, at: index)
        guard length > 0 else { return false }
        index += length
        continue
      }
      bytes += UnsafeBufferPointer(rebasing: text[start..<index])
      index += 1
      start = index
      bytes.append(Self.backslash)
      switch byte {
      case Self.quote, Self.backslash: bytes.append(byte)
      case 0x08: bytes.append(UInt8(ascii: "b"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x0C: bytes.append(UInt8(ascii: "f"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      default:
        bytes += "u00".utf8
        bytes.append(Self.hex[Int(byte >> 4)])
        bytes.append(Self.hex[Int(byte & 15)])
      }
    }
    bytes += UnsafeBufferPointer(rebasing: text[start...])
    return true
  }

  /// The first byte from `index` on that cannot be copied unchanged. Tests eight bytes at a time for bytes less than
  /// or equal to a value ("Bit Twiddling Hacks", Anderson). The tests may report a plain byte, but never miss a
  /// special one.
  private static func endOfPlain(_ text: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
    guard let base = text.baseAddress else { return text.count }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = index
    while index + 8 <= text.count {
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      let quotes = word ^ (ones &* 0x22)
      let backslashes = word ^ (ones &* 0x5C)
      let special = (word &- (ones &* 0x20)) | (quotes &- ones) | (backslashes &- ones) | word
      if special & highs != 0, let found = (index..<index + 8).first(where: { isSpecial(text[$0]) }) { return found }
      index += 8
    }
    return (index..<text.count).first { isSpecial(text[$0]) } ?? text.count
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == quote || byte == backslash || byte >= 0x80
  }

  /// The same as `Date.formatted(.iso8601)`.
  private static func iso(_ seconds: Double) -> String {
    let date = Date(timeIntervalSince1970: seconds)
    // From 15 October 1582, the start of the Gregorian calendar, to 9999. Fractions of seconds are left to
    // Foundation.
    guard seconds == seconds.rounded(), seconds >= -12_219_292_800, seconds < 253_402_300_800 else {
      return date.formatted(.iso8601)
    }
    return ISODate.text(date)
  }

  private static let newline = UInt8(ascii: "\n")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let hex = Array("0123456789abcdef".utf8)
}

/// Validates sequences of UTF-8 (RFC 3629 §4).
enum UTF8Length {
  /// The length of the multi-byte sequence at `index`. 0 if it is invalid.
  static func of(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = text[index]
    let length =
      switch first {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0, index + length <= text.count else { return 0 }
    for place in 1..<length where text[index + place] & 0xC0 != 0x80 { return 0 }
    let second = text[index + 1]
    // An overlong form, a surrogate, or beyond the last character.
    return switch first {
    case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90, 0xF4 where second > 0x8F: 0
    default: length
    }
  }
}
