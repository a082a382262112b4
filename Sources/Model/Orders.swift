import Foundation

/// The order of the list of podcasts.
public enum PodcastOrder: String, Sendable, Equatable, Codable, CaseIterable {
  case title
  /// By the date of the newest episode.
  case newest
  /// Those with new episodes first.
  case new
  /// By the number of unplayed episodes.
  case unplayed
  /// The manual order. Podcasts that were added since are at the end.
  case manual = "hand"

  /// - Parameter rows: in order of title, which decides between equal ones.
  public func sorted(_ rows: [PodcastRow]) -> [PodcastRow] {
    guard self != .title else { return rows }
    let ranked = rows.map { (rank: rank(of: $0), row: $0) }
    return ranked.sorted { $0.rank < $1.rank }.map(\.row)
  }

  private func rank(of row: PodcastRow) -> Double {
    switch self {
    case .title: 0
    case .newest: -(row.lastPubDate?.timeIntervalSince1970 ?? -.infinity)
    case .new: row.new > 0 ? 0 : 1
    case .unplayed: -Double(row.unplayed)
    case .manual: row.rank.map(Double.init) ?? .infinity
    }
  }
}

/// The order of a podcast's episodes in its list.
public enum EpisodeOrder: String, Sendable, Equatable, Codable, CaseIterable {
  case newest
  /// As they are heard from the first to the last. New then has only the next one after the last heard.
  case oldest

  /// Such as `newest first`.
  public var words: String { "\(rawValue) first" }
}

/// How the queue can be sorted.
public enum QueueOrder: String, Sendable, Equatable, CaseIterable {
  case oldest, newest, shortest, longest, podcast, shuffle

  /// Such as `shortest first`.
  public var words: String {
    switch self {
    case .oldest, .newest, .shortest, .longest: "\(rawValue) first"
    case .podcast: "by podcast"
    case .shuffle: "shuffled"
    }
  }
}
