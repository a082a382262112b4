import Foundation

/// Writes one JSON object. Hand-written, because a first refresh writes one for each of 30,000 episodes, and
/// `JSONEncoder` takes ten times as long. `JSONDecoder` reads it.
struct JSONText {
  private var text = ""
  private var isFirst = true

  init() { text.reserveCapacity(512) }

  /// True while no field has been written.
  var isEmpty: Bool { isFirst }
  var object: String { "{" + text + "}" }

  private mutating func key(_ name: String) {
    if !isFirst { text += "," }
    isFirst = false
    text += "\""
    text += name
    text += "\":"
  }

  mutating func field(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    quote(value)
  }

  mutating func field(_ name: String, _ value: Bool?) {
    guard let value else { return }
    key(name)
    text += value ? "true" : "false"
  }

  mutating func field(_ name: String, _ value: Int64?) {
    guard let value else { return }
    key(name)
    text += String(value)
  }

  /// JSON has no infinity. Such numbers are left out.
  mutating func field(_ name: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    key(name)
    text += String(value)
  }

  mutating func field(_ name: String, _ values: [String]) {
    list(name, values) { $0.quote($1) }
  }

  /// An array of objects. Left out if it is empty.
  mutating func objects<Value>(_ name: String, _ values: [Value], _ write: (inout JSONText, Value) -> Void) {
    list(name, values) { json, value in
      json.text += "{"
      json.isFirst = true
      write(&json, value)
      json.text += "}"
    }
    if !values.isEmpty { isFirst = false }
  }

  /// An array of values that are rare enough for `JSONEncoder`. Left out if it is empty.
  mutating func encoded<Value: Encodable>(_ name: String, _ values: [Value]) throws {
    guard !values.isEmpty else { return }
    key(name)
    text += try JSONCoding.encode(values)
  }

  private mutating func list<Value>(_ name: String, _ values: [Value], _ write: (inout JSONText, Value) -> Void) {
    guard !values.isEmpty else { return }
    key(name)
    text += "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += "," }
      write(&self, value)
    }
    text += "]"
  }

  private mutating func quote(_ value: String) {
    text += "\""
    if value.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for scalar in value.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\u{0}"..<"\u{20}":
          let hex = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        default: text.unicodeScalars.append(scalar)
        }
      }
    } else {
      text += value
    }
    text += "\""
  }
}

/// Converts values to JSON columns and back.
enum JSONCoding {
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    // Equal values must give equal text, or every refresh would find changes.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: Data(text.utf8))
  }
}
