import Foundation

/// Why a fetch gave nothing. The one error of FeedKit's network side; its words are made in `FeedErrorText.swift`.
public enum FeedError: Error, Sendable, Equatable {
  /// The server was not reached, or the line broke.
  case noConnectivity(Connectivity)
  /// An answer that is a refusal: 403, 5xx and what else has no case of its own.
  case refused(status: Int)
  /// 401: the server wants a user name and a password, or other ones.
  case unauthorized(realm: String?)
  /// 404.
  case notFound
  /// 410: the publisher has ended the feed; do not ask again.
  case gone
  /// The host asked to be left alone until then (429, or 503 with Retry-After).
  case rateLimited(until: Date, host: String)
  case invalidData(InvalidData)
  /// More bytes than allowed, counted after decompression.
  case tooLarge(limit: Int64)
  case redirectLoop(url: String)
  case tooManyRedirects(limit: Int)
  /// An address, or a redirect to one, that is neither http nor https.
  case unsupportedScheme(String)
  /// A text that is no address.
  case badAddress(String)
  /// A local file that could not be read.
  case unreadableFile(path: String, reason: String)
  case cancelled

  public enum Connectivity: Sendable, Equatable {
    case hostNotFound(String)
    case connectionRefused(String)
    case timedOut(String)
    /// TLS: a bad certificate, no common version. `reason` is the library's.
    case notSecure(String, reason: String)
    /// The answer ended before its end.
    case cut(String)
    case other(String, reason: String)
  }

  public enum InvalidData: Sendable, Equatable {
    /// A page for people, which names no feed.
    case html
    /// Something that is no feed; `reason` is for people.
    case notAFeed(reason: String)
    case empty
    /// What came is not HTTP.
    case notHTTP
    case headTooLarge(limit: Int)
    case badCompression
    /// JSON, chapters, OPML… that could not be read.
    case malformed(reason: String)
  }

  /// True when the server was not reached or refused; false when what came, or was asked, is invalid.
  public var isConnectivity: Bool {
    switch self {
    case .noConnectivity, .refused, .unauthorized, .notFound, .gone, .rateLimited, .redirectLoop, .tooManyRedirects,
      .cancelled:
      true
    case .invalidData, .tooLarge, .unsupportedScheme, .badAddress, .unreadableFile: false
    }
  }

  /// The error of a status that is no success; nil for 2xx and 304.
  init?(_ response: HTTPResponse) {
    switch response.status {
    case 200..<300, 304: return nil
    case 401: self = .unauthorized(realm: response.head.basicRealm)
    case 404: self = .notFound
    case 410: self = .gone
    default: self = .refused(status: response.status)
    }
  }
}
