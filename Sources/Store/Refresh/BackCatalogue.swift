import Foundation
import Model

/// The episodes of a document that existed before the listener subscribed, or before the feed was last read.
struct BackCatalogue {
  var rule: CatalogueRule
  /// Only episodes that are older than the news are part of it; nil: all new episodes of the document. `subscribed` is
  /// the start of the news if no episode is stored, because the feed was empty before. Dates later than now are wrong,
  /// or announce something.
  var news: (subscribed: Date, now: Date)?
  /// The rank of its newest episode. Nil: after the ranks of the podcast.
  var firstRank: Int?

  /// - Parameter added: the items of the document that are not stored yet.
  func members(among added: [Int], of items: [EpisodeKey], stored: [EpisodeKey]) -> [Int] {
    guard !added.isEmpty, let news else { return added }
    guard !stored.isEmpty else {
      return added.filter { items[$0].pubDate.map { $0 < news.subscribed.timeIntervalSince1970 } ?? false }
    }
    guard let start = Self.startOfNews(stored, items: items, now: news.now) else { return [] }
    return added.filter { items[$0].pubDate.map { $0 < start } ?? false }
  }

  /// Publishers list episodes of past years again. News is what is dated later than one interval of the podcast before
  /// its newest known episode. An interval is at least a day, because feeds are delayed, and at most a quarter of a
  /// year.
  /// - Returns: seconds since 1970. Nil: no date is known.
  private static func startOfNews(_ stored: [EpisodeKey], items: [EpisodeKey], now: Date) -> Double? {
    let latest = now.timeIntervalSince1970 + day
    let known = stored.filter { $0.pubDate.map { $0 <= latest } ?? false }
    guard let newest = known.lazy.compactMap(\.pubDate).max() else { return nil }
    let rhythm = EpisodeMatcher.rhythm(known) ?? EpisodeMatcher.rhythm(items)
    return newest - min(max(rhythm ?? 0, day), 90 * day)
  }

  private static let day = 86_400.0
}
