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
  /// What was sent while no answer came: the server may have taken it. nil: every answer came.
  public private(set) var attempt: Bool?

  public init(isSubscribed: Bool, server: Bool?, attempt: Bool? = nil) {
    self.isSubscribed = isSubscribed
    self.server = server
    self.attempt = attempt
  }

  public enum Outcome: Sendable, Equatable { case nothing, subscribe, unsubscribe }

  /// To be sent.
  public var isPending: Bool { isSubscribed != (server ?? false) || attempt.map { $0 != isSubscribed } ?? false }

  /// - Parameters:
  ///   - unites: a first sync, which removes nothing.
  ///   - isFull: the server told all that it has, not only what is new.
  public mutating func receive(_ isAdded: Bool, unites: Bool, isFull: Bool) -> Outcome {
    if let attempt {
      if isAdded == attempt || isSubscribed != attempt {
        // The server has taken what was sent, or has something that is here too; what was changed here since is pending.
        server = isAdded
        self.attempt = nil
        return .nothing
      }
      // A list of everything says what the server had before: what was sent did not come there.
      if isFull, isAdded == server { return .nothing }
      // The server's word is newer than ours: had it not heard us, and nobody else changed anything, it would say nothing.
    } else if isPending, isSubscribed != isAdded {
      return .nothing
    }
    attempt = nil
    // Unless the server had it when the first sync was begun: then it was removed since.
    if unites, !isAdded, isSubscribed, server != true {
      server = false
      return .nothing
    }
    server = isAdded
    guard isSubscribed != isAdded else { return .nothing }
    isSubscribed = isAdded
    return isAdded ? .subscribe : .unsubscribe
  }
}

/// Too many removals at once are more likely a fault than a wish.
public enum RemovalGuard {
  /// True when a pull would unsubscribe more than half of what is subscribed to, and at least five.
  public static func holds(_ removed: Int, of subscribed: Int) -> Bool { removed >= 5 && removed * 2 > subscribed }
}
