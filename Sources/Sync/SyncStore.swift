import Foundation

/// What a sync run needs from the library. Each call is one transaction, so a process that is killed in between loses
/// nothing and repeats nothing.
public protocol SyncStore: AnyObject {
  /// The cursor of the category's last pull. Nil: there was none.
  func cursor(_ category: SyncCategory) throws(SyncError) -> String?
  /// Whether a push of the category got no response. Then only the changes are pulled, because they show better than a
  /// full list whether the push arrived.
  func hasUnconfirmedPush(_ category: SyncCategory) throws(SyncError) -> Bool
  /// Applies the changes of other devices, and saves the cursor.
  func apply(_ pull: SyncPull, _ category: SyncCategory, _ rules: SyncRules) throws(SyncError) -> SyncChanges
  /// Local changes that the other devices do not have yet: at most `limit` values, and none of those in `without`.
  func outgoing(
    _ category: SyncCategory, limit: Int, _ rules: SyncRules, without: Set<String>
  ) throws(SyncError) -> SyncOutgoing
  /// Called just before the values are pushed, because the run may be killed before it knows whether they arrived.
  func willSend(_ outgoing: SyncOutgoing) throws(SyncError)
  /// Called when the values were accepted. Times and versions are those from `outgoing`.
  func didSend(_ outgoing: SyncOutgoing, _ receipt: SyncReceipt, _ rules: SyncRules) throws(SyncError)
  /// Called when the server has answered that it does not accept these values. They stay queued.
  func wasRefused(_ outgoing: SyncOutgoing) throws(SyncError)
  /// Queues everything that the other devices do not have.
  /// - Parameter lost: a category whose pushed values were lost; all of it is queued again.
  func queueUnsent(_ rules: SyncRules, lost: SyncCategory?) throws(SyncError)
  /// Saves the cursor of a category after a push.
  func save(_ cursor: String, _ category: SyncCategory) throws(SyncError)
}

/// Values to push, with what the store needs to identify them afterwards.
public struct SyncOutgoing: Sendable, Equatable {
  public var batch = SyncBatch()
  /// For each value, in the order of the batch: its key in the store, and its `Versioned.version`.
  public var keys: [String] = []
  public var versions: [Double] = []
  /// The number in the outbox up to which these values are complete.
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

/// Settings for the merges of one run.
public struct SyncRules: Sendable {
  public var clock: SyncClock
  public var traits: SyncTraits
  /// The first sync with this server: the libraries are merged and nothing is removed.
  public var isFirstSync: Bool
  /// The pull returned everything, not only the changes.
  public var isFull: Bool
  /// The listener has confirmed the removals that `RemovalGuard` blocked.
  public var acceptsRemovals: Bool
  /// Nothing is saved.
  public var isDryRun: Bool

  public init(
    clock: SyncClock, traits: SyncTraits, isFirstSync: Bool = false, isFull: Bool = false,
    acceptsRemovals: Bool = false,
    isDryRun: Bool = false
  ) {
    self.clock = clock
    self.traits = traits
    self.isFirstSync = isFirstSync
    self.isFull = isFull
    self.acceptsRemovals = acceptsRemovals
    self.isDryRun = isDryRun
  }
}

/// How many things a pull has changed.
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
