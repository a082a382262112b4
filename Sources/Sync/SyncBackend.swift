import Foundation

/// What is pulled and pushed with one request of its own.
public enum SyncCategory: String, Sendable, CaseIterable { case subscriptions, episodes, collections }

/// What a back end can do.
public struct SyncTraits: Sendable {
  /// Seconds between two times that it can tell apart.
  public var timeStep: Double
  /// It keeps a time with each subscription. Else only what was added and removed is told.
  public var timesSubscriptions: Bool
  public var categories: [SyncCategory]
  /// At most so many values in one push.
  public var batch: Int
  /// It may drop or overwrite what it has taken, so that a value that is missing is sent again.
  public var forgets: Bool
  /// Positions are whole seconds.
  public var wholeSeconds: Bool { timeStep >= 1 }

  public init(
    timeStep: Double, timesSubscriptions: Bool, categories: [SyncCategory], batch: Int, forgets: Bool
  ) {
    self.timeStep = timeStep
    self.timesSubscriptions = timesSubscriptions
    self.categories = categories
    self.batch = batch
    self.forgets = forgets
  }
}

/// What others did since the last time.
public struct SyncPull: Sendable, Equatable {
  public var subscriptions: [SubscriptionChange] = []
  /// The newest of each episode.
  public var episodes: [EpisodeChange] = []
  public var registers: [RegisterChange] = []
  /// Where the next pull goes on; kept by the caller together with what it made of the values.
  public var cursor: String?
  /// Seconds that the server's clock is ahead; nil where there is no server.
  public var clockOffset: Double?
  /// What could not be read, for people. The rest counts.
  public var problems: [String] = []
  /// What this device had pushed is no longer there.
  public var hasLostOwn = false
  /// Names of devices, by what `device` calls them.
  public var deviceNames: [String: String] = [:]
  public init() {}
}

/// What this device did. All values are of one category.
public struct SyncBatch: Sendable, Equatable {
  public var subscriptions: [SubscriptionChange] = []
  public var episodes: [EpisodeChange] = []
  public var registers: [RegisterChange] = []
  public init() {}

  public var count: Int { subscriptions.count + episodes.count + registers.count }

  /// Two halves.
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

public struct SyncReceipt: Sendable, Equatable {
  /// Addresses that the server writes differently, and how; nil: it does not take the address at all.
  public var renamed: [String: String?] = [:]
  public var clockOffset: Double?
  public init(renamed: [String: String?] = [:], clockOffset: Double? = nil) {
    self.renamed = renamed
    self.clockOffset = clockOffset
  }
}

/// A place that devices sync through. It moves values and knows nothing of the library.
///
/// A push that throws may have been taken in whole, in part or not at all; it is repeated with the next run.
public protocol SyncBackend: Sendable {
  var traits: SyncTraits { get }
  /// - Parameter cursor: of the last pull; nil: all there is.
  func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull
  func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt
  /// The cursor that knows of what was pushed after the pull that gave `cursor`; nil: that one.
  /// - Parameter newest: the latest time that was pushed. Seconds since 1970, shared.
  func cursor(_ category: SyncCategory, _ cursor: String?, pushed newest: Double) throws(SyncError) -> String?
}

extension SyncBackend {
  public func cursor(
    _ category: SyncCategory, _ cursor: String?, pushed newest: Double
  ) throws(SyncError) -> String? { nil }
}

extension SyncBatch {
  /// The latest time in it; nil where values have none.
  var newest: Double? {
    (subscriptions.compactMap(\.time) + episodes.map(\.time) + registers.map(\.time)).max()
  }
}
