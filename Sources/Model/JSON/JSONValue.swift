/// A JSON value (RFC 8259) from a server, a publisher or another program. One bad character must not lose all other
/// entries, so what is almost JSON is read, too. The parser does not use Foundation, which takes ten times as long for
/// many small objects.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Nil if the bytes are not JSON. A byte order mark before it is skipped (RFC 8259, 8.1).
  public init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var parser = Parser(bytes: bytes, index: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard let value = parser.value(depth: 0), parser.isAtEnd else { return nil }
    self = value
  }

  public init?(_ text: String) { self.init(Array(text.utf8)) }

  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  public var isObject: Bool { if case .object = self { true } else { false } }

  /// A boolean, or a number in its place.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { number.map { $0 != 0 } } }

  /// A finite number, or a string with one: PHP writes both.
  public var number: Double? {
    let number: Double? =
      switch self {
      case .number(let number): number
      case .string(let text): Double(text)
      default: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  public var int: Int? { number.flatMap { Int(exactly: $0.rounded(.towardZero)) } }

  // MARK: Writing

  /// Without spaces and with sorted keys, so that equal values give equal texts.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// `text` as UTF-8.
  public var bytes: [UInt8] {
    // Encoding these values cannot fail.
    (try? JSONFormat().bytes(of: self)) ?? []
  }

  // MARK: Reading

  private struct Parser {
    let bytes: [UInt8]
    var index: Int
    private static let maxDepth = 64

    var isAtEnd: Bool {
      mutating get {
        skipSpace()
        return index == bytes.count
      }
    }

    /// Control characters count as space.
    private mutating func skipSpace() {
      while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      skipSpace()
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    private mutating func take(word: StaticString) -> Bool {
      let count = word.utf8CodeUnitCount
      guard index + count <= bytes.count else { return false }
      for offset in 0..<count where bytes[index + offset] != word.utf8Start[offset] { return false }
      index += count
      return true
    }

    mutating func value(depth: Int) -> JSONValue? {
      skipSpace()
      guard index < bytes.count, depth < Self.maxDepth else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "{"): return object(depth)
      case UInt8(ascii: "["): return array(depth)
      case UInt8(ascii: "\""): return string().map { .string($0) }
      case UInt8(ascii: "t"): return take(word: "true") ? .bool(true) : nil
      case UInt8(ascii: "f"): return take(word: "false") ? .bool(false) : nil
      case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
      default:
        // Other languages write numbers that JSON does not have.
        return take(word: "NaN") || take(word: "Infinity") || take(word: "-Infinity") ? .null : number()
      }
    }

    /// People who write by hand leave a comma after the last member.
    private mutating func object(_ depth: Int) -> JSONValue? {
      index += 1
      var members: [String: JSONValue] = [:]
      repeat {
        if take(UInt8(ascii: "}")) { return .object(members) }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), let key = string(), take(UInt8(ascii: ":")),
          let value = value(depth: depth + 1)
        else { return nil }
        members[key] = value
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array(_ depth: Int) -> JSONValue? {
      index += 1
      var values: [JSONValue] = []
      repeat {
        if take(UInt8(ascii: "]")) { return .array(values) }
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "]")) ? .array(values) : nil
    }

    private mutating func number() -> JSONValue? {
      let start = index
      // Fast path: most numbers are short integers.
      var whole = 0
      while index < bytes.count, index - start < 15, case let digit = bytes[index] &- 0x30, digit < 10 {
        whole = whole * 10 + Int(digit)
        index += 1
      }
      if index > start, index == bytes.count || bytes[index] == 0x2C || bytes[index] == 0x7D || bytes[index] == 0x5D {
        return .number(Double(whole))
      }
      index = start
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "e"), UInt8(ascii: "E"):
          index += 1
          continue
        default: break
        }
        break
      }
      guard index > start else { return nil }
      return Double(String(decoding: bytes[start..<index], as: UTF8.self)).map { .number($0) }
    }

    private mutating func string() -> String? {
      index += 1
      let start = index
      while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") { index += 1 }
      guard index < bytes.count else { return nil }
      if bytes[index] == UInt8(ascii: "\"") {
        defer { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
      }
      var text = Array(bytes[start..<index])
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
        guard byte == UInt8(ascii: "\\") else {
          text.append(byte)
          continue
        }
        guard index < bytes.count else { return nil }
        let escaped = bytes[index]
        index += 1
        switch escaped {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "u"):
          guard let scalar = unicode() else { return nil }
          text += String(scalar).utf8
        default: text.append(escaped)
        }
      }
      return nil
    }

    private mutating func unit() -> UInt32? {
      guard index + 4 <= bytes.count else { return nil }
      defer { index += 4 }
      return UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    }

    /// An unpaired surrogate becomes U+FFFD.
    private mutating func unicode() -> Unicode.Scalar? {
      guard let first = unit() else { return nil }
      guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
      guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
        return "\u{FFFD}"
      }
      let next = index
      index += 2
      guard let second = unit(), (0xDC00..<0xE000).contains(second) else {
        index = next
        return "\u{FFFD}"
      }
      return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }
  }
}

extension JSONValue: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let flag): try container.encode(flag)
    case .number(let number):
      if let whole = Int64(exactly: number) { try container.encode(whole) } else { try container.encode(number) }
    case .string(let string): try container.encode(string)
    case .array(let values): try values.encode(to: encoder)
    case .object(let members): try members.encode(to: encoder)
    }
  }
}
