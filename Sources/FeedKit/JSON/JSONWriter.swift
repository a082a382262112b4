import Foundation
import Model

/// Writes JSON (RFC 8259) as UTF-8 bytes. Keys keep the order in which they are written.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Passes on what was written since the last call.
  mutating func drain(_ sink: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes(sink)
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func object(_ body: (inout JSONWriter) -> Void) { enclose("{", "}", body) }

  mutating func array<Element>(_ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
    enclose("[", "]") { writer in
      for element in elements {
        writer.separate()
        body(&writer, element)
        writer.needsComma = true
      }
    }
  }

  mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    bytes += [UInt8(ascii: "\""), UInt8(ascii: ":")]
    needsComma = false
  }

  mutating func field(_ name: StaticString, _ text: String?) {
    key(name)
    value(text)
  }

  /// An address without `user:password@`.
  mutating func address(_ name: StaticString, _ text: String?) { field(name, text?.withoutUserInfo) }

  mutating func field(_ name: StaticString, _ number: (some BinaryInteger)?) {
    key(name)
    number.map { raw(String($0)) } ?? raw("null")
  }

  mutating func field(_ name: StaticString, _ flag: Bool?) {
    key(name)
    raw(flag.map { $0 ? "true" : "false" } ?? "null")
  }

  /// Whole numbers without a decimal point. Non-finite numbers are null.
  mutating func field(_ name: StaticString, _ number: Double?) {
    key(name)
    guard let number, number.isFinite else { return raw("null") }
    raw(abs(number) < 1e15 && number == number.rounded() ? String(Int64(number)) : String(number))
  }

  /// ISO 8601, UTC, whole seconds.
  mutating func field(_ name: StaticString, _ date: Date?) {
    key(name)
    guard let date else { return raw("null") }
    value(ISODate.text(date))
  }

  mutating func field(_ name: StaticString, _ texts: [String]) {
    key(name)
    array(texts) { $0.value($1) }
  }

  mutating func value(_ text: String?) {
    guard var text else { return raw("null") }
    separate()
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Copies runs of plain bytes, and escapes the others one by one.
  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in text.indices {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F else { continue }
      bytes += UnsafeBufferPointer(rebasing: text[start..<index])
      start = index + 1
      bytes.append(UInt8(ascii: "\\"))
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
      case 0x0A: bytes.append(UInt8(ascii: "n"))
      case 0x0D: bytes.append(UInt8(ascii: "r"))
      case 0x09: bytes.append(UInt8(ascii: "t"))
      default:
        bytes += "u00".utf8
        bytes.append(Self.hex[Int(byte >> 4)])
        bytes.append(Self.hex[Int(byte & 15)])
      }
    }
    bytes += UnsafeBufferPointer(rebasing: text[start...])
  }

  private static let hex = Array("0123456789abcdef".utf8)

  private mutating func raw(_ text: String) {
    bytes += text.utf8
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = false
  }

  private mutating func enclose(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(UInt8(ascii: open))
    body(&self)
    bytes.append(UInt8(ascii: close))
    needsComma = true
  }
}
