/// A syntax error in a filter: where it is, what was expected, and what was found.
public struct FilterError: Error, Sendable, Equatable {
  /// Characters from the beginning, 0 for the first.
  public var offset: Int
  /// The number of wrong characters; 0 at the end of the text.
  public var length: Int
  public var expected: [FilterExpectation]
  /// Empty at the end of the text.
  public var found: String

  /// The text, and a line below it that marks the error. It is aligned if all characters before the error are one
  /// column wide.
  public func pointing(into text: String) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return line + "\n" + String(repeating: " ", count: offset) + String(repeating: "^", count: max(1, length))
  }
}

extension FilterError: CustomStringConvertible {
  public var description: String {
    let wanted = expected.map(\.text)
    let list =
      wanted.count > 1 ? wanted.dropLast().joined(separator: ", ") + " or " + wanted[wanted.count - 1] : wanted.joined()
    let location = found.isEmpty ? "at its end" : "at column \(offset + 1), where “\(found)” stands"
    let near = NearestName.question(for: found, among: Set(expected.flatMap(\.candidates)).sorted())
    return "The filter needs \(list) \(location)\(near.isEmpty ? "." : near)"
  }
}

/// What is allowed at a position of a filter.
public enum FilterExpectation: Sendable, Equatable {
  case condition
  case comparison(FilterField)
  case value(FilterField)
  /// `and`, `or`, the next condition, `order` or `limit`.
  case connective
  case limit
  /// Nothing.
  case end
  case closingParenthesis
  case closingQuote
  case order
  case count
  /// The filter is nested too deeply, so less nesting is expected.
  case lessNesting
  /// The filter is too long.
  case fewerConditions

  var text: String {
    switch self {
    case .condition: "a condition (such as unplayed, duration < 30m, tag:news)"
    case .comparison(let field): "one of \(field.operators.joined(separator: " ")) after “\(field.rawValue)”"
    case .value(let field): field.valueText
    case .connective: "“and”, “or”, “order” or “limit”"
    case .limit: "nothing more than “limit”"
    case .end: "nothing more"
    case .closingParenthesis: "“)”"
    case .closingQuote: "a closing quotation mark"
    case .order: "one of \(EpisodeFilter.Order.allCases.map(\.rawValue).joined(separator: ", "))"
    case .count: "a number of episodes"
    case .lessNesting: "fewer parentheses"
    case .fewerConditions: "fewer conditions"
    }
  }

  /// The words that are allowed there.
  var candidates: [String] {
    switch self {
    case .condition:
      FilterFlag.allCases.map(\.rawValue) + FilterField.allCases.map(\.rawValue) + ["not"]
    case .comparison(let field): field.operators
    case .value(let field): field.values
    case .connective: ["and", "or", "order", "limit"]
    case .limit: ["limit"]
    case .closingParenthesis: [")"]
    case .end, .closingQuote, .count, .lessNesting, .fewerConditions: []
    case .order: EpisodeFilter.Order.allCases.map(\.rawValue)
    }
  }
}

extension FilterField {
  /// The operators that it supports, as written in filters.
  var operators: [String] {
    switch kind {
    case .text(let hasEquality): [":", "~", "!~"] + (hasEquality ? ["=", "!="] : [])
    case .length, .age, .bytes, .number, .date: ["<", "<=", ">", ">=", "=", "!=", ":"]
    case .status, .weekday: [":", "=", "!="]
    case .feature: [":"]
    }
  }

  fileprivate var valueText: String {
    switch kind {
    case .text: "a text to compare with"
    case .length: "a length such as 30m, 1h30m or 1:30:00"
    case .age: "an age such as 12h, 7d, 2w, 3mo or 1y"
    case .bytes: "a size such as 50MB"
    case .number: "a whole number"
    case .date: "a day such as 2026-11-21, 2026-11, 2026, today or yesterday"
    case .status, .weekday: "one of \(values.joined(separator: ", "))"
    case .feature: "one of \(values.joined(separator: ", "))"
    }
  }

  /// The values that are known without a library.
  var values: [String] {
    switch self {
    case .status: EpisodeStatus.allCases.map(\.rawValue)
    case .has: FilterFeature.allCases.map(\.rawValue)
    case .type: ["full", "trailer", "bonus"]
    case .published, .heard: ["today", "yesterday"]
    case .weekday: FilterValue.weekdays
    case .age: ["1d", "7d", "30d", "1y"]
    case .duration, .left: ["15m", "30m", "1h"]
    default: []
    }
  }
}
