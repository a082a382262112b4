import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Answers of directories, and the requests to them.
extension Driver {
  static func results(_ titles: [String], waiting: [String] = []) -> DiscoverResults {
    var results = DiscoverResults()
    results.podcasts = titles.map { title in
      var podcast = FoundPodcast(title: title)
      let host = title.lowercased().filter { $0.isASCII && $0.isLetter }
      podcast.feedURL = "https://\(host).example/feed"
      podcast.author = "By somebody"
      podcast.episodeCount = 12
      podcast.genres = ["Science"]
      podcast.directories = ["Apple Podcasts", "fyyd"]
      podcast.summary = Document(blocks: [.paragraph([.init("All about \(Sanitize.line(title)).")])])
      return podcast
    }
    results.waiting = waiting
    return results
  }

  static func visited(_ id: PodcastID, _ title: String) -> VisitedPodcast {
    VisitedPodcast(id: id, podcast: results([title]).podcasts[0])
  }

  /// Sends the answers of all directories to the last search.
  mutating func answerDiscover(_ titles: [String], failures: [String] = [], asked: Int = 3) {
    guard let request = state.awaited.request(.directories) else {
      Issue.record("no directory was asked")
      return
    }
    var results = Self.results(titles)
    results.failures = failures
    (results.asked, results.answered) = (asked, asked - failures.count)
    send(.discover(request, .results(results)))
  }

  mutating func answerVisit(_ id: PodcastID, _ title: String) {
    guard let request = state.awaited.visit else {
      Issue.record("no podcast was asked for")
      return
    }
    send(.visited(request, .success(Self.visited(id, title))))
  }
}

extension [Effect] {
  var network: [NetworkTask] {
    compactMap {
      if case .network(let task) = $0 { if case .cover = task { nil } else { task } } else { nil }
    }
  }

  var discoveries: [(request: RequestID, query: DiscoverQuery, isTyped: Bool)] {
    network.compactMap {
      if case .discover(let request, let query, let isTyped) = $0 { (request, query, isTyped) } else { nil }
    }
  }

  var visits: [(request: RequestID, target: VisitRequest)] {
    network.compactMap { if case .visit(let request, let target) = $0 { (request, target) } else { nil } }
  }
}
