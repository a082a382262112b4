import Foundation
import Model

/// The one place where a password becomes part of a request. It asks the credentials whether they belong to the address,
/// so that no request for another origin can carry them, whatever led to it: a redirect, a feed that moved, a next page,
/// an enclosure, a cover.
struct BasicAuthorization: Sendable {
  /// Servers older than RFC 7617 expect ISO-8859-1; they are asked so after UTF-8 was refused.
  enum Encoding: Sendable { case utf8, latin1 }

  /// In the order in which they are preferred.
  private var credentials: [Credentials]
  private(set) var encoding = Encoding.utf8

  init(_ credentials: [Credentials]) { self.credentials = credentials }

  /// The value of `Authorization` for a request of this address (RFC 7617 §2); nil when none of the credentials belong
  /// there, or their characters do not exist in the encoding.
  mutating func header(for address: WebAddress) -> String? {
    let origin = address.origin
    credentials = credentials.map { $0.narrowed(to: origin) }
    guard let own = own(at: address) else { return nil }
    let text = "\(own.user):\(own.password)"
    let bytes = text.data(using: encoding == .utf8 ? .utf8 : .isoLatin1)
    return bytes.map { "Basic \($0.base64EncodedString())" }
  }

  /// After a 401: true when there is another spelling to try, which is used from then on.
  mutating func trySecondEncoding(for address: WebAddress) -> Bool {
    guard encoding == .utf8, let own = own(at: address),
      !(own.user + own.password).utf8.allSatisfy({ $0 < 0x80 })
    else { return false }
    encoding = .latin1
    return true
  }

  /// For another address.
  mutating func reset() { encoding = .utf8 }

  private func own(at address: WebAddress) -> Credentials? { credentials.first { $0.belong(at: address.origin) } }
}

extension Credentials {
  /// For the origin of an address.
  public init(user: String, password: String, for address: WebAddress) {
    self.init(user: user, password: password, origin: address.origin)
  }
}
