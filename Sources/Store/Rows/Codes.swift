import Foundation
import GRDB
import Model

// How values of the model are stored in columns. An unknown code is an error: the listener's data must not be
// misread.

extension EpisodeStatus {
  /// Ordered so that `< 3` means unplayed and `< 4` means listed. The partial indexes depend on it.
  private static let codes: [EpisodeStatus] = [.new, .playing, .paused, .played, .deleted]
  var code: Int { Self.codes.firstIndex(of: self) ?? 0 }
  /// Throws `StoreError.invalid` for an unknown code.
  init(code: Int) throws {
    guard Self.codes.indices.contains(code) else { throw StoreError.unknownCode("\(code)", what: "a status") }
    self = Self.codes[code]
  }
}

/// Conditions on the status of an episode in SQL, for example `e.\(StatusIs.listed)`. The codes are literals, so that
/// SQLite uses the partial indexes with the same condition.
enum StatusIs {
  /// Not deleted.
  static let listed = "status < \(EpisodeStatus.deleted.code)"
  static let deleted = "status = \(EpisodeStatus.deleted.code)"
  /// New or begun. In a query that must not use the index of the status, write `+` before it
  /// (https://www.sqlite.org/optoverview.html#uplus).
  static let unplayed = "status < \(EpisodeStatus.played.code)"
  static let played = "status = \(EpisodeStatus.played.code)"
  static let new = "status = \(EpisodeStatus.new.code)"
  static let playing = "status = \(EpisodeStatus.playing.code)"
  static let paused = "status = \(EpisodeStatus.paused.code)"
  static let begun = "status IN (\(EpisodeStatus.playing.code), \(EpisodeStatus.paused.code))"
}

extension PodcastSource {
  var columns: (source: String, id: String) {
    switch self {
    case .rss(let url): ("rss", url)
    case .apple(let id): ("apple", id)
    case .spotify(let id): ("spotify", id)
    }
  }
  init(source: String, id: String) throws {
    switch source {
    case "rss": self = .rss(url: id)
    case "apple": self = .apple(collectionID: id)
    case "spotify": self = .spotify(id: id)
    default: throw StoreError.unknownCode(source, what: "the source of a podcast")
    }
  }
}

extension FeedHealth {
  var columns: (health: String, message: String?) {
    switch self {
    case .unknown: ("unknown", nil)
    case .good: ("good", nil)
    case .failed(let connectivity, let message): (connectivity ? "connectivity" : "invalid", message)
    case .gone: ("gone", nil)
    }
  }
  init(health: String, message: String?) throws {
    switch health {
    case "unknown": self = .unknown
    case "good": self = .good
    case "connectivity", RequestedPause.feed.rawValue, RequestedPause.server.rawValue:
      self = .failed(connectivity: true, message: message ?? "")
    case "invalid": self = .failed(connectivity: false, message: message ?? "")
    case "gone": self = .gone
    default: throw StoreError.unknownCode(health, what: "the health of a feed")
    }
  }
}

extension Date {
  /// The column value: seconds since 1970.
  var seconds: Double { timeIntervalSince1970 }
  init?(seconds: Double?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}
