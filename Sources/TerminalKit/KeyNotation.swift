/// The notation of keys in the configuration, help and scripts: `j`, `<Enter>`, `<C-d>`, `<S-Left>`, `gg`, `<lt>`.
///
/// A character stands for itself. Other keys are names in angle brackets, with the prefixes `C-` (control), `A-` or
/// `M-` (alt) and `S-` (shift). The case of names does not matter.
public enum KeyNotation {
  /// The first name is used for writing. The others are accepted, too.
  private static let names: [(base: Key.Base, names: [String])] = [
    (.up, ["Up"]), (.down, ["Down"]), (.left, ["Left"]), (.right, ["Right"]),
    (.home, ["Home"]), (.end, ["End"]), (.pageUp, ["PageUp", "PgUp"]), (.pageDown, ["PageDown", "PgDn"]),
    (.enter, ["Enter", "CR", "Return"]), (.escape, ["Esc", "Escape"]), (.tab, ["Tab"]),
    (.backspace, ["BS", "Backspace"]), (.delete, ["Del", "Delete"]), (.insert, ["Insert", "Ins"]),
    (.character(" "), ["Space"]), (.character("<"), ["lt"]), (.character(">"), ["gt"]),
    (.character("|"), ["Bar"]), (.character("\\"), ["Bslash"]),
  ]
  /// These are always written by name.
  private static let named: Set<Character> = [" ", "<"]
  private static let modifiers: [(letter: Character, modifier: Key.Modifiers)] = [
    ("C", .control), ("A", .alt), ("S", .shift), ("M", .alt),
  ]
  private static let functionKeys = 1...63

  private static let byName = Dictionary(
    names.flatMap { row in row.names.map { ($0.lowercased(), row.base) } }, uniquingKeysWith: { first, _ in first })
  private static let written = Dictionary(
    names.compactMap { row in row.names.first.map { (row.base, $0) } }, uniquingKeysWith: { first, _ in first })

  /// Parses a sequence of keys. Nil if a bracket is not closed or has an unknown name. A lone `<` is that character.
  public static func parse(_ text: String) -> [Key]? {
    if text == "<" { return [Key("<")] }
    var keys: [Key] = []
    var rest = Substring(text)
    while let character = rest.popFirst() {
      if character != "<" {
        keys.append(character == " " ? Key(" ") : Key(character))
        continue
      }
      guard let end = rest.dropFirst().firstIndex(of: ">"), let key = bracketed(rest[..<end]) else { return nil }
      keys.append(key)
      rest = rest[rest.index(after: end)...]
    }
    return keys
  }

  /// Parses the contents of a pair of brackets.
  private static func bracketed(_ text: Substring) -> Key? {
    var name = text
    var found: Key.Modifiers = []
    while name.count > 2, name.dropFirst().first == "-", let letter = name.first?.uppercased().first,
      let row = modifiers.first(where: { $0.letter == letter })
    {
      found.insert(row.modifier)
      name = name.dropFirst(2)
    }
    guard let base = base(name) else { return nil }
    return normalized(Key(base, found))
  }

  private static func base(_ name: Substring) -> Key.Base? {
    if name.count == 1, let character = name.first { return .character(character) }
    if let base = byName[name.lowercased()] { return base }
    guard name.first == "F" || name.first == "f", let number = Int(name.dropFirst()), functionKeys.contains(number)
    else {
      return nil
    }
    return .function(number)
  }

  /// The form that terminals report: a letter with shift is a capital, and control ignores case.
  private static func normalized(_ key: Key) -> Key {
    guard case .character(let character) = key.base, character.isLetter else { return key }
    let wanted = key.modifiers.contains(.control) ? character.lowercased() : character.uppercased()
    if key.modifiers.isDisjoint(with: [.control, .shift]) { return key }
    guard wanted.count == 1, let letter = wanted.first else { return key }
    let keepsShift = key.modifiers.contains(.control)
    return Key(letter, keepsShift ? key.modifiers : key.modifiers.subtracting(.shift))
  }

  static func describe(_ key: Key) -> String {
    if key.modifiers.isEmpty, case .character(let character) = key.base, !named.contains(character) {
      return String(character)
    }
    var text = "<"
    for row in modifiers.prefix(3) where key.modifiers.contains(row.modifier) { text += "\(row.letter)-" }
    switch key.base {
    case .function(let number): text += "F\(number)"
    case .character(let character): text += written[key.base] ?? String(character)
    default: text += written[key.base] ?? ""
    }
    return text + ">"
  }
}

extension Key: CustomStringConvertible {
  /// The key in the notation that `KeyNotation.parse` reads.
  public var description: String { KeyNotation.describe(self) }
}
