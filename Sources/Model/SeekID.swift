/// Which seek a position follows. Whoever asks for a seek counts it; the player hands the number back with every position
/// from then on, so that a report that is older than the seek can be told from one that is not. Counted anew with each
/// load.
public struct SeekID: Sendable, Hashable {
  private let number: Int

  /// No seek has been asked for since the load.
  public static let none = SeekID(number: 0)

  /// For the seek after this one.
  public var next: SeekID { SeekID(number: number + 1) }
}
