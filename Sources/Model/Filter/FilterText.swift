/// Writes a filter as text that parses to the same filter.
extension EpisodeFilter: CustomStringConvertible {
  public var description: String {
    var text = condition.description
    if order != .newest { text += " order \(order.rawValue)" }
    if let limit { text += " limit \(limit)" }
    return text
  }
}

extension EpisodeFilter.Condition: CustomStringConvertible {
  public var description: String {
    switch self {
    case .all(let parts): parts.map(\.operand).joined(separator: " and ")
    case .any(let parts): parts.map(\.operand).joined(separator: " or ")
    case .not(let part): "not \(part.operand)"
    case .text(let field, let match, let value): "\(field.rawValue) \(match.rawValue) \(Self.quoted(value))"
    case .number(let field, let comparison, let value):
      "\(field.rawValue) \(comparison.rawValue) \(Self.text(value, of: field))"
    case .date(let field, let comparison, let day): "\(field.rawValue) \(comparison.rawValue) \(day.text)"
    case .status(let status): "status:\(status.rawValue)"
    case .flag(let flag): flag.rawValue
    case .has(let feature): "has:\(feature.rawValue)"
    }
  }

  /// The condition as an operand. It is in parentheses if its operator binds less tightly than the outer one.
  private var operand: String {
    switch self {
    case .all, .any: "(\(description))"
    default: description
    }
  }

  /// A text as a value in quotation marks.
  public static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("”", with: "\\”") + "\""
  }

  private static func text(_ value: Int, of field: FilterField) -> String {
    switch field.kind {
    case .length:
      let parts = [(value / 3600, "h"), (value / 60 % 60, "m"), (value % 60, "s")].filter { $0.0 > 0 }
      return parts.isEmpty ? "0s" : parts.map { "\($0.0)\($0.1)" }.joined()
    case .age:
      let units = [(31_536_000, "y"), (2_592_000, "mo"), (604_800, "w"), (86400, "d"), (3600, "h")]
      guard let (seconds, name) = units.first(where: { value >= $0.0 && value % $0.0 == 0 }) else {
        // The age is not a whole number of hours. A fraction of hours parses to the same second.
        return "\(Double(value) / 3600)h"
      }
      return "\(value / seconds)\(name)"
    case .bytes:
      let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")]
      guard let (bytes, name) = units.first(where: { value >= $0.0 && value % $0.0 == 0 }) else { return "\(value)B" }
      return "\(value / bytes)\(name)"
    case .weekday: return FilterValue.weekdays[min(max(0, value - 1), 6)]
    default: return "\(value)"
    }
  }
}

extension FilterDay {
  fileprivate var text: String {
    switch self {
    case .daysAgo(let days): days == 0 ? "today" : "yesterday"
    case .date(let year, let month, let day):
      Gregorian.text(year, month, day)
    }
  }
}
