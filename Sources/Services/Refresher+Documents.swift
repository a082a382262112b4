import FeedKit
import Foundation
import HTTP
import Model
import Store

/// Fetches chapters and transcripts of new episodes, so that search finds them before they are played. It fetches one
/// at a time, a few for each podcast, and nothing more from a server that failed.
extension Refresher {
  /// How many of a podcast's newest episodes are handled after a refresh.
  private static let documentedEpisodes = 5
  /// How many documents are fetched after a refresh.
  private static let documentLimit = 200

  /// - Parameter podcasts: the new episodes of each podcast, newest first.
  func fetchDocuments(of podcasts: [[EpisodeID]]) async {
    guard preferences.fetchesChapters || preferences.fetchesTranscripts else { return }
    var run = DocumentRun()
    for episode in podcasts.flatMap({ $0.prefix(Self.documentedEpisodes) }) {
      guard !Task.isCancelled, run.documents < Self.documentLimit else { break }
      // A deleted episode needs none.
      guard let detail = try? library.episode(episode) else { continue }
      if preferences.fetchesChapters, let address = detail.feed.chaptersURL {
        await run.ask(address) { () async throws(FeedError) in try await fetchChapters(of: detail, at: address) }
      }
      if preferences.fetchesTranscripts, let link = TranscriptReader.preferred(detail.feed.transcripts) {
        await run.ask(link.url) { () async throws(FeedError) in try await fetchTranscript(of: detail, link) }
      }
    }
  }

  /// What was fetched after this refresh.
  private struct DocumentRun {
    var documents = 0
    /// Servers that failed or refused.
    var hosts: Set<String> = []

    mutating func ask(_ address: String, _ fetch: () async throws(FeedError) -> Void) async {
      guard let host = (try? WebAddress(address))?.hostAndPort, !hosts.contains(host) else { return }
      documents += 1
      do throws(FeedError) {
        try await fetch()
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

  private func fetchChapters(of detail: EpisodeDetail, at address: String) async throws(FeedError) {
    let chapters = try await client.chapters(at: address, access: access(of: detail))
    // If they cannot be stored now, such as on a full disk, they are fetched again when they are needed.
    try? library.saveChapters(chapters, from: .json(address: address), of: detail.id, now: clock())
  }

  private func fetchTranscript(of detail: EpisodeDetail, _ link: TranscriptLink) async throws(FeedError) {
    guard (try? library.storedTranscript(detail.id)) == nil else { return }
    let transcript = try await client.transcript(link, access: access(of: detail))
    try? library.saveTranscript(transcript, of: detail.id, now: clock())
  }
}
