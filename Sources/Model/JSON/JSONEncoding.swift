import Foundation

/// Encodes values into a `JSONBuffer`. A container ends when something is written outside of it.
struct JSONEncoding: Encoder {
  let buffer: JSONBuffer
  /// The number of containers around the value.
  let depth: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func write<Value: Encodable>(_ value: Value) throws {
    // Comparing the types first saves the cast, which is slow.
    if Value.self == Date.self, let date = value as? Date {
      buffer.date(date)
    } else {
      try value.encode(to: self)
      buffer.close(to: depth)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A value may encode its members in several parts.
    buffer.close(to: depth + 1)
    if buffer.depth == depth { buffer.begin(object: true) }
    return KeyedEncodingContainer(JSONMembers(buffer: buffer, depth: depth + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    buffer.begin(object: false)
    return JSONElements(buffer: buffer, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleValue(encoder: self) }
}

private struct JSONSingleValue: SingleValueEncodingContainer {
  let encoder: JSONEncoding
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { encoder.buffer.null() }
  func encode(_ value: Bool) { encoder.buffer.flag(value) }
  func encode(_ value: String) { encoder.buffer.text(value) }
  func encode(_ value: Double) { encoder.buffer.number(value) }
  func encode(_ value: Float) { encoder.buffer.number(Double(value)) }
  func encode(_ value: some FixedWidthInteger & Encodable) { encoder.buffer.integer(value) }
  func encode(_ value: some Encodable) throws { try encoder.write(value) }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let buffer: JSONBuffer
  let depth: Int
  var count = 0
  var codingPath: [any CodingKey] { [] }

  private mutating func next() -> JSONEncoding {
    buffer.close(to: depth)
    buffer.element()
    count += 1
    return JSONEncoding(buffer: buffer, depth: depth)
  }

  mutating func encodeNil() {
    _ = next()
    buffer.null()
  }

  mutating func encode(_ value: some Encodable) throws { try next().write(value) }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let buffer: JSONBuffer
  let depth: Int
  var codingPath: [any CodingKey] { [] }

  private func member(_ key: Key) -> JSONEncoding { member(named: key.stringValue) }

  private func member(named name: String) -> JSONEncoding {
    buffer.close(to: depth)
    buffer.key(name)
    return JSONEncoding(buffer: buffer, depth: depth)
  }

  func encodeNil(forKey key: Key) {
    _ = member(key)
    buffer.null()
  }

  func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).write(value) }

  // One for each type, because the defaults of the protocol leave absent values out. Most values are absent, and the
  // generic one looks up the type of the optional at run time.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    if let value { member(key).buffer.flag(value) } else { encodeAbsence(of: key) }
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    if let value { member(key).buffer.text(value) } else { encodeAbsence(of: key) }
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    if let value { member(key).buffer.number(value) } else { encodeAbsence(of: key) }
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
    if let value { member(key).buffer.integer(value) } else { encodeAbsence(of: key) }
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws {
    if let value { member(key).buffer.integer(value) } else { encodeAbsence(of: key) }
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { return try encode(value, forKey: key) }
    guard buffer.format.hasAllKeys else { return }
    if Value.self is any ExpressibleByArrayLiteral.Type {
      try encode([Bool](), forKey: key)
    } else {
      encodeNil(forKey: key)
    }
  }

  private func encodeAbsence(of key: Key) {
    if buffer.format.hasAllKeys { encodeNil(forKey: key) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { member(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { member(named: "super") }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}
