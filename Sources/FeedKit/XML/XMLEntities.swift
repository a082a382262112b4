/// Resolves `&name;` and `&#number;`: XML's five entities, HTML's, and those of the document's internal DTD.
///
/// Replacement text is always plain text without markup or references, so entities cannot expand exponentially.
/// External entities are declared as empty.
struct XMLEntities {
  enum Text {
    case scalar(UInt32)
    case bytes([UInt8])
  }
  struct Value {
    var text: Text
    /// Valid in XML, not only in HTML.
    var isXML: Bool
  }

  private let limits: XMLLimits
  private var declared: [[UInt8]: [UInt8]] = [:]

  init(limits: XMLLimits) { self.limits = limits }

  /// The value of a reference without its `&` and `;`. Nil if unknown.
  func resolve(_ name: UnsafeBufferPointer<UInt8>) -> Value? {
    guard let first = name.first else { return nil }
    if first == UInt8(ascii: "#") { return number(name.dropFirst()) }
    if let scalar = predefined(name) { return Value(text: .scalar(scalar), isXML: true) }
    if !declared.isEmpty, let bytes = declared[Array(name)] { return Value(text: .bytes(bytes), isXML: true) }
    return HTMLEntities.named(name).map { Value(text: .scalar($0.value), isXML: false) }
  }

  /// Declares an entity from ` name "value"` or ` name SYSTEM "…"`, the inside of an ENTITY declaration. False: it
  /// was ignored.
  mutating func declare(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    let words = body.split(maxSplits: 1, whereSeparator: ByteScan.isBlank)
    guard words.count == 2, let name = words.first, name.first != UInt8(ascii: "%") else { return false }
    guard declared.count < limits.entities, declared[Array(name)] == nil else { return false }
    let rest = words[1].drop(while: ByteScan.isBlank)
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      declared[Array(name)] = []
      return false
    }
    let value = rest.dropFirst().prefix { $0 != quote }
    guard value.count <= limits.entityBytes else {
      declared[Array(name)] = []
      return false
    }
    declared[Array(name)] = expand(Array(value))
    return true
  }

  /// Resolves the references in a replacement text once, and cuts it at the limit.
  private func expand(_ value: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = value[...]
    while let byte = rest.first, result.count < limits.entityBytes {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "&"), let end = rest.prefix(40).firstIndex(of: UInt8(ascii: ";")) {
        let resolved = Array(rest[..<end]).withUnsafeBufferPointer { resolve($0) }
        if let resolved {
          switch resolved.text {
          case .scalar(let value): Unicode.Scalar(value).map { result += Array(String($0).utf8) }
          case .bytes(let bytes): result += bytes
          }
          rest = rest[(end + 1)...]
          continue
        }
      }
      if byte >= 0x20 || ByteScan.isBlank(byte) { result.append(byte) }
    }
    return Array(String(decoding: result.prefix(limits.entityBytes), as: UTF8.self).utf8)
  }

  private func predefined(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    switch name.count {
    case 2 where name[1] == UInt8(ascii: "t"):
      if name[0] == UInt8(ascii: "l") { return 0x3C }
      return name[0] == UInt8(ascii: "g") ? 0x3E : nil
    case 3: return name.elementsEqual("amp".utf8) ? 0x26 : nil
    case 4: return name.elementsEqual("quot".utf8) ? 0x22 : name.elementsEqual("apos".utf8) ? 0x27 : nil
    default: return nil
    }
  }

  /// `#8217` or `#x2019`. 128…159 mean Windows-1252, as in HTML. Characters that XML does not allow are removed.
  private func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Value? {
    guard let value = HTMLEntities.number(digits) else { return nil }
    if (0x80...0x9F).contains(value) {
      return Value(text: .scalar(Windows1252.printable(UInt8(truncatingIfNeeded: value))), isXML: false)
    }
    let isCharacter =
      value >= 0x20 ? Unicode.Scalar(value) != nil && value & 0xFFFE != 0xFFFE : [9, 10, 13].contains(value)
    return isCharacter ? Value(text: .scalar(value), isXML: true) : Value(text: .bytes([]), isXML: false)
  }
}
