import Foundation

/// Texts with markup: how Atom declares them, and how XML elements are turned back into markup.
enum MarkupText {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// The kind from Atom's `type` (RFC 4287 §3.1.1, §4.1.3) and, for Atom 0.3, `mode`. RSS has neither, so any kind is
  /// possible.
  static func kind(_ attributes: XMLAttributes) -> FeedBuilder.TextKind {
    guard attributes.count > 0 else { return .plain }
    let mode = attributes["mode"]?.lowercased()
    if mode == "base64" { return .base64 }
    // `text/html; charset=utf-8`: a media type without its parameters.
    let type = (attributes["type"] ?? "").prefix { $0 != ";" }.lowercased().trimmed
    guard !type.isEmpty else { return mode == "xml" ? .xhtml : .plain }
    let isXML = type == "xhtml" || type.hasSuffix("+xml") || type.hasSuffix("/xml")
    if mode == "escaped" { return isXML || type.contains("html") ? .html : .text }
    if isXML { return .xhtml }
    if mode == "xml" { return .xhtml }
    if type == "html" || type == "text/html" { return .html }
    if type == "text" || type.hasPrefix("text/") { return .text }
    return type.contains("/") && !type.hasPrefix("image/") ? .base64 : .plain
  }

  /// The decoded text, or the text itself if it is not base64 of UTF-8.
  static func decodeBase64(_ bytes: Bytes) -> String {
    let data = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters) ?? Data()
    let decoded = data.isEmpty ? nil : String(data: data, encoding: .utf8)
    return (decoded ?? String(decoding: bytes, as: UTF8.self)).trimmed
  }

  static func trimmed(_ bytes: Bytes) -> Bytes {
    guard let start = bytes.baseAddress else { return bytes }
    var first = 0
    var last = bytes.count
    while first < last, start[first] <= 0x20 { first += 1 }
    while last > first, start[last - 1] <= 0x20 { last -= 1 }
    return Bytes(start: start + first, count: last - first)
  }

  static func escape(_ bytes: Bytes, into out: inout ByteBuffer) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): out.append("&amp;")
      case UInt8(ascii: "<"): out.append("&lt;")
      case UInt8(ascii: ">"): out.append("&gt;")
      default: out.append(byte)
      }
    }
  }

  static func escapeInPlace(_ text: inout ByteBuffer) {
    guard text.bytes.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return }
    let copy = Array(text.bytes)
    text.removeAll()
    copy.withUnsafeBufferPointer { escape($0, into: &text) }
  }

  /// Writes `<name attributes>`. Addresses are made absolute, because the markup is used without its document.
  static func writeStart(_ name: XMLName, _ attributes: XMLAttributes, base: String?, into out: inout ByteBuffer) {
    out.append(UInt8(ascii: "<"))
    write(name.local, into: &out)
    for index in 0..<attributes.count {
      let key = attributes.name(index)
      var value = attributes.value(index)
      if key == "href" || key == "src" { value = RelativeAddress.resolve(value, base: base) }
      out.append(UInt8(ascii: " "))
      write(key, into: &out)
      out.append("=\"")
      for byte in value.utf8 {
        switch byte {
        case UInt8(ascii: "&"): out.append("&amp;")
        case UInt8(ascii: "<"): out.append("&lt;")
        case UInt8(ascii: "\""): out.append("&quot;")
        default: out.append(byte)
        }
      }
      out.append(UInt8(ascii: "\""))
    }
    out.append(voidElements.contains(name.local.lowercased()) ? " />" : ">")
  }

  static func writeEnd(_ name: XMLName, into out: inout ByteBuffer) {
    guard !voidElements.contains(name.local.lowercased()) else { return }
    out.append("</")
    write(name.local, into: &out)
    out.append(UInt8(ascii: ">"))
  }

  private static func write(_ text: String, into out: inout ByteBuffer) {
    for byte in text.utf8 { out.append(byte) }
  }

  /// HTML elements without content.
  private static let voidElements: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
  ]
}
