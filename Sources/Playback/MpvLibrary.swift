import CMpv
import Foundation

/// libmpv, opened when something is first played: a start that plays nothing does not pay the 57 ms that loading it and
/// its 250 dependencies takes. It is never closed: a library that has started threads cannot be unloaded safely.
///
/// `@unchecked`: nothing but addresses of functions, written once before anybody else sees the value.
struct MpvLibrary: @unchecked Sendable {
  /// The functions, by their names without `mpv_`.
  var functions: earshot_mpv

  /// Tried in this order. The bare names are searched for by the dynamic linker; Homebrew's directories are not on its
  /// path (Apple silicon, then Intel, then Linux).
  static let names = [
    "libmpv.so.2", "libmpv.so.1", "libmpv.dylib", "/opt/homebrew/lib/libmpv.dylib", "/usr/local/lib/libmpv.dylib",
    "/home/linuxbrew/.linuxbrew/lib/libmpv.so.2",
  ]

  /// Throws `PlaybackError.libraryMissing` or `.libraryUnsuitable`.
  init(names: [String]) throws(PlaybackError) {
    // RTLD_GLOBAL: plugins of mpv (its MPRIS script, for one) look libmpv's symbols up in the global scope.
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_GLOBAL) }).first else {
      throw .libraryMissing
    }
    let table = UnsafeMutablePointer<earshot_mpv>.allocate(capacity: 1)
    defer { table.deallocate() }
    if let missing = earshot_mpv_fill(table, library) {
      throw .libraryUnsuitable("it lacks \(String(cString: missing))")
    }
    functions = table.pointee
    // 1.108 brought playlist_entry_id, by which events are told apart (mpv 0.33, client-api-changes.rst).
    let version = functions.client_api_version()
    guard version >= 1 << 16 | 108 else {
      throw .libraryUnsuitable("its interface is \(version >> 16).\(version & 0xFFFF), 1.108 is the least")
    }
  }
}
