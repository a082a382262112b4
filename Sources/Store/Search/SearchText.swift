import Model

/// Prepares text for FTS5's `unicode61` tokenizer, which splits at spaces and would treat a Chinese sentence as one
/// word. Each character of a script without spaces becomes its own word, in the index and in queries, where several
/// form a phrase. So any part of the text can be found, from one character up.
///
/// Measured on 9,000 Chinese texts of 500 characters (14 MB): indexing takes 1.1 s and 12 MB, a query of one to four
/// characters 0.6 to 1.2 ms. Pairs of characters take 4.9 s and 28 MB (0.3 ms; one character 7 ms). The trigram
/// tokenizer takes 6.5 s and 44 MB (0.1 ms), does not find fewer than three characters, which Chinese needs, and does
/// not fold diacritics in SQLite 3.40.
///
/// The tokenizer folds case and the accents of Latin letters only, and splits words at apostrophes. So texts that are
/// not ASCII are folded before (`TextFolding`), and a word with apostrophes is added a second time without them, at the
/// end. "Eeler’s" is then found as "eeler", "eeler's" and "eelers".
enum SearchText {
  /// A text as it is indexed.
  static func indexed(_ text: String) -> String {
    let folded = text.utf8.allSatisfy { $0 < 0x80 } ? text : TextFolding.foldingLetters(text)
    let joined = joinedWords(folded)
    return segmented(joined.isEmpty ? folded : folded + "\n" + joined)
  }

  /// The FTS5 expressions of a word as it was typed, any of which may be found: split at apostrophes as in a text, and
  /// joined. Quoted, so that nothing in it is an operator.
  static func expressions(_ word: String, isPhrase: Bool) -> [String] {
    let text = word.filter { $0 != "\"" }
    let split = segmented(TextFolding.foldingLetters(text))
    let joined = segmented(TextFolding.fold(text))
    return (split == joined || isPhrase ? [split] : [split, joined]).map { "\"" + $0 + "\"" }
  }

  /// The words of the text that have an apostrophe inside, each once and without it.
  private static func joinedWords(_ text: String) -> String {
    let apostrophe = UInt8(ascii: "'")
    guard text.utf8.contains(apostrophe) else { return "" }
    let words = text.utf8.split { byte in
      !(byte == apostrophe || byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20))
    }
    let joined = words.compactMap { word -> String? in
      let inner = word.drop { $0 == apostrophe }
      guard let last = inner.lastIndex(where: { $0 != apostrophe }), inner[...last].contains(apostrophe) else {
        return nil
      }
      return String(decoding: inner[...last].filter { $0 != apostrophe }, as: UTF8.self)
    }
    return joined.uniqued().joined(separator: " ")
  }

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

  /// The words of a text as the index has them: split at apostrophes, and, if there are any, joined there.
  static func words(_ text: String) -> [[String]] {
    [TextFolding.foldingLetters(text), TextFolding.fold(text)].uniqued().map {
      segmented($0).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
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
