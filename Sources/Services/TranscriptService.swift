import FeedKit
import Foundation
import Model
import Store

/// Fetches transcripts when they are wanted, and stores them.
package struct TranscriptService: Sendable {
  package let library: Library
  package let client: FeedClient
  package let resources: Resources
  package let clock: @Sendable () -> Date

  package init(
    library: Library, client: FeedClient, resources: Resources, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.library = library
    self.client = client
    self.resources = resources
    self.clock = clock
  }

  /// The publisher's transcript, from the library or from the address in the feed; else the one that the listener has
  /// made. The error is a sentence for the listener.
  package func transcript(of id: EpisodeID) async throws(ReportedError) -> Transcript {
    if let stored = try stored(id) { return stored.transcript }
    do throws(ReportedError) {
      return try await fetched(id)
    } catch {
      if let made = (try? library.madeTranscript(id)) ?? nil { return made }
      throw error
    }
  }

  /// The stored transcript and the current one, which replaces it. Nil if no transcript was stored before the position
  /// was saved, because a later one may belong to another file than the one that was heard.
  /// - Parameter saved: when the position was saved.
  package func fetchAgain(
    _ id: EpisodeID, saved: Date
  ) async throws(ReportedError) -> (before: Transcript, now: Transcript)? {
    guard let stored = try stored(id), stored.updated <= saved else { return nil }
    return (stored.transcript, try await fetched(id))
  }

  /// Stores the transcript of an episode that begins to play, so that `@` can compare it when the file has changed.
  /// Does nothing if one is stored.
  package func fetchIfMissing(_ detail: EpisodeDetail) async throws(ReportedError) {
    guard let link = TranscriptReader.preferred(detail.feed.transcripts), resources.file(of: link.url) == nil,
      try stored(detail.id) == nil
    else { return }
    _ = try await fetched(detail.id)
  }

  private func stored(_ id: EpisodeID) throws(ReportedError) -> (transcript: Transcript, updated: Date)? {
    do throws(StoreError) { return try library.storedTranscript(id) } catch {
      throw ReportedError(error.description)
    }
  }

  private func fetched(_ id: EpisodeID) async throws(ReportedError) -> Transcript {
    let detail: EpisodeDetail
    let access: RequestAccess
    do throws(StoreError) {
      guard let found = try library.episode(id) else { throw StoreError.unknown("episode \(id)") }
      detail = found
      access = try library.access(of: found.row.podcast)
    } catch {
      throw ReportedError(error.description)
    }
    let links = TranscriptReader.sorted(detail.feed.transcripts)
    guard !links.isEmpty else { throw ReportedError("This episode has no transcript.") }
    let transcript = try await first(of: links.prefix(Self.tries), access)
    // If it cannot be stored now, such as on a full disk, it is fetched again.
    try? library.saveTranscript(transcript, of: id, now: clock())
    return transcript
  }

  /// How many links of an episode are tried.
  private static let tries = 4

  /// The first transcript that can be read. The error is that of the best one.
  private func first(
    of links: some Sequence<TranscriptLink>, _ access: RequestAccess
  ) async throws(ReportedError) -> Transcript {
    var failure: ReportedError?
    for link in links {
      do throws(ReportedError) { return try await read(link, access) } catch { failure = failure ?? error }
    }
    throw failure ?? ReportedError("This episode has no transcript.")
  }

  private func read(_ link: TranscriptLink, _ access: RequestAccess) async throws(ReportedError) -> Transcript {
    if let file = resources.file(of: link.url) { return try Self.read(file, as: link) }
    do throws(FeedError) {
      return try await client.transcript(link, access: access)
    } catch {
      guard error.isConnectivity else { throw ReportedError("The transcript cannot be read: \(error.cause)") }
      throw ReportedError(
        "The transcript could not be fetched: \(error.cause). Open it again to retry.", .connectivity)
    }
  }

  /// Reads a file that comes with the program.
  private static func read(_ file: String, as link: TranscriptLink) throws(ReportedError) -> Transcript {
    do {
      let body = try Data(contentsOf: URL(fileURLWithPath: file))
      return try TranscriptReader.read(body, type: link.type, url: link.url)
    } catch let error as TranscriptError {
      throw ReportedError("The transcript cannot be read: \(error.description)")
    } catch {
      throw ReportedError("The transcript cannot be read: \(file): \(FileFailure.text(error))")
    }
  }
}
