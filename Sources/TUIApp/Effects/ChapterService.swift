import FeedKit
import Foundation
import Logging
import Model
import Store
import Synchronization

/// Brings together the chapters of what is played: those of the feed, of the JSON it names, and of the file itself
/// (PROTOCOLS.md §8). What comes out is stored, so that the next start shows it at once.
final class ChapterService: Sendable {
  private let client: FeedClient
  private let library: Library
  /// Takes what is known now of the chapters of a load.
  private let deliver: @Sendable (_ generation: Int, [Chapter]) -> Void
  private let log: Logger
  private let sources = Mutex(Sources())

  private struct Sources {
    var generation = -1
    var episode: EpisodeID?
    /// Of the last time; stands in for JSON that cannot be fetched.
    var stored: [Chapter] = []
    var json: [Chapter] = []
    var podlove: [Chapter] = []
    var file: [Chapter] = []
    /// The JSON is still on its way.
    var isFetching = false

    var merged: [Chapter] { ChapterMerge.merge([json, podlove, file]) }
  }

  init(
    client: FeedClient, library: Library, log: Logger,
    deliver: @escaping @Sendable (_ generation: Int, [Chapter]) -> Void
  ) {
    self.client = client
    self.library = library
    self.deliver = deliver
    self.log = log
  }

  /// An episode is about to be played. Returns what can be shown at once; what the JSON says comes later.
  func begin(_ generation: Int, _ detail: EpisodeDetail) throws(StoreError) -> [Chapter] {
    let stored = try library.chapters(detail.id)
    let address = detail.feed.chaptersURL
    sources.withLock { sources in
      sources = Sources(
        generation: generation, episode: detail.id, stored: stored, podlove: detail.feed.chapters,
        isFetching: address != nil)
    }
    if let address { Task { await fetch(address, for: generation) } }
    return stored
  }

  /// The file has been opened and has these.
  func found(_ generation: Int, _ chapters: [Chapter]) {
    let isCurrent = sources.withLock { sources in
      guard sources.generation == generation else { return false }
      sources.file = ChapterMerge.fileChapters(chapters)
      return true
    }
    if isCurrent { emit(generation) }
  }

  private func fetch(_ address: String, for generation: Int) async {
    var chapters: [Chapter]?
    do {
      if case .value(let read, _) = try await client.chapters(at: address) { chapters = read }
    } catch {
      // Chapters are an extra: the episode plays without, and the last ones are shown.
      log.info("chapters of \(address): \(error)")
    }
    let isCurrent = sources.withLock { [chapters] sources in
      guard sources.generation == generation else { return false }
      sources.isFetching = false
      sources.json = chapters ?? sources.stored
      return true
    }
    if isCurrent { emit(generation) }
  }

  /// What is known now, for the screen; and once it is all, for the library.
  private func emit(_ generation: Int) {
    let (merged, episode, isNews) = sources.withLock { sources in
      let merged = sources.merged
      let isNews = !sources.isFetching && merged != sources.stored && !merged.isEmpty
      if isNews { sources.stored = merged }
      return (merged, sources.episode, isNews)
    }
    deliver(generation, merged)
    guard isNews, let episode else { return }
    do throws(StoreError) {
      try library.saveChapters(merged, of: episode, now: Date())
    } catch {
      log.error("storing chapters: \(error)")
    }
  }
}
