/// The scalars of a text without those that could move the cursor, recolour the screen, reverse the reading order or
/// hide: what feeds, file names and servers say goes through here before it reaches a terminal.
///
/// Dropped: escape sequences (ECMA-48 §5.4, §5.6) introduced by ESC or a C1 control, all other C0 and C1 controls, DEL,
/// every format character (general category Cf: bidi overrides and isolates, zero-width space, soft hyphen, byte order
/// mark), tag characters, and the variation selectors of plane 14. Tabs become a space; so do line ends, unless they are
/// kept. A zero-width joiner stays inside an emoji sequence, where `Clusters` needs it.
struct CleanScalars: Sequence, IteratorProtocol {
  private let scalars: Substring.UnicodeScalarView
  private var index: Substring.UnicodeScalarView.Index
  private let keepsNewlines: Bool
  private var previous: Unicode.Scalar = " "
  /// No control string that begins before this place has an end: keeps the search for one linear.
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
      // A C1 control is ESC and the letter 0x40 below it (ECMA-48 §5.3).
      skipSequence(introducer: scalar.value - 0x40)
      return nil
    case 0..<0x20, 0x7F: return nil
    case 0x200D: return Self.joins(previous) ? scalar : nil
    case 0xE0000..<0xE1000: return nil
    // Dashes, quotes, symbols, and the letters of the scripts met most, hiragana to Hangul syllables, have no format
    // character among them.
    case 0x2010..<0x2028, 0x202F..<0x2060, 0x2070..<0xD7A4: return scalar
    default: return scalar.properties.generalCategory == .format ? nil : scalar
    }
  }

  /// Whether a zero-width joiner after `scalar` can belong to an emoji sequence (UTS #51 §2.3).
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || (scalar.value > 0xFF && scalar.properties.isEmoji)
  }

  /// Skips what belongs to the ESC just read.
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

  /// Skips the rest of a sequence by the letter that follows its ESC.
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

  /// Skips to BEL or ST. A string without an end on its line is taken for text, lest one stray control hide the rest.
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
