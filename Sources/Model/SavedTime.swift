/// Time that the listener saved by skipping, not by a higher speed.
public struct SavedTime: Sendable, Equatable {
  public enum Kind: String, Sendable, Equatable, Codable, CaseIterable {
    case silence
    /// Intros and outros that the settings of a podcast skip.
    case intro
    case chapter
  }

  public var kind: Kind
  /// In real time, at the current speed.
  public var seconds: Double
  public init(_ kind: Kind, seconds: Double) {
    self.kind = kind
    self.seconds = seconds
  }
}
