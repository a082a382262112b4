import Foundation

/// A user name and password for HTTP Basic. Its description hides the password, so that a log cannot show it.
public struct Credentials: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
  public var user: String
  public var password: String

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  public var description: String { "\(user):•••" }
  public var debugDescription: String { description }

  /// Servers older than RFC 7617 expect ISO-8859-1; they are asked so after UTF-8 was refused.
  enum Encoding: Sendable { case utf8, latin1 }

  /// The value of `Authorization`. nil when the characters do not exist in the encoding.
  func basicHeader(_ encoding: Encoding) -> String? {
    let text = "\(user):\(password)"
    let bytes = text.data(using: encoding == .utf8 ? .utf8 : .isoLatin1)
    return bytes.map { "Basic \($0.base64EncodedString())" }
  }

  /// False when both encodings give the same bytes, and asking again would be pointless.
  var dependsOnEncoding: Bool { !(user + password).utf8.allSatisfy { $0 < 0x80 } }
}
