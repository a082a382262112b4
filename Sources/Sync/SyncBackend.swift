import Foundation
import Model

/// A kind of data that is pulled and pushed separately.
public enum SyncCategory: String, Sendable, CaseIterable { case subscriptions, episodes, collections }

/// What a back end supports.
public struct SyncTraits: Sendable {
  /// The resolution of its times, in seconds.
  public var timeResolution: Double
  /// Whether it stores a time for each subscription. Otherwise it only reports additions and removals.
  public var storesSubscriptionTimes: Bool
  public var categories: [SyncCategory]
  /// The maximum number of values in one push.
  public var batch: Int
  /// Whether it may drop or overwrite values that it has accepted. Then missing values are sent again.
  public var mayLoseValues: Bool
  /// Whether positions are whole seconds.
  public var usesWholeSeconds: Bool { timeResolution >= 1 }

  public init(
    timeResolution: Double, storesSubscriptionTimes: Bool, categories: [SyncCategory], batch: Int, mayLoseValues: Bool
  ) {
    self.timeResolution = timeResolution
    self.storesSubscriptionTimes = storesSubscriptionTimes
    self.categories = categories
    self.batch = batch
    self.mayLoseValues = mayLoseValues
  }
}

/// Changes of other devices since the last pull.
public struct SyncPull: Sendable, Equatable {
  public var subscriptions: [SubscriptionChange] = []
  /// The newest change of each episode.
  public var episodes: [EpisodeChange] = []
  public var registers: [RegisterChange] = []
  /// Where the next pull continues. The caller saves it in the same transaction as the values.
  public var cursor: String?
  /// Whether there are more changes than one pull returns. The next pull continues at `cursor`.
  public var hasMore = false
  /// How many seconds the server's clock is ahead. Nil without a server.
  public var clockOffset: Double?
  /// Messages for the user about values that could not be read. The other values are valid.
  public var problems: [String] = []
  /// Whether values that this device pushed are no longer on the server.
  public var hasLostOwnValues = false
  /// Display names of devices by their ids.
  public var deviceNames: [String: String] = [:]
  /// Podcasts that the devices have which joined in this pull. This library's others are sent again for them. Nil: no
  /// device has joined.
  public var listOfNewDevices: [String]?
  public init() {}

  /// Adds the removals that are missing from a complete pull. On some servers a feed that was added and later removed
  /// is in neither list, like a feed that the server has lost.
  mutating func addRemovals(of changes: SyncPull) {
    let listed = Set(subscriptions.map { AddressKey.feed($0.url) })
    subscriptions += changes.subscriptions.filter { !$0.isSubscribed && !listed.contains(AddressKey.feed($0.url)) }
  }

  /// Adds changes that are later than all of these.
  public mutating func add(later changes: [SubscriptionChange]) {
    let keys = Set(changes.map { AddressKey.feed($0.url) })
    subscriptions = subscriptions.filter { !keys.contains(AddressKey.feed($0.url)) } + changes
  }
}

/// Changes of this device. All values are of one category.
public struct SyncBatch: Sendable, Equatable {
  public var subscriptions: [SubscriptionChange] = []
  public var episodes: [EpisodeChange] = []
  public var registers: [RegisterChange] = []
  public init() {}

  public var count: Int { subscriptions.count + episodes.count + registers.count }

  /// The batch split in two.
  public var halves: (SyncBatch, SyncBatch) {
    func split<Element>(_ all: [Element]) -> ([Element], [Element]) {
      (Array(all.prefix((all.count + 1) / 2)), Array(all.dropFirst((all.count + 1) / 2)))
    }
    var (first, second) = (SyncBatch(), SyncBatch())
    (first.subscriptions, second.subscriptions) = split(subscriptions)
    (first.episodes, second.episodes) = split(episodes)
    (first.registers, second.registers) = split(registers)
    return (first, second)
  }
}

/// What a back end returns after a push.
public struct SyncReceipt: Sendable, Equatable {
  /// Addresses that the server has changed, with the new address. Nil: the server refuses the address.
  public var renamed: [String: String?] = [:]
  /// When the server took the values: seconds since 1970 on its clock. Nil if the values have times of their own.
  public var time: Double?
  public init(renamed: [String: String?] = [:]) { self.renamed = renamed }
}

/// A server or folder that devices sync through. It transfers values and does not know the library.
///
/// If a push throws, the back end may have accepted all, some or none of the values. The next run pushes them again.
public protocol SyncBackend: Sendable {
  var traits: SyncTraits { get }
  /// - Parameter cursor: from the last pull. Nil: pull everything.
  func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull
  func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt
  /// The cursor that skips what was pushed after the pull that returned `cursor`. Nil: keep `cursor`.
  /// - Parameter newest: the latest time that was pushed, in seconds since 1970, shared (`SyncClock`).
  func cursor(_ category: SyncCategory, _ cursor: String?, pushed newest: Double) throws(SyncError) -> String?
  /// Checks the user and the password, or prepares the folder. Called when the listener sets up sync.
  func login() async throws(SyncError)
}

extension SyncBackend {
  public func login() async throws(SyncError) {}
  public func cursor(
    _ category: SyncCategory, _ cursor: String?, pushed newest: Double
  ) throws(SyncError) -> String? { nil }
}

extension SyncBatch {
  /// The latest time in the batch. Nil if its values have no times.
  var newest: Double? {
    (subscriptions.compactMap(\.time) + episodes.map(\.time) + registers.map(\.time)).max()
  }
}
