import AppCore
import FeedKit
import Foundation
import Model
import Store

/// What belongs to an episode and is a document of its own: chapters and transcripts. Fetched when they are wanted, kept
/// in the library from then on.
struct Companions: Sendable {
  let library: Library
  let http: HTTPClient
  let resources: Resources
  var clock: @Sendable () -> Date = { Date() }

  /// More than any transcript; an answer that is longer is something else.
  private static let longest: Int64 = 48_000_000
  private static let deadline = 60.0

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
      throw ReportedError("The transcript could not be fetched: \(error.text). Close this view and open it to try again.")
    }
    do throws(TranscriptError) {
      let transcript = try TranscriptReader.read(body, type: link.type, url: link.url)
      keep { () throws(StoreError) in try library.saveTranscript(transcript, of: id, now: clock()) }
      return transcript
    } catch {
      throw ReportedError("The transcript cannot be read: \(error.description)")
    }
  }

  /// The chapters of `podcast:chapters`, merged with the feed's own; nil when the library has them already.
  func chapters(of detail: EpisodeDetail) async throws(ReportedError) -> [Chapter]? {
    guard let address = detail.feed.chaptersURL else { return nil }
    do throws(StoreError) {
      // Those of the feed come back when none were fetched.
      guard try library.chapters(detail.id) == detail.feed.chapters else { return nil }
    } catch {
      throw ReportedError(error.description)
    }
    do {
      let fetched = try ChaptersJSON.parse(try await fetch(address))
      let chapters = ChapterMerge.merge([fetched, detail.feed.chapters])
      keep { () throws(StoreError) in try library.saveChapters(chapters, of: detail.id, now: clock()) }
      return chapters
    } catch let error as ReportedError {
      throw ReportedError("The chapters of “\(detail.row.title)” could not be fetched: \(error.text)")
    } catch {
      throw ReportedError("The chapters of “\(detail.row.title)” cannot be read: \(error)")
    }
  }

  private func fetch(_ address: String) async throws(ReportedError) -> Data {
    if let file = resources.file(of: address) {
      do { return try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
        throw ReportedError("\(file): \(error.localizedDescription)")
      }
    }
    do throws(FeedError) {
      var request = HTTPRequest(url: try WebAddress(address))
      request.maxBytes = Self.longest
      request.deadline = Self.deadline
      let sink = BodySink()
      let response = try await http.perform(request, sink: sink)
      guard (200..<300).contains(response.status) else { throw .refused(status: response.status) }
      return sink.data
    } catch {
      throw ReportedError(error.cause)
    }
  }

  /// What was fetched is shown even where it cannot be kept (another player writes, the disk is full): it can be
  /// fetched again.
  private func keep(_ write: () throws(StoreError) -> Void) { do throws(StoreError) { try write() } catch {} }
}
