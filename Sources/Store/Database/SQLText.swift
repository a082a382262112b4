/// The tokens of an SQL statement, for comparing statements without white space and comments. Quoted text is kept
/// unchanged.
struct SQLText: Equatable {
  private var words: [ArraySlice<UInt8>]

  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    words = []
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: " "), 0x09...0x0D:
        index += 1
        continue
      case UInt8(ascii: "-") where bytes.dropFirst(index + 1).first == UInt8(ascii: "-"):
        index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
        continue
      case UInt8(ascii: "/") where bytes.dropFirst(index + 1).first == UInt8(ascii: "*"):
        index = Self.endOfComment(bytes, from: index + 2)
        continue
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        index = Self.end(bytes, of: bytes[start], from: index + 1)
      case UInt8(ascii: "["):
        index = Self.end(bytes, of: UInt8(ascii: "]"), from: index + 1)
      case let byte where Self.isWord(byte):
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
      default:
        index += 1
      }
      words.append(bytes[start..<index])
    }
  }

  /// The statement on one line, equal to the original.
  var line: String { words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") }

  static func == (left: SQLText, right: SQLText) -> Bool {
    left.words.count == right.words.count && zip(left.words, right.words).allSatisfy { $0.elementsEqual($1) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// The index after the closing quote. A doubled quote closes and reopens, with the same result.
  private static func end(_ bytes: [UInt8], of quote: UInt8, from start: Int) -> Int {
    bytes[start...].firstIndex(of: quote).map { $0 + 1 } ?? bytes.count
  }

  private static func endOfComment(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + 1 < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
      index += 1
    }
    return bytes.count
  }
}
