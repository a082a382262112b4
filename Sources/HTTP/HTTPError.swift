import Foundation

/// Why an exchange gave nothing that can be used; its words are made in `HTTPErrorText.swift`.
public enum HTTPError: Error, Sendable, Equatable {
  /// The server was not reached, or the line broke.
  case noConnectivity(Connectivity)
  /// An answer that is a refusal: 403, 5xx and what else has no case of its own.
  case refused(status: Int)
  /// 401: the server wants a user name and a password, or other ones.
  case unauthorized(realm: String?)
  /// 404.
  case notFound
  /// 410: what was there is gone for good; do not ask again.
  case gone
  /// The host asked to be left alone until then (429, or 503 with Retry-After).
  case rateLimited(until: Date, host: String)
  case invalidAnswer(InvalidAnswer)
  /// More bytes than allowed, counted after decompression.
  case tooLarge(limit: Int64)
  case redirectLoop(url: String)
  case tooManyRedirects(limit: Int)
  /// An address, or a redirect to one, that is neither http nor https.
  case unsupportedScheme(String)
  /// A text that is no address.
  case badAddress(String)
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

  public enum InvalidAnswer: Sendable, Equatable {
    /// What came is not HTTP.
    case notHTTP
    case headTooLarge(limit: Int)
    case badCompression
    /// It does not fit the request, or what the same server said before.
    case inconsistent(reason: String)
  }

  /// True when the server was not reached or refused; false when what came, or was asked, is invalid.
  public var isConnectivity: Bool {
    switch self {
    case .noConnectivity, .refused, .unauthorized, .notFound, .gone, .rateLimited, .redirectLoop, .tooManyRedirects,
      .cancelled:
      true
    case .invalidAnswer, .tooLarge, .unsupportedScheme, .badAddress: false
    }
  }
}

extension HTTPResponse {
  /// What the status means when it is no success; nil for 2xx and 304.
  public var refusal: HTTPError? {
    switch status {
    case 200..<300, 304: nil
    case 401: .unauthorized(realm: head.basicRealm)
    case 404: .notFound
    case 410: .gone
    default: .refused(status: status)
    }
  }
}
