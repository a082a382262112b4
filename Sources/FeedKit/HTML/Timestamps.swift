/// Finds episode times in a line of text: `12:34`, `1:02:03`, `(00:12)`, `[01:02:03.500]`, `12：34`.
///
/// Not episode times are: ratios and dates ("16:9", "2024-05-01 10:00"), times of day ("10:30 pm", "20:15 Uhr",
/// "上午10:30"), and verses ("John 3:16"). A single-digit minute counts only where show notes put times: at the start
/// of a line, in brackets, after a dash or an arrow.
enum Timestamps {
  struct Match: Equatable {
    var range: Range<Int>
    var seconds: Double
  }

  static func find(in scalars: [Unicode.Scalar]) -> [Match] {
    var matches: [Match] = []
    var index = 0
    var lineStart = true
    while index < scalars.count {
      let scalar = scalars[index]
      guard isDigit(scalar) else {
        if lineStart, !isOrnament(scalar) { lineStart = false }
        index += 1
        continue
      }
      let previousEnd = matches.last?.range.upperBound
      if let match = match(in: scalars, at: index, atLineStart: lineStart, previousEnd: previousEnd) {
        matches.append(match)
        index = match.range.upperBound
      } else {
        while index < scalars.count, isDigit(scalars[index]) { index += 1 }
      }
      lineStart = false
    }
    return matches
  }

  /// Whether an address contains a time, as links to players do.
  static func isTimed(_ address: String) -> Bool {
    ["?t=", "&t=", "#t=", "?start=", "&start=", "?time=", "&time=", "#time="].contains { address.contains($0) }
  }

  private static func match(
    in scalars: [Unicode.Scalar], at start: Int, atLineStart: Bool, previousEnd: Int?
  ) -> Match? {
    let before = start > 0 ? scalars[start - 1] : nil
    guard opensAfter(before, in: scalars, at: start, previousEnd: previousEnd) else { return nil }
    var fields: [(value: Int, digits: Int)] = []
    var end = start
    while fields.count < 3 {
      var value = 0
      var digits = 0
      while end + digits < scalars.count, isDigit(scalars[end + digits]), digits < 4 {
        value = value * 10 + Int(scalars[end + digits].value - 0x30)
        digits += 1
      }
      guard digits > 0 else { return nil }
      fields.append((value, digits))
      end += digits
      guard fields.count < 3, end + 1 < scalars.count, isColon(scalars[end]), isDigit(scalars[end + 1]) else { break }
      end += 1
    }
    guard fields.count >= 2, fields.dropFirst().allSatisfy({ $0.digits == 2 && $0.value < 60 }) else { return nil }
    guard fields[0].digits <= (fields.count == 2 ? 3 : 2) else { return nil }
    let fraction = fraction(in: scalars, at: end)
    let close = end + fraction.digits
    let after = close < scalars.count ? scalars[close] : nil
    if let after, isDigit(after) || isColon(after) && close + 1 < scalars.count && isDigit(scalars[close + 1]) {
      return nil
    }
    if let after, isLatinLetter(after) || after == "%" { return nil }
    guard !isTimeOfDay(in: scalars, start: start, end: close) else { return nil }
    if fields.count == 2, fields[0].digits != 2 {
      guard atLineStart || isMarked(before, in: scalars, at: start) else { return nil }
    }
    let seconds = fields.reduce(0) { $0 * 60 + $1.value }
    return Match(range: start..<close, seconds: Double(seconds) + fraction.value)
  }

  /// Whether a time can start after a character: not inside a number, word, date or address.
  private static func opensAfter(
    _ before: Unicode.Scalar?, in scalars: [Unicode.Scalar], at start: Int, previousEnd: Int?
  ) -> Bool {
    guard let before else { return true }
    if isDigit(before) || isLatinLetter(before) || isColon(before) { return false }
    switch before {
    case ".", ",", "/", "#", "$", "€", "+", "=", "&", "_": return false
    case "-": return start < 2 || !isDigit(scalars[start - 2]) || previousEnd == start - 1
    default: break
    }
    // "2024-05-01 10:00", "01.05.2024 10:00", "5/1/2024, 10:00"
    var index = start - 1
    while index >= 0, CleanText.isSpace(scalars[index]) || scalars[index] == "," { index -= 1 }
    var digits = 0
    var marks = 0
    while index >= 0, start - index < 16 {
      if isDigit(scalars[index]) {
        digits += 1
      } else if "-./".unicodeScalars.contains(scalars[index]) {
        marks += 1
      } else {
        break
      }
      index -= 1
    }
    return !(marks >= 2 && digits >= 4)
  }

  private static func isMarked(_ before: Unicode.Scalar?, in scalars: [Unicode.Scalar], at start: Int) -> Bool {
    var index = start - 1
    while index >= 0, CleanText.isSpace(scalars[index]) { index -= 1 }
    guard index >= 0 else { return true }
    return "([{（【〔「@–—→►▶-".unicodeScalars.contains(scalars[index])
  }

  private static func fraction(in scalars: [Unicode.Scalar], at index: Int) -> (digits: Int, value: Double) {
    guard index + 1 < scalars.count, scalars[index] == ".", isDigit(scalars[index + 1]) else { return (0, 0) }
    var value = 0.0
    var scale = 0.1
    var count = 1
    while index + count < scalars.count, isDigit(scalars[index + count]), count <= 4 {
      value += Double(scalars[index + count].value - 0x30) * scale
      scale /= 10
      count += 1
    }
    return (count, value)
  }

  private static let dayWords: Set<String> = [
    "am", "pm", "a.m", "p.m", "uhr", "est", "edt", "et", "pst", "pdt", "pt", "cst", "cdt", "ct", "mst", "mdt", "utc",
    "gmt", "cet", "cest", "bst", "jst", "ist", "aest", "aedt", "eastern", "pacific", "central", "o'clock", "noon",
  ]

  private static func isTimeOfDay(in scalars: [Unicode.Scalar], start: Int, end: Int) -> Bool {
    var index = end
    while index < scalars.count, index < end + 2, CleanText.isSpace(scalars[index]) { index += 1 }
    if index < scalars.count, "時时點点시".unicodeScalars.contains(scalars[index]) { return true }
    var word = String.UnicodeScalarView()
    while index < scalars.count, word.count < 9, isLatinLetter(scalars[index]) || scalars[index] == "." {
      word.append(scalars[index])
      index += 1
    }
    if dayWords.contains(String(word).lowercased().trimmingSuffix(".")) { return true }
    guard start >= 2 else { return false }
    var before = String.UnicodeScalarView()
    before.append(contentsOf: scalars[(start - 2)..<start])
    return ["上午", "下午", "早上", "晚上", "中午", "凌晨", "午前", "午後", "오전", "오후"].contains(String(before))
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }
  private static func isColon(_ scalar: Unicode.Scalar) -> Bool { scalar == ":" || scalar == "：" }
  private static func isLatinLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x2E80 && scalar.properties.isAlphabetic
  }
  /// Characters that may precede a time at the start of a line.
  private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
    CleanText.isSpace(scalar) || !scalar.properties.isAlphabetic
  }
}

extension String {
  fileprivate func trimmingSuffix(_ mark: Character) -> String { last == mark ? String(dropLast()) : self }
}
