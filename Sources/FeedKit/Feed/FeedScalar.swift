/// Parses the small values of feeds, in all forms found in practice. Invalid values are nil, never a default.
enum FeedScalar {
  /// Seconds from itunes:duration: `3723`, `62:03`, `1:02:03`, `01:02:03.500`, `1h 2m 3s`, `1h:02m`, `1h30`, `62 min`,
  /// `62'`, `PT1H2M3S`. Zero means unknown, and so does more than 100 days.
  static func duration(_ text: String) -> Int? {
    let text = text.trimmed
    guard !text.isEmpty, text.utf8.count <= 40 else { return nil }
    let seconds = (text.holds(UInt8(ascii: ":")) ? clock(text) : decimal(ungrouped(text))) ?? units(text)
    guard let seconds, seconds >= 1, seconds <= 8_640_000 else { return nil }
    return Int(seconds)
  }

  /// `[[h:]m:]s[.fraction]`. Parts may exceed 59.
  private static func clock(_ text: String) -> Double? {
    var seconds = 0.0
    var parts = 0
    var rest = text.utf8[...]
    while true {
      let colon = rest.firstIndex(of: UInt8(ascii: ":"))
      let part = Substring(rest[..<(colon ?? rest.endIndex)])
      parts += 1
      // An empty first part (`:45`) is zero. Only the last part may have a fraction.
      let value = part.isEmpty && parts == 1 ? 0 : decimal(part, whole: colon != nil)
      guard parts <= 3, let value else { return nil }
      seconds = seconds * 60 + value
      guard let colon else { return seconds }
      rest = rest[rest.index(after: colon)...]
    }
  }

  /// `1h 2m 3s`, `62 min`, or `PT1H2M3S` of ISO 8601. A number without a unit at the end counts the next smaller one.
  private static func units(_ text: String) -> Double? {
    var rest = text.lowercased()[...]
    if rest.hasPrefix("p") { rest = rest.dropFirst().filter { $0 != "t" }[...] }
    var seconds = 0.0
    var last: Double?
    while let first = rest.first {
      if first == " " || first == "," || first == ":" {
        rest = rest.dropFirst()
        continue
      }
      if last != nil, rest.hasPrefix("and ") {
        rest = rest.dropFirst(4)
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      let after = rest.dropFirst(digits.count).drop { $0 == " " }
      let unit = marks.contains(after.first ?? " ") ? after.prefix(1) : after.prefix { $0.isLetter || $0 == "." }
      let smaller = after.isEmpty ? last.map { $0 / ($0 > 3600 ? 24 : 60) } : nil
      let factor = unitSeconds[String(unit.filter { $0 != "." })] ?? smaller
      guard let value = Double(digits), let factor, factor >= 1 else { return nil }
      seconds += value * factor
      last = factor
      rest = after.dropFirst(unit.count)
    }
    return last != nil && seconds.isFinite ? seconds : nil
  }

  private static let marks: Set<Character> = ["'", "′", "’", "\"", "″", "”"]

  private static let unitSeconds: [String: Double] = [
    "d": 86_400, "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600, "std": 3600,
    "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "minuten": 60,
    "'": 60, "′": 60, "’": 60, "\"": 1, "″": 1, "”": 1,
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
  ]

  /// A number without sign or exponent, with at most 17 digits. A comma counts as a decimal point.
  static func decimal(_ text: String) -> Double? { decimal(text[...], whole: false) }

  private static func decimal(_ text: Substring, whole: Bool) -> Double? {
    var value = 0.0
    var scale = 1.0
    var digits = 0
    var hasPoint = false
    var isOver = false
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39 where digits < 17 && !isOver:
        value = value * 10 + Double(byte - 0x30)
        if hasPoint { scale *= 10 }
        digits += 1
      case UInt8(ascii: "."), UInt8(ascii: ","):
        guard !hasPoint, !whole, !isOver else { return nil }
        hasPoint = true
      case 0x20, 0x09, 0x0A, 0x0D:
        // White space may surround the number, but not interrupt it.
        if digits > 0 || hasPoint { isOver = true }
      default: return nil
      }
    }
    return digits > 0 ? value / scale : nil
  }

  /// Removes commas between thousands: `12,345,678`, but not `12,5`.
  private static func ungrouped(_ text: String) -> String {
    guard text.holds(UInt8(ascii: ",")) else { return text }
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    guard (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.count == 3 }) else { return text }
    return groups.joined()
  }

  /// A positive whole number. `315.0`, `1,234` and ` 12 ` are valid; `0`, `-1`, `12a` and `3.5` are not.
  static func positive(_ text: String) -> Int64? { whole(text).flatMap { $0 > 0 ? $0 : nil } }

  /// A whole number, also zero.
  static func whole(_ text: String) -> Int64? {
    guard let value = decimal(ungrouped(text.trimmed)), value <= 9e15, value == value.rounded(.towardZero) else {
      return nil
    }
    return Int64(value)
  }

  /// The number of a season or episode. podcast:episode may be a decimal (315.5), of which the whole part orders it.
  static func ordinal(_ text: String) -> Int? {
    guard let value = decimal(ungrouped(text.trimmed)), value >= 1, value <= 1e9 else { return nil }
    return Int(value)
  }

  /// The text of a number with a fraction, which `ordinal` would cut off or refuse, and which is shown instead: 315.5.
  static func fractional(_ text: String) -> String? {
    let text = text.trimmed
    guard let value = decimal(ungrouped(text)), value != value.rounded(.towardZero) else { return nil }
    return text
  }

  /// itunes:explicit and similar elements.
  static func explicit(_ text: String) -> Bool? { explicitWords[text.trimmed.lowercased()] }

  private static let explicitWords: [String: Bool] = [
    "yes": true, "true": true, "explicit": true, "1": true,
    "no": false, "false": false, "clean": false, "notexplicit": false, "0": false,
  ]

  /// itunes:block and podcast:locked: yes or no.
  static func flag(_ text: String) -> Bool? { flagWords[text.trimmed.lowercased()] }

  private static let flagWords: [String: Bool] = ["yes": true, "true": true, "1": true, "no": false, "false": false]

  /// One of these words, ignoring case.
  static func word(_ text: String, of words: Set<String>) -> String? {
    let word = text.trimmed.lowercased()
    return words.contains(word) ? word : nil
  }
}

extension String {
  /// Without surrounding white space.
  var trimmed: String {
    if utf8.isEmpty || hasPlainEnds { return self }
    guard let start = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }) else {
      return ""
    }
    let end = unicodeScalars.lastIndex { !$0.properties.isWhitespace && $0 != "\u{FEFF}" } ?? start
    return start == startIndex && unicodeScalars.index(after: end) == endIndex ? self : String(self[start...end])
  }

  /// Whether it consists of characters without a shape, such as a zero width space or a Hangul filler.
  var isInvisible: Bool {
    hasPlainEnds
      ? false : unicodeScalars.allSatisfy { $0.properties.isDefaultIgnorableCodePoint || $0.properties.isWhitespace }
  }

  /// Whether the first and last characters are ASCII and not white space.
  private var hasPlainEnds: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      guard let first = bytes.first, let last = bytes.last else { return false }
      return first > 0x20 && first < 0x80 && last > 0x20 && last < 0x80
    } ?? false
  }

  /// Whether it contains a space or an ASCII control character.
  var holdsBlanks: Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains { $0 <= 0x20 } } ?? utf8.contains { $0 <= 0x20 }
  }

  /// Whether it contains an ASCII byte. `utf8.contains` takes ten times as long, and `contains(":")` uses NSString.
  func holds(_ byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { ByteScan.find(byte, $0, $0 + bytes.count) != nil } ?? false
    } ?? utf8.contains(byte)
  }

  /// Nil if the text is empty.
  var nonEmpty: String? { isEmpty ? nil : self }
}
