import Foundation

/// What is known about a feed, to decide when it is due.
public struct FeedTiming: Sendable, Equatable {
  /// The last request, successful or not.
  public var lastAsked: Date?
  /// The feed is not requested before this time, because its server asked for a pause or because requests failed.
  public var notBefore: Date?
  public var health: FeedHealth
  /// The minimum number of seconds between two requests that the feed asks for: the longer of `ttl` (RSS 2.0: minutes)
  /// and `sy:updatePeriod` divided by `sy:updateFrequency` (RSS 1.0 syndication module).
  public var minimumInterval: Double?
  /// podcast:updateFrequency.
  public var frequency: UpdateFrequency?
  /// podcast:podping: the feed announces new episodes over podping, so it should be requested less often.
  public var usesPodping: Bool
  /// When its next announced live item begins (podcast:liveItem).
  public var nextLive: Date?
  /// The dates of its newest episodes, newest first. Ten are enough.
  public var published: [Date]
  /// A constant of the podcast in 0..<1. It spreads requests of feeds that were last requested together.
  public var jitter: Double

  public init(
    lastAsked: Date? = nil, notBefore: Date? = nil, health: FeedHealth = .good, minimumInterval: Double? = nil,
    frequency: UpdateFrequency? = nil, usesPodping: Bool = false, nextLive: Date? = nil, published: [Date] = [],
    jitter: Double = 0
  ) {
    self.lastAsked = lastAsked
    self.notBefore = notBefore
    self.health = health
    self.minimumInterval = minimumInterval
    self.frequency = frequency
    self.usesPodping = usesPodping
    self.nextLive = nextLive
    self.published = published
    self.jitter = jitter
  }
}

/// Decides when a feed is due for an automatic refresh.
///
/// A feed is requested every `every` seconds around the time of its next expected episode, and less often in between.
/// It is never requested more often than the feed asks for, and never before the server allows it.
public struct RefreshSchedule: Sendable, Equatable {
  /// Seconds: `refresh_every` of the configuration.
  public var every: Double

  public init(every: Double) { self.every = every }

  static let hour = 3600.0
  public static let day = 86_400.0
  public static let week = 7 * day

  /// Whether a document of this date is an old copy, from a cache that has not got the newer one yet. Not if the newer
  /// one is older than caches lag, or has a date in the future: then the publisher has withdrawn it, or its date was
  /// wrong.
  public static func isOldCopy(of date: Date, newer: Date, now: Date) -> Bool {
    date < newer && newer <= now && newer > now - 2 * day
  }

  /// The longest interval that a feed can ask for. A feed may move or resume, so it is never left alone for longer.
  static let maxInterval = week
  /// The wait after a failure that another attempt does not solve.
  static let permanentFailureWait = day
  /// The largest share by which the wait of a feed grows to spread requests: 12 minutes of an hour.
  static let jitterShare = 0.2

  /// When the feed is due; nil: never automatically. A time in the past means now.
  public func due(_ feed: FeedTiming, now: Date) -> Date? {
    if feed.health == .gone { return nil }
    guard let last = feed.lastAsked else { return feed.notBefore.map { max($0, now) } ?? now }
    // Times in the future were written with a wrong clock and are ignored.
    guard last <= now else { return now }
    let ownWait = wait(feed, last: last)
    // Earshot does not receive podping. So it requests such feeds half as often, but at least once a day.
    let baseWait = feed.usesPodping ? max(ownWait, min(2 * ownWait, Self.day)) : ownWait
    let wait = baseWait * (1 + Self.jitterShare * min(max(feed.jitter, 0), 1))
    var own = last.addingTimeInterval(wait)
    if let live = feed.nextLive { own = min(own, Self.due(live, last: last) ?? own) }
    return feed.notBefore.map { max($0, own) } ?? own
  }

  /// When a feed with an announced live item is requested: when the item begins, and then every five minutes for half
  /// an hour. Nil: the half hour is over.
  private static func due(_ live: Date, last: Date) -> Date? {
    if last < live { return live }
    return last < live.addingTimeInterval(hour / 2) ? last.addingTimeInterval(hour / 12) : nil
  }

  public func isDue(_ feed: FeedTiming, now: Date) -> Bool { due(feed, now: now).map { $0 <= now } ?? false }

  /// Seconds between the last request and the next.
  private func wait(_ feed: FeedTiming, last: Date) -> Double {
    var wait = max(every, min(feed.minimumInterval ?? 0, Self.maxInterval))
    switch feed.health {
    case .failed(connectivity: true, _): return wait
    // If there is a time for the next attempt, the failure may be temporary. Otherwise the feed needs a password or
    // another address.
    case .failed(connectivity: false, _): return feed.notBefore == nil ? max(wait, Self.permanentFailureWait) : wait
    case .unknown, .good, .gone: break
    }
    if feed.frequency?.complete == true { return max(wait, Self.maxInterval) }
    // Dates later than the request are wrong, or announce something.
    var feed = feed
    feed.published.removeAll { $0 > last.addingTimeInterval(Self.day) }
    guard let newest = feed.published.first, let gap = gap(feed) else { return wait }
    let quiet = last.timeIntervalSince(newest)
    if quiet > 4 * gap, quiet > 30 * Self.day {
      // The podcast pauses or has ended. After a month it is requested every 12 hours, after two once a day.
      wait = max(wait, min(Self.day, quiet / 60))
    } else if quiet < gap * 3 / 4 {
      // The next episode is far away. The wait ends before the earliest time at which it may come.
      let toWindow = gap * 3 / 4 - quiet
      wait = max(wait, min(6 * Self.hour, gap / 24, toWindow))
    }
    return wait
  }

  /// Seconds between two episodes: from the feed's `updateFrequency`, else the median of the past intervals.
  private func gap(_ feed: FeedTiming) -> Double? {
    if let promised = feed.frequency?.gap { return promised }
    return Self.rhythm(feed.published.prefix(10).map(\.timeIntervalSince1970), minimumCount: 2)
  }

  /// The usual number of seconds between two episodes: the median. Episodes of one minute were published together.
  /// - Parameters:
  ///   - dates: seconds, in any order.
  ///   - minimumCount: how many intervals must be known. Nil if there are fewer.
  public static func rhythm(_ dates: [Double], minimumCount: Int = 1) -> Double? {
    let newestFirst = dates.sorted(by: >)
    let gaps = zip(newestFirst, newestFirst.dropFirst()).map { $0 - $1 }.filter { $0 > 60 }.sorted()
    return gaps.count < minimumCount ? nil : gaps[gaps.count / 2]
  }
}

extension UpdateFrequency {
  /// Seconds between two episodes by its rule (RFC 5545, 3.3.10: FREQ, INTERVAL, BYDAY). Nil without a rule, or with
  /// one for a limited number of times.
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

/// The validators of the last response, for a conditional request of the same feed (RFC 9110 §13.1). They are stored
/// verbatim, together with the address of the response.
public struct FeedValidators: Sendable, Equatable, Codable {
  /// With quotes and `W/`, as the server sent it.
  public var etag: String?
  public var lastModified: String?
  /// A digest of the last body, for servers that send no validators or ignore them.
  public var bodyDigest: String?
  /// The address of the response, after redirects. Nil: the validators may be sent to any address.
  public var url: String?

  public init(etag: String? = nil, lastModified: String? = nil, bodyDigest: String? = nil, url: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.bodyDigest = bodyDigest
    self.url = url
  }
}
