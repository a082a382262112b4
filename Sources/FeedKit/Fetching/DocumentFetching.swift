import Foundation
import HTTP
import Model

/// The result of fetching a file that belongs to an episode and has its own address: chapters or a transcript.
public enum FetchedDocument<Value: Sendable>: Sendable {
  /// 304, or the same bytes as last time. The stored value stays; the validators may be newer.
  case unchanged(FeedValidators)
  /// A new value, and the validators for the next request.
  case value(Value, FeedValidators)
}

extension FeedClient {
  /// Fetches JSON chapters (podcast:chapters). At most 8 MB and 60 seconds.
  public func chapters(
    at url: String, validators: FeedValidators = FeedValidators(), access: RequestAccess = RequestAccess()
  ) async throws(FeedError) -> FetchedDocument<[Chapter]> {
    let accept = "application/json+chapters, application/json;q=0.9, */*;q=0.5"
    return try await document(
      url, accept: accept, maxBytes: Int64(ChaptersJSON.maxBytes), validators, access
    ) { body throws(FeedError) in
      do { return try ChaptersJSON.parse(Data(body.bytes)) } catch {
        throw .invalidData(.malformed(reason: "\(error)"))
      }
    }
  }

  /// Fetches a transcript of any format that `TranscriptReader` knows; choose the link with
  /// `TranscriptReader.preferred`. At most 48 MB and 60 seconds.
  public func transcript(
    _ link: TranscriptLink, validators: FeedValidators = FeedValidators(), access: RequestAccess = RequestAccess()
  ) async throws(FeedError) -> FetchedDocument<Transcript> {
    let accept = "text/vtt, application/x-subrip, application/json;q=0.9, text/html;q=0.8, */*;q=0.5"
    return try await document(
      link.url, accept: accept, maxBytes: Int64(TranscriptReader.maxBytes), validators, access
    ) { body throws(FeedError) in
      do {
        return try TranscriptReader.read(Data(body.bytes), type: link.type ?? body.contentType, url: body.finalURL)
      } catch { throw .invalidData(.malformed(reason: "\(error)")) }
    }
  }

  private func document<Value: Sendable>(
    _ url: String, accept: String, maxBytes: Int64, _ validators: FeedValidators, _ access: RequestAccess,
    read: (FetchedBody) throws(FeedError) -> Value
  ) async throws(FeedError) -> FetchedDocument<Value> {
    let address = try WebAddress(ofFeed: url)
    var request = HTTPRequest(url: address, headers: [("Accept", accept)])
    request.maxBytes = maxBytes
    request.use(access)
    request.validators = validators
    request.deadline = 60
    let sink = BodyBuffer()
    let response = try await http.answer(to: request, sink: sink)
    if response.status == 304 {
      guard validators.etag != nil || validators.lastModified != nil else { throw .http(.refused(status: 304)) }
      return .unchanged(validators.refreshed(by: response))
    }
    var digest = BodyDigest()
    sink.bytes.withUnsafeBytes { digest.add($0) }
    var fresh = FetchInfo(response, asked: address).validators
    fresh.bodyDigest = digest.text
    if fresh.bodyDigest == validators.bodyDigest { return .unchanged(fresh) }
    let body = FetchedBody(
      bytes: sink.bytes, contentType: response.head.contentType, finalURL: response.url.text)
    return .value(try read(body), fresh)
  }
}
