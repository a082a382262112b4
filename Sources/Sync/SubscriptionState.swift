extension Bool: SyncComparable {
  /// Subscribed is worth more than not.
  public func outranks(_ other: Bool) -> Bool { self && !other }
}

/// One subscription between this device and a server that keeps no times, only what was added and removed since.
///
/// What the listener changed here and the server has not heard of wins over what the server says (AntennaPod's rule). That
/// something is not in a list says nothing.
public struct SubscriptionState: Sendable, Equatable {
  public private(set) var isSubscribed: Bool
  /// What the server is believed to have; nil: nobody ever said.
  public private(set) var server: Bool?
  /// What was changed here was sent, and no answer came: the server may have taken it.
  public private(set) var wasAttempted: Bool

  public init(isSubscribed: Bool, server: Bool?, wasAttempted: Bool = false) {
    self.isSubscribed = isSubscribed
    self.server = server
    self.wasAttempted = wasAttempted
  }

  public enum Outcome: Sendable, Equatable { case nothing, subscribe, unsubscribe }

  /// To be sent.
  public var isPending: Bool { isSubscribed != (server ?? false) }

  /// - Parameter unites: a first sync, which removes nothing.
  public mutating func receive(_ isAdded: Bool, unites: Bool) -> Outcome {
    // After an attempt without an answer the server's word is newer than ours: had it not heard us, and nobody else
    // changed anything, it would say nothing.
    if isPending, server != nil || !isAdded, !wasAttempted, isSubscribed != isAdded { return .nothing }
    if unites, !isAdded, isSubscribed {
      server = false
      return .nothing
    }
    server = isAdded
    wasAttempted = false
    guard isSubscribed != isAdded else { return .nothing }
    isSubscribed = isAdded
    return isAdded ? .subscribe : .unsubscribe
  }

  /// A removal that waits for the listener's word: the server has removed it, and is not asked to take it back.
  public static func held() -> SubscriptionState { SubscriptionState(isSubscribed: true, server: true) }

  public mutating func attempt() { wasAttempted = isPending }

  public mutating func sent(_ isSubscribed: Bool) {
    server = isSubscribed
    wasAttempted = false
  }
}

/// Too many removals at once are more likely a fault than a wish.
public enum RemovalGuard {
  /// True when a pull would unsubscribe more than half of what is subscribed to, and at least five.
  public static func holds(_ removed: Int, of subscribed: Int) -> Bool { removed >= 5 && removed * 2 > subscribed }
}
