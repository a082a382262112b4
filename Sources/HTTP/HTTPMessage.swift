import Foundation
import Model

/// What to ask for. Values only: it can be queued, compared in tests and sent again.
public struct HTTPRequest: Sendable {
  /// Whether the server may compress. Media must come as they are, or byte ranges would mean nothing.
  public enum Encoding: Sendable { case compressed, identity }

  public var url: WebAddress
  public var method = "GET"
  public var headers: [(name: String, value: String)] = []
  public var body: [UInt8]?
  /// Sent as If-None-Match and If-Modified-Since, to the address they came from.
  public var validators = FeedValidators()
  /// Each is sent to its own origin only, wherever redirects lead; of two for one origin the first. Sent at once, without
  /// waiting for a 401. User info in `url` comes after them.
  public var credentials: [Credentials] = []
  public var encoding: Encoding = .compressed
  /// Of the body, counted after decompression.
  public var maxBytes: Int64 = .max
  /// False: a redirect is an answer like any other. For requests whose headers hold a secret.
  public var followsRedirects = true
  /// Seconds from start to end of one attempt; nil for the client's own limit, infinity for none (downloads).
  public var deadline: Double?

  public init(url: WebAddress, headers: [(name: String, value: String)] = []) {
    self.url = url
    self.headers = headers
  }
}

extension FeedValidators {
  /// Both, where both are known (RFC 9110 §13.1): servers differ in which they understand.
  func headers(for address: WebAddress) -> [(name: String, value: String)] {
    guard url == nil || url == address.text else { return [] }
    return [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
      value.map { (name, $0) }
    }
  }
}

/// Status and headers of an answer.
public struct HTTPHead: Sendable {
  public var status: Int
  public var headers: [(name: String, value: String)]

  public init(status: Int, headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = headers
  }

  /// The first header of that name, whatever its case.
  public subscript(name: String) -> String? {
    headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
  }

  public var contentType: String? { self["Content-Type"] }
  public var date: Date? { self["Date"].flatMap { HTTPDate.parse($0) } }

  /// The realm of a Basic challenge (RFC 7617 §2), as the server wrote it.
  var basicRealm: String? {
    guard let challenge = self["WWW-Authenticate"],
      let match = challenge.firstMatch(of: /realm="([^"]{0,200})"/.ignoresCase())
    else { return nil }
    return String(match.1)
  }

  /// When the server wants to be asked again (RFC 9110 §10.2.3): seconds from `now`, or a date.
  func retryAfter(now: Date) -> Date? {
    guard let value = self["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Double(value), seconds.isFinite { return now.addingTimeInterval(max(0, seconds)) }
    return HTTPDate.parse(value)
  }
}

/// A finished exchange, of whatever status.
public struct HTTPResponse: Sendable {
  public var head: HTTPHead
  /// Where the answer came from, after redirects.
  public var url: WebAddress
  /// True when there were redirects and each one is permanent.
  public var isPermanentMove: Bool
  /// Bytes of the body after decompression.
  public var bytes: Int64
  /// The sink wanted no more: the body is not whole.
  public var wasStopped: Bool

  public var status: Int { head.status }
}

/// Names a request, to cancel it.
public struct HTTPRequestID: Sendable, Hashable {
  let rawValue: UInt64
}

/// Takes the body of a successful answer (2xx) as it arrives. Called on the client's thread: be quick.
public protocol HTTPSink: AnyObject, Sendable {
  /// An answer begins. After a broken attempt it is called again: forget what came before. False: stop.
  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool
  /// The next bytes, valid during the call. False: stop, the rest is not wanted.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool
}
