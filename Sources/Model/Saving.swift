/// Time that the listener was spared, by something other than the speed.
public struct Saving: Sendable, Equatable {
  public enum Kind: String, Sendable, Equatable, Codable, CaseIterable {
    case silence
    /// Beginnings and ends of episodes that the settings of a podcast leave out.
    case intro
    case chapter
  }

  public var kind: Kind
  /// On the clock, at the speed at which it would have been heard.
  public var seconds: Double
  public init(_ kind: Kind, seconds: Double) {
    self.kind = kind
    self.seconds = seconds
  }
}
