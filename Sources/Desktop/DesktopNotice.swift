#if canImport(CSDBus)
  import CSDBus
  import Foundation
  import Synchronization

  /// Desktop notifications (Desktop Notifications Specification 1.2).
  public enum DesktopNotice {
    /// Microseconds that the desktop may take to answer.
    private static let timeout: UInt64 = 5_000_000

    /// Connects to the session bus, shows one notification and disconnects. Waits at most a few seconds for the bus
    /// and for the answer. For commands that end at once; the player uses its own connection.
    /// - Returns: why it was not shown; nil if the desktop accepted it.
    public static func post(title: String, body: String) -> String? {
      let result = Mutex<String?>("no notification: the session bus does not answer")
      let done = DispatchSemaphore(value: 0)
      // sd-bus waits for a bus that does not answer at all for longer than its time limit.
      Thread.detachNewThread {
        let reason = show(title: title, body: body)
        result.withLock { $0 = reason }
        done.signal()
      }
      _ = done.wait(timeout: .now() + .microseconds(Int(timeout) + 1_000_000))
      return result.withLock { $0 }
    }

    private static func show(title: String, body: String) -> String? {
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
        let called = withExtendedLifetime(message) { bus.call(connection, message.pointer, timeout, &error, &answer) }
        guard called >= 0, let answer else {
          throw .refused(error.message.map { String(cString: $0) } ?? "the desktop does not answer")
        }
        _ = BusMessage(answer, bus, isOwned: true)
        return nil
      } catch {
        return "no notification: \(error)"
      }
    }

    /// Shows a notification without waiting for an answer.
    static func send(
      title: String, body: String, on connection: OpaquePointer?, _ bus: earshot_sdbus
    ) throws(BusError) {
      let message = try message(title: title, body: body, on: connection, bus)
      let code = withExtendedLifetime(message) { bus.send(connection, message.pointer, nil) }
      guard code >= 0 else { throw .failed("send", code: -code) }
    }

    /// The call that shows a notification. The body is markup, and the urgency is a byte. Servers such as mako refuse
    /// other types.
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
  /// macOS has no session bus.
  public enum DesktopNotice {
    public static func post(title: String, body: String) -> String? { "there is no session bus on this system" }
  }
#endif
