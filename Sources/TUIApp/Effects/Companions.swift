import AppCore
import FeedKit
import Foundation
import Model
import Store

/// Transcripts, which are documents of their own: fetched when they are wanted, kept in the library from then on.
struct Companions: Sendable {
  let library: Library
  let client: FeedClient
  let resources: Resources
  var clock: @Sendable () -> Date = { Date() }

  /// More than any transcript; an answer that is longer is something else.
  private static let longest: Int64 = 48_000_000

  /// The transcript, from the library or from where the feed says it is. The error is for people, as the view shows it.
  func transcript(of id: EpisodeID) async throws(ReportedError) -> Transcript {
    let detail: EpisodeDetail
    do throws(StoreError) {
      if let stored = try library.transcript(id) { return stored }
      guard let found = try library.episode(id) else { throw StoreError.unknown("episode \(id)") }
      detail = found
    } catch {
      throw ReportedError(error.description)
    }
    guard let link = TranscriptReader.preferred(detail.feed.transcripts) else {
      throw ReportedError("This episode has no transcript.")
    }
    let body: Data
    do throws(ReportedError) {
      body = try await fetch(link.url)
    } catch {
      throw ReportedError(
        "The transcript could not be fetched: \(error.text). Close this view and open it to try again.")
    }
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(body, type: link.type, url: link.url)
      keep { () throws(StoreError) in try library.saveTranscript(transcript, of: id, now: clock()) }
      return transcript
    } catch {
      throw ReportedError("The transcript cannot be read: \(error.description)")
    }
  }

  private func fetch(_ address: String) async throws(ReportedError) -> Data {
    if let file = resources.file(of: address) {
      do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
        throw ReportedError("\(file): \(error.localizedDescription)")
      }
    }
    do throws(FeedError) {
      let accept = "text/vtt, application/x-subrip, application/json;q=0.9, */*;q=0.5"
      return Data(try await client.get(address, accept: accept, maxBytes: Self.longest).bytes)
    } catch {
      throw ReportedError(error.cause)
    }
  }

  /// What was fetched is shown even where it cannot be kept (another player writes, the disk is full): it can be
  /// fetched again.
  private func keep(_ write: () throws(StoreError) -> Void) { do throws(StoreError) { try write() } catch {} }
}
