extension Bool: SyncComparable {
  /// On a conflict, subscribed wins.
  public func outranks(_ other: Bool) -> Bool { self && !other }
}

/// The sync state of one subscription with a server that stores no times, only what was added and removed since the
/// last pull.
///
/// A local change that the server has not received wins over what the server reports (AntennaPod's rule). A podcast
/// missing from a list means nothing.
public struct SubscriptionState: Sendable, Equatable {
  public private(set) var isSubscribed: Bool
  /// Whether the podcast is subscribed on the server. Nil: unknown.
  public private(set) var server: Bool?
  /// What was sent without getting a response, so the server may have stored it. Nil: every push was answered.
  public private(set) var attempt: Bool?

  public init(isSubscribed: Bool, server: Bool?, attempt: Bool? = nil) {
    self.isSubscribed = isSubscribed
    self.server = server
    self.attempt = attempt
  }

  /// Whether a push is needed.
  public var isPending: Bool { isSubscribed != (server ?? false) || attempt.map { $0 != isSubscribed } ?? false }

  /// - Parameters:
  ///   - isFirstSync: two libraries are merged and nothing is removed.
  ///   - isFull: the server sent its whole list, not only the changes.
  /// - Returns: whether to subscribe or to unsubscribe. Nil: neither.
  public mutating func receive(_ isAdded: Bool, isFirstSync: Bool, isFull: Bool) -> Bool? {
    if let attempt {
      if isAdded == attempt || isSubscribed != attempt {
        // The server has stored what was sent, or its state is already that of this device. Later local changes are
        // still pending.
        server = isAdded
        self.attempt = nil
        return nil
      }
      // A full list with the previous value shows that the push did not arrive.
      if isFull, isAdded == server { return nil }
      // Another device has changed the podcast since, and that change is newer than the local one. Otherwise a list of
      // changes would not contain the podcast, and a full list would contain the previous value.
    } else if isPending, isSubscribed != isAdded {
      return nil
    }
    attempt = nil
    // A removal is ignored in a first sync, unless the server had the podcast when the first sync began; then it was
    // removed since.
    if isFirstSync, !isAdded, isSubscribed, server != true {
      server = false
      return nil
    }
    server = isAdded
    guard isSubscribed != isAdded else { return nil }
    isSubscribed = isAdded
    return isAdded
  }
}

/// Stops a sync that would remove many subscriptions, because that is probably an error.
public enum RemovalGuard {
  /// Whether a pull would unsubscribe at least five podcasts and more than half of all.
  public static func blocks(_ removed: Int, of subscribed: Int) -> Bool { removed >= 5 && removed * 2 > subscribed }
}
