import Foundation
import GRDB
import Model

/// How values of the model are spelt in columns.

extension EpisodeStatus {
  /// Ordered so that `< 3` is unplayed and `< 4` is listed: the partial indexes say so.
  private static let codes: [EpisodeStatus] = [.new, .playing, .paused, .played, .deleted]
  var code: Int { Self.codes.firstIndex(of: self) ?? 0 }
  init(code: Int) { self = Self.codes.indices.contains(code) ? Self.codes[code] : .new }
}

extension PodcastSource {
  var columns: (source: String, id: String) {
    switch self {
    case .rss(let url): ("rss", url)
    case .apple(let id): ("apple", id)
    case .spotify(let id): ("spotify", id)
    }
  }
  init(source: String, id: String) {
    switch source {
    case "apple": self = .apple(collectionID: id)
    case "spotify": self = .spotify(id: id)
    default: self = .rss(url: id)
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
  init(health: String, message: String?) {
    switch health {
    case "good": self = .good
    case "connectivity": self = .failed(connectivity: true, message: message ?? "")
    case "invalid": self = .failed(connectivity: false, message: message ?? "")
    case "gone": self = .gone
    default: self = .unknown
    }
  }
}

extension Date {
  /// As columns hold it: seconds since 1970.
  var seconds: Double { timeIntervalSince1970 }
  init?(seconds: Double?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}
