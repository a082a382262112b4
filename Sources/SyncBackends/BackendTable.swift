import Sync

/// All sync back ends. To add one, write a type that conforms to `AccountBackend` in a file of its own, and add it to
/// `all`.
public enum BackendTable {
  /// In the order in which servers are detected.
  public static let all: [any AccountBackend.Type] = [
    GPodderBackend.self,
    NextcloudBackend.self,
    FolderBackend.self,
  ]

  /// The back ends that are servers.
  public static var servers: [any AccountBackend.Type] { all.filter { $0.login != .path } }

  /// - Parameter kind: an `AccountBackend.kind`.
  /// - Returns: nil if there is no such kind. A later version of Earshot may have stored it.
  public static func backend(_ kind: String) -> (any AccountBackend.Type)? { all.first { $0.kind == kind } }

  /// The back end and the path in a text such as `folder:PATH`. Nil if the text is something else.
  public static func path(in text: String) -> (backend: any AccountBackend.Type, path: String)? {
    for backend in all where backend.login == .path && text.hasPrefix(backend.kind + ":") {
      return (backend, String(text.dropFirst(backend.kind.count + 1)))
    }
    return nil
  }
}

/// A copy of a folder that is on a server. The files of this machine are the same for `FolderBackend`.
public protocol FolderMirror: Sendable {
  /// Creates the folder on the server.
  func create() async throws(SyncError)
  /// Fetches what has changed on the server. Asks the server once in the life of this value.
  /// - Returns: messages for the user about what is not read.
  func download() async throws(SyncError) -> [String]
  /// Sends what has changed in the directory of this device.
  func upload() async throws(SyncError)
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
  /// The random id of this library.
  public var library: String
  /// The copy of a folder on a server. Nil: the folder is on this machine.
  public var mirror: (any FolderMirror)?

  public init(server: String, user: String, device: String, deviceName: String, library: String) {
    self.library = library
    self.server = server
    self.user = user
    self.device = device
    self.deviceName = deviceName
  }
}

/// A back end that is made from the listener's account.
public protocol AccountBackend: SyncBackend {
  /// The name that is stored with the account, and allowed after `--kind`. It must never change.
  static var kind: String { get }
  static var traits: SyncTraits { get }
  static var login: BackendLogin { get }
  /// - Parameter connect: makes the transport to the account's server. Throws if the account has no password.
  init(_ account: BackendAccount, connect: () throws(SyncError) -> any SyncTransport) throws(SyncError)
  /// Whether a server is of this kind. Asks it without a password.
  static func isServer(_ transport: some SyncTransport) async throws(SyncError) -> Bool
  /// Whether the device's id belongs to this library, as far as the other side knows. If it belongs to nobody yet, this
  /// library takes it.
  func claimDevice() async throws(SyncError) -> Bool
  /// The id by which this library has synced there before. Nil if that is unknown.
  func ownDevice() async throws(SyncError) -> String?
  /// Revokes the password that the listener granted in the browser.
  func logOut() async throws(SyncError)
  /// What the server says about itself. Nil: nothing.
  func software() async -> ServerSoftware?
}

extension AccountBackend {
  public var traits: SyncTraits { Self.traits }
  public static func isServer(_ transport: some SyncTransport) async throws(SyncError) -> Bool { false }
  public func claimDevice() async throws(SyncError) -> Bool { true }
  public func ownDevice() async throws(SyncError) -> String? { nil }
  public func logOut() async throws(SyncError) {}
  public func software() async -> ServerSoftware? { nil }
}
