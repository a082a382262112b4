import Foundation

/// A stored JSON object, parsed only for the positions of its fields. Nil for invalid JSON.
struct StoredObject {
  enum Kind { case text, number, flag, null, array, object }

  struct Field {
    /// Without the quotes.
    var name: Range<Int>
    var value: Range<Int>
    var kind: Kind
  }

  let bytes: UnsafeBufferPointer<UInt8>
  private(set) var fields: [Field] = []

  /// - Parameter bytes: must outlive this value.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    var reader = StoredReader(bytes: bytes)
    guard let fields = reader.object(), reader.isAtEnd else { return nil }
    self.fields = fields
  }

  func field(_ name: StaticString) -> Field? {
    fields.first { field in
      field.name.count == name.utf8CodeUnitCount
        && memcmp(bytes.baseAddress! + field.name.lowerBound, name.utf8Start, field.name.count) == 0
    }
  }

  /// A string without quotes and escapes. Nil for other values.
  func text(_ field: Field) -> String? {
    guard field.kind == .text else { return nil }
    let inner = UnsafeBufferPointer(rebasing: bytes[field.value.dropFirst().dropLast()])
    guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
    return try? JSONDecoder().decode(String.self, from: Data(bytes[field.value]))
  }

  func number(_ field: Field) -> Double? {
    field.kind == .number ? Double(String(decoding: bytes[field.value], as: UTF8.self)) : nil
  }

  /// Writes a value with sorted keys. Null is left out, because empty and absent are the same here.
  func write(_ value: Range<Int>, to json: inout JSONBytes) {
    var reader = StoredReader(bytes: UnsafeBufferPointer(rebasing: bytes[value]))
    reader.copy(to: &json)
  }
}

/// Scans JSON. More than 64 nested containers count as invalid.
struct StoredReader {
  let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  /// Scans an object and returns its fields.
  mutating func object() -> [StoredObject.Field]? {
    guard open("{") else { return nil }
    var fields: [StoredObject.Field] = []
    if take("}") { return leave(fields) }
    repeat {
      let start = index
      guard skip() == .text else { return nil }
      let name = start + 1..<index - 1
      guard take(":") else { return nil }
      let value = index
      guard let kind = skip() else { return nil }
      fields.append(StoredObject.Field(name: name, value: value..<index, kind: kind))
    } while take(",")
    return take("}") ? leave(fields) : nil
  }

  /// Scans an array and returns the ranges of its elements.
  mutating func elements() -> [Range<Int>]? {
    guard open("[") else { return nil }
    var elements: [Range<Int>] = []
    if take("]") { return leave(elements) }
    repeat {
      let start = index
      guard skip() != nil else { return nil }
      elements.append(start..<index)
    } while take(",")
    return take("]") ? leave(elements) : nil
  }

  private mutating func open(_ bracket: Unicode.Scalar) -> Bool {
    depth += 1
    return depth <= 64 && take(bracket)
  }

  private mutating func leave<Value>(_ value: Value) -> Value {
    depth -= 1
    return value
  }

  /// Skips one value.
  private mutating func skip() -> StoredObject.Kind? {
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "\""): return skipText() ? .text : nil
    case UInt8(ascii: "{"): return object() == nil ? nil : .object
    case UInt8(ascii: "["): return elements() == nil ? nil : .array
    case UInt8(ascii: "t"): return take(word: "true") ? .flag : nil
    case UInt8(ascii: "f"): return take(word: "false") ? .flag : nil
    case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
    default: return skipNumber() ? .number : nil
    }
  }

  private mutating func skipText() -> Bool {
    index += 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return true
      case UInt8(ascii: "\\"): index += 2
      case 0..<0x20: return false
      default: index += 1
      }
    }
    return false
  }

  /// A number by RFC 8259 §6.
  private mutating func skipNumber() -> Bool {
    _ = take("-")
    guard skipDigits() else { return false }
    if take("."), !skipDigits() { return false }
    guard take("e") || take("E") else { return true }
    _ = take("+") || take("-")
    return skipDigits()
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
    return index > start
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  private mutating func take(word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard index + count <= bytes.count, memcmp(bytes.baseAddress! + index, word.utf8Start, count) == 0 else {
      return false
    }
    index += count
    return true
  }

  /// Writes the value at the current position, which is known to be valid JSON.
  mutating func copy(to json: inout JSONBytes) {
    let start = index
    switch bytes[index] {
    case UInt8(ascii: "{"):
      let fields = (object() ?? []).filter { $0.kind != .null }
      json.open("{")
      for field in fields.sorted(by: { bytes[$0.name].lexicographicallyPrecedes(bytes[$1.name]) }) {
        json.key(UnsafeBufferPointer(rebasing: bytes[field.name]))
        copy(field.value, to: &json)
      }
      json.close("}")
    case UInt8(ascii: "["):
      let elements = elements() ?? []
      json.open("[")
      for element in elements {
        json.element()
        copy(element, to: &json)
      }
      json.close("]")
    case UInt8(ascii: "\""):
      _ = skip()
      let inner = UnsafeBufferPointer(rebasing: bytes[start + 1..<index - 1])
      if inner.contains(UInt8(ascii: "\\")) {
        json.text((try? JSONDecoder().decode(String.self, from: Data(bytes[start..<index]))) ?? "")
      } else {
        json.text(inner)
      }
    default:
      _ = skip()
      let token = UnsafeBufferPointer(rebasing: bytes[start..<index])
      // In the format of `JSONEncoder`: 175.0 becomes 175.
      if token.contains(where: { $0 == 0x2E || $0 == 0x65 || $0 == 0x45 }),
        let number = Double(String(decoding: token, as: UTF8.self))
      {
        json.value(number)
      } else {
        json.raw(token)
      }
    }
  }

  private func copy(_ range: Range<Int>, to json: inout JSONBytes) {
    var reader = StoredReader(bytes: UnsafeBufferPointer(rebasing: bytes[range]))
    reader.copy(to: &json)
  }
}
