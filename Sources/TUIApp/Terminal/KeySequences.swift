import TerminalKit

/// The escape sequences of keys in xterm's encoding, which all current terminals use, whatever their terminfo says.
///
/// ncurses learns each sequence with `define_key`, under a number of ours. `native` has ncurses' own numbers.
enum KeySequences {
  static let pasteBegin: UInt32 = 2000
  static let pasteEnd: UInt32 = 2001
  static let mouse: UInt32 = 2002
  private static let firstKey: UInt32 = 2010

  /// All sequences to define, with their numbers.
  static let definitions: [(sequence: String, number: UInt32)] =
    [("\u{1B}[200~", pasteBegin), ("\u{1B}[201~", pasteEnd), ("\u{1B}[<", mouse)]
    + keys.enumerated().map { ($1.sequence, firstKey + UInt32($0)) }

  /// The key of a number. Nil for other events (KEY_RESIZE) and unknown numbers.
  static func key(_ number: UInt32) -> Key? {
    if number >= firstKey {
      let index = Int(number - firstKey)
      return index < keys.count ? keys[index].key : nil
    }
    return native[number]
  }

  /// By final letter: CSI A, SS3 A, CSI 1 ; modifier A.
  private static let letters: [(String, Key.Base)] = [
    ("A", .up), ("B", .down), ("C", .right), ("D", .left), ("H", .home), ("F", .end),
    ("P", .function(1)), ("Q", .function(2)), ("R", .function(3)), ("S", .function(4)),
  ]
  /// By number: CSI 5 ~, CSI 5 ; modifier ~.
  private static let tildes: [(Int, Key.Base)] = [
    (1, .home), (2, .insert), (3, .delete), (4, .end), (5, .pageUp), (6, .pageDown), (7, .home), (8, .end),
    (11, .function(1)), (12, .function(2)), (13, .function(3)), (14, .function(4)), (15, .function(5)),
    (17, .function(6)), (18, .function(7)), (19, .function(8)), (20, .function(9)), (21, .function(10)),
    (23, .function(11)), (24, .function(12)),
  ]

  private static let keys: [(sequence: String, key: Key)] = {
    var keys: [(sequence: String, key: Key)] = [("\u{1B}[Z", Key(.tab, .shift))]
    for (letter, base) in letters {
      keys.append(("\u{1B}O\(letter)", Key(base)))
      // CSI P is not a key, but a control function.
      if case .function = base {} else { keys.append(("\u{1B}[\(letter)", Key(base))) }
      for (number, modifiers) in modifiers { keys.append(("\u{1B}[1;\(number)\(letter)", Key(base, modifiers))) }
    }
    for (code, base) in tildes {
      keys.append(("\u{1B}[\(code)~", Key(base)))
      for (number, modifiers) in modifiers { keys.append(("\u{1B}[\(code);\(number)~", Key(base, modifiers))) }
    }
    // Earshot does not ask for these, but terminals can be set up to send them (fixterms, xterm's modifyOtherKeys).
    // They tell ^I from Tab.
    for code in UInt8(ascii: "a")...UInt8(ascii: "z") {
      let key = Key(Character(Unicode.Scalar(code)), .control)
      keys += [("\u{1B}[\(code);5u", key), ("\u{1B}[27;5;\(code)~", key)]
    }
    return keys
  }()

  /// xterm's modifier parameter: 1 + shift 1 + alt 2 + control 4.
  private static let modifiers: [(Int, Key.Modifiers)] = (1...7).map { bits in
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 2 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return (bits + 1, modifiers)
  }

  /// The numbers of <ncurses.h>, such as KEY_DOWN (octal 402). Written out, so that this file does not need C.
  private static let native: [UInt32: Key] = {
    var native: [UInt32: Key] = [
      0o402: Key(.down), 0o403: Key(.up), 0o404: Key(.left), 0o405: Key(.right), 0o406: Key(.home),
      0o407: Key(.backspace), 0o512: Key(.delete), 0o513: Key(.insert), 0o522: Key(.pageDown), 0o523: Key(.pageUp),
      0o527: Key(.enter), 0o541: Key(.tab, .shift), 0o550: Key(.end), 0o577: Key(.delete, .shift),
      0o602: Key(.end, .shift), 0o607: Key(.home, .shift), 0o611: Key(.left, .shift), 0o614: Key(.pageDown, .shift),
      0o616: Key(.pageUp, .shift), 0o622: Key(.right, .shift), 0o520: Key(.down, .shift), 0o521: Key(.up, .shift),
    ]
    for number in 1...63 { native[0o410 + UInt32(number)] = Key(.function(number)) }
    return native
  }()
}
