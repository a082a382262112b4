import Foundation
import Model

/// An HTTP request. A value type, so it can be queued, compared in tests and sent again.
public struct HTTPRequest: Sendable {
  /// Whether the server may compress the body. Media must not be compressed, because byte ranges would be
  /// meaningless.
  public enum Encoding: Sendable { case compressed, identity }

  public var url: WebAddress
  /// `url` is a web page, and the file behind it is wanted: `HTTPOptions.pages` finds it.
  public var isPage = false
  public var method = "GET"
  public var headers: [(name: String, value: String)] = []
  public var body: [UInt8]?
  /// The parts of a form, sent as multipart/form-data (RFC 7578) instead of `body`. Files are read while they are
  /// sent.
  public var form: [FormPart] = []
  /// The token of `Authorization: Bearer` (RFC 6750 §2.1). Such a request should not follow redirects.
  public var bearer: String?
  /// Sent as If-None-Match and If-Modified-Since, only to the address they came from.
  public var validators = FeedValidators()
  /// Each is sent only to its own origin, wherever redirects lead; if two have the same origin, the first is used.
  /// They are sent at once, without waiting for a 401. User info in `url` is used last.
  public var credentials: [Credentials] = []
  /// Instead of that of the client. Redirects get it, too.
  public var userAgent: UserAgent?
  public var encoding: Encoding = .compressed
  /// The maximum number of bytes of the body, counted after decompression.
  public var maxBytes: Int64 = .max
  /// False: a redirect counts as the response. For requests whose headers contain a secret.
  public var followsRedirects = true
  /// Whether the body of a refusal (400) is received, too, because it says why.
  public var receivesRefusal = false
  /// Seconds for one attempt, from start to end. Nil: the client's limit. Infinity: no limit (downloads).
  public var deadline: Double?
  /// Whether it is sent again when it took too long.
  public var retriesTimeouts = true

  public init(url: WebAddress, headers: [(name: String, value: String)] = []) {
    self.url = url
    self.headers = headers
  }

  /// Sets what the requests for a podcast carry.
  public mutating func use(_ access: RequestAccess) {
    credentials = [access.credentials].compactMap { $0 }
    userAgent = access.userAgent
  }

  public enum FormPart: Sendable, Equatable {
    case text(_ name: String, _ value: String)
    /// The server gets the last part of the path as the name of the file.
    case file(_ name: String, path: String, type: String)
  }
}

extension FeedValidators {
  /// Sends both headers if both validators are known (RFC 9110 §13.1), because servers differ in which one they
  /// support.
  func headers(for address: WebAddress) -> [(name: String, value: String)] {
    guard url == nil || url == address.text else { return [] }
    return [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
      value.map { (name, $0) }
    }
  }
}

/// Status and headers of a response.
public struct HTTPHead: Sendable {
  public var status: Int
  public var headers: [(name: String, value: String)]

  public init(status: Int, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = headers
  }

  /// The first header with this name, ignoring case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
  }

  public var contentType: String? { self["Content-Type"] }
  public var date: Date? { self["Date"].flatMap { HTTPDate.parse($0) } }

  /// The same head with this value of the header; nil removes it.
  public func replacing(_ name: String, with value: String?) -> HTTPHead {
    let headers = headers.compactMap { header -> (name: String, value: String)? in
      guard header.name.caseInsensitiveCompare(name) == .orderedSame else { return header }
      return value.map { (header.name, $0) }
    }
    return HTTPHead(status: status, headers: headers)
  }

  /// As the server sent it. Nil if it lies in the future (RFC 9110 §8.8.2.1): a server that compares dates would answer
  /// 304 until then.
  public var lastModified: String? {
    guard let text = self["Last-Modified"] else { return nil }
    if let modified = HTTPDate.parse(text), modified > date ?? Date() { return nil }
    return text
  }

  /// Whether an encoding that compresses is named. Some servers name what is none, such as a charset.
  var isCompressed: Bool {
    let names = headers.filter { $0.name.caseInsensitiveCompare("Content-Encoding") == .orderedSame }
      .flatMap { $0.value.lowercased().split { ", \t".contains($0) } }
    return names.contains { ["gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd"].contains($0) }
  }

  /// The realm of a Basic challenge (RFC 7617 §2), as the server sent it.
  var basicRealm: String? {
    guard let challenge = self["WWW-Authenticate"],
      let match = challenge.firstMatch(of: /realm="([^"]{0,200})"/.ignoresCase())
    else { return nil }
    return String(match.1)
  }

  /// When the server allows another request (RFC 9110 §10.2.3): seconds from `now`, or a date.
  func retryAfter(now: Date) -> Date? {
    guard let value = self["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Double(value), seconds.isFinite { return now.addingTimeInterval(max(0, seconds)) }
    return HTTPDate.parse(value)
  }
}

/// A completed exchange with any status.
public struct HTTPResponse: Sendable {
  public var head: HTTPHead
  /// The address of the response, after redirects.
  public var url: WebAddress
  /// True if there were redirects and all of them are permanent.
  public var isPermanentMove: Bool
  /// Bytes of the body after decompression.
  public var bytes: Int64

  public var status: Int { head.status }
}

/// Identifies a request, to cancel it.
public struct HTTPRequestID: Sendable, Hashable {
  let rawValue: UInt64
}

/// Receives the body of a successful response (2xx) as it arrives. Called on the client's thread, so it must be
/// quick.
public protocol HTTPSink: AnyObject, Sendable {
  /// Called when a response starts, and again after a failed attempt; then earlier bytes are invalid. Return false to
  /// stop.
  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool
  /// Receives the next bytes, which are valid only during the call. Return false to stop.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
  /// Asked before `receive`. True: the transfer pauses until `HTTPClient.resume`. For bodies that are not compressed.
  var isFull: Bool { get }
}

extension HTTPSink {
  public var isFull: Bool { false }
}
