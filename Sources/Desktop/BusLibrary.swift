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

    /// Throws `BusError.libraryMissing` or `.libraryUnsuitable`.
    init(names: [String] = BusLibrary.names) throws(BusError) {
      guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
        throw .libraryMissing
      }
      let table = UnsafeMutablePointer<earshot_sdbus>.allocate(capacity: 1)
      defer { table.deallocate() }
      if let missing = earshot_sdbus_fill(table, library) { throw .libraryUnsuitable(String(cString: missing)) }
      functions = table.pointee
    }
  }

  /// Why something could not be done over the bus.
  enum BusError: Error, Equatable, CustomStringConvertible {
    case libraryMissing
    case libraryUnsuitable(String)
    /// A function of sd-bus, and its error (errno.h).
    case failed(String, code: Int32)
    /// The called service answered with an error, or not in time.
    case refused(String)

    var description: String {
      switch self {
      case .libraryMissing: "libsystemd was not found"
      case .libraryUnsuitable(let name): "libsystemd lacks \(name)"
      case .failed(let call, let code): "\(call): \(String(cString: strerror(code)))"
      case .refused(let reason): reason
      }
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
