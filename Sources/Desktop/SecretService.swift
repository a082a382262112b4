/// Stores passwords in the desktop's keyring (GNOME Keyring, KWallet, KeePassXC), with the interface of libsecret on
/// the session bus. Source: https://specifications.freedesktop.org/secret-service/latest/
///
/// The session is "plain", because only the same user can read the bus. Without a service, or if it refuses, nothing is
/// stored and found.
public enum SecretService {
  #if canImport(CSDBus)
    /// - Parameter attributes: identify the secret for `find` and `remove`.
    /// - Returns: whether it is stored.
    public static func store(_ secret: String, label: String, attributes: [String: String]) -> Bool {
      (try? SecretBus().store(secret, label: label, attributes: attributes)) != nil
    }

    public static func find(_ attributes: [String: String]) -> String? { (try? SecretBus().find(attributes)) ?? nil }

    public static func remove(_ attributes: [String: String]) { try? SecretBus().remove(attributes) }
  #else
    // There is no D-Bus here.
    public static func store(_ secret: String, label: String, attributes: [String: String]) -> Bool { false }
    public static func find(_ attributes: [String: String]) -> String? { nil }
    public static func remove(_ attributes: [String: String]) {}
  #endif
}

#if canImport(CSDBus)
  /// A connection for one call. Used on one thread.
  private struct SecretBus {
    private let bus: BusConnection
    private var session = ""

    private static let service = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let defaultCollection = root + "/aliases/default"

    init() throws(BusError) {
      bus = try BusConnection()
      let reply = try call(Self.root, "Service", "OpenSession", [.string("plain"), .variant([.string("")])])
      reply.skipVariant()
      guard let path = reply.readPath() else { throw BusError(description: "the secret service opens no session") }
      session = path
    }

    func find(_ attributes: [String: String]) throws(BusError) -> String? {
      for item in try items(attributes) {
        if let secret = try call(item, "Item", "GetSecret", [.path(session)]).readSecret() { return secret }
      }
      return nil
    }

    func remove(_ attributes: [String: String]) throws(BusError) {
      for item in try items(attributes) { _ = try call(item, "Item", "Delete", []) }
    }

    func store(_ secret: String, label: String, attributes: [String: String]) throws(BusError) {
      let reply = try call(
        Self.defaultCollection, "Collection", "CreateItem",
        [
          .dictionary([
            "org.freedesktop.Secret.Item.Label": .string(label),
            "org.freedesktop.Secret.Item.Attributes": .texts(attributes),
          ]),
          // The parameters are empty for the plain session.
          .structure([
            .path(session), .bytes([]), .bytes(Array(secret.utf8)), .string("text/plain; charset=utf8"),
          ]),
          .bool(true),
        ])
      // A locked collection answers with a prompt instead of the item.
      guard let item = reply.readPath(), item != "/" else {
        throw BusError(description: "the collection of secrets is locked")
      }
    }

    /// The items that are not locked.
    private func items(_ attributes: [String: String]) throws(BusError) -> [String] {
      try call(Self.root, "Service", "SearchItems", [.texts(attributes)]).readPaths()
    }

    private func call(
      _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
    ) throws(BusError) -> BusMessage {
      try bus.call(try bus.newCall(Self.service, path, "org.freedesktop.Secret." + interface, member, values))
    }
  }
#endif
