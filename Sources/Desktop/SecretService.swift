import Foundation

/// Stores passwords in the desktop's keyring (GNOME Keyring, KWallet, KeePassXC), with the interface of libsecret on
/// the session bus. Source: https://specifications.freedesktop.org/secret-service/latest/
///
/// The session is "plain", because only the same user can read the bus.
public struct SecretService: Sendable {
  public init() {}

  /// Why there is no service, or why a call failed. It never contains a secret.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    public var description: String
  }

  #if canImport(CSDBus)
    /// - Parameter attributes: identify the secret for `find` and `remove`.
    public func store(_ secret: String, label: String, attributes: [String: String]) throws(Failure) {
      try SecretBus().store(secret, label: label, attributes: attributes)
    }

    /// - Returns: nil if the service has no such secret.
    public func find(_ attributes: [String: String]) throws(Failure) -> String? {
      try SecretBus().find(attributes)
    }

    public func remove(_ attributes: [String: String]) throws(Failure) { try SecretBus().remove(attributes) }
  #else
    public func store(_ secret: String, label: String, attributes: [String: String]) throws(Failure) {
      throw Failure(description: "there is no D-Bus here")
    }
    public func find(_ attributes: [String: String]) throws(Failure) -> String? {
      throw Failure(description: "there is no D-Bus here")
    }
    public func remove(_ attributes: [String: String]) throws(Failure) {
      throw Failure(description: "there is no D-Bus here")
    }
  #endif
}

#if canImport(CSDBus)
  import CSDBus

  /// A connection for one call. Used on one thread.
  private final class SecretBus {
    private typealias Failure = SecretService.Failure
    private let functions: earshot_sdbus
    private let bus: OpaquePointer
    private var session = ""

    private static let service = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let defaultCollection = root + "/aliases/default"
    /// Microseconds that a call may take. A service that needs its user's password answers with a prompt instead.
    private static let timeout: UInt64 = 5_000_000

    init() throws(SecretService.Failure) {
      do throws(BusError) { functions = try BusLibrary().functions } catch {
        throw Failure(description: "there is no D-Bus library")
      }
      var bus: OpaquePointer?
      guard functions.open_user(&bus) >= 0, let bus else { throw Failure(description: "there is no session bus") }
      self.bus = bus
      let reply = try call(Self.root, "Service", "OpenSession") { message throws(BusError) in
        try message.append([.string("plain"), .variant([.string("")])])
      }
      reply.skipVariant()
      guard let path = reply.readPath() else { throw Failure(description: "the secret service opens no session") }
      session = path
    }

    deinit { _ = functions.flush_close_unref(bus) }

    func find(_ attributes: [String: String]) throws(SecretService.Failure) -> String? {
      for item in try items(attributes) {
        let reply = try call(item, "Item", "GetSecret") { message throws(BusError) in
          try message.append([.path(self.session)])
        }
        if let secret = reply.readSecret() { return secret }
      }
      return nil
    }

    func remove(_ attributes: [String: String]) throws(SecretService.Failure) {
      for item in try items(attributes) { _ = try call(item, "Item", "Delete") { _ in } }
    }

    func store(_ secret: String, label: String, attributes: [String: String]) throws(SecretService.Failure) {
      let reply = try call(Self.defaultCollection, "Collection", "CreateItem") { message throws(BusError) in
        try message.appendItemProperties(label: label, attributes: attributes)
        try message.appendSecret(secret, session: self.session)
        try message.append([.bool(true)])
      }
      // A locked collection answers with a prompt instead of the item.
      guard let item = reply.readPath(), item != "/" else {
        throw Failure(description: "the collection of secrets is locked")
      }
    }

    /// The items that are not locked.
    private func items(_ attributes: [String: String]) throws(SecretService.Failure) -> [String] {
      let reply = try call(Self.root, "Service", "SearchItems") { message throws(BusError) in
        try message.appendTexts(attributes)
      }
      return reply.readPaths()
    }

    private func call(
      _ path: String, _ interface: String, _ member: String, _ fill: (BusMessage) throws(BusError) -> Void
    ) throws(SecretService.Failure) -> BusMessage {
      var raw: OpaquePointer?
      guard
        functions.message_new_method_call(
          bus, &raw, Self.service, path, "org.freedesktop.Secret." + interface, member) >= 0, let raw
      else { throw Failure(description: "the secret service cannot be asked") }
      let message = BusMessage(raw, functions, isOwned: true)
      do throws(BusError) { try fill(message) } catch {
        throw Failure(description: "the secret service cannot be asked")
      }
      var error = sd_bus_error()
      defer { functions.error_free(&error) }
      var answer: OpaquePointer?
      guard functions.call(bus, raw, Self.timeout, &error, &answer) >= 0, let answer else {
        let reason = error.message.map { String(cString: $0) } ?? "it does not answer"
        throw Failure(description: "the secret service: \(reason)")
      }
      return BusMessage(answer, functions, isOwned: true)
    }
  }
#endif
