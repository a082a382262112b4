#if canImport(CSDBus)
  import CSDBus
  import Foundation

  /// A notification on the desktop (Desktop Notifications Specification 1.2).
  public enum DesktopNotice {
    /// Connects to the session bus, posts one notification and leaves again. For programs that end at once; the player sends
    /// its own over the connection that it has.
    /// - Returns: why nothing was posted; nil when the bus took it.
    public static func post(title: String, body: String) -> String? {
      do throws(BusError) {
        let bus = try BusLibrary().functions
        var connection: OpaquePointer?
        let code = bus.open_user(&connection)
        guard code >= 0, let connection else { throw .failed("open_user", code: -code) }
        // Flushes what was sent.
        defer { _ = bus.flush_close_unref(connection) }
        try send(title: title, body: body, on: connection, bus)
        return nil
      } catch {
        return error.description
      }
    }

    /// The body is markup, the urgency a byte; servers such as mako refuse the whole for another type.
    static func send(
      title: String, body: String, on connection: OpaquePointer?, _ bus: earshot_sdbus
    ) throws(BusError) {
      let title = MediaPlayerProperties.clean(title)
      let escaped = MediaPlayerProperties.clean(body).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      var pointer: OpaquePointer?
      let name = "org.freedesktop.Notifications"
      var code = bus.message_new_method_call(
        connection, &pointer, name, "/org/freedesktop/Notifications", name, "Notify")
      guard code >= 0, let pointer else { throw .failed("message_new_method_call", code: -code) }
      let message = BusMessage(pointer, bus, isOwned: true)
      try message.append([
        .string("Earshot"), .uint32(0), .string("audio-x-generic"), .string(title), .string(escaped), .strings([]),
        .dictionary(["urgency": .byte(0)]), .int32(-1),
      ])
      code = bus.send(connection, pointer, nil)
      guard code >= 0 else { throw .failed("send", code: -code) }
    }
  }
#else
  /// On macOS there is no session bus.
  public enum DesktopNotice {
    public static func post(title: String, body: String) -> String? { "there is no session bus on this system" }
  }
#endif
