/// Makes text fit for FTS5's `unicode61` tokenizer, which splits at spaces and so takes a Chinese sentence for one
/// word. Each character of a script that is written without spaces becomes a word of its own, in the index and in the
/// query, where several are a phrase: every part of the text is found, from one character up. (The trigram tokenizer
/// needs three characters, too many for Chinese, and in SQLite 3.40 does not fold diacritics.)
enum SearchText {
  static func segmented(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= firstLeadByte }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isUnspaced(scalar) {
        result.append(" ")
        result.append(scalar)
        result.append(" ")
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// UTF-8 of U+0E00, where the first of these scripts begins.
  private static let firstLeadByte: UInt8 = 0xE0

  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x0E00: false
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
