import Foundation
import GRDB
import Model

/// What was heard in some time. Seconds.
public struct ListeningTotal: Sendable, Equatable {
  /// Of the episodes.
  public var heard = 0.0
  /// On the clock: less than was heard at a higher speed. Stretches that do not say their speed count as 1×.
  public var took = 0.0
  public var saved: Double { heard - took }
  /// Different ones.
  public var episodes = 0
  public init(heard: Double = 0, took: Double = 0, episodes: Int = 0) {
    self.heard = heard
    self.took = took
    self.episodes = episodes
  }
}

/// What was heard in one day or week.
public struct ListeningPeriod: Sendable, Equatable {
  /// Where it begins.
  public var start: Date
  public var total: ListeningTotal
}

/// What was heard of one podcast.
public struct PodcastListening: Sendable, Equatable {
  public var podcast: PodcastID
  public var title: String
  public var total: ListeningTotal
}

/// An episode of the history.
public struct HistoryEntry: Sendable, Equatable {
  public var row: EpisodeRow
  /// When it last sounded.
  public var heardAt: Date
  /// Seconds of it that were heard in all, again counted again.
  public var heard: Double
}

/// Statistics and the history. All of it is read off the events that the player recorded.
extension Library {
  public enum StatisticsUnit: Sendable {
    case day, week, month

    fileprivate var component: Calendar.Component {
      switch self {
      case .day: .day
      case .week: .weekOfYear
      case .month: .month
      }
    }
  }

  /// All that was heard in the range.
  public func listeningTotal(_ range: Range<Date>) throws(StoreError) -> ListeningTotal {
    var tally = Tally()
    try stretches(range) { tally.add($0) }
    return tally.total
  }

  /// Days or weeks in which something was heard, the newest first.
  /// - Parameter calendar: says where they begin, with its time zone and first weekday.
  public func listening(
    by unit: StatisticsUnit, _ range: Range<Date>, calendar: Calendar = .current
  ) throws(StoreError) -> [ListeningPeriod] {
    var periods: [Date: Tally] = [:]
    // Stretches come in order of time, so nearly each is in the period of the one before it.
    var current: DateInterval?
    try stretches(range) { stretch in
      if current.map({ $0.start <= stretch.date && stretch.date < $0.end }) != true {
        current = calendar.dateInterval(of: unit.component, for: stretch.date)
      }
      guard let start = current?.start else { return }
      periods[start, default: Tally()].add(stretch)
    }
    return periods.map { ListeningPeriod(start: $0, total: $1.total) }.sorted { $0.start > $1.start }
  }

  /// Podcasts of which something was heard, the most heard first.
  public func listeningByPodcast(_ range: Range<Date>) throws(StoreError) -> [PodcastListening] {
    var podcasts: [Int64: Tally] = [:]
    try stretches(range) { podcasts[$0.podcast, default: Tally()].add($0) }
    let titles = try read { db in
      try Row.fetchAll(db, sql: "SELECT id, title FROM podcast").map(CheckedRow.init)
        .reduce(into: [Int64: String]()) { try $0[$1[0]] = $1[1] }
    }
    return podcasts.map { id, tally in
      PodcastListening(podcast: PodcastID(id), title: titles[id] ?? "Untitled", total: tally.total)
    }.sorted { ($0.total.heard, $1.title) > ($1.total.heard, $0.title) }
  }

  /// A page of the history: episodes by when they last sounded, the latest first. Deleted ones are in it, for they
  /// were heard.
  /// - Parameter last: the last entry of the page before this one.
  public func history(limit: Int, after last: HistoryEntry? = nil) throws(StoreError) -> [HistoryEntry] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(EpisodeColumns.list),
            (SELECT total(toTime - fromTime) FROM event WHERE episodeID = e.id AND kind = 'play' AND toTime > fromTime)
          FROM episode e INDEXED BY episodeHeard JOIN podcast p ON p.id = e.podcastID
          WHERE e.heardAt IS NOT NULL AND (e.heardAt, e.id) < (?, ?) ORDER BY e.heardAt DESC, e.id DESC LIMIT ?
          """)
      let place = last.map { ($0.heardAt.seconds, $0.row.id.rawValue) } ?? (.infinity, .max)
      return try Row.fetchAll(statement, arguments: [place.0, place.1, max(0, limit)]).map { row in
        let checked = CheckedRow(row)
        return try HistoryEntry(
          row: EpisodeColumns.row(row), heardAt: Date(timeIntervalSince1970: checked[12]), heard: checked[13])
      }
    }
  }

  /// The stretches that were heard in the range, in order of time.
  private func stretches(_ range: Range<Date>, _ body: (Stretch) -> Void) throws(StoreError) {
    try read { db in
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT v.timestamp, v.episodeID, e.podcastID, v.toTime - v.fromTime, v.speed
            FROM event v INDEXED BY eventPlayed JOIN episode e ON e.id = v.episodeID
            WHERE v.kind = 'play' AND v.timestamp >= ? AND v.timestamp < ? AND v.toTime > v.fromTime
            ORDER BY v.timestamp
            """), arguments: [range.lowerBound.seconds, range.upperBound.seconds])
      while let row = try rows.next().map(CheckedRow.init) {
        body(
          try Stretch(
            date: Date(timeIntervalSince1970: row[0]), episode: row[1], podcast: row[2], heard: row[3],
            speed: (row[4] as Double?).flatMap { $0 > 0 ? $0 : nil } ?? 1))
      }
    }
  }

  private struct Stretch {
    var date: Date
    var episode: Int64
    var podcast: Int64
    var heard: Double
    var speed: Double
  }

  private struct Tally {
    private var sum = ListeningTotal()
    private var episodes: Set<Int64> = []

    mutating func add(_ stretch: Stretch) {
      sum.heard += stretch.heard
      sum.took += stretch.heard / stretch.speed
      episodes.insert(stretch.episode)
    }

    var total: ListeningTotal { ListeningTotal(heard: sum.heard, took: sum.took, episodes: episodes.count) }
  }
}
