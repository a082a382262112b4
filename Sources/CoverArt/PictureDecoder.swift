import CAVCodec
import CAVUtil
import Foundation

/// Decodes pictures with FFmpeg. Only four of its decoders are used, because feeds are untrusted.
struct PictureDecoder: @unchecked Sendable {
  // `@unchecked`: it holds only function addresses, which are written once in `init`.
  private let functions: earshot_av

  /// Bytes of a file. Covers have up to three megabytes.
  private static let byteLimit = 12_000_000
  /// Apple allows at most 3000 × 3000 pixels; some covers have twice that per edge.
  private static let pixelLimit: Int64 = 64_000_000

  /// The release of FFmpeg, such as 5.
  let release: Int32

  static let releases = Int32(EARSHOT_FFMPEG_OLDEST)...Int32(EARSHOT_FFMPEG_NEWEST)

  /// Opens the newest release that is installed.
  init(releases: ClosedRange<Int32> = Self.releases) throws(CoverArtError) {
    for release in releases.reversed() {
      guard let codec = Self.open("avcodec", earshot_avcodec_major(release)),
        let util = Self.open("avutil", earshot_avutil_major(release)),
        let scale = Self.open("swscale", earshot_swscale_major(release))
      else { continue }
      let table = UnsafeMutablePointer<earshot_av>.allocate(capacity: 1)
      defer { table.deallocate() }
      if let missing = earshot_av_fill(table, codec, util, scale) { throw .libraryMissing(String(cString: missing)) }
      (functions, self.release) = (table.pointee, release)
      return
    }
    let majors = [releases.lowerBound, releases.upperBound].map { earshot_avcodec_major($0) }
    throw .libraryMissing("libavcodec \(majors[0]) to \(majors[1])")
  }

  func decode(_ data: Data) throws(CoverArtError) -> Picture {
    guard data.count <= Self.byteLimit else { throw .tooLarge(bytes: data.count) }
    let bytes = [UInt8](data)
    guard let decoder = Self.decoder(of: bytes) else { throw .unknownFormat }
    var rgba = [UInt8](repeating: 0, count: Picture.side * Picture.side * 4)
    var (width, height): (Int32, Int32) = (0, 0)
    let result = withUnsafePointer(to: functions) { table in
      earshot_av_decode(
        table, decoder, bytes, Int32(bytes.count), Self.pixelLimit, Int32(Picture.side), &rgba, &width, &height)
    }
    guard result == 0 else { throw .undecodable }
    return Picture(rgba: rgba, width: Int(width), height: Int(height))
  }

  /// The name of FFmpeg's decoder, by the first bytes of the picture. Content types and file names are often wrong.
  private static func decoder(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "mjpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
    if bytes.starts(with: "GIF8".utf8) { return "gif" }
    return bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8) ? "webp" : nil
  }

  /// Opens a library of FFmpeg. It is never closed.
  private static func open(_ name: String, _ major: Int32) -> UnsafeMutableRawPointer? {
    let names = [
      "lib\(name).so.\(major)", "lib\(name).\(major).dylib", "/opt/homebrew/lib/lib\(name).\(major).dylib",
      "/usr/local/lib/lib\(name).\(major).dylib",
    ]
    return names.lazy.compactMap { dlopen($0, RTLD_NOW) }.first
  }
}
