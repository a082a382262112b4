#if canImport(CSDBus)
  import Foundation
  import Synchronization

  /// Desktop notifications (Desktop Notifications Specification 1.2).
  public enum DesktopNotice {
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
      _ = done.wait(timeout: .now() + .microseconds(Int(BusConnection.timeout) + 1_000_000))
      return result.withLock { $0 }
    }

    private static func show(title: String, body: String) -> String? {
      do throws(BusError) {
        let bus = try BusConnection()
        _ = try bus.call(try message(title: title, body: body, on: bus))
        return nil
      } catch {
        return "no notification: \(error)"
      }
    }

    /// Shows a notification without waiting for an answer.
    static func send(title: String, body: String, on bus: BusConnection) throws(BusError) {
      try bus.send(try message(title: title, body: body, on: bus))
    }

    /// The call that shows a notification. The body is markup, and the urgency is a byte. Servers such as mako refuse
    /// other types.
    private static func message(title: String, body: String, on bus: BusConnection) throws(BusError) -> BusMessage {
      let title = MediaPlayerProperties.clean(title)
      let escaped = MediaPlayerProperties.clean(body).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      let name = "org.freedesktop.Notifications"
      return try bus.newCall(
        name, "/org/freedesktop/Notifications", name, "Notify",
        [
          .string("Earshot"), .uint32(0), .string("audio-x-generic"), .string(title), .string(escaped), .strings([]),
          .dictionary(["urgency": .byte(0)]), .int32(-1),
        ])
    }
  }
#else
  /// macOS has no session bus.
  public enum DesktopNotice {
    public static func post(title: String, body: String) -> String? { "there is no session bus on this system" }
  }
#endif
