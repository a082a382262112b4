/// A user name and password for HTTP Basic, bound to the origin they were given for. Nothing else gets them: the one place
/// that makes a header of them (`BasicAuthorization`) asks `belong(at:)`. The description hides the password, so that a log
/// cannot show it.
public struct Credentials: Sendable, Hashable {
  public let user: String
  public let password: String
  public let origin: Origin

  public init(user: String, password: String, origin: Origin) {
    self.user = user
    self.password = password
    self.origin = origin
  }

  /// Those in `user:password@` of an address, for that address's origin.
  public init?(in address: String) {
    guard let named = AddressParts(address)?.userAndPassword, let origin = Origin(address) else { return nil }
    self.init(user: named.user, password: named.password, origin: origin)
  }

  /// Whether they may be sent to this origin.
  public func belong(at origin: Origin) -> Bool { self.origin.trusts(origin) }

  /// The same, once they were used at https: from then on they never go to http again.
  public func narrowed(to origin: Origin) -> Credentials {
    origin.scheme == "https" && belong(at: origin)
      ? Credentials(user: user, password: password, origin: origin) : self
  }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "\(user):••• for \(origin)" }
  public var debugDescription: String { description }
  /// What `dump` shows.
  public var customMirror: Mirror { Mirror(self, children: ["user": user, "origin": origin]) }
}
