/// User and password for HTTP Basic, bound to the origin that they were given for. They are never sent to other
/// origins: `BasicAuthorization`, the only code that turns them into a header, calls `belong(at:)` first. The
/// description hides the password, so that it cannot get into a log.
public struct Credentials: Sendable, Hashable {
  public let user: String
  public let password: String
  public let origin: Origin

  public init(user: String, password: String, origin: Origin) {
    self.user = user
    self.password = password
    self.origin = origin
  }

  /// The credentials in `user:password@` of an address, for the origin of that address.
  public init?(in address: String) {
    guard let named = AddressParts(address)?.userAndPassword, let origin = Origin(address) else { return nil }
    self.init(user: named.user, password: named.password, origin: origin)
  }

  /// Whether they may be sent to this origin.
  public func belong(at origin: Origin) -> Bool { self.origin.trusts(origin) }

  /// The credentials after they were used with https. From then on they are never sent over http.
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
