import Foundation

/// Writes one JSON object. Hand-written, because a first refresh writes one for each of 30,000 episodes, and
/// `JSONEncoder` takes ten times as long. `JSONDecoder` reads it.
struct JSONText {
  // Bytes, because appending to a `String` takes several times as long.
  private var bytes: [UInt8] = []
  private var isFirst = true

  init() {
    bytes.reserveCapacity(512)
    bytes.append(UInt8(ascii: "{"))
  }

  /// True while no field has been written.
  var isEmpty: Bool { isFirst }
  var object: String { String(decoding: bytes, as: UTF8.self) + "}" }

  private mutating func literal(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  private mutating func key(_ name: StaticString) {
    if !isFirst { literal(",") }
    isFirst = false
    literal("\"")
    literal(name)
    literal("\":")
  }

  mutating func field(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    quote(value)
  }

  mutating func field(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    literal(value ? "true" : "false")
  }

  mutating func field(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    key(name)
    append(String(value))
  }

  /// JSON has no infinity. Such numbers are left out.
  mutating func field(_ name: StaticString, _ value: Double?) {
    guard let value, value.isFinite else { return }
    key(name)
    append(String(value))
  }

  mutating func field(_ name: StaticString, _ values: [String]) {
    list(name, values) { $0.quote($1) }
  }

  /// An array of objects. Left out if it is empty.
  mutating func objects<Value>(_ name: StaticString, _ values: [Value], _ write: (inout JSONText, Value) -> Void) {
    list(name, values) { json, value in
      json.literal("{")
      json.isFirst = true
      write(&json, value)
      json.literal("}")
    }
    if !values.isEmpty { isFirst = false }
  }

  /// An array of values that are rare enough for `JSONEncoder`. Left out if it is empty.
  mutating func encoded<Value: Encodable>(_ name: StaticString, _ values: [Value]) throws {
    guard !values.isEmpty else { return }
    key(name)
    append(try JSONCoding.encode(values))
  }

  private mutating func list<Value>(
    _ name: StaticString, _ values: [Value], _ write: (inout JSONText, Value) -> Void
  ) {
    guard !values.isEmpty else { return }
    key(name)
    literal("[")
    for (index, value) in values.enumerated() {
      if index > 0 { literal(",") }
      write(&self, value)
    }
    literal("]")
  }

  private mutating func quote(_ value: String) {
    literal("\"")
    var value = value
    value.withUTF8 { text in
      if text.contains(where: Self.isEscaped) {
        for byte in text { escape(byte) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    literal("\"")
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): literal("\\\"")
    case UInt8(ascii: "\\"): literal("\\\\")
    case UInt8(ascii: "\n"): literal("\\n")
    case ..<0x20:
      literal(byte < 0x10 ? "\\u000" : "\\u00")
      append(String(byte, radix: 16))
    default: bytes.append(byte)
    }
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
