/// The argument of `:seek`: `93`, `1:33`, `1:02:03`, `+30`, `-1:00`.
public enum TimeArgument: Equatable, Sendable {
  case absolute(Double)
  case relative(Double)

  public init?(_ text: String) {
    let sign: Double? = text.hasPrefix("+") ? 1 : text.hasPrefix("-") ? -1 : nil
    let parts = text.dropFirst(sign == nil ? 0 : 1).split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      // `Double` also accepts signs, exponents, hexadecimal numbers and nan.
      guard part.allSatisfy({ "0123456789.".contains($0) }), let number = Double(part) else { return nil }
      guard index == 0 || number < 60 else { return nil }
      seconds = seconds * 60 + number
    }
    guard seconds.isFinite else { return nil }
    self = sign.map { .relative($0 * seconds) } ?? .absolute(seconds)
  }
}
