/// The number of a seek. The caller counts its seeks, and the player returns the number of the newest one with every
/// position. This shows whether a position is from before a seek. Each load begins with 0.
public struct SeekID: Sendable, Hashable {
  private let number: Int

  /// No seek since the load.
  public static let none = SeekID(number: 0)

  /// The id of the next seek.
  public var next: SeekID { SeekID(number: number + 1) }
}
