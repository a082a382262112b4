import Foundation
import Model

/// A password becomes part of a request only here, and only if the credentials belong to its address. So
/// no request to another origin can carry them, whether it comes from a redirect, a moved feed, a next page, an
/// enclosure or a cover.
struct BasicAuthorization: Sendable {
  /// Servers older than RFC 7617 expect ISO-8859-1. It is tried after UTF-8 was refused.
  enum Encoding: Sendable { case utf8, latin1 }

  /// In order of preference.
  private var credentials: [Credentials]
  private(set) var encoding = Encoding.utf8

  init(_ credentials: [Credentials]) { self.credentials = credentials }

  /// The value of `Authorization` for a request to this address (RFC 7617 §2). Nil if none of the credentials belong
  /// to it, or the encoding lacks their characters.
  mutating func header(for address: WebAddress) -> String? {
    let origin = address.origin
    credentials = credentials.map { $0.narrowed(to: origin) }
    guard let own = own(at: address) else { return nil }
    let text = "\(own.user):\(own.password)"
    let bytes = text.data(using: encoding == .utf8 ? .utf8 : .isoLatin1)
    return bytes.map { "Basic \($0.base64EncodedString())" }
  }

  /// Called after a 401. True if there is another encoding to try, which is used from then on.
  mutating func trySecondEncoding(for address: WebAddress) -> Bool {
    guard encoding == .utf8, let own = own(at: address),
      !(own.user + own.password).utf8.allSatisfy({ $0 < 0x80 })
    else { return false }
    encoding = .latin1
    return true
  }

  /// Starts over with UTF-8, for another address.
  mutating func reset() { encoding = .utf8 }

  private func own(at address: WebAddress) -> Credentials? { credentials.first { $0.belong(at: address.origin) } }
}

extension Credentials {
  /// Credentials for the origin of an address.
  public init(user: String, password: String, for address: WebAddress) {
    self.init(user: user, password: password, origin: address.origin)
  }
}
