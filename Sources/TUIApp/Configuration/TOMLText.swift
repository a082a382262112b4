import TOMLKit

/// Parses TOML, including text that makes TOMLKit abort.
enum TOMLText {
  static func table(_ text: String, file: String) throws(ConfigurationProblem) -> TOMLTable {
    if let problem = firstProblem(in: text) {
      throw ConfigurationProblem(file: file, line: problem.line, text: "is not TOML: \(problem.text)")
    }
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw ConfigurationProblem(file: file, line: error.source.begin.line, text: "is not TOML: \(error.description)")
    } catch {
      throw ConfigurationProblem(file: file, line: nil, text: "is not TOML: \(error)")
    }
  }

  /// The first error, with its line (from 1), that makes the parser of TOMLKit 0.6.0 abort the program: a table header
  /// without a name (`[;]`), a “}” for a “[”, or a line separator of Unicode in an array. Also the first character
  /// above ASCII outside of strings and comments, or after a backslash at a line's end in a long string: the behaviour
  /// of the parser is undefined for some, such as “é”.
  ///
  /// If the text has other errors, this may be in a line that the parser would not reach.
  static func firstProblem(in text: String) -> (line: Int, text: String)? {
    let bytes = Array(text.utf8)
    var (index, line, isLineStart) = (bytes.starts(with: byteOrderMark) ? 3 : 0, 1, true)
    var open: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      case UInt8(ascii: "#"):
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let end = self.end(ofStringAt: index - 1, in: bytes)
        if let next = characterAfterBackslash(inStringAt: index - 1, end: end, in: bytes) {
          line += lineBreaks(bytes[index..<next])
          return (line, "the character \(name(of: bytes[next...])) must not follow a “\\” at the end of a line")
        }
        line += lineBreaks(bytes[index..<end])
        (index, isLineStart) = (end, false)
      case UInt8(ascii: "["):
        if isLineStart, !isTableName(after: index, in: bytes) {
          return (line, "a name must follow “[”: letters, digits, - and _, or a text in quotes")
        }
        open.append(byte)
        isLineStart = false
      case UInt8(ascii: "{"):
        open.append(byte)
        isLineStart = false
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if byte == UInt8(ascii: "}"), open.last == UInt8(ascii: "[") { return (line, "“}” closes what “[” has opened") }
        _ = open.popLast()
        isLineStart = false
      case 0x0A...0x0D:
        if byte == UInt8(ascii: "\n") { line += 1 }
        isLineStart = open.isEmpty
      case 0x80...:
        return (line, "the character \(name(of: bytes[(index - 1)...])) is only allowed in quotes and in comments")
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

  /// U+FEFF, which may begin a file.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static let nameStarts = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_\"']".utf8)

  private static func lineBreaks(_ bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == UInt8(ascii: "\n") } }

  /// The name of the first character: “U+00E9”.
  private static func name(of bytes: ArraySlice<UInt8>) -> String {
    let character = String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars.first?.value
    let code = String(character ?? 0, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
  }

  /// The index of the first character above ASCII that follows a backslash and white space in a string with three
  /// double quotes. The parser skips the white space between a backslash at a line's end and the next character.
  private static func characterAfterBackslash(inStringAt start: Int, end: Int, in bytes: [UInt8]) -> Int? {
    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
    guard bytes[start...].starts(with: quotes) else { return nil }
    var index = start + 3
    while index < end {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      index += 1
      let rest = bytes[index..<end].drop { " \t\r\n".utf8.contains($0) }
      if let next = rest.first, next >= 0x80 { return rest.startIndex }
      // After white space another backslash may follow. Otherwise this is an escaped character.
      index = rest.startIndex == index ? index + 1 : rest.startIndex
    }
    return nil
  }

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
