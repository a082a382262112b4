import FeedKit
import Model
import Synchronization

/// Reports the progress of a feed that is being added: the first episodes at once, later ones at most every 250 ms, so
/// that the screen can be read.
final class ArrivalPreview: Sendable {
  private struct Arrived {
    var podcast = ArrivingPodcast(title: nil, titles: [], episodes: 0)
    var reported: ContinuousClock.Instant?
  }

  private static let pause = Duration.milliseconds(250)

  private let report: @Sendable (ArrivingPodcast) -> Void
  private let arrived = Mutex(Arrived())

  init(report: @escaping @Sendable (ArrivingPodcast) -> Void) { self.report = report }

  /// Adds episodes that have arrived. They may start again from the first, after a failed attempt or at a new address
  /// of the feed.
  func add(_ episodes: [FeedEpisode], of podcast: FeedPodcast) {
    let now = ContinuousClock.now
    let news = arrived.withLock { arrived -> ArrivingPodcast? in
      let titles = episodes.prefix(ArrivingPodcast.titleLimit).map { CleanText.line($0.title ?? "Untitled") }
      if let first = titles.first, first == arrived.podcast.titles.first { arrived = Arrived() }
      let room = ArrivingPodcast.titleLimit - arrived.podcast.titles.count
      arrived.podcast.titles += titles.prefix(room)
      arrived.podcast.episodes += episodes.count
      arrived.podcast.title = podcast.title.map(CleanText.line)
      guard room > 0 || arrived.reported.map({ now - $0 >= Self.pause }) ?? true else { return nil }
      arrived.reported = now
      return arrived.podcast
    }
    if let news { report(news) }
  }
}
