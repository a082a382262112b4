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

  static func guarded(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBufferPointer(guarded) }

  private static func guarded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
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
      case UInt8(ascii: "]") where bytes[index...].starts(with: MarkupStart.cdataEnd):
        index += MarkupStart.cdataEnd.count
      case UInt8(ascii: "<"):
        switch MarkupStart(at: index, in: bytes, commentsEnd: &commentsEnd) {
        case .skipped(let end): index = end
        case .text:
          result.append(contentsOf: escapedLess)
          index += 1
        case .tag:
          if let end = endOfCrowdedTag(in: bytes, from: index, budget: &budget) {
            index = end
          } else {
            result.append(byte)
            index += 1
          }
        }
      default:
        result.append(byte)
        index += 1
      }
    }
    return result
  }

  private static let escapedLess = Array("&lt;".utf8)

  /// The index after a tag with too many attributes. Nil for other tags.
  private static func endOfCrowdedTag(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, budget: inout Int
  ) -> Int? {
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
