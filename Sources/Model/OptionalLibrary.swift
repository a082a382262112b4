/// A library that is opened when it is first needed, and without which only some features are missing. For `earshot
/// doctor`.
public struct OptionalLibrary: Sendable, Equatable {
  public var name: String
  /// The file names or versions that are looked for.
  public var wanted: String
  /// What was found. Nil if nothing fits.
  public var found: String?
  /// What the listener loses without it.
  public var loss: String

  public init(name: String, wanted: String, found: String?, loss: String) {
    (self.name, self.wanted, self.found, self.loss) = (name, wanted, found, loss)
  }
}
