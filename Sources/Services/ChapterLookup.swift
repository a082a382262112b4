import FeedKit
import Foundation
import Model
import Store

/// The chapters of an episode that is not loaded: the stored ones, and the current JSON file that the feed names.
/// Chapters in the media file are only known after it was played.
package struct ChapterLookup: Sendable {
  package let library: Library
  package let client: FeedClient
  package let clock: @Sendable () -> Date

  package init(library: Library, client: FeedClient, clock: @escaping @Sendable () -> Date = { Date() }) {
    self.library = library
    self.client = client
    self.clock = clock
  }

  /// All known chapters, and the error if the JSON file could not be fetched.
  package func sources(of id: EpisodeID) async throws(StoreError) -> (known: ChapterSources, failure: FeedError?) {
    var known = try library.chapterSources(id)
    guard let address = known.address, !Resources.isBuiltIn(address), let detail = try library.episode(id) else {
      return (known, nil)
    }
    let credentials = try library.credentials(of: detail.row.podcast)
    do throws(FeedError) {
      guard case .value(let read, _) = try await client.chapters(at: address, credentials: credentials) else {
        return (known, nil)
      }
      (known.json, known.jsonAddress) = (read, address)
      library.storeIfPossible { library throws(StoreError) in
        try library.saveChapters(read, from: .json(address: address), of: id, now: clock())
      }
      return (known, nil)
    } catch {
      return (known, error)
    }
  }
}
