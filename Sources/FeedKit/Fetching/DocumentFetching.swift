import Foundation
import Model

/// Files that belong to an episode and have their own address. They are fetched once and stored, so the requests carry
/// no validators.
extension FeedClient {
  /// Fetches a file of chapters: JSON (podcast:chapters) or XML (Podlove). At most 8 MB and 60 seconds.
  public func chapters(
    at url: String, access: RequestAccess = RequestAccess()
  ) async throws(FeedError) -> [Chapter] {
    let accept = "application/json+chapters, application/json;q=0.9, */*;q=0.5"
    let body = try await get(
      url, accept: accept, maxBytes: Int64(ChaptersJSON.maxBytes), deadline: Self.documentDeadline, access: access)
    let data = Data(body.bytes)
    if SimpleChapters.isXML(data) { return try SimpleChapters.parse(data, url: body.finalURL) }
    return try ChaptersJSON.parse(data)
  }

  /// Fetches a transcript of any format that `TranscriptReader` knows; choose the link with
  /// `TranscriptReader.preferred`. At most 48 MB and 60 seconds.
  public func transcript(
    _ link: TranscriptLink, access: RequestAccess = RequestAccess()
  ) async throws(FeedError) -> Transcript {
    let accept = "text/vtt, application/x-subrip, application/json;q=0.9, text/html;q=0.8, */*;q=0.5"
    let body = try await get(
      link.url, accept: accept, maxBytes: Int64(TranscriptReader.maxBytes), deadline: Self.documentDeadline,
      access: access)
    do {
      return try TranscriptReader.read(Data(body.bytes), type: link.type ?? body.contentType, url: body.finalURL)
    } catch { throw .invalidData(.malformed(reason: "\(error)")) }
  }

  /// Seconds.
  private static let documentDeadline = 60.0
}
