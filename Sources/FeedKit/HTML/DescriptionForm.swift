/// The form of a description. Feeds do not declare it, so it is detected.
enum DescriptionForm: Equatable {
  /// No tags, no comments and no CDATA sections: line breaks are meant as such.
  case plain
  /// Only inline tags (`<a>`, `<b>`): line breaks are meant as such.
  case inlineHTML
  case html
  /// HTML that was escaped twice: `&lt;p&gt;`.
  case escapedHTML

  static func of(_ bytes: [UInt8]) -> DescriptionForm {
    var hasTag = false
    var hasEscapedTag = false
    var hasSection = false
    var hasLineEnd = false
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "<"):
        if let element = tagElement(bytes[(index + 1)...]) {
          if element.breaksLine { return .html }
          hasTag = true
        } else if MarkupStart.opensSection(bytes[index...]) {
          hasSection = true
        }
      case UInt8(ascii: "&") where bytes[index...].starts(with: Self.escapedLess):
        if tagElement(bytes[(index + 4)...]) != nil { hasEscapedTag = true }
      case UInt8(ascii: "]") where bytes[index...].starts(with: MarkupStart.cdataEnd): hasSection = true
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): hasLineEnd = true
      default: break
      }
    }
    if hasTag || hasSection && !hasEscapedTag { return hasLineEnd ? .inlineHTML : .html }
    return hasEscapedTag ? .escapedHTML : .plain
  }

  private static let escapedLess = Array("&lt;".utf8)

  /// The element whose tag starts after a `<`.
  private static func tagElement(_ rest: ArraySlice<UInt8>) -> HTMLElement? {
    let name = (rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest).prefix(12).prefix(while: isNameByte)
    guard !name.isEmpty else { return nil }
    let after = rest[name.endIndex...].first
    switch after {
    case UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"),
      UInt8(ascii: "\r"), UInt8(ascii: "&"):
      return HTMLElement.named(bytes: name)
    default: return nil
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x31...0x36).contains(byte)
  }
}
