import Foundation
import Synchronization

/// The form of a text in which texts are compared for searches, filters and sorting: without case, accents, width,
/// ligatures and apostrophes, and with the plain letters that people type for special ones (ø, ł, ß, ё, ı).
public enum TextFolding {
  public static func fold(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      let lower = text.lowercased()
      return lower.utf8.contains(where: isApostrophe)
        ? String(decoding: lower.utf8.filter { !isApostrophe($0) }, as: UTF8.self) : lower
    }
    let letters = foldingLetters(text)
    return letters.utf8.contains(UInt8(ascii: "'"))
      ? String(decoding: letters.utf8.filter { $0 != UInt8(ascii: "'") }, as: UTF8.self) : letters
  }

  /// As `fold`, with all apostrophes as `'`, for texts whose words are split there.
  public static func foldingLetters(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    known.withLock { known in
      for scalar in composed(text).unicodeScalars { append(scalar, to: &result, &known) }
    }
    return result
  }

  /// Finds words in a text as it was written.
  public struct Finder: Sendable {
    private let word: [UInt8]

    public init(_ word: String) { self.word = Array(TextFolding.fold(word).utf8) }

    /// Where the text has the word first; nil if it does not have it.
    public func first(in text: String) -> String.Index? {
      guard let head = word.first else { return nil }
      var folded: [UInt8] = []
      // The index in the text, by the offset in `folded`.
      var offsets: [(folded: Int, text: String.Index)] = []
      TextFolding.known.withLock { known in
        for index in text.unicodeScalars.indices {
          var piece = ""
          TextFolding.append(text.unicodeScalars[index], to: &piece, &known)
          offsets.append((folded.count, index))
          if piece != "'" { folded += piece.utf8 }
        }
      }
      guard folded.count >= word.count else { return nil }
      for start in 0...(folded.count - word.count) where folded[start] == head {
        guard folded[start..<(start + word.count)].elementsEqual(word) else { continue }
        // The last scalar that begins here. Marks and apostrophes before it are folded to nothing.
        return offsets.last { $0.folded <= start }?.text
      }
      return nil
    }
  }

  /// The folded form of each scalar that was met. Decomposing one takes a microsecond.
  private static let known = Mutex<[UInt32: String]>([:])

  private static func append(_ scalar: Unicode.Scalar, to result: inout String, _ known: inout [UInt32: String]) {
    if scalar.isASCII {
      let value = UInt8(scalar.value)
      let isUpper = (0x41...0x5A).contains(value)
      result.unicodeScalars.append(isApostrophe(value) ? "'" : isUpper ? Unicode.Scalar(value | 0x20) : scalar)
    } else if let folded = known[scalar.value] {
      result += folded
    } else {
      let folded = foldedScalar(scalar)
      known[scalar.value] = folded
      result += folded
    }
  }

  private static func foldedScalar(_ scalar: Unicode.Scalar) -> String {
    if apostrophes.contains(scalar.value) { return "'" }
    let text = String(Character(scalar))
    let parts =
      isCompatibilityForm(scalar.value)
      ? text.decomposedStringWithCompatibilityMapping : text.decomposedStringWithCanonicalMapping
    var result = ""
    for part in parts.unicodeScalars where !isAccent(part.value) {
      for lower in part.properties.lowercaseMapping.unicodeScalars where !isAccent(lower.value) {
        if let letter = letters[lower.value] { result += letter } else { result.unicodeScalars.append(lower) }
      }
    }
    return result.precomposedStringWithCanonicalMapping
  }

  /// Kana and Hangul that were stored decomposed, as macOS names files, are composed: their parts are no accents.
  private static func composed(_ text: String) -> String {
    let isDecomposed = text.unicodeScalars.contains {
      (0x3099...0x309A).contains($0.value) || (0x1100...0x11FF).contains($0.value)
    }
    return isDecomposed ? text.precomposedStringWithCanonicalMapping : text
  }

  private static func isApostrophe(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`") }

  /// ´ ʹ ʻ ʼ ʽ ˈ ՚ ׳ ’ ‘ ‛ ′ ꞌ ＇
  private static let apostrophes: Set<UInt32> = [
    0x00B4, 0x02B9, 0x02BB, 0x02BC, 0x02BD, 0x02C8, 0x055A, 0x05F3, 0x2018, 0x2019, 0x201B, 0x2032, 0xA78C, 0xFF07,
  ]

  /// Letters without a decomposition, in lower case.
  private static let letters: [UInt32: String] = [
    0x00DF: "ss", 0x00E6: "ae", 0x00F0: "d", 0x00F8: "o", 0x00FE: "th", 0x0111: "d", 0x0127: "h", 0x0131: "i",
    0x0138: "k", 0x0140: "l", 0x0142: "l", 0x0149: "n", 0x014B: "n", 0x0153: "oe", 0x0167: "t", 0x0180: "b",
    0x0188: "c", 0x0192: "f", 0x0199: "k", 0x019A: "l", 0x01A5: "p", 0x01AD: "t", 0x01B4: "y", 0x01B6: "z",
    0x0225: "z", 0x023C: "c", 0x0247: "e", 0x0249: "j", 0x024D: "r", 0x024F: "y", 0x0253: "b", 0x0257: "d",
    0x0260: "g", 0x0268: "i", 0x0269: "i", 0x026B: "l", 0x0272: "n", 0x0275: "o", 0x0289: "u", 0x03C2: "σ",
    // Ukrainian and Russian.
    0x0491: "г", 0x0640: "",
    // Nobody sees these inside a word.
    0x00AD: "", 0x200B: "", 0x2060: "", 0xFEFF: "",
  ]

  /// Ligatures, full and half width, and the Arabic forms by position. Other compatibility forms, such as ™ and ½, are
  /// no letters of a word.
  private static func isCompatibilityForm(_ value: UInt32) -> Bool {
    switch value {
    case 0x0132...0x0133, 0x013F...0x0140, 0x0149, 0x017F, 0x01C4...0x01CC, 0x01F1...0x01F3, 0x1E9B,
      0xFB00...0xFB17, 0xFB50...0xFDFF, 0xFE70...0xFEFC, 0xFF01...0xFFDC:
      true
    default: false
    }
  }

  /// Combining marks that are accents of a letter: Latin, Greek and Cyrillic; the points of Hebrew; the vowels and
  /// hamzas of Arabic. Those of Indian scripts are vowels of their own.
  private static func isAccent(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7,
      0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0xFE20...0xFE2F:
      true
    default: false
    }
  }
}

/// A key that sorts numbers inside a text by their value, so that "Part 9" comes before "Part 10".
public enum NaturalKey {
  /// Numbers lose their leading zeros and are preceded by a character for their count of digits, because a longer
  /// number is a larger one.
  public static func key(_ text: some Collection<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(text.count + 8)
    var rest = text[...]
    while let byte = rest.first {
      guard isDigit(byte) else {
        key.append(byte)
        rest = rest.dropFirst()
        continue
      }
      let number = rest.prefix(while: isDigit)
      rest = rest.dropFirst(number.count)
      let digits = number.drop { $0 == UInt8(ascii: "0") }
      // At most `o`. Numbers with 63 or more digits are compared digit by digit.
      key.append(UInt8(ascii: "0") + UInt8(min(digits.count, 63)))
      key += digits
    }
    return key
  }

  public static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
