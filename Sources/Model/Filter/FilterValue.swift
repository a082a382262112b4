/// Parses the values of filters.
enum FilterValue {
  /// The condition of a comparison; nil if the value does not fit the field.
  static func condition(_ field: FilterField, _ symbol: String, _ value: String) -> EpisodeFilter.Condition? {
    switch field.kind {
    case .text(let hasEquality): text(field, symbol, value, hasEquality)
    case .length: length(value).flatMap { number(field, symbol, $0) }
    case .age: duration(value, units: ages).flatMap { number(field, symbol, $0) }
    case .bytes: duration(value, units: sizes).flatMap { number(field, symbol, $0) }
    case .number: whole(value).flatMap { number(field, symbol, $0) }
    case .date: day(value).flatMap { day in comparison(symbol).map { .date(field, $0, day) } }
    case .weekday: weekday(value).flatMap { number(field, symbol, $0) }
    case .status: status(symbol, value)
    case .feature: FilterFeature(rawValue: value.lowercased()).map { .has($0) }
    }
  }

  private static func text(
    _ field: FilterField, _ symbol: String, _ value: String, _ hasEquality: Bool
  ) -> EpisodeFilter.Condition? {
    switch symbol {
    case "~": .text(field, .contains, value)
    case "!~": .not(.text(field, .contains, value))
    case "=": .text(field, .equals, value)
    case "!=": .not(.text(field, .equals, value))
    // A title is searched. The others are compared as a whole.
    default: .text(field, [.tag, .type, .language, .category, .rule].contains(field) ? .equals : .contains, value)
    }
  }

  private static func number(_ field: FilterField, _ symbol: String, _ value: Int) -> EpisodeFilter.Condition? {
    comparison(symbol).map { .number(field, $0, value) }
  }

  private static func comparison(_ symbol: String) -> EpisodeFilter.Comparison? {
    symbol == ":" ? .equal : EpisodeFilter.Comparison(rawValue: symbol)
  }

  private static func status(_ symbol: String, _ value: String) -> EpisodeFilter.Condition? {
    guard let status = EpisodeStatus(rawValue: value.lowercased()) else { return nil }
    return symbol == "!=" ? .not(.status(status)) : .status(status)
  }

  /// Parses a number without a sign.
  static func whole(_ text: String) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }

  // MARK: Lengths

  private static let lengths = [("h", 3600), ("min", 60), ("m", 60), ("s", 1)]
  private static let ages = [("mo", 2_592_000), ("h", 3600), ("d", 86400), ("w", 604_800), ("y", 31_536_000)]
  private static let sizes = [("kb", 1000), ("mb", 1_000_000), ("gb", 1_000_000_000), ("b", 1)]

  /// Parses `30m`, `1h30m`, `1.5h`, `1:30:00` or `90:00` as seconds.
  static func length(_ text: String) -> Int? {
    guard text.contains(":") else { return duration(text, units: lengths) }
    guard !text.contains("."), case .absolute(let seconds)? = TimeArgument(text) else { return nil }
    return Int(seconds)
  }

  /// Parses numbers with units.
  private static func duration(_ text: String, units: [(String, Int)]) -> Int? {
    var rest = text.lowercased()[...]
    var total = 0.0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      guard let number = Double(digits), digits.last != ".", digits.first != "." else { return nil }
      rest = rest.dropFirst(digits.count)
      guard let (name, seconds) = units.first(where: { rest.hasPrefix($0.0) }) else { return nil }
      rest = rest.dropFirst(name.count)
      total += number * Double(seconds)
    }
    // Above 2^53 a Double cannot represent every whole number. No duration is that long.
    guard total < 9e15 else { return nil }
    return Int(total.rounded())
  }

  // MARK: Days

  /// From Monday.
  static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// Parses a day of the week, of which three letters are enough. 1 is Monday.
  private static func weekday(_ text: String) -> Int? {
    guard text.count >= 3 else { return nil }
    return weekdays.firstIndex { $0.hasPrefix(text.lowercased()) }.map { $0 + 1 }
  }

  private static func day(_ text: String) -> FilterDay? {
    switch text.lowercased() {
    case "today": return .daysAgo(0)
    case "yesterday": return .daysAgo(1)
    default: return FilterDay(date: text)
    }
  }
}

extension FilterDay {
  /// Parses a day, a month or a year: `2026-11-21`, `2026-11`, `2026`.
  public init?(date text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard (1...3).contains(parts.count), parts[0].count == 4, let year = FilterValue.whole(parts[0]), year > 0
    else { return nil }
    var numbers: [Int] = []
    for (part, most) in zip(parts.dropFirst(), [12, 31]) {
      guard (1...2).contains(part.count), let number = FilterValue.whole(part), (1...most).contains(number) else {
        return nil
      }
      numbers.append(number)
    }
    if numbers.count == 2, numbers[1] > Gregorian.days(in: numbers[0], year) { return nil }
    self = .date(year: year, month: numbers.first, day: numbers.count == 2 ? numbers[1] : nil)
  }
}
