import Foundation
import Model
import TerminalKit

/// Values of directories and sites. They are read leniently: a wrong type reads as nil, so one bad entry does not make
/// a response unusable.
extension JSONValue {
  /// The values of an object, sorted by key.
  var members: [JSONValue] {
    if case .object(let members) = self { members.sorted { $0.key < $1.key }.map(\.value) } else { [] }
  }

  /// A string on one line without control characters. Nil if nothing remains.
  package var line: String? { string.flatMap(Self.line) }

  /// A text on one line, without control characters and with at most 1000 characters. Nil if nothing remains.
  static func line(_ text: String) -> String? {
    let line = Sanitize.line(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : String(line.prefix(1000))
  }

  /// The unchanged string, at most 20,000 characters.
  package var longText: String? { string.flatMap { $0.isEmpty ? nil : String($0.prefix(20_000)) } }

  /// An http or https address. Nil for anything else.
  package var address: String? {
    guard let text = string?.trimmingCharacters(in: .whitespacesAndNewlines), text.utf8.count < 8192,
      text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://"),
      !text.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F })
    else { return nil }
    return text
  }

  /// A number of things: not negative.
  var count: Int? { int.flatMap { $0 >= 0 ? $0 : nil } }

  /// An id, which directories write as a number or a string.
  package var id: String? {
    if let text = string {
      return text.allSatisfy(\.isASCII) && !text.isEmpty ? String(text.prefix(100)) : nil
    }
    return int.map(String.init)
  }

  /// A date from seconds since 1970. 0 means unknown.
  package var unixTime: Date? { number.flatMap { $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil } }

  /// A date in ISO 8601 form.
  var isoDate: Date? { string.flatMap { try? Date($0, strategy: .iso8601) } }
}
