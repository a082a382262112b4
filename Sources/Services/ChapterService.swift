import FeedKit
import Foundation
import Logging
import Model
import Store
import Synchronization

/// Merges the chapters of the loaded episode from the feed, the JSON file that it names, and the media file
/// (`ChapterMerge`). The chapters of each source are stored, so that the next start shows them at once.
///
/// `sources` reads the chapters of an episode that is not loaded.
package final class ChapterService: Sendable {
  private let client: FeedClient
  private let library: Library
  private let media: MediaChapters
  /// Called with all chapters that are known for a load.
  private let deliver: @Sendable (_ generation: Int, [Chapter]) -> Void
  private let log: Logger
  private let sources = Mutex(Sources())

  private struct Sources {
    var generation = -1
    var episode: EpisodeID?
    /// What the player opens.
    var address = ""
    var known = ChapterSources()
  }

  package init(
    client: FeedClient, library: Library, media: MediaChapters = MediaChapters(streams: nil), log: Logger,
    deliver: @escaping @Sendable (_ generation: Int, [Chapter]) -> Void = { _, _ in }
  ) {
    self.client = client
    self.library = library
    self.media = media
    self.deliver = deliver
    self.log = log
  }

  /// Begins with an episode that is about to be loaded.
  /// - Parameter address: what the player opens.
  /// - Returns: the stored chapters. Those of the JSON file follow through `deliver`.
  package func begin(_ generation: Int, _ detail: EpisodeDetail, address: String) throws(StoreError) -> [Chapter] {
    var known = try library.chapterSources(detail.id)
    (known.address, known.feed) = (detail.feed.chaptersURL, detail.feed.chapters)
    sources.withLock { [known] in
      $0 = Sources(generation: generation, episode: detail.id, address: address, known: known)
    }
    if let address = known.address, !Resources.isBuiltIn(address) {
      let access = try library.access(of: detail.row.podcast)
      Task { await fetch(address, access, for: generation) }
    }
    return known.merged
  }

  /// Receives the chapters in the opened file, which may be none.
  package func found(_ generation: Int, _ chapters: [Chapter]) {
    let chapters = media.corrected(chapters, in: sources.withLock { $0.address })
    take(chapters, from: .file, generation) { $0.file = chapters }
  }

  /// The stored chapters of an episode, with the current ones of the JSON file that the feed names, and the error if
  /// that could not be fetched. Chapters in the media file are only known after it was played.
  package func sources(of id: EpisodeID) async throws(StoreError) -> (known: ChapterSources, failure: FeedError?) {
    var known = try library.chapterSources(id)
    guard let address = known.address, !Resources.isBuiltIn(address), let detail = try library.episode(id) else {
      return (known, nil)
    }
    let access = try library.access(of: detail.row.podcast)
    do throws(FeedError) {
      let read = try await client.chapters(at: address, access: access)
      (known.json, known.jsonAddress) = (read, address)
      store(read, from: .json(address: address), of: id)
      return (known, nil)
    } catch {
      return (known, error)
    }
  }

  private func fetch(_ address: String, _ access: RequestAccess, for generation: Int) async {
    do throws(FeedError) {
      let read = try await client.chapters(at: address, access: access)
      take(read, from: .json(address: address), generation) { ($0.json, $0.jsonAddress) = (read, address) }
    } catch {
      // Chapters are optional, so the error is only logged.
      log.info("chapters of \(ShownAddress(address)): \(error.cause)")
      let known = sources.withLock { $0.generation == generation ? $0.known : nil }
      if let known { deliver(generation, known.merged) }
    }
  }

  /// Stores the chapters of a source and delivers the merged ones, unless another episode was loaded meanwhile.
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
    if let episode = current.episode { store(chapters, from: source, of: episode) }
  }

  private func store(_ chapters: [Chapter], from source: ChapterSource, of episode: EpisodeID) {
    do throws(StoreError) {
      try library.saveChapters(chapters, from: source, of: episode, now: Date())
    } catch {
      log.error("storing chapters: \(error)")
    }
  }
}
