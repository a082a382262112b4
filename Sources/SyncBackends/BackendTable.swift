import Sync

/// All sync back ends. To add one, add a case to `ServerKind`, a type that conforms to `AccountBackend` in a file of
/// its own, and its row here.
extension ServerKind {
  public var backend: any AccountBackend.Type {
    switch self {
    case .gpodder: GPodderBackend.self
    case .nextcloud: NextcloudBackend.self
    case .folder: FolderBackend.self
    }
  }

  /// The kinds of servers, in the order in which they are detected.
  public static var servers: [ServerKind] { allCases.filter { $0.backend.login != .path } }

  /// The kind and the path in a text such as `folder:PATH`; nil if it is something else.
  public static func path(in text: String) -> (kind: ServerKind, path: String)? {
    for kind in allCases where kind.backend.login == .path && text.hasPrefix(kind.rawValue + ":") {
      return (kind, String(text.dropFirst(kind.rawValue.count + 1)))
    }
    return nil
  }
}

/// How the listener sets up an account.
public enum BackendLogin: Sendable {
  /// With a path, as `KIND:PATH`.
  case path
  /// With the server's address, a user name and a password.
  case password
  /// With the server's address, and in the browser (`NextcloudLogin`), unless the listener gives a user name.
  case browser
}

/// What a back end needs to know of the listener's account.
public struct BackendAccount: Sendable {
  /// The server's base address, or a path.
  public var server: String
  public var user: String
  /// This device's id: letters, digits and `_.-`. No other device has it.
  public var device: String
  /// Its name for people.
  public var deviceName: String

  public init(server: String, user: String, device: String, deviceName: String) {
    self.server = server
    self.user = user
    self.device = device
    self.deviceName = deviceName
  }
}

/// A back end that is made from the listener's account.
public protocol AccountBackend: SyncBackend {
  static var login: BackendLogin { get }
  /// - Parameter connect: makes the transport to the account's server. Throws if the account has no password.
  init(_ account: BackendAccount, connect: () throws(SyncError) -> any SyncTransport) throws(SyncError)
  /// Whether a server is of this kind. Asks it without a password.
  static func isServer(_ transport: some SyncTransport) async throws(SyncError) -> Bool
  /// Revokes the password that the listener granted in the browser.
  func logOut() async throws(SyncError)
}

extension AccountBackend {
  public static func isServer(_ transport: some SyncTransport) async throws(SyncError) -> Bool { false }
  public func logOut() async throws(SyncError) {}
}
