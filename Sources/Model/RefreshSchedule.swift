import Foundation

/// What is known of a feed when the question is when to ask it again by itself.
public struct FeedRhythm: Sendable, Equatable {
  /// The listener's wish for all feeds, the feed's own, and what went wrong, as far as they are known.
  public var lastAsked: Date?
  /// The server, or the back-off after failures, wants it left alone until then.
  public var notBefore: Date?
  public var health: FeedHealth
  /// Seconds that the feed wants to be left alone after each time: the longer of `ttl` (RSS 2.0: minutes) and
  /// `sy:updatePeriod` divided by `sy:updateFrequency` (RSS 1.0 syndication module).
  public var wish: Double?
  /// podcast:updateFrequency.
  public var frequency: UpdateFrequency?
  /// podcast:podping: others hear from the network when something is new, so it wants to be asked less often.
  public var usesPodping: Bool
  /// When the next stream that it announces is to begin (podcast:liveItem).
  public var nextLive: Date?
  /// When its newest episodes came out, the newest first. Ten are enough.
  public var published: [Date]
  /// 0..<1, always the same for one podcast: spreads feeds that were asked together.
  public var spread: Double

  public init(
    lastAsked: Date? = nil, notBefore: Date? = nil, health: FeedHealth = .good, wish: Double? = nil,
    frequency: UpdateFrequency? = nil, usesPodping: Bool = false, nextLive: Date? = nil, published: [Date] = [],
    spread: Double = 0
  ) {
    self.lastAsked = lastAsked
    self.notBefore = notBefore
    self.health = health
    self.wish = wish
    self.frequency = frequency
    self.usesPodping = usesPodping
    self.nextLive = nextLive
    self.published = published
    self.spread = spread
  }
}

/// When a feed is due to be asked without the listener's word.
///
/// A feed is asked every `every` seconds around the time at which its next episode is expected, and more rarely in between;
/// never more often than it wants, and never before the server allows it.
public struct RefreshSchedule: Sendable, Equatable {
  /// Seconds: `refresh_every` of the configuration.
  public var every: Double

  public init(every: Double) { self.every = every }

  static let hour = 3600.0
  static let day = 86_400.0
  /// No feed is left alone for longer, whatever it says: it may move, or begin again.
  static let longestWish = 7 * day
  /// A feed that failed for a reason that passes only when somebody does something.
  static let failedForGood = day
  /// Between two feeds that were asked together at most this share of their wait grows: 12 minutes of an hour.
  static let spreadShare = 0.2

  /// When the feed is due; nil: never by itself. A time that has passed means now.
  public func due(_ feed: FeedRhythm, now: Date) -> Date? {
    if feed.health == .gone { return nil }
    // A clock that was wrong has written a time that has not come yet: it says nothing.
    guard let last = feed.lastAsked, last <= now else { return feed.notBefore.map { max($0, now) } ?? now }
    let asRarely = wait(feed, last: last)
    // Earshot hears no podping, so that twice as rarely, and once a day at least, is what it can do for the server.
    let rarely = feed.usesPodping ? max(asRarely, min(2 * asRarely, Self.day)) : asRarely
    let wait = rarely * (1 + Self.spreadShare * min(max(feed.spread, 0), 1))
    var own = last.addingTimeInterval(wait)
    if let live = feed.nextLive { own = min(own, Self.due(live, last: last) ?? own) }
    return feed.notBefore.map { max($0, own) } ?? own
  }

  /// When a feed is asked whether what it has announced is on air: at its time, and for half an hour after it every five
  /// minutes. nil: no more.
  private static func due(_ live: Date, last: Date) -> Date? {
    if last < live { return live }
    return last < live.addingTimeInterval(hour / 2) ? last.addingTimeInterval(hour / 12) : nil
  }

  public func isDue(_ feed: FeedRhythm, now: Date) -> Bool { due(feed, now: now).map { $0 <= now } ?? false }

  /// Seconds from the last time to the next.
  private func wait(_ feed: FeedRhythm, last: Date) -> Double {
    var wait = max(every, min(feed.wish ?? 0, Self.longestWish))
    switch feed.health {
    case .failed(connectivity: true, _): return wait
    // With a time for the next attempt the failure may pass by itself; without one it needs a password or an address.
    case .failed(connectivity: false, _): return feed.notBefore == nil ? max(wait, Self.failedForGood) : wait
    case .unknown, .good, .gone: break
    }
    if feed.frequency?.complete == true { return max(wait, Self.longestWish) }
    guard let newest = feed.published.first, let gap = gap(feed) else { return wait }
    let quiet = last.timeIntervalSince(newest)
    if quiet > 4 * gap, quiet > 30 * Self.day {
      // It pauses, or has ended: after a month it is asked every 12 hours, after two once a day.
      wait = max(wait, min(Self.day, quiet / 60))
    } else if quiet < gap * 3 / 4 {
      // Well before the next one, but not beyond the time at which it may come.
      let toWindow = gap * 3 / 4 - quiet
      wait = max(wait, min(6 * Self.hour, gap / 24, toWindow))
    }
    return wait
  }

  /// Seconds between two episodes: what the feed promises, else the median of what it did.
  private func gap(_ feed: FeedRhythm) -> Double? {
    if let promised = feed.frequency?.gap { return promised }
    let dates = feed.published.prefix(10)
    let gaps = zip(dates, dates.dropFirst()).map { $0.timeIntervalSince($1) }.filter { $0 > 60 }.sorted()
    return gaps.count < 2 ? nil : gaps[gaps.count / 2]
  }
}

extension UpdateFrequency {
  /// Seconds between two episodes as its rule tells (RFC 5545, 3.3.10: FREQ, INTERVAL, BYDAY); nil when it has none, or one
  /// that happens a number of times.
  var gap: Double? {
    guard let rule else { return nil }
    var parts: [String: Substring] = [:]
    for part in rule.uppercased().split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parts[String(pair[0])] = pair[1] }
    }
    let units = [
      "HOURLY": 1.0 / 24, "DAILY": 1, "WEEKLY": 7, "MONTHLY": 30.4, "YEARLY": 365,
    ]
    guard let unit = parts["FREQ"].flatMap({ units[String($0)] }), parts["COUNT"] == nil else { return nil }
    let interval = parts["INTERVAL"].flatMap { Double($0) } ?? 1
    guard interval >= 1, interval <= 1000 else { return nil }
    let days = parts["BYDAY"].map { $0.split(separator: ",").count } ?? 1
    return unit * interval / Double(max(days, 1)) * RefreshSchedule.day
  }
}
