import Foundation
import HTTP
import Model

/// Why fetching a feed or a file that belongs to it failed.
public enum FeedError: Error, Sendable, Equatable {
  case http(HTTPError)
  /// The data is not what it should be.
  case invalidData(InvalidData)
  /// A local file that could not be read.
  case unreadableFile(path: String, reason: String)

  /// What is wrong with a document.
  public enum InvalidData: Sendable, Equatable {
    /// A web page without a link to a feed.
    case html
    /// Not a feed; `reason` is for the user.
    case notAFeed(reason: String)
    case empty
    /// JSON, chapters, OPML… that could not be parsed.
    case malformed(reason: String)
  }

  /// True if the server was not reached or refused. False if the data or the request was invalid.
  public var isConnectivity: Bool {
    switch self {
    case .http(let error): error.isConnectivity
    case .invalidData, .unreadableFile: false
    }
  }

  /// The server that wants no requests for a while (429, or 503 with Retry-After). After a redirect it may be another
  /// one than that of the feed's address.
  public var pausedServer: Origin? { if case .http(.rateLimited(_, let server)) = self { server } else { nil } }

  /// True if there is no feed at the address, and it is not likely that there will be one soon.
  var isNoFeed: Bool {
    switch self {
    case .http(.notFound), .http(.gone), .http(.unsupportedScheme), .http(.redirectLoop), .http(.tooManyRedirects),
      .http(.noConnectivity(.hostNotFound)), .http(.invalidAnswer), .http(.tooLarge), .invalidData:
      true
    case .http, .unreadableFile: false
    }
  }

  /// A line for the user with the podcast (or its address, if it has no title yet) and the cause: "Radiolab: no
  /// connectivity: the name feeds.example.org could not be found".
  public func message(podcast: String) -> String {
    // The podcast has no title yet, and its address is the problem.
    if self == .http(.badAddress(podcast)) { return "\(podcast): not an address" }
    // The address would show a part of the password.
    if self == .http(.unencodedLogin) { return cause }
    return "\(podcast): \(cause)"
  }

  /// The cause in plain words. Text from the server is cleaned.
  public var cause: String {
    switch self {
    case .http(let error): error.cause
    case .invalidData(let reason): UntrustedText.cleaned("invalid data: \(reason.cause)")
    case .unreadableFile(let path, let reason): UntrustedText.cleaned("\(path) cannot be read: \(reason)")
    }
  }

  /// The error for a complete document that is not a feed.
  init(_ error: FeedReadError) {
    switch error {
    case .empty: self = .invalidData(.empty)
    case .isHTML: self = .invalidData(.html)
    case .notAFeed(let found): self = .invalidData(.notAFeed(reason: found))
    case .tooLarge(let bytes): self = .http(.tooLarge(limit: Int64(bytes)))
    }
  }
}

extension FeedError.InvalidData {
  var cause: String {
    switch self {
    case .html: "a web page came instead of a feed"
    case .notAFeed(let reason): "not a feed: \(reason)"
    case .empty: "the answer is empty"
    case .malformed(let reason): reason
    }
  }
}

// MARK: - Converting HTTP errors

extension WebAddress {
  /// The address of a feed, or of a file that belongs to one.
  init(ofFeed text: String, relativeTo base: WebAddress? = nil) throws(FeedError) {
    do throws(HTTPError) { self = try WebAddress(text, relativeTo: base) } catch { throw .http(error) }
  }
}

extension HTTPClient {
  /// Performs a request. Throws unless the status is a success (2xx) or 304. Servers that answer a condition with 412,
  /// or with 431 because their tag is too long for themselves (RFC 6585, section 5), are asked again without it.
  func answer(to request: HTTPRequest, sink: any HTTPSink) async throws(FeedError) -> HTTPResponse {
    let response = try await response(to: request, sink: sink)
    guard [412, 431].contains(response.status), request.validators.etag != nil || request.validators.lastModified != nil
    else {
      if let refusal = response.refusal { throw .http(refusal) }
      return response
    }
    var unconditional = request
    unconditional.validators = FeedValidators()
    let second = try await self.response(to: unconditional, sink: sink)
    // Without a condition, a 304 means nothing.
    if let refusal = second.status == 304 ? .refused(status: 304) : second.refusal { throw .http(refusal) }
    return second
  }

  private func response(to request: HTTPRequest, sink: any HTTPSink) async throws(FeedError) -> HTTPResponse {
    do throws(HTTPError) { return try await perform(request, sink: sink) } catch { throw .http(error) }
  }
}

extension RetryPolicy {
  /// For a failed feed: retried after ten minutes, then less and less often, at last once a day.
  public static let feed = RetryPolicy(base: 600, maximum: 86_400)

  /// When to request a feed again that has failed `failures` times in a row. Nil: never automatically.
  public func nextAttempt(after error: FeedError, failures: Int, now: Date, random: Double) -> Date? {
    switch error {
    case .http(.gone), .http(.unsupportedScheme), .http(.badAddress), .http(.unencodedLogin), .http(.unauthorized): nil
    case .http(.rateLimited(let until, _)): min(until, now.addingTimeInterval(maximum))
    case .http(.cancelled): now
    default: now.addingTimeInterval(delay(afterFailures: failures, random: random))
    }
  }
}
