import Foundation
import Model

/// Why a request failed. `HTTPErrorText.swift` has the texts.
public enum HTTPError: Error, Sendable, Equatable {
  /// The server could not be reached, or the connection broke.
  case noConnectivity(Connectivity)
  /// The server refused the request: 403, 5xx and other statuses without a case of their own.
  case refused(status: Int)
  /// 401: the server wants a user name and password, or other ones. After redirects, it may be another server than the
  /// one that was asked first.
  case unauthorized(realm: String?, by: Origin)
  /// 404.
  case notFound
  /// 410: permanently gone; do not request it again.
  case gone
  /// The server wants no requests until then (429, or 503 with Retry-After).
  case rateLimited(until: Date, by: Origin)
  case invalidAnswer(InvalidAnswer)
  /// More bytes than allowed, counted after decompression.
  case tooLarge(limit: Int64)
  case redirectLoop(url: String)
  case tooManyRedirects(limit: Int)
  /// The address, or a redirect, is neither http nor https.
  case unsupportedScheme(String)
  /// The text is not an address.
  case badAddress(String)
  /// The user name or the password in an address contains characters that separate the parts of an address (RFC 3986
  /// §3.2.1). The address is not part of the error, because nobody knows where its password ends.
  case unencodedLogin
  /// There is no file behind a page (`PageResolver`).
  case page(PageFailure)
  case cancelled

  /// Why a server could not be reached, or its response did not arrive. The first value is the host.
  public enum Connectivity: Sendable, Equatable {
    case hostNotFound(String)
    case connectionRefused(String)
    case timedOut(String)
    /// A TLS error: a bad certificate, or no common version. `reason` is the library's text.
    case notSecure(String, reason: String)
    /// The response ended too early.
    case cut(String)
    case other(String, reason: String)
  }

  /// Why a response cannot be used.
  public enum InvalidAnswer: Sendable, Equatable {
    /// The response is not HTTP.
    case notHTTP
    case headTooLarge(limit: Int)
    case badCompression
    /// The file is compressed although that was not asked for, so that parts of it cannot be requested.
    case compressed(coding: String)
    /// The response does not fit the request, or contradicts an earlier response.
    case inconsistent(reason: String)
  }

  /// Whether no connection to the server was made, as without a network.
  public var isUnreached: Bool {
    switch self {
    case .noConnectivity(.hostNotFound), .noConnectivity(.connectionRefused), .noConnectivity(.timedOut),
      .noConnectivity(.other):
      true
    default: false
    }
  }

  /// True if the server was not reached or refused. False if the data or the address is invalid.
  public var isConnectivity: Bool {
    switch self {
    case .noConnectivity, .refused, .unauthorized, .notFound, .gone, .rateLimited, .redirectLoop, .tooManyRedirects,
      .cancelled:
      true
    case .page(let failure): failure.isConnectivity
    case .invalidAnswer, .tooLarge, .unsupportedScheme, .badAddress, .unencodedLogin: false
    }
  }
}

extension HTTPResponse {
  /// The error for an unsuccessful status. Nil for 2xx and 304.
  public var refusal: HTTPError? {
    switch status {
    case 200..<300, 304: nil
    case 401: .unauthorized(realm: head.basicRealm, by: url.origin)
    case 404: .notFound
    case 410: .gone
    default: .refused(status: status)
    }
  }
}
