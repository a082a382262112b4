/// Sizes as text. Units are powers of 1000, as disks and browsers use.
public enum SizeText {
  /// Such as `812 B`, `4.2 MB` or `38 MB`: at most six columns.
  public static func bytes(_ count: Int64) -> String { text(count, tenthsBelow: 10) }

  /// With a tenth below a hundred, such as `38.4 MB`.
  public static func exact(_ count: Int64) -> String { text(count, tenthsBelow: 100) }

  private static func text(_ count: Int64, tenthsBelow limit: Int) -> String {
    guard count >= 1000 else { return "\(max(0, count)) B" }
    let units = ["B", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(count), 0)
    // 999.5 would be displayed as 1000.
    while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    let number = tenths < limit * 10 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(value.rounded()))"
    return "\(number) \(units[unit])"
  }
}
