import CAVUtil
import Foundation

/// SHA-1 (FIPS 180-4) from FFmpeg's libavutil, which is installed wherever libmpv is. Only for the authentication of
/// Podcast Index; SHA-1 is not secure for other uses.
enum SHA1 {
  private static let names = (EARSHOT_FFMPEG_OLDEST...EARSHOT_FFMPEG_NEWEST).reversed().flatMap {
    let major = earshot_avutil_major(Int32($0))
    return [
      "libavutil.so.\(major)", "libavutil.\(major).dylib", "/opt/homebrew/lib/libavutil.\(major).dylib",
      "/usr/local/lib/libavutil.\(major).dylib",
    ]
  }

  /// The hash in lower-case hexadecimal digits. Nil if libavutil is not installed.
  static func hex(_ text: String) -> String? {
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
    defer { dlclose(library) }
    var digest = [UInt8](repeating: 0, count: 20)
    let bytes = Array(text.utf8)
    guard earshot_sha1(library, bytes, bytes.count, &digest) == 0 else { return nil }
    return digest.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
  }
}
