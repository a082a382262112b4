/// Extracts the name from an RSS author, which is an e-mail address (RSS 2.0, `author`, `managingEditor`), in
/// practice with a name: `ada@example.org (Ada)`, `Ada (ada@example.org)` or `"Ada" <ada@example.org>`.
enum PersonName {
  /// The name, or the whole text if it has another form.
  static func text(_ value: String) -> String {
    guard value.holds(UInt8(ascii: "@")) else { return value }
    for (open, close) in [("(", ")"), ("<", ">")] as [(Character, Character)] {
      guard let start = value.firstIndex(of: open), let end = value.lastIndex(of: close), start < end else { continue }
      let inside = String(value[value.index(after: start)..<end]).trimmed
      let outside = String(value[..<start]).trimmed
      if inside.utf8.contains(UInt8(ascii: "@")) { return unquoted(outside).nonEmpty ?? inside }
      if outside.utf8.contains(UInt8(ascii: "@")) { return unquoted(inside).nonEmpty ?? outside }
    }
    return value
  }

  private static func unquoted(_ text: String) -> String {
    guard text.count > 1, let first = text.first, first == text.last, first == "\"" || first == "'" else { return text }
    return String(text.dropFirst().dropLast()).trimmed
  }
}
