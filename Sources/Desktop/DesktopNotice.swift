#if canImport(CSDBus)
  import CSDBus
  import Foundation

  /// A notification on the desktop (Desktop Notifications Specification 1.2).
  public enum DesktopNotice {
    /// How long the desktop has for an answer, in microseconds.
    private static let patience: UInt64 = 5_000_000

    /// Connects to the session bus, posts one notification and leaves again. Waits for the desktop's answer, 5 s at most. For
    /// programs that end at once; the player sends its own over the connection that it has.
    /// - Returns: why the listener sees nothing; nil when the desktop took it.
    public static func post(title: String, body: String) -> String? {
      do throws(BusError) {
        let bus = try BusLibrary().functions
        var connection: OpaquePointer?
        let opened = bus.open_user(&connection)
        guard opened >= 0, let connection else { throw .failed("no session bus", code: -opened) }
        defer { _ = bus.flush_close_unref(connection) }
        let message = try message(title: title, body: body, on: connection, bus)
        var error = sd_bus_error()
        defer { bus.error_free(&error) }
        var answer: OpaquePointer?
        let called = withExtendedLifetime(message) { bus.call(connection, message.pointer, patience, &error, &answer) }
        guard called >= 0, let answer else {
          throw .refused(error.message.map { String(cString: $0) } ?? "the desktop does not answer")
        }
        _ = BusMessage(answer, bus, isOwned: true)
        return nil
      } catch {
        return "no notification: \(error)"
      }
    }

    /// Posts a notification and waits for no answer.
    static func send(
      title: String, body: String, on connection: OpaquePointer?, _ bus: earshot_sdbus
    ) throws(BusError) {
      let message = try message(title: title, body: body, on: connection, bus)
      let code = withExtendedLifetime(message) { bus.send(connection, message.pointer, nil) }
      guard code >= 0 else { throw .failed("send", code: -code) }
    }

    /// The body is markup, the urgency a byte; servers such as mako refuse the whole for another type.
    private static func message(
      title: String, body: String, on connection: OpaquePointer?, _ bus: earshot_sdbus
    ) throws(BusError) -> BusMessage {
      let title = MediaPlayerProperties.clean(title)
      let escaped = MediaPlayerProperties.clean(body).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      var pointer: OpaquePointer?
      let name = "org.freedesktop.Notifications"
      let code = bus.message_new_method_call(
        connection, &pointer, name, "/org/freedesktop/Notifications", name, "Notify")
      guard code >= 0, let pointer else { throw .failed("message_new_method_call", code: -code) }
      let message = BusMessage(pointer, bus, isOwned: true)
      try message.append([
        .string("Earshot"), .uint32(0), .string("audio-x-generic"), .string(title), .string(escaped), .strings([]),
        .dictionary(["urgency": .byte(0)]), .int32(-1),
      ])
      return message
    }
  }
#else
  /// On macOS there is no session bus.
  public enum DesktopNotice {
    public static func post(title: String, body: String) -> String? { "there is no session bus on this system" }
  }
#endif
