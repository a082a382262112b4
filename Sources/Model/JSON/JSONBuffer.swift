import Foundation

/// The bytes of a JSON document while it is written: separators, indentation, the order of members, and escaping.
final class JSONBuffer {
  private(set) var bytes: [UInt8] = []
  let format: JSONFormat
  private let sink: ((UnsafeRawBufferPointer) -> Void)?
  private var open: [Container] = []

  private struct Container {
    let isObject: Bool
    var isEmpty = true
    /// Only if members are sorted.
    var members: [Member] = []
  }

  private struct Member {
    /// Without the quotes.
    var name: Range<Int>
    /// Without separators.
    var range: Range<Int>
  }

  private static let pieceSize = 256 * 1024

  init(_ format: JSONFormat, sink: ((UnsafeRawBufferPointer) -> Void)? = nil) {
    self.format = format
    self.sink = sink
  }

  func drain() {
    guard let sink else { return }
    bytes.withUnsafeBytes(sink)
    bytes.removeAll(keepingCapacity: true)
  }

  // MARK: Containers

  var depth: Int { open.count }

  func begin(object: Bool) {
    bytes.append(UInt8(ascii: object ? "{" : "["))
    if format.isPretty { bytes.append(Self.newline) }
    open.append(Container(isObject: object))
  }

  /// Closes all containers inside of `depth`.
  func close(to depth: Int) {
    while open.count > depth {
      sortMembers()
      let isObject = open.removeLast().isObject
      if format.isPretty {
        bytes.append(Self.newline)
        indent()
      }
      bytes.append(UInt8(ascii: isObject ? "}" : "]"))
    }
  }

  /// Starts an element of an array.
  func element() {
    // Sorting moves the members of open objects, so their bytes must stay.
    if sink != nil, bytes.count > Self.pieceSize, !format.isSorted || !open.contains(where: \.isObject) { drain() }
    separate()
  }

  func key(_ name: String) {
    endMember()
    separate()
    let start = bytes.count
    text(name)
    if format.isSorted {
      open[open.count - 1].members.append(Member(name: start + 1..<bytes.count - 1, range: start..<start))
    }
    if format.isPretty { bytes += [0x20, UInt8(ascii: ":"), 0x20] } else { bytes.append(UInt8(ascii: ":")) }
  }

  private func separate() {
    if !open[open.count - 1].isEmpty {
      bytes.append(UInt8(ascii: ","))
      if format.isPretty { bytes.append(Self.newline) }
    }
    open[open.count - 1].isEmpty = false
    indent()
  }

  private func indent() {
    guard format.isPretty else { return }
    for _ in open.indices { bytes += [0x20, 0x20] }
  }

  private func endMember() {
    let (object, last) = (open.count - 1, open[open.count - 1].members.count - 1)
    guard last >= 0 else { return }
    let start = open[object].members[last].range.lowerBound
    open[object].members[last].range = start..<bytes.count
  }

  private func sortMembers() {
    endMember()
    let members = open[open.count - 1].members
    guard let first = members.first?.range.lowerBound else { return }
    let sorted = members.sorted { bytes[$0.name].lexicographicallyPrecedes(bytes[$1.name]) }
    guard !zip(members, sorted).allSatisfy({ $0.range == $1.range }) else { return }
    let old = Array(bytes[first...])
    bytes.removeLast(old.count)
    open[open.count - 1].isEmpty = true
    for (index, member) in sorted.enumerated() {
      // The indentation before the first member is still there.
      if index > 0 { separate() } else { open[open.count - 1].isEmpty = false }
      bytes += old[member.range.lowerBound - first..<member.range.upperBound - first]
    }
  }

  // MARK: Values

  func null() { bytes += "null".utf8 }

  func flag(_ flag: Bool) { bytes += (flag ? "true" : "false").utf8 }

  func integer(_ number: some BinaryInteger) { bytes += String(number).utf8 }

  /// Whole numbers are written without a decimal point.
  func number(_ number: Double) {
    guard number.isFinite else {
      return format.isStored ? text(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf") : null()
    }
    let text = number.description
    bytes += text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...]
  }

  func date(_ date: Date) {
    // Years of four digits (RFC 3339): other dates are no dates of a feed.
    guard format.isStored || (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970) else {
      return null()
    }
    guard format.isStored else { return text(ISODate.text(date)) }
    let seconds = date.timeIntervalSince1970
    // With a decimal point, as older versions wrote it: the hash of a stored episode depends on it.
    if seconds.isFinite { bytes += seconds.description.utf8 } else { number(seconds) }
  }

  func text(_ text: String) {
    var text = text
    text.withUTF8 { text in
      guard format.secrets != .shown, let shown = Redaction.redacted(text, keys: format.secrets == .hidden) else {
        return quote(text)
      }
      shown.withUnsafeBufferPointer { quote($0) }
    }
  }

  // MARK: Escaping

  /// Copies runs of plain bytes, and escapes the others one by one.
  /// - Parameter text: valid UTF-8.
  private func quote(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(Self.quote)
    var start = 0
    var index = 0
    while index < text.count {
      index = Self.endOfPlain(text, from: index)
      guard index < text.count else { break }
      let (scalar, length) = Self.scalar(text, at: index)
      index += length
      guard Self.isEscaped(scalar) else { continue }
      bytes += UnsafeBufferPointer(rebasing: text[start..<index - length])
      start = index
      escape(scalar)
    }
    bytes += UnsafeBufferPointer(rebasing: text[start...])
    bytes.append(Self.quote)
  }

  /// What could move the cursor, change colours, reverse the reading order or hide text on a terminal is escaped: all
  /// controls (C0, DEL, C1), line and paragraph separators, format characters (bidi overrides and isolates, byte order
  /// mark) and tags. Joiners stay, because scripts and emoji need them.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x22, 0x5C, 0x7F..<0xA0, 0xAD, 0x2028, 0x2029, 0xE0000..<0xE1000: true
    // Frequent scripts and signs without format characters.
    case 0x20..<0x600, 0x200C, 0x200D, 0x2010..<0x2028, 0x2030..<0x2060, 0x2070..<0xD800: false
    default: scalar.properties.generalCategory == .format
    }
  }

  private func escape(_ scalar: Unicode.Scalar) {
    bytes.append(Self.backslash)
    switch scalar.value {
    case 0x22, 0x5C: bytes.append(UInt8(scalar.value))
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      for (index, unit) in UTF16.encode(scalar)!.enumerated() {
        if index > 0 { bytes.append(Self.backslash) }
        bytes.append(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] { bytes.append(Self.hex[Int(unit >> shift & 15)]) }
      }
    }
  }

  /// The scalar at `index`, and its length in bytes.
  private static func scalar(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, Int) {
    let first = text[index]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(length == 1 ? first : first & (0x7F >> UInt8(length)))
    for offset in 1..<max(length, 1) { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  /// The first byte from `index` on that is not plain ASCII. Tests eight bytes at a time for bytes less than or equal
  /// to a value ("Bit Twiddling Hacks", Anderson). The tests may report a plain byte, but never miss another one.
  private static func endOfPlain(_ text: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
    guard let base = text.baseAddress else { return text.count }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var index = index
    while index + 8 <= text.count {
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      let quotes = word ^ (ones &* 0x22)
      let backslashes = word ^ (ones &* 0x5C)
      let deletes = word ^ (ones &* 0x7F)
      let special = (word &- (ones &* 0x20)) | (quotes &- ones) | (backslashes &- ones) | (deletes &- ones) | word
      if special & highs != 0, let found = (index..<index + 8).first(where: { isSpecial(text[$0]) }) { return found }
      index += 8
    }
    return (index..<text.count).first { isSpecial(text[$0]) } ?? text.count
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == quote || byte == backslash || byte >= 0x7F
  }

  private static let newline = UInt8(ascii: "\n")
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let hex = Array("0123456789abcdef".utf8)
}
