/// Makes text fit for FTS5's `unicode61` tokenizer, which splits at spaces and so takes a Chinese sentence for one
/// word. Each character of a script that is written without spaces becomes a word of its own, in the index and in the
/// query, where several are a phrase: every part of the text is found, from one character up. (The trigram tokenizer
/// needs three characters, too many for Chinese, and in SQLite 3.40 does not fold diacritics.)
enum SearchText {
  static func segmented(_ text: String) -> String {
    var text = text
    // On bytes: this sees every text of the library, and a view of scalars takes ten times as long.
    return text.withUTF8 { bytes in
      guard bytes.contains(where: { $0 >= firstLeadByte }) else { return String(decoding: bytes, as: UTF8.self) }
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count * 2)
      var copied = 0
      var index = 0
      while index < bytes.count {
        let length = bytes[index] < firstLeadByte ? 1 : bytes[index] < 0xF0 ? 3 : 4
        let next = min(index + length, bytes.count)
        if length > 1, isUnspaced(scalar(bytes[index..<next])) {
          result.append(contentsOf: bytes[copied..<index])
          result.append(space)
          result.append(contentsOf: bytes[index..<next])
          result.append(space)
          copied = next
        }
        index = next
      }
      result.append(contentsOf: bytes[copied...])
      return String(decoding: result, as: UTF8.self)
    }
  }

  private static let space = UInt8(ascii: " ")
  /// UTF-8 of U+0E00, where the first of these scripts begins.
  private static let firstLeadByte: UInt8 = 0xE0

  /// The scalar of three or four bytes of UTF-8.
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

  /// What the listener typed as an FTS5 expression; nil when there is no word in it. Every word must occur; "quoted
  /// words" are a phrase; the last word may be the beginning of one, as the listener is still typing.
  static func expression(_ query: String) -> String? {
    var terms: [String] = []
    for (index, part) in query.withoutNUL.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        if isWord(part) { terms.append(quoted(String(part))) }
      } else {
        terms += part.split(whereSeparator: \.isWhitespace).filter(isWord).map { quoted(String($0)) + "*" }
      }
    }
    guard let last = terms.last else { return nil }
    // Only the last is open.
    return (terms.dropLast().map { $0.hasSuffix("*") ? String($0.dropLast()) : $0 } + [last]).joined(separator: " ")
  }

  /// The words of a query as they would stand in a text, for the snippet.
  static func words(_ query: String) -> [String] {
    query.split { $0.isWhitespace || $0 == "\"" }.filter(isWord).map(String.init)
  }

  private static func isWord(_ text: Substring) -> Bool { text.contains { $0.isLetter || $0.isNumber } }

  private static func quoted(_ text: String) -> String { "\"\(segmented(text))\"" }
}
