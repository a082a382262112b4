/// Prepares text for FTS5's `unicode61` tokenizer, which splits at spaces and would treat a Chinese sentence as one
/// word. Each character of a script without spaces becomes its own word, in the index and in queries, where several
/// form a phrase. So any part of the text can be found, from one character up.
///
/// Measured on 9,000 Chinese texts of 500 characters (14 MB): indexing takes 1.1 s and 12 MB, a query of one to four
/// characters 0.6 to 1.2 ms. Pairs of characters take 4.9 s and 28 MB (0.3 ms; one character 7 ms). The trigram
/// tokenizer takes 6.5 s and 44 MB (0.1 ms), does not find fewer than three characters, which Chinese needs, and does
/// not fold diacritics in SQLite 3.40.
enum SearchText {
  static func segmented(_ text: String) -> String {
    var text = text
    // Works on bytes, because all texts of the library pass through here, and a view of scalars takes ten times as
    // long.
    let segmented: String? = text.withUTF8 { bytes in
      guard let first = bytes.firstIndex(where: isLeadByte) else { return nil }
      var result: [UInt8] = []
      var copied = 0
      var index = first
      while index < bytes.count {
        guard isLeadByte(bytes[index]) else {
          index += 1
          continue
        }
        let next = min(index + (bytes[index] < 0xF0 ? 3 : 4), bytes.count)
        if isUnspaced(scalar(bytes[index..<next])) {
          if copied == 0 { result.reserveCapacity(bytes.count * 5 / 3) }
          result.append(contentsOf: bytes[copied..<index])
          result.append(space)
          result.append(contentsOf: bytes[index..<next])
          result.append(space)
          copied = next
        }
        index = next
      }
      guard copied > 0 else { return nil }
      result.append(contentsOf: bytes[copied...])
      return String(decoding: result, as: UTF8.self)
    }
    return segmented ?? text
  }

  /// The word of the column `scope`. It starts with a private-use character, which no one types.
  static func scope(_ podcast: Int64) -> String { "\u{F8FE}\(podcast)" }

  /// The words of a text as the index has them: case and diacritics do not count.
  static func words(_ text: String) -> [String] {
    segmented(text.folded).split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static let space = UInt8(ascii: " ")

  /// Whether a character of these scripts can start with this byte in UTF-8. 0xE2 is excluded: it starts typographic
  /// quotes and dashes, which nearly every text has.
  private static func isLeadByte(_ byte: UInt8) -> Bool { byte >= 0xE0 && byte != 0xE2 && byte != 0xEE }

  /// Decodes three or four bytes of UTF-8.
  private static func scalar(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    bytes.dropFirst().reduce(UInt32(bytes.first ?? 0) & (bytes.count == 3 ? 0x0F : 0x07)) {
      $0 << 6 | UInt32($1 & 0x3F)
    }
  }

  private static func isUnspaced(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true  // Thai, Lao; Burmese; Khmer
    case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: true  // Hangul: particles are written onto the word
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: true  // Kana
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true  // Han
    default: false
    }
  }
}
