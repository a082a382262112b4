import TOMLKit

/// Parses TOML, including text that makes TOMLKit abort.
enum TOMLText {
  static func table(_ text: String, file: String) throws(ConfigurationProblem) -> TOMLTable {
    if let line = firstLineWithoutTableName(text) {
      throw ConfigurationProblem(
        file: file, line: line,
        text: "is not TOML: a name must follow “[”: letters, digits, - and _, or a text in quotes")
    }
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw ConfigurationProblem(file: file, line: error.source.begin.line, text: "is not TOML: \(error.description)")
    } catch {
      throw ConfigurationProblem(file: file, line: nil, text: "is not TOML: \(error)")
    }
  }

  /// The first line (from 1) with a table header that does not begin with a name, such as `[;]`. The parser of TOMLKit
  /// 0.6.0 asserts that it does, so the program would abort.
  ///
  /// If the text has other errors, this may be a line that the parser would not reach.
  static func firstLineWithoutTableName(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    var (index, line, depth, isLineStart) = (0, 1, 0, true)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: "#"):
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let end = self.end(ofStringAt: index - 1, in: bytes)
        line += bytes[index..<end].count { $0 == UInt8(ascii: "\n") }
        (index, isLineStart) = (end, false)
      case UInt8(ascii: "["):
        if isLineStart, !isTableName(after: index, in: bytes) { return line }
        (depth, isLineStart) = (depth + 1, false)
      case UInt8(ascii: "{"): (depth, isLineStart) = (depth + 1, false)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): (depth, isLineStart) = (max(0, depth - 1), false)
      // Some characters above ASCII are white space or end a line, for the parser.
      case 0x0A...0x0D, 0x80...:
        if byte == UInt8(ascii: "\n") { line += 1 }
        isLineStart = depth == 0
      default: isLineStart = false
      }
    }
    return nil
  }

  /// Whether a name follows the bracket before `index`, or the end of the header, which the parser refuses itself.
  private static func isTableName(after index: Int, in bytes: [UInt8]) -> Bool {
    var rest = bytes[index...]
    if rest.first == UInt8(ascii: "[") { rest.removeFirst() }
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return rest.first.map(Self.nameStarts.contains) ?? true
  }

  private static let nameStarts = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_\"']".utf8)

  /// The index after a string that begins at `start`, or after its line if it does not end.
  private static func end(ofStringAt start: Int, in bytes: [UInt8]) -> Int {
    let quote = bytes[start]
    let isLong = bytes[start...].starts(with: [quote, quote, quote])
    var index = start + (isLong ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 2
      } else if isLong, bytes[index...].starts(with: [quote, quote, quote]) {
        index += 3
        // The text itself may end with one or two quotes.
        while index < bytes.count, bytes[index] == quote { index += 1 }
        return index
      } else if !isLong, bytes[index] == quote {
        return index + 1
      } else if !isLong, bytes[index] == UInt8(ascii: "\n") {
        return index
      } else {
        index += 1
      }
    }
    return bytes.count
  }
}
