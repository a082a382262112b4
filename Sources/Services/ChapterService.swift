import FeedKit
import Foundation
import Logging
import Model
import Store
import Synchronization

/// Brings together the chapters of what is played: those of the feed, of the JSON it names, and of the file itself
/// (`ChapterMerge`). What each source has is stored, so that the next start shows it at once.
package final class ChapterService: Sendable {
  private let client: FeedClient
  private let library: Library
  /// Takes what is known now of the chapters of a load.
  private let deliver: @Sendable (_ generation: Int, [Chapter]) -> Void
  private let log: Logger
  private let sources = Mutex(Sources())

  private struct Sources {
    var generation = -1
    var episode: EpisodeID?
    var known = ChapterSources()
  }

  package init(
    client: FeedClient, library: Library, log: Logger,
    deliver: @escaping @Sendable (_ generation: Int, [Chapter]) -> Void
  ) {
    self.client = client
    self.library = library
    self.deliver = deliver
    self.log = log
  }

  /// An episode is about to be played. Returns what can be shown at once; what the JSON says comes later.
  package func begin(_ generation: Int, _ detail: EpisodeDetail) throws(StoreError) -> [Chapter] {
    var known = try library.chapterSources(detail.id)
    (known.address, known.feed) = (detail.feed.chaptersURL, detail.feed.chapters)
    sources.withLock { [known] in $0 = Sources(generation: generation, episode: detail.id, known: known) }
    if let address = known.address, !Resources.isBuiltIn(address) {
      let credentials = try library.credentials(of: detail.row.podcast)
      Task { await fetch(address, credentials, for: generation) }
    }
    return known.merged
  }

  /// The file has been opened and has these; none is news, too.
  package func found(_ generation: Int, _ chapters: [Chapter]) {
    let chapters = ChapterMerge.fileChapters(chapters)
    take(chapters, from: .file, generation) { $0.file = chapters }
  }

  private func fetch(_ address: String, _ credentials: Credentials?, for generation: Int) async {
    do throws(FeedError) {
      guard case .value(let read, _) = try await client.chapters(at: address, credentials: credentials) else { return }
      take(read, from: .json(address: address), generation) { ($0.json, $0.jsonAddress) = (read, address) }
    } catch {
      // Chapters are an extra: the episode plays without, and the last ones are shown.
      log.info("chapters of \(ShownAddress(address)): \(error.cause)")
      let known = sources.withLock { $0.generation == generation ? $0.known : nil }
      if let known { deliver(generation, known.merged) }
    }
  }

  /// What a source has, for the screen and for the library; unless another episode is played by now.
  private func take(
    _ chapters: [Chapter], from source: ChapterSource, _ generation: Int, _ change: (inout ChapterSources) -> Void
  ) {
    let current = sources.withLock { sources -> (merged: [Chapter], episode: EpisodeID?)? in
      guard sources.generation == generation else { return nil }
      change(&sources.known)
      return (sources.known.merged, sources.episode)
    }
    guard let current else { return }
    deliver(generation, current.merged)
    guard let episode = current.episode else { return }
    do throws(StoreError) {
      try library.saveChapters(chapters, from: source, of: episode, now: Date())
    } catch {
      log.error("storing chapters: \(error)")
    }
  }
}
