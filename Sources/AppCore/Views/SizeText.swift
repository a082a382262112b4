/// Formats sizes.
enum SizeText {
  /// Such as `812 B`, `4.2 MB` or `1.3 GB`. Units are powers of 1000.
  static func bytes(_ count: Int64) -> String {
    guard count >= 1000 else { return "\(max(0, count)) B" }
    var value = Double(count)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
  }
}
