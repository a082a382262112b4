import Foundation
import GRDB
import Model

/// The statistics of one year.
extension Library {
  /// - Parameter calendar: determines where years, months and days start.
  public func year(_ year: Int, calendar: Calendar = .current) throws(StoreError) -> YearInListening {
    var result = YearInListening(year: year)
    guard let start = calendar.date(from: DateComponents(year: year, month: 1, day: 1)),
      let end = calendar.date(byAdding: .year, value: 1, to: start)
    else { return result }
    let range = start..<end
    let total = try listeningTotal(range)
    (result.heard, result.episodes) = (total.heard, total.episodes)
    result.saved = total.savings.filter { $0.amount >= 1 }
    for month in try listening(by: .month, range, calendar: calendar) {
      let number = calendar.component(.month, from: month.start)
      if (1...12).contains(number) { result.months[number - 1] = month.total.heard }
    }
    let days = try listening(by: .day, range, calendar: calendar).map { calendar.dayNumber($0.start) }
    result.days = days.count
    let streaks = YearInListening.Streak.all(of: days)
    // The latest of equal ones.
    result.streak = streaks.last { streak in streak.days == streaks.map(\.days).max() }
    let podcasts = try listeningByPodcast(range)
    result.podcasts = podcasts.count(where: { $0.total.heard > 0 })
    result.mostHeard = podcasts.prefix(5).map { .init(title: $0.title, amount: $0.total.heard) }
    try readBookmarks(range, into: &result)
    return result
  }

  private func readBookmarks(_ range: Range<Date>, into result: inout YearInListening) throws(StoreError) {
    let rows = try read { db in
      try db.rows(
        """
        SELECT p.title, e.title, count(*) FROM clip c JOIN episode e ON e.id = c.episodeID
        JOIN podcast p ON p.id = e.podcastID
        WHERE c.kind = 'clip' AND c.dateCreated >= ? AND c.dateCreated < ?
        GROUP BY e.id ORDER BY count(*) DESC, max(c.dateCreated) DESC
        """, [range.lowerBound.seconds, range.upperBound.seconds]
      ).map { row in
        YearInListening.Entry(
          title: "\(try row[0] as String): \((try row[1] as String?) ?? "")", amount: Double(try row[2] as Int64))
      }
    }
    result.bookmarks = Int(rows.reduce(0) { $0 + $1.amount })
    result.mostBookmarked = Array(rows.prefix(3))
  }
}
