import FeedKit
import Foundation
import HTTP
import Model
import Store

/// Fetches chapters and transcripts of new episodes, so that search finds them before they are played. It fetches one
/// at a time, a few for each podcast, and nothing more from a server that failed.
struct EpisodeDocumentFetcher: Sendable {
  let library: Library
  let client: FeedClient
  let preferences: RefreshPreferences
  var clock: @Sendable () -> Date = { Date() }

  /// How many of a podcast's newest episodes are handled after a refresh.
  static let limitPerPodcast = 5
  /// How many documents are fetched after a refresh.
  static let limit = 200

  /// - Parameter podcasts: the new episodes of each podcast, newest first.
  /// - Returns: how many documents were fetched.
  @discardableResult
  func fetch(_ podcasts: [[EpisodeID]]) async -> Int {
    guard preferences.fetchesChapters || preferences.fetchesTranscripts else { return 0 }
    var run = Run()
    for episode in podcasts.flatMap({ $0.prefix(Self.limitPerPodcast) }) {
      guard !Task.isCancelled, run.documents < Self.limit else { break }
      // A deleted episode needs none.
      guard let detail = try? library.episode(episode) else { continue }
      if preferences.fetchesChapters, let address = detail.feed.chaptersURL {
        await run.ask(address) { () async throws(FeedError) -> Bool in try await fetchChapters(of: detail, at: address)
        }
      }
      if preferences.fetchesTranscripts, let link = TranscriptReader.preferred(detail.feed.transcripts) {
        await run.ask(link.url) { () async throws(FeedError) -> Bool in try await fetchTranscript(of: detail, link) }
      }
    }
    return run.fetched
  }

  /// What was fetched after this refresh.
  private struct Run {
    var documents = 0
    var fetched = 0
    /// Servers that failed or refused.
    var hosts: Set<String> = []

    mutating func ask(_ address: String, _ fetch: () async throws(FeedError) -> Bool) async {
      guard let host = (try? WebAddress(address))?.hostAndPort, !hosts.contains(host) else { return }
      documents += 1
      do throws(FeedError) {
        if try await fetch() { fetched += 1 }
      } catch {
        // The documents are optional and are fetched again when they are needed. A missing document does not mean that
        // the server fails.
        if error.isConnectivity, error != .http(.notFound), error != .http(.gone) { hosts.insert(host) }
      }
    }
  }

  /// What the requests for an episode carry. If the library cannot be read, the server answers 401, and the document is
  /// fetched when it is needed.
  private func access(of detail: EpisodeDetail) -> RequestAccess {
    (try? library.access(of: detail.row.podcast)) ?? RequestAccess()
  }

  /// - Returns: false if nothing was stored.
  private func fetchChapters(of detail: EpisodeDetail, at address: String) async throws(FeedError) -> Bool {
    let chapters = try await client.chapters(at: address, access: access(of: detail))
    return library.storeIfPossible { library throws(StoreError) in
      try library.saveChapters(chapters, from: .json(address: address), of: detail.id, now: clock())
    }
  }

  private func fetchTranscript(of detail: EpisodeDetail, _ link: TranscriptLink) async throws(FeedError) -> Bool {
    guard (try? library.publishedTranscript(detail.id)) == nil else { return false }
    let transcript = try await client.transcript(link, access: access(of: detail))
    return library.storeIfPossible { library throws(StoreError) in
      try library.saveTranscript(transcript, of: detail.id, now: clock())
    }
  }
}
