import CMpv
import Foundation

/// libmpv, opened with dlopen when something is first played. A start that plays nothing saves the 57 ms that libmpv
/// and its 234 dependencies take to load. It is never closed: a library that has started threads cannot be unloaded
/// safely.
///
/// `@unchecked`: it holds only function addresses, which are written once in `init`.
struct MpvLibrary: @unchecked Sendable {
  /// The functions, by their names without `mpv_`.
  var functions: earshot_mpv

  /// File names to try, in this order. The dynamic linker searches for bare names; Homebrew's directories (Apple
  /// silicon, Intel, Linux) are not on its path.
  static let names = [
    "libmpv.so.2", "libmpv.so.1", "libmpv.dylib", "/opt/homebrew/lib/libmpv.dylib", "/usr/local/lib/libmpv.dylib",
    "/home/linuxbrew/.linuxbrew/lib/libmpv.so.2",
  ]

  /// Throws `PlaybackError.libraryMissing` or `.libraryUnsuitable`.
  init(names: [String]) throws(PlaybackError) {
    // RTLD_GLOBAL: mpv's plugins (such as its MPRIS script) look up libmpv's symbols in the global scope.
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_GLOBAL) }).first else {
      throw .libraryMissing
    }
    let table = UnsafeMutablePointer<earshot_mpv>.allocate(capacity: 1)
    defer { table.deallocate() }
    if let missing = earshot_mpv_fill(table, library) {
      throw .libraryUnsuitable("it lacks \(String(cString: missing))")
    }
    functions = table.pointee
    // Version 1.108 (mpv 0.33, client-api-changes.rst) added playlist_entry_id, which tells apart the events of
    // different files.
    let version = functions.client_api_version()
    guard version >= 1 << 16 | 108 else {
      throw .libraryUnsuitable("its interface is \(version >> 16).\(version & 0xFFFF), but 1.108 or later is needed")
    }
  }
}
