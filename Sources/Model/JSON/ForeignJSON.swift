import Foundation

/// JSON (RFC 8259) of servers and publishers. One bad character must not lose all other entries.
public enum ForeignJSON {
  /// The value as `JSONSerialization` reads it. What it refuses is replaced: bytes that are not UTF-8, control
  /// characters, halves of surrogate pairs, and numbers such as NaN. Nil if it is no JSON even so.
  public static func value(_ data: Data) -> Any? { parse(data) ?? parse(repaired(data)) }

  private static func parse(_ data: Data) -> Any? {
    try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
  }

  private static func repaired(_ data: Data) -> Data {
    let text = Array(String(decoding: data, as: UTF8.self).utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var isInString = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: "\\") else {
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        if !isInString, let name = notNumbers.first(where: { text[index...].starts(with: $0) }) {
          result += "null".utf8
          index += name.count
          continue
        }
        result.append(byte < 0x20 ? 0x20 : byte)
        index += 1
        continue
      }
      var length = 2
      if let unit = escapedUnit(text, at: index) {
        let isPair = 0xD800..<0xDC00 ~= unit && escapedUnit(text, at: index + 6).map { 0xDC00..<0xE000 ~= $0 } == true
        length = isPair ? 12 : 6
        if !isPair, 0xD800..<0xE000 ~= unit {
          result += "\\ufffd".utf8
          index += length
          continue
        }
      }
      let end = min(text.count, index + length)
      result += text[index..<end]
      index = end
    }
    return Data(result)
  }

  /// Numbers that other languages write, but JSON does not have.
  private static let notNumbers = ["NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }

  /// The code unit of an escape such as `\u00e9` at this index.
  private static func escapedUnit(_ text: [UInt8], at index: Int) -> UInt16? {
    guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return UInt16(String(decoding: text[index + 2..<index + 6], as: UTF8.self), radix: 16)
  }
}
