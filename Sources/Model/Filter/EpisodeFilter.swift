/// The filter of a smart playlist: `unplayed and duration < 30m and tag:news and not title ~ "best of"`.
///
/// `init(parsing:)` makes it from text, and `description` is text with the same meaning. `docs/FILTERS.md` describes
/// the language. `FilterField` and `FilterFlag` are the tables of its words.
public struct EpisodeFilter: Sendable, Hashable {
  public var condition: Condition
  public var order: Order
  /// The maximum number of episodes, in that order; nil: no limit.
  public var limit: Int?

  public init(_ condition: Condition, order: Order = .newest, limit: Int? = nil) {
    self.condition = condition
    self.order = order
    self.limit = limit
  }

  /// A condition is true or false for every episode. If a feed does not have a value (a duration, a date), a comparison
  /// with it is false, and its negation is true.
  public indirect enum Condition: Sendable, Hashable {
    /// Two or more.
    case all([Condition])
    /// Two or more.
    case any([Condition])
    case not(Condition)
    case text(FilterField, TextMatch, String)
    /// The number is in seconds, in bytes, a day of the week (1: Monday) or plain, depending on the field.
    case number(FilterField, Comparison, Int)
    case date(FilterField, Comparison, FilterDay)
    case status(EpisodeStatus)
    case flag(FilterFlag)
    case has(FilterFeature)
  }

  /// Whether it can find deleted episodes, which are not in any list otherwise.
  public var findsDeleted: Bool { condition.contains { $0 == .status(.deleted) || $0 == .flag(.deleted) } }

  public enum TextMatch: String, Sendable, Hashable {
    case contains = "~"
    case equals = "="
  }

  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    case less = "<"
    case atMost = "<="
    case more = ">"
    case atLeast = ">="
    case equal = "="
    case unequal = "!="
  }

  /// The order of the episodes: `order` and one of these, after the condition.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    case newest, oldest, shortest, longest, title, podcast, heard
  }
}

extension EpisodeFilter.Condition {
  /// Whether it or a part of it fulfils `test`.
  public func contains(where test: (Self) -> Bool) -> Bool {
    if test(self) { return true }
    switch self {
    case .all(let parts), .any(let parts): return parts.contains { $0.contains(where: test) }
    case .not(let part): return part.contains(where: test)
    case .text, .number, .date, .status, .flag, .has: return false
    }
  }
}

/// The fields that can be compared. The raw value is the word in a filter.
public enum FilterField: String, Sendable, Hashable, CaseIterable {
  case title, podcast, notes, people, tag, type, language, category, rule
  case duration, position, left, size, season, episode, age
  case published, heard, weekday
  case status, has

  /// The kind of values of a field.
  public enum Kind: Sendable, Hashable {
    /// `hasEquality`: it can be compared as a whole, not only searched.
    case text(hasEquality: Bool)
    /// Seconds: `30m`, `1h30m`, `1:30:00`.
    case length
    /// Seconds before now: `7d`, `2w`.
    case age
    case bytes
    case number
    case date
    case weekday
    case status
    case feature
  }

  public var kind: Kind {
    switch self {
    case .title, .podcast, .tag, .type, .language, .category, .rule: .text(hasEquality: true)
    case .notes, .people: .text(hasEquality: false)
    case .duration, .position, .left: .length
    case .size: .bytes
    case .season, .episode: .number
    case .age: .age
    case .published, .heard: .date
    case .weekday: .weekday
    case .status: .status
    case .has: .feature
    }
  }

  /// The description for help and completion.
  public var help: String {
    switch self {
    case .title: "the episode's title"
    case .podcast: "the podcast's title"
    case .notes: "words of the show notes"
    case .people: "names of hosts and guests"
    case .tag: "a tag of the episode or of its podcast"
    case .type: "full, trailer or bonus"
    case .language: "the podcast's language, such as en or de-AT"
    case .category: "a category of the episode or of its podcast"
    case .rule: "the name of a rule that has acted on it"
    case .duration: "the whole length"
    case .position: "how far it was heard"
    case .left: "what is left to hear"
    case .size: "the size of the media file"
    case .season: "the season's number"
    case .episode: "the episode's number"
    case .age: "the time since it was published"
    case .published: "the day it was published"
    case .heard: "the day it was last heard"
    case .weekday: "the day of the week when it was published"
    case .status: "new, playing, paused, played or deleted"
    case .has: "chapters, transcript, clips…"
    }
  }
}

/// Words that are conditions by themselves.
public enum FilterFlag: String, Sendable, Hashable, CaseIterable {
  case unplayed, new, begun, playing, paused, played, downloaded, queued, clipped, gone, deleted
  case explicit, first, catalogue

  public var help: String {
    switch self {
    case .unplayed: "not played to its end"
    case .new: "never begun"
    case .begun: "begun, not finished"
    case .playing: "playing now"
    case .paused: "begun and paused"
    case .played: "played or marked so"
    case .downloaded: "on this machine"
    case .queued: "in the queue"
    case .clipped: "has clips of yours"
    case .gone: "no longer in its feed"
    case .explicit: "marked as explicit by its publisher"
    case .first: "the newest of its podcast"
    case .catalogue: "published before you subscribed"
    case .deleted: "deleted by you"
    }
  }
}

/// The values of `has:`.
public enum FilterFeature: String, Sendable, Hashable, CaseIterable {
  case chapters, transcript, clips, media, notes, image, note
}

/// A day, month or year in local time, or a day relative to today.
public enum FilterDay: Sendable, Hashable {
  case date(year: Int, month: Int?, day: Int?)
  /// 0 is today, 1 yesterday.
  case daysAgo(Int)
}
