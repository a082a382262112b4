import Foundation
import TerminalKit

/// A JSON value of which nothing is certain. A member that is missing or of another type reads as nil, so that one bad
/// entry never spoils an answer.
struct LenientJSON {
  private let value: Any?

  /// nil for what is not JSON (RFC 8259).
  init?(_ data: Data) {
    guard let value = try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed]) else { return nil }
    self.value = value
  }

  private init(value: Any?) { self.value = value }

  subscript(_ key: String) -> LenientJSON { LenientJSON(value: (value as? [String: Any])?[key]) }

  var isObject: Bool { value is [String: Any] }

  /// The elements of an array; nil when it is none.
  var array: [LenientJSON]? { (value as? [Any])?.map { LenientJSON(value: $0) } }

  /// The values of an object, in the order of their keys.
  var members: [LenientJSON] {
    (value as? [String: Any])?.sorted { $0.key < $1.key }.map { LenientJSON(value: $0.value) } ?? []
  }

  /// A text on one line without control characters; nil when nothing is left of it.
  var line: String? {
    guard let text = value as? String else { return nil }
    let words = Sanitize.line(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? nil : String(words.prefix(1000))
  }

  /// A text as it came, 20,000 characters at most.
  var text: String? { (value as? String).flatMap { $0.isEmpty ? nil : String($0.prefix(20_000)) } }

  /// An http or https address; nil for anything else.
  var address: String? {
    guard let text = (value as? String)?.trimmingCharacters(in: .whitespacesAndNewlines), text.utf8.count < 8192,
      text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://"),
      !text.unicodeScalars.contains(where: { $0.value < 0x21 || $0.value == 0x7F })
    else { return nil }
    return text
  }

  /// A number, also one written as a text; finite.
  var number: Double? {
    if let number = value as? NSNumber, !(value is Bool) {
      return number.doubleValue.isFinite ? number.doubleValue : nil
    }
    return (value as? String).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }

  var int: Int? { number.flatMap { Int(exactly: $0.rounded()) } }

  /// true and false, also as 1 and 0.
  var bool: Bool? { (value as? Bool) ?? number.map { $0 != 0 } }

  /// An id, which directories write as a number or as a text.
  var id: String? {
    if let text = value as? String {
      return text.allSatisfy(\.isASCII) && !text.isEmpty ? String(text.prefix(100)) : nil
    }
    return int.map(String.init)
  }

  /// Seconds since 1970; 0 stands for "not known".
  var unixTime: Date? { number.flatMap { $0 > 0 && $0 < 1e11 ? Date(timeIntervalSince1970: $0) : nil } }

  /// ISO 8601.
  var isoDate: Date? { (value as? String).flatMap { try? Date($0, strategy: .iso8601) } }
}
