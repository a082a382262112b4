import Directories
import Foundation
import Model
import Synchronization

/// Searches directories for the Discover screen. All are asked at once, and each answer is shown as it arrives.
package struct DiscoverService: Sendable {
  package let access: DirectoryAccess
  /// The country of charts if the query names none.
  package let country: String
  /// How long the line must stay unchanged before a search begins while typing. Each search tells the directories what
  /// was typed, and Apple allows about 20 a minute.
  private let pause: Duration

  package init(access: DirectoryAccess, country: String, pause: Duration = .milliseconds(500)) {
    self.access = access
    self.country = country
    self.pause = pause
  }

  private static let limit = 40

  /// Searches, and reports until all directories have answered or the task is cancelled.
  package func search(
    _ query: DiscoverQuery, isTyped: Bool, report: @escaping @Sendable (DiscoverReport) -> Void
  ) async {
    if isTyped { try? await Task.sleep(for: pause) }
    guard !Task.isCancelled else { return }
    let kind: DirectoryQuery.Kind
    switch query.kind {
    case .podcasts: kind = .podcasts
    case .episodes: kind = .episodes
    case .people: kind = .people
    case .charts(let name):
      let genre = name.flatMap { Genre(named: $0) }
      if let name, genre == nil {
        let names = Genre.all.map(\.name).joined(separator: ", ")
        return report(.failed(ReportedError("There are no charts of “\(name)”; there are \(names)")))
      }
      kind = .top(genre: genre)
    }
    let question = DirectoryQuery(
      query.words, kind: kind, country: query.country ?? country, limit: Self.limit)
    let directories = await access.directories(for: question)
    guard !directories.isEmpty else {
      return report(.failed(ReportedError("No directory that is asked can answer this; Podcast Index needs a key")))
    }
    let progress = Mutex(Progress(question, waiting: directories.map(\.name)))
    report(.results(progress.withLock { $0.shown }))
    await DirectorySearch(directories).run(question) { outcome in
      report(
        .results(
          progress.withLock { progress in
            progress.results.add(outcome)
            progress.waiting.removeAll { $0 == outcome.name }
            return progress.shown
          }))
    }
  }

  /// The results so far, and the directories that have not answered.
  private struct Progress {
    var results: DirectoryResults
    var waiting: [DirectoryName]
    private let asked: Int

    init(_ query: DirectoryQuery, waiting: [DirectoryName]) {
      results = DirectoryResults(query)
      self.waiting = waiting
      asked = waiting.count
    }

    var shown: DiscoverResults {
      var shown = DiscoverResults()
      shown.podcasts = results.podcasts.map { FoundPodcast($0) }
      shown.episodes = results.episodes.map { FoundEpisode($0) }
      shown.failures = results.failures.map(\.description)
      shown.skipped = results.skipped
      shown.asked = asked
      shown.answered = asked - waiting.count - results.failures.count
      shown.waiting = waiting.map(\.title)
      return shown
    }
  }
}
