import Foundation
import Model
import TerminalKit

/// A JSON value that is read leniently: a missing member or a wrong type reads as nil, so one bad entry does not make
/// a response unusable.
package struct LenientJSON {
  private let value: Any?

  /// Nil if the data is not JSON (`ForeignJSON`).
  package init?(_ data: Data) {
    guard let value = ForeignJSON.value(data) else { return nil }
    self.value = value
  }

  private init(value: Any?) { self.value = value }

  package subscript(_ key: String) -> LenientJSON { LenientJSON(value: (value as? [String: Any])?[key]) }

  package var isObject: Bool { value is [String: Any] }

  /// The elements of an array. Nil for other values.
  package var array: [LenientJSON]? { (value as? [Any])?.map { LenientJSON(value: $0) } }

  /// The values of an object, sorted by key.
  var members: [LenientJSON] {
    (value as? [String: Any])?.sorted { $0.key < $1.key }.map { LenientJSON(value: $0.value) } ?? []
  }

  /// A string on one line without control characters. Nil if nothing remains.
  package var line: String? { (value as? String).flatMap(Self.line) }

  /// A text on one line, without control characters and with at most 1000 characters. Nil if nothing remains.
  static func line(_ text: String) -> String? {
    let line = Sanitize.line(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? nil : String(line.prefix(1000))
  }

  /// The unchanged string, at most 20,000 characters.
  package var text: String? { (value as? String).flatMap { $0.isEmpty ? nil : String($0.prefix(20_000)) } }

  /// An http or https address. Nil for anything else.
  package var address: String? {
    guard let text = (value as? String)?.trimmingCharacters(in: .whitespacesAndNewlines), text.utf8.count < 8192,
      text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://"),
      !text.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F })
    else { return nil }
    return text
  }

  /// A finite number, which may also be written as a string.
  package var number: Double? {
    // `value is Bool` would be true for 0 and 1, too. Only booleans have the type of a C char.
    if let number = value as? NSNumber, String(cString: number.objCType) != "c" {
      return number.doubleValue.isFinite ? number.doubleValue : nil
    }
    return (value as? String).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }

  var int: Int? { number.flatMap { Int(exactly: $0.rounded()) } }

  /// A number of things: not negative.
  var count: Int? { int.flatMap { $0 >= 0 ? $0 : nil } }

  /// A boolean, which may also be written as 1 or 0.
  var bool: Bool? { (value as? Bool) ?? number.map { $0 != 0 } }

  /// An id, which directories write as a number or a string.
  package var id: String? {
    if let text = value as? String {
      return text.allSatisfy(\.isASCII) && !text.isEmpty ? String(text.prefix(100)) : nil
    }
    return int.map(String.init)
  }

  /// A date from seconds since 1970. 0 means unknown.
  package var unixTime: Date? { number.flatMap { $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil } }

  /// A date in ISO 8601 form.
  var isoDate: Date? { (value as? String).flatMap { try? Date($0, strategy: .iso8601) } }
}
