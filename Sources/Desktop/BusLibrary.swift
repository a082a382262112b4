import Model

#if canImport(CSDBus)
  import CSDBus
  import Foundation

  /// libsystemd's D-Bus library (sd-bus), loaded when the player first connects to the desktop. elogind and basu have
  /// the same functions on systems without systemd. It is never unloaded, because it has state of its own.
  ///
  /// `@unchecked`, because it only holds addresses of functions, which are written once before other threads see the
  /// value.
  struct BusLibrary: @unchecked Sendable {
    /// The functions, by their names without `sd_bus_`.
    let functions: earshot_sdbus

    static let names = ["libsystemd.so.0", "libelogind.so.0", "libbasu.so.0"]

    init(names: [String] = BusLibrary.names) throws(BusError) {
      guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
        throw BusError(description: "libsystemd was not found")
      }
      let table = UnsafeMutablePointer<earshot_sdbus>.allocate(capacity: 1)
      defer { table.deallocate() }
      if let missing = earshot_sdbus_fill(table, library) {
        throw BusError(description: "libsystemd lacks \(String(cString: missing))")
      }
      functions = table.pointee
    }
  }

  /// A connection to the session bus. Used on one thread, because sd-bus has no locks.
  final class BusConnection {
    let functions: earshot_sdbus
    let pointer: OpaquePointer

    /// Microseconds that a service may take to answer. One that needs its user's password answers with a prompt.
    static let timeout: UInt64 = 5_000_000

    init() throws(BusError) {
      let functions = try BusLibrary().functions
      var pointer: OpaquePointer?
      let code = functions.open_user(&pointer)
      guard code >= 0, let pointer else { throw .failed("no session bus", code: -code) }
      (self.functions, self.pointer) = (functions, pointer)
    }

    deinit { _ = functions.flush_close_unref(pointer) }

    func newCall(
      _ service: String, _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
    ) throws(BusError) -> BusMessage {
      var message: OpaquePointer?
      let code = functions.message_new_method_call(pointer, &message, service, path, interface, member)
      guard code >= 0, let message else { throw .failed("sd_bus_message_new_method_call", code: -code) }
      let call = BusMessage(message, functions, isOwned: true)
      try call.append(values)
      return call
    }

    /// Sends a call, and waits for the answer.
    func call(_ message: BusMessage) throws(BusError) -> BusMessage {
      var error = sd_bus_error()
      defer { functions.error_free(&error) }
      var answer: OpaquePointer?
      let code = withExtendedLifetime(message) {
        functions.call(pointer, message.pointer, Self.timeout, &error, &answer)
      }
      guard code >= 0, let answer else {
        // The called service answered with an error, or not in time.
        throw BusError(description: error.message.map { String(cString: $0) } ?? "the desktop does not answer")
      }
      return BusMessage(answer, functions, isOwned: true)
    }

    /// Sends a message without waiting for an answer.
    func send(_ message: BusMessage) throws(BusError) {
      let code = withExtendedLifetime(message) { functions.send(pointer, message.pointer, nil) }
      guard code >= 0 else { throw .failed("sd_bus_send", code: -code) }
    }
  }

  /// Why something could not be done over the bus.
  struct BusError: Error, CustomStringConvertible {
    let description: String

    /// - Parameter code: the error of a function of sd-bus (errno.h).
    static func failed(_ call: String, code: Int32) -> BusError {
      BusError(description: "\(call): \(String(cString: strerror(code)))")
    }
  }
#endif

/// The library for the desktop, for `earshot doctor`. None on macOS, which has no D-Bus.
public enum DesktopLibraries {
  public static func check() -> [OptionalLibrary] {
    #if canImport(CSDBus)
      let found = BusLibrary.names.first { (try? BusLibrary(names: [$0])) != nil }
      return [
        OptionalLibrary(
          name: "sd-bus", wanted: BusLibrary.names.joined(separator: ", "), found: found,
          loss: "no media keys, notifications and stored passwords")
      ]
    #else
      return []
    #endif
  }
}
