/// Cleans text from outside, so that it can be shown, set as a title or passed to another program. `CleanScalars` lists
/// what is removed.
public enum Sanitize {
  /// Makes one line: line ends and tabs become spaces.
  public static func line(_ text: some StringProtocol) -> String {
    let text = Substring(text)
    guard ASCIIClusters.count(of: text) == nil else { return String(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in CleanScalars(text, keepsNewlines: false) { ClusterText(scalar).writeUTF8(to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Removes scalars that could move the cursor, change colours, reverse the reading order or hide text. All texts from
/// feeds, files and servers pass here before they reach a terminal.
///
/// Removed are: escape sequences (ECMA-48 §5.4, §5.6) that begin with ESC or a C1 control, all other C0 and C1
/// controls, DEL, every format character (general category Cf: bidi overrides and isolates, zero-width space, soft
/// hyphen, byte order mark), tag characters, and the variation selectors of plane 14. Tabs become a space, and so do
/// line ends, unless they are kept. A zero-width joiner inside an emoji sequence stays, because `Clusters` needs it.
struct CleanScalars: Sequence, IteratorProtocol {
  private let scalars: Substring.UnicodeScalarView
  private var index: Substring.UnicodeScalarView.Index
  private let keepsNewlines: Bool
  private var previous: Unicode.Scalar = " "
  /// No control string that begins before this index is terminated. This keeps the search linear.
  private var unterminatedBefore: Substring.UnicodeScalarView.Index

  init(_ text: Substring, keepsNewlines: Bool) {
    scalars = text.unicodeScalars
    index = scalars.startIndex
    unterminatedBefore = index
    self.keepsNewlines = keepsNewlines
  }

  mutating func next() -> Unicode.Scalar? {
    while index < scalars.endIndex {
      let scalar = scalars[index]
      scalars.formIndex(after: &index)
      guard let clean = clean(scalar) else { continue }
      previous = clean
      return clean
    }
    return nil
  }

  private mutating func clean(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x600: return scalar
    case 0x0D:
      if index < scalars.endIndex, scalars[index] == "\n" { return nil }
      return keepsNewlines ? "\n" : " "
    case 0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029: return keepsNewlines ? "\n" : " "
    case 0x09: return " "
    case 0x1B:
      skipEscape()
      return nil
    case 0x80..<0xA0:
      // A C1 control is the same as ESC and the letter 0x40 below it (ECMA-48 §5.3).
      skipSequence(introducer: scalar.value - 0x40)
      return nil
    case 0..<0x20, 0x7F: return nil
    case 0x200D: return Self.joins(previous) ? scalar : nil
    case 0xE0000..<0xE1000: return nil
    // Dashes, quotes, symbols, and the most frequent scripts (hiragana to Hangul syllables) contain no format
    // characters.
    case 0x2010..<0x2028, 0x202F..<0x2060, 0x2070..<0xD7A4: return scalar
    default: return scalar.properties.generalCategory == .format ? nil : scalar
    }
  }

  /// Whether a zero-width joiner after `scalar` can be part of an emoji sequence (UTS #51 §2.3).
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || (scalar.value > 0xFF && scalar.properties.isEmoji)
  }

  /// Skips the rest of the sequence after ESC.
  private mutating func skipEscape() {
    guard index < scalars.endIndex else { return }
    let code = scalars[index].value
    switch code {
    case 0x20..<0x30:
      skip(while: 0x20..<0x30)
      skipOne(in: 0x30..<0x7F)
    case 0x30..<0x7F:
      scalars.formIndex(after: &index)
      skipSequence(introducer: code)
    default: break
    }
  }

  /// Skips the rest of a sequence, depending on the letter after its ESC.
  private mutating func skipSequence(introducer: UInt32) {
    switch introducer {
    case 0x5B:  // CSI: parameters, intermediates, one final
      skip(while: 0x30..<0x40)
      skip(while: 0x20..<0x30)
      skipOne(in: 0x40..<0x7F)
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F: skipControlString()  // DCS, SOS, OSC, PM, APC
    default: break
    }
  }

  /// Skips to BEL or ST. An unterminated string is treated as text, so that one control does not hide the rest of the
  /// line.
  private mutating func skipControlString() {
    guard index >= unterminatedBefore else { return }
    var end = index
    while end < scalars.endIndex {
      let code = scalars[end].value
      if code == 0x0A || code == 0x0D { break }
      scalars.formIndex(after: &end)
      if code == 0x07 || code == 0x9C {
        index = end
        return
      }
      if code == 0x1B, end < scalars.endIndex, scalars[end] == "\\" {
        index = scalars.index(after: end)
        return
      }
    }
    unterminatedBefore = end
  }

  private mutating func skip(while codes: Range<UInt32>) {
    while index < scalars.endIndex, codes.contains(scalars[index].value) { scalars.formIndex(after: &index) }
  }

  private mutating func skipOne(in codes: Range<UInt32>) {
    if index < scalars.endIndex, codes.contains(scalars[index].value) { scalars.formIndex(after: &index) }
  }
}
