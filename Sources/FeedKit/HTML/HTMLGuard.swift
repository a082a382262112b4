/// Prepares HTML for libxml2, in one pass. Fixes what libxml2 would misread or take minutes for:
///
/// - NUL bytes, which end the text for libxml2, are removed.
/// - A `<` that starts no tag (`<3`, `<mail@example.com>`, Markdown's `<https://…>`) becomes text.
/// - `<![CDATA[` and `]]>` of a feed that wrapped its text twice are removed; their content stays.
/// - An unterminated comment would swallow the rest, so only its `<!--` is removed.
/// - A tag with more than `attributeLimit` is dropped, because libxml2 compares each attribute with all previous
///   ones.
enum HTMLGuard {
  static let attributeLimit = 128

  static func guarded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    var index = 0
    var commentsEnd = true
    // Broken quotes can make each tag seem to extend to the end. The budget limits how much is scanned for that.
    var budget = bytes.count &* 4
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case 0:
        index += 1
      case UInt8(ascii: "]") where bytes[index...].starts(with: cdataEnd):
        index += cdataEnd.count
      case UInt8(ascii: "<"):
        let rest = bytes[index...]
        if rest.starts(with: cdataStart) {
          index += cdataStart.count
        } else if rest.starts(with: commentStart) {
          let end = commentsEnd ? endOfComment(in: bytes, from: index + commentStart.count) : nil
          commentsEnd = end != nil
          index = end ?? index + commentStart.count
        } else if !opensTag(rest.dropFirst()) {
          result.append(contentsOf: escapedLess)
          index += 1
        } else if let end = endOfCrowdedTag(in: bytes, from: index, budget: &budget) {
          index = end
        } else {
          result.append(byte)
          index += 1
        }
      default:
        result.append(byte)
        index += 1
      }
    }
    return result
  }

  private static let cdataStart = Array("<![CDATA[".utf8)
  private static let cdataEnd = Array("]]>".utf8)
  private static let commentStart = Array("<!--".utf8)
  private static let escapedLess = Array("&lt;".utf8)

  private static func endOfComment(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index + 2 < bytes.count {
      if bytes[index + 2] == UInt8(ascii: ">"), bytes[index] == UInt8(ascii: "-"), bytes[index + 1] == UInt8(ascii: "-")
      {
        return index + 3
      }
      index += 1
    }
    return nil
  }

  private static func opensTag(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let first = rest.first else { return false }
    switch first {
    case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"): return true
    case 0x41...0x5A, 0x61...0x7A: break
    default: return false
    }
    for (offset, byte) in rest.prefix(64).enumerated() {
      switch byte {
      case UInt8(ascii: "@"): return false
      case UInt8(ascii: ":"): return rest.dropFirst(offset + 1).first != UInt8(ascii: "/")
      case UInt8(ascii: ">"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
        UInt8(ascii: "/"):
        return true
      default: continue
      }
    }
    return true
  }

  /// The index after a tag with too many attributes. Nil for other tags.
  private static func endOfCrowdedTag(in bytes: [UInt8], from start: Int, budget: inout Int) -> Int? {
    var attributes = 0
    var quote: UInt8?
    var inName = true
    var index = start + 1
    while index < bytes.count {
      guard budget > 0 else { return index }
      budget -= 1
      let byte = bytes[index]
      if let open = quote {
        if byte == open {
          quote = nil
          inName = false
        }
      } else {
        switch byte {
        case UInt8(ascii: ">"), UInt8(ascii: "<"): return attributes > attributeLimit ? index : nil
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20, UInt8(ascii: "/"): inName = false
        default:
          if !inName {
            attributes += 1
            inName = true
          }
        }
      }
      index += 1
    }
    return attributes > attributeLimit ? index : nil
  }
}
