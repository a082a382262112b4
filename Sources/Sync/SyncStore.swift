import Foundation

/// What a run asks of the listener's library. Each call is one transaction, so that a process that is killed between two
/// of them loses nothing and does nothing twice.
public protocol SyncStore: AnyObject {
  /// Where the last pull of the category ended; nil: there was none.
  func cursor(_ category: SyncCategory) throws(SyncError) -> String?
  /// Something of the category was sent, and no answer came. What is new on the server then tells more than all it has.
  func isUnanswered(_ category: SyncCategory) throws(SyncError) -> Bool
  /// Takes over what others did, and keeps the cursor.
  func apply(_ pull: SyncPull, _ category: SyncCategory, _ rules: SyncRules) throws(SyncError) -> SyncChanges
  /// What this device did and the others do not know yet; at most `limit` values, nothing of what is in `without`.
  func outgoing(
    _ category: SyncCategory, limit: Int, _ rules: SyncRules, without: Set<String>
  ) throws(SyncError) -> SyncOutgoing
  /// The values are about to be sent; whether they are taken may never be known.
  func willSend(_ outgoing: SyncOutgoing) throws(SyncError)
  /// It was taken. Times and versions are those that `outgoing` gave.
  func didSend(_ outgoing: SyncOutgoing, _ receipt: SyncReceipt, _ rules: SyncRules) throws(SyncError)
  /// Puts on the list of what is to be sent all that the others do not have.
  /// - Parameter lost: the category of which they have lost what was sent: all of it is sent again.
  func collectUnsent(_ rules: SyncRules, lost: SyncCategory?) throws(SyncError)
  /// Keeps the cursor of a category after what was pushed of it.
  func keep(_ cursor: String, _ category: SyncCategory) throws(SyncError)
}

/// Values to send, with what the store needs to know them again.
public struct SyncOutgoing: Sendable, Equatable {
  public var batch = SyncBatch()
  /// For each value, in the order of the batch: its name in the store, and its `Versioned.version`.
  public var keys: [String] = []
  public var versions: [Double] = []
  /// Up to which number of the outbox this is complete.
  public var upTo: Int64 = 0
  public init() {}

  public var halves: (SyncOutgoing, SyncOutgoing) {
    var (first, second) = (self, self)
    (first.batch, second.batch) = batch.halves
    (first.keys, second.keys) = (Array(keys.prefix(first.batch.count)), Array(keys.dropFirst(first.batch.count)))
    first.versions = Array(versions.prefix(first.batch.count))
    second.versions = Array(versions.dropFirst(first.batch.count))
    return (first, second)
  }
}

/// By what rules one run merges.
public struct SyncRules: Sendable {
  public var clock: SyncClock
  public var traits: SyncTraits
  /// The first sync with this server: two libraries are united, nothing is removed.
  public var unites: Bool
  /// All was told, not only what is new.
  public var isFull: Bool
  /// The listener has agreed to removals that were held back.
  public var acceptsRemovals: Bool
  /// Nothing is kept of what is done.
  public var isDryRun: Bool

  public init(
    clock: SyncClock, traits: SyncTraits, unites: Bool = false, isFull: Bool = false, acceptsRemovals: Bool = false,
    isDryRun: Bool = false
  ) {
    self.clock = clock
    self.traits = traits
    self.unites = unites
    self.isFull = isFull
    self.acceptsRemovals = acceptsRemovals
    self.isDryRun = isDryRun
  }
}

/// What applying a pull changed. Counts.
public struct SyncChanges: Sendable, Equatable {
  public var subscribed = 0
  public var unsubscribed = 0
  public var episodes = 0
  public var registers = 0
  public init() {}

  public static func += (left: inout SyncChanges, right: SyncChanges) {
    left.subscribed += right.subscribed
    left.unsubscribed += right.unsubscribed
    left.episodes += right.episodes
    left.registers += right.registers
  }
}
