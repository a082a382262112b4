/// A number with a noun in singular or plural: "1 episode", "2 episodes".
public enum Counted {
  /// - Parameter plural: nil: the singular with "s" added.
  public static func text(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }
}

extension Double {
  /// Such as `4` or `0.5`.
  public var shortText: String { self == rounded() ? String(Int(self)) : String(self) }
}
