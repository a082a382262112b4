/// A part of an episode that is to be skipped, in seconds.
public struct SkippedPart: Sendable, Equatable, Codable {
  public var start: Double
  public var end: Double
  /// Such as “Advertisement”.
  public var label: String?
  public init(start: Double, end: Double, label: String? = nil) {
    self.start = start
    self.end = end
    self.label = label
  }
}
