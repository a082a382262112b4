import Foundation
import GRDB
import Model

/// What a filter needs to know besides the episodes.
struct FilterContext {
  var now = Date()
  /// The time zone of the listener's days.
  var timeZone = TimeZone.current
  /// All tags in the library, for comparing them case-insensitively.
  var tags: [String] = []
  /// The episodes that a refresh has just stored, for `first`. Nil: all.
  var arrived: [Int64]?
  /// The episodes that match an expression and are not indexed, if the index cannot be updated.
  var pending: [String: [Int64]] = [:]
}

/// An `EpisodeFilter` as SQL condition and order, for `episode e JOIN podcast p`. The listener's texts are arguments,
/// never part of the SQL.
///
/// Each comparison is two-valued (`IS TRUE`): a NULL, for a value that the feed lacks, makes the comparison false and
/// its `not` true.
struct FilterSQL {
  private(set) var sql = ""
  private(set) var order: String
  private(set) var arguments = StatementArguments()
  private let context: FilterContext

  init(_ filter: EpisodeFilter, _ context: FilterContext) {
    self.context = context
    order = Self.order(filter.order)
    // No parentheses at the top level, so that SQLite recognises the conditions of partial indexes.
    if case .all(let parts) = filter.condition {
      sql = parts.map { condition($0) }.joined(separator: " AND ")
    } else {
      sql = condition(filter.condition)
    }
  }

  private mutating func condition(_ condition: EpisodeFilter.Condition) -> String {
    switch condition {
    case .all(let parts): return "(" + parts.map { self.condition($0) }.joined(separator: " AND ") + ")"
    case .any(let parts): return "(" + parts.map { self.condition($0) }.joined(separator: " OR ") + ")"
    case .not(let part): return "NOT (\(self.condition(part)))"
    case .text(let field, let match, let text): return self.text(field, match, text.withoutNUL)
    case .number(let field, let comparison, let value): return number(field, comparison, value)
    case .date(let field, let comparison, let day): return date(field, comparison, day)
    case .status(let status): return "e.status = \(status.code)"
    case .flag(let flag): return self.flag(flag)
    case .has(let feature): return Self.has(feature)
    }
  }

  private mutating func argument(_ value: some DatabaseValueConvertible) -> String {
    arguments += [value]
    return "?"
  }

  // MARK: Texts

  private mutating func text(_ field: FilterField, _ match: EpisodeFilter.TextMatch, _ text: String) -> String {
    switch field {
    case .podcast: return key(column(field), match, PodcastColumns.sortKey(text))
    case .tag: return tag(match, text.folded)
    case .language: return language(match, text.folded.replacing("_", with: "-"))
    case .category: return category(match, text.trimmed.folded)
    case .rule:
      let isNamed = key("folded(rule)", match, text.folded)
      return "e.id IN (SELECT episodeID FROM ruleAct WHERE NOT isTakenBack AND \(isNamed))"
    case .type:
      return "EXISTS (SELECT 1 FROM episodeContent c WHERE c.episodeID = e.id"
        + " AND lower(\(Extra.episodeType.value(in: "c.extras"))) = \(argument(text.lowercased())))"
    case .notes, .people:
      // Uses the search index: whole words, except that the last may be a prefix. Its rows of replaced texts belong to
      // no episode. One NULL would make `NOT IN` false for every episode.
      guard let expression = Self.expression(field, text) else { return "0" }
      let indexed =
        "e.id IN (SELECT d.episodeID FROM search JOIN searchDocument d ON d.id = search.rowid"
        + " WHERE search MATCH \(argument(expression)) AND d.episodeID IS NOT NULL)"
      guard let pending = context.pending[expression], !pending.isEmpty else { return indexed }
      return "(\(indexed) OR e.id IN (SELECT value FROM json_each(\(argument(pending.description)))))"
    default: return key(column(field), match, text.trimmed.folded)
    }
  }

  /// An FTS5 query; nil if the text has no words.
  fileprivate static func expression(_ field: FilterField, _ text: String) -> String? {
    SearchQuery(text, hasFilters: false).expression.map { "{\(field.rawValue)} : (\($0))" }
  }

  private mutating func key(_ column: String, _ match: EpisodeFilter.TextMatch, _ text: String) -> String {
    switch match {
    case .contains: "(instr(\(column), \(argument(text))) > 0) IS TRUE"
    case .equals: "(\(column) = \(argument(text))) IS TRUE"
    }
  }

  /// Tags are matched here and listed in the SQL, because SQLite only folds ASCII.
  private mutating func tag(_ match: EpisodeFilter.TextMatch, _ text: String) -> String {
    let matching = context.tags.filter { match == .equals ? $0.folded == text : $0.folded.contains(text) }
    guard !matching.isEmpty else { return "0" }
    func list() -> String { matching.map { argument($0) }.joined(separator: ", ") }
    return "(EXISTS (SELECT 1 FROM episodeTag WHERE episodeID = e.id AND tag IN (\(list())))"
      + " OR EXISTS (SELECT 1 FROM podcastTag WHERE podcastID = e.podcastID AND tag IN (\(list()))))"
  }

  /// A language without a region includes its regions: `en` is also `en-US`.
  private mutating func language(_ match: EpisodeFilter.TextMatch, _ text: String) -> String {
    let key = "replace(folded(language), '_', '-')"
    let condition =
      switch match {
      case .contains: "instr(\(key), \(argument(text))) > 0"
      case .equals: "instr(\(key) || '-', \(argument(text + "-"))) = 1"
      }
    return "e.podcastID IN (SELECT podcastID FROM podcastContent WHERE \(condition))"
  }

  private mutating func category(_ match: EpisodeFilter.TextMatch, _ text: String) -> String {
    func anyOf(_ extras: String) -> String {
      let value =
        switch match {
        case .contains: "instr(folded(j.value), \(argument(text))) > 0"
        case .equals: "folded(j.value) = \(argument(text))"
        }
      // Most episodes have no categories.
      return "\(Extra.categories.isIn(extras)) AND json_valid(\(extras))"
        + " AND EXISTS (SELECT 1 FROM json_each(\(extras), \(Extra.categories.path)) j WHERE \(value))"
    }
    return "(e.podcastID IN (SELECT podcastID FROM podcastContent d WHERE \(anyOf("d.extras")))"
      + " OR EXISTS (SELECT 1 FROM episodeContent c WHERE c.episodeID = e.id AND \(anyOf("c.extras"))))"
  }

  // MARK: Numbers and dates

  /// What a field is compared with. NULL: it has another condition, in `text`, `status` or `has`.
  private mutating func column(_ field: FilterField) -> String {
    switch field {
    case .title: "e.titleKey"
    case .podcast: "p.titleKey"
    // Whole seconds, as `TimeText.clock` shows them.
    case .duration: "CAST(coalesce(e.measuredDuration, e.duration) AS INTEGER)"
    case .left: "CAST(coalesce(e.measuredDuration, e.duration) - e.position AS INTEGER)"
    case .position: "e.position"
    case .size: "e.mediaBytes"
    case .season: "e.season"
    case .episode: "e.episodeNumber"
    case .age, .published: "e.pubDate"
    case .heard: "e.heardAt"
    case .weekday: "weekday(e.pubDate, \(argument(context.timeZone.identifier)))"
    case .notes, .people, .tag, .type, .language, .category, .rule, .status, .has: "NULL"
    }
  }

  private mutating func number(_ field: FilterField, _ comparison: EpisodeFilter.Comparison, _ value: Int) -> String {
    let column = column(field)
    guard field == .age else { return "(\(column) \(comparison.rawValue) \(argument(value))) IS TRUE" }
    // Younger than a week means published after a week ago.
    let (reversed, seconds) = (comparison.reversed, context.now.seconds - Double(value))
    return "(\(column) \(reversed.rawValue) \(argument(seconds))) IS TRUE"
  }

  private mutating func date(_ field: FilterField, _ comparison: EpisodeFilter.Comparison, _ day: FilterDay) -> String {
    let column = column(field)
    guard let span = day.span(in: context.timeZone, now: context.now) else { return "0" }
    let (start, end) = (span.start.seconds, span.end.seconds)
    return switch comparison {
    case .less: "(\(column) < \(argument(start))) IS TRUE"
    case .atMost: "(\(column) < \(argument(end))) IS TRUE"
    case .more: "(\(column) >= \(argument(end))) IS TRUE"
    case .atLeast: "(\(column) >= \(argument(start))) IS TRUE"
    case .equal: "(\(column) >= \(argument(start)) AND \(column) < \(argument(end))) IS TRUE"
    case .unequal: "(\(column) < \(argument(start)) OR \(column) >= \(argument(end))) IS TRUE"
    }
  }

  // MARK: Words

  /// The newest of its podcast, among the listed ones or among those that a refresh brought.
  private mutating func first() -> String {
    let others = context.arrived.map { "o.id IN (SELECT value FROM json_each(\(argument($0.description))))" }
    return """
      e.id = (SELECT o.id FROM episode o WHERE o.podcastID = e.podcastID AND o.\(StatusIs.listed)
        AND \(others ?? "o.id NOT IN \(ExtraEpisode.liveIDs)")
        ORDER BY o.pubDate DESC, o.feedOrder DESC, o.id DESC LIMIT 1)
      """
  }

  private mutating func flag(_ flag: FilterFlag) -> String {
    switch flag {
    case .unplayed: "e.\(StatusIs.unplayed)"
    case .new: "e.\(StatusIs.new)"
    case .begun: "(e.\(StatusIs.begun) OR (e.\(StatusIs.new) AND e.position > 0))"
    case .playing: "e.\(StatusIs.playing)"
    case .paused: "e.\(StatusIs.paused)"
    case .played: "e.\(StatusIs.played)"
    case .downloaded: "EXISTS (SELECT 1 FROM download WHERE episodeID = e.id AND downloadComplete)"
    case .queued: "EXISTS (SELECT 1 FROM queue WHERE episodeID = e.id)"
    case .clipped: Self.hasClips
    case .gone: "e.isGone"
    case .explicit:
      """
      coalesce((SELECT \(Extra.explicit.value()) FROM episodeContent WHERE episodeID = e.id),
        (SELECT \(Extra.explicit.value()) FROM podcastContent WHERE podcastID = e.podcastID), 0)
      """
    case .first: first()
    case .catalogue: "e.catalogueRank IS NOT NULL"
    case .deleted: "e.\(StatusIs.deleted)"
    }
  }

  private static let hasClips = "EXISTS (SELECT 1 FROM clip WHERE episodeID = e.id AND kind = 'clip')"

  private static func has(_ feature: FilterFeature) -> String {
    func content(_ condition: String) -> String {
      "EXISTS (SELECT 1 FROM episodeContent c WHERE c.episodeID = e.id AND (\(condition)))"
    }
    return switch feature {
    case .chapters:
      "(EXISTS (SELECT 1 FROM chapterSource WHERE episodeID = e.id AND chapters <> '[]') OR "
        + content("\(Extra.chapters.isIn("c.extras")) OR \(Extra.chaptersURL.isIn("c.extras"))") + ")"
    case .transcript:
      "(EXISTS (SELECT 1 FROM transcript WHERE episodeID = e.id)"
        + " OR EXISTS (SELECT 1 FROM madeTranscript WHERE episodeID = e.id) OR "
        + content(Extra.transcripts.isIn("c.extras"))
        + ")"
    case .clips: hasClips
    case .note: "EXISTS (SELECT 1 FROM clip WHERE episodeID = e.id AND note IS NOT NULL)"
    case .media: "e.mediaURL IS NOT NULL"
    case .notes: content("coalesce(c.contentHTML, c.summary, '') <> ''")
    case .image: content("c.imageURL IS NOT NULL")
    }
  }

  private static func order(_ order: EpisodeFilter.Order) -> String {
    switch order {
    case .newest: "e.pubDate DESC, e.feedOrder DESC, e.id DESC"
    case .oldest: "e.pubDate IS NULL, e.pubDate, e.feedOrder, e.id"
    case .shortest: "coalesce(e.measuredDuration, e.duration) IS NULL, coalesce(e.measuredDuration, e.duration), e.id"
    case .longest: "coalesce(e.measuredDuration, e.duration) DESC, e.id DESC"
    case .title: "naturalKey(e.titleKey), e.id"
    case .podcast: "naturalKey(p.titleKey), e.pubDate DESC, e.feedOrder DESC, e.id DESC"
    case .heard: "e.heardAt DESC, e.pubDate DESC, e.id DESC"
    }
  }
}

extension EpisodeSelect.Scope {
  init(_ filter: FilterSQL, limit: Int?, findsDeleted: Bool) {
    let listed = findsDeleted ? "1" : "e.\(StatusIs.listed)"
    self.init(
      from: "episode e JOIN podcast p ON p.id = e.podcastID",
      condition: "\(listed) AND p.isSubscribed AND e.id NOT IN \(ExtraEpisode.liveIDs) AND \(filter.sql)",
      order: filter.order, arguments: filter.arguments, limit: limit)
  }
}

extension FilterDay {
  /// The time span of a day, month or year.
  func span(in timeZone: TimeZone, now: Date) -> DateInterval? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    switch self {
    case .daysAgo(let days):
      guard let date = calendar.date(byAdding: .day, value: -days, to: now) else { return nil }
      return calendar.dateInterval(of: .day, for: date)
    case .date(let year, let month, let day):
      let unit: Calendar.Component = day != nil ? .day : month != nil ? .month : .year
      let first = calendar.date(from: DateComponents(year: year, month: month ?? 1, day: day ?? 1))
      return first.flatMap { calendar.dateInterval(of: unit, for: $0) }
    }
  }
}

extension EpisodeFilter.Comparison {
  /// The comparison with swapped sides: a < b is b > a.
  fileprivate var reversed: Self {
    switch self {
    case .less: .more
    case .atMost: .atLeast
    case .more: .less
    case .atLeast: .atMost
    case .equal, .unequal: self
    }
  }
}

extension EpisodeFilter.Condition {
  /// Whether it uses the search index, which must then be up to date.
  var searchesTexts: Bool { !searchedTexts.isEmpty }

  private var searchedTexts: [(field: FilterField, text: String)] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.searchedTexts)
    case .not(let part): part.searchedTexts
    case .text(let field, _, let text): field == .notes || field == .people ? [(field, text.withoutNUL)] : []
    case .number, .date, .status, .flag, .has: []
    }
  }

  /// The FTS5 queries that it makes of the search index.
  var expressions: [String] { searchedTexts.compactMap { FilterSQL.expression($0.field, $0.text) } }

  var namesTags: Bool { contains { if case .text(.tag, _, _) = $0 { true } else { false } } }
}
