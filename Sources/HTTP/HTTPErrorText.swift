import Foundation
import Model

extension HTTPError {
  /// The cause in plain words. Text from the server (a realm, an address) is cleaned, and keys and passwords in
  /// addresses are removed.
  public var cause: String { UntrustedText.cleaned(words) }

  private var words: String {
    switch self {
    case .noConnectivity(let reason): "no connectivity: \(reason.cause)"
    case .refused(let status): "the server refused: \(Self.statusText(status))"
    case .unauthorized(let realm?, _): "the server asks for a user name and password (\(realm))"
    case .unauthorized(nil, _): "the server asks for a user name and password"
    case .notFound: "the server has nothing at this address (404)"
    case .gone: "the publisher has removed it for good (410)"
    case .rateLimited(let until, let server): "\(server.host) accepts no requests until \(MinuteText.text(until))"
    case .invalidAnswer(let reason): "invalid data: \(reason.cause)"
    case .tooLarge(let limit): "invalid data: more than \(Self.size(limit))"
    case .redirectLoop(let url): "the server redirects in a loop, back to \(url)"
    case .tooManyRedirects(let limit): "the server redirects more than \(limit) times"
    case .unsupportedScheme(let scheme): "\(scheme): addresses cannot be read, only http and https"
    case .badAddress(let text): "not an address: \(text)"
    case .unencodedLogin:
      """
      the address has a user name or password with characters that must be encoded: @ is %40, : is %3A, / is %2F, \
      ? is %3F, # is %23, % is %25
      """
    case .page(let failure): failure.reason
    case .cancelled: "cancelled"
    }
  }

  private static let statusNames: [Int: String] = [
    400: "bad request", 403: "forbidden", 406: "not acceptable", 429: "too many requests", 451: "barred by law",
    500: "internal error", 502: "bad gateway", 503: "unavailable", 504: "gateway timed out",
  ]

  private static func statusText(_ status: Int) -> String {
    statusNames[status].map { "\($0) (\(status))" } ?? "status \(status)"
  }

  private static func size(_ bytes: Int64) -> String {
    bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
  }
}

extension HTTPError.Connectivity {
  var cause: String {
    switch self {
    case .hostNotFound(let host): "the name \(host) could not be found"
    case .connectionRefused(let host): "\(host) does not accept connections"
    case .timedOut(let host): "\(host) did not answer in time"
    case .notSecure(let host, let reason): "no secure connection to \(host): \(reason)"
    case .cut(let host): "the connection to \(host) broke"
    case .other(let host, let reason): "\(host): \(reason)"
    }
  }
}

extension HTTPError.InvalidAnswer {
  var cause: String {
    switch self {
    case .notHTTP: "the answer is not HTTP"
    case .headTooLarge(let limit): "the head of the answer is larger than \(limit / 1024) kB"
    case .badCompression: "the answer's compression is damaged"
    case .compressed(let coding): "the server sends a compressed answer (\(coding)) that was not asked for"
    case .inconsistent(let reason): reason
    }
  }
}

/// Cleans text from servers for use in messages.
public enum UntrustedText {
  /// The text without control and format characters (terminal escapes, bidirectional marks), without keys and
  /// passwords in addresses, and with at most 500 characters.
  public static func cleaned(_ text: String) -> String {
    let isPrintable = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .format
    }
    var shown = String.UnicodeScalarView()
    shown.append(contentsOf: text.unicodeScalars.lazy.filter(isPrintable).prefix(500))
    return Redaction.text(String(shown))
  }
}
