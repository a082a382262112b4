/// Cleans text from outside, so that it can be shown, set as a title or passed to another program. `CleanScalars` lists
/// what is removed.
public enum Sanitize {
  /// Makes one line: line ends and tabs become spaces.
  public static func line(_ text: some StringProtocol) -> String { clean(Substring(text), keepsNewlines: false) }

  /// Keeps lines: every kind of line end becomes "\n".
  public static func paragraphs(_ text: some StringProtocol) -> String { clean(Substring(text), keepsNewlines: true) }

  private static func clean(_ text: Substring, keepsNewlines: Bool) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(text) }
    var result = String.UnicodeScalarView()
    for scalar in CleanScalars(text, keepsNewlines: keepsNewlines) { result.append(scalar) }
    return String(result)
  }
}
