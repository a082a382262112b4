import Foundation
import GRDB
import Model

/// Listening time in a period. Seconds.
public struct ListeningTotal: Sendable, Equatable {
  /// Seconds of the episodes.
  public var heard = 0.0
  /// Seconds on the clock, which are fewer at a higher speed. Spans without a known speed count as 1×.
  public var took = 0.0
  /// Seconds saved by speed.
  public var saved: Double { heard - took }
  /// Seconds on the clock that other features saved, such as skipping silence.
  public var savedTimes: [SavedTime.Kind: Double] = [:]
  /// What saved time, and how many seconds.
  public var savings: [YearInListening.Entry] {
    let kinds: [(String, SavedTime.Kind)] = [
      ("silence", .silence), ("intros", .intro), ("chapters", .chapter), ("skipped parts", .part),
    ]
    return [.init(title: "speed", amount: saved)] + kinds.map { .init(title: $0, amount: savedTimes[$1] ?? 0) }
  }
  private var heardEpisodes: Set<Int64> = []
  /// The number of different episodes.
  public var episodes: Int { heardEpisodes.count }

  fileprivate mutating func add(_ span: Span) {
    heard += span.heard
    took += span.heard / span.speed
    heardEpisodes.insert(span.episode)
  }

  fileprivate mutating func add(_ saved: SavedTime) { savedTimes[saved.kind, default: 0] += saved.seconds }
}

private struct Span {
  var date: Date
  var episode: Int64
  var podcast: Int64
  var heard: Double
  var speed: Double
}

/// Listening time of one day, week or month.
public struct ListeningPeriod: Sendable, Equatable {
  /// The start of the period.
  public var start: Date
  public var total: ListeningTotal
}

/// Listening time of one podcast.
public struct PodcastListening: Sendable, Equatable {
  public var podcast: PodcastID
  public var title: String
  public var total: ListeningTotal
}

/// An episode in the history.
public struct HistoryEntry: Sendable, Equatable {
  public var row: EpisodeRow
  /// When it was last played.
  public var heardAt: Date
  /// Seconds played in total, including repeated ones.
  public var heard: Double
}

/// Statistics and history, calculated from what the player recorded.
extension Library {
  /// Stores time that was saved for the listener of this episode.
  public func record(_ saved: SavedTime, of episode: EpisodeID, now: Date) throws(StoreError) {
    guard saved.seconds.isFinite, saved.seconds > 0 else { return }
    try write { db in
      try db.run(
        "INSERT INTO saving (timestamp, podcastID, kind, seconds) SELECT ?, podcastID, ?, ? FROM episode WHERE id = ?",
        [now.seconds, saved.kind.rawValue, saved.seconds, episode.rawValue])
    }
  }

  /// The listening time in the range.
  public func listeningTotal(_ range: Range<Date>) throws(StoreError) -> ListeningTotal {
    var total = ListeningTotal()
    try spans(range) { total.add($0) }
    try savedTimes(range) { _, _, saved in total.add(saved) }
    return total
  }

  /// Days, weeks or months with listening time, newest first.
  /// - Parameters:
  ///   - unit: `.day`, `.weekOfYear` or `.month`.
  ///   - calendar: determines where they start, with its time zone and first weekday.
  public func listening(
    by unit: Calendar.Component, _ range: Range<Date>, calendar: Calendar = .current
  ) throws(StoreError) -> [ListeningPeriod] {
    var periods: [Date: ListeningTotal] = [:]
    // Records are in order of time, so nearly all are in the same period as the previous one.
    var current: DateInterval?
    func start(of date: Date) -> Date? {
      if current.map({ $0.start <= date && date < $0.end }) != true {
        current = calendar.dateInterval(of: unit, for: date)
      }
      return current?.start
    }
    try spans(range) { span in
      if let start = start(of: span.date) { periods[start, default: ListeningTotal()].add(span) }
    }
    try savedTimes(range) { date, _, saved in
      if let start = start(of: date) { periods[start, default: ListeningTotal()].add(saved) }
    }
    return periods.map { ListeningPeriod(start: $0, total: $1) }.sorted { $0.start > $1.start }
  }

  /// Podcasts with listening time, most played first.
  public func listeningByPodcast(_ range: Range<Date>) throws(StoreError) -> [PodcastListening] {
    var podcasts: [Int64: ListeningTotal] = [:]
    try spans(range) { podcasts[$0.podcast, default: ListeningTotal()].add($0) }
    try savedTimes(range) { _, podcast, saved in podcasts[podcast]?.add(saved) }
    let titles = try read { db in
      try db.rows("SELECT id, title FROM podcast")
        .reduce(into: [Int64: String]()) { try $0[$1[0]] = $1[1] }
    }
    return podcasts.map { id, total in
      PodcastListening(podcast: PodcastID(id), title: titles[id] ?? "Untitled", total: total)
    }.sorted { ($0.total.heard, $1.title) > ($1.total.heard, $0.title) }
  }

  /// The history: episodes by the time they were last played, latest first, including deleted ones.
  public func history(limit: Int) throws(StoreError) -> [HistoryEntry] {
    try read { db in
      try db.rows(
        """
        SELECT \(EpisodeColumns.list),
          (SELECT total(toTime - fromTime) FROM event
           WHERE episodeID = e.id AND kind = 'play' AND toTime > fromTime) AS heard
        FROM episode e INDEXED BY episodeHeard JOIN podcast p ON p.id = e.podcastID
        WHERE e.heardAt IS NOT NULL ORDER BY e.heardAt DESC, e.id DESC LIMIT ?
        """, [max(0, limit)]
      ).map { row in
        try HistoryEntry(
          row: EpisodeColumns.row(row), heardAt: Date(timeIntervalSince1970: row["heardAt"]), heard: row["heard"])
      }
    }
  }

  /// The spans played in the range, in order of time.
  private func spans(_ range: Range<Date>, _ body: (Span) -> Void) throws(StoreError) {
    try read { db in
      try db.each(
        """
        SELECT v.timestamp, v.episodeID, e.podcastID, v.toTime - v.fromTime, v.speed
        FROM event v INDEXED BY eventPlayed JOIN episode e ON e.id = v.episodeID
        WHERE v.kind = 'play' AND v.timestamp >= ? AND v.timestamp < ? AND v.toTime > v.fromTime
        ORDER BY v.timestamp
        """, [range.lowerBound.seconds, range.upperBound.seconds]
      ) { row in
        body(
          try Span(
            date: Date(timeIntervalSince1970: row[0]), episode: row[1], podcast: row[2], heard: row[3],
            speed: (row[4] as Double?).flatMap { $0 > 0 ? $0 : nil } ?? 1))
      }
    }
  }

  /// The saved times in the range, in order of time. `body` gets the date, the podcast and the saved time.
  private func savedTimes(_ range: Range<Date>, _ body: (Date, Int64, SavedTime) -> Void) throws(StoreError) {
    try read { db in
      try db.each(
        """
        SELECT timestamp, podcastID, kind, seconds FROM saving WHERE timestamp >= ? AND timestamp < ?
        ORDER BY timestamp
        """, [range.lowerBound.seconds, range.upperBound.seconds]
      ) { row in
        // A newer version may have stored other kinds.
        guard let kind = SavedTime.Kind(rawValue: try row[2]) else { return }
        body(try Date(timeIntervalSince1970: row[0]), try row[1], SavedTime(kind, seconds: try row[3]))
      }
    }
  }
}
