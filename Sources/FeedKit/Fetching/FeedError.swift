import HTTP

/// Why a fetch of a feed, or of what belongs to it, gave nothing.
public enum FeedError: Error, Sendable, Equatable {
  case http(HTTPError)
  /// What came, or was given, is not what it should be.
  case invalidData(InvalidData)
  /// A local file that could not be read.
  case unreadableFile(path: String, reason: String)

  public enum InvalidData: Sendable, Equatable {
    /// A page for people, which names no feed.
    case html
    /// Something that is no feed; `reason` is for people.
    case notAFeed(reason: String)
    case empty
    /// JSON, chapters, OPML… that could not be read.
    case malformed(reason: String)
  }

  /// True when the server was not reached or refused; false when what came, or was asked, is invalid.
  public var isConnectivity: Bool {
    switch self {
    case .http(let error): error.isConnectivity
    case .invalidData, .unreadableFile: false
    }
  }

  /// A line for people that names the podcast (or, when it has no name yet, its address) and the cause:
  /// "Radiolab: no connectivity: the name feeds.example.org could not be found".
  public func message(podcast: String) -> String {
    // The podcast has no name yet, and what stands for it is what is wrong.
    if self == .http(.badAddress(podcast)) { return "\(podcast): not an address" }
    return "\(podcast): \(cause)"
  }

  /// The cause alone, in plain words. A server's own words in it are scrubbed.
  public var cause: String {
    switch self {
    case .http(let error): error.cause
    case .invalidData(let reason): UntrustedText.cleaned("invalid data: \(reason.cause)")
    case .unreadableFile(let path, let reason): UntrustedText.cleaned("\(path) cannot be read: \(reason)")
    }
  }

  /// The error of a document that came whole and is no feed.
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

// MARK: - HTTP's errors as a feed's

extension WebAddress {
  /// The address of a feed, or of what belongs to one.
  init(ofFeed text: String, relativeTo base: WebAddress? = nil) throws(FeedError) {
    do throws(HTTPError) { self = try WebAddress(text, relativeTo: base) } catch { throw .http(error) }
  }
}

extension HTTPClient {
  /// Performs a request. What is neither a success (2xx) nor a 304 is thrown.
  func answer(to request: HTTPRequest, sink: any HTTPSink) async throws(FeedError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(HTTPError) { response = try await perform(request, sink: sink) } catch { throw .http(error) }
    if let refusal = response.refusal { throw .http(refusal) }
    return response
  }
}
