import CAVCodec
import Foundation

/// Decodes pictures with FFmpeg. Only four of its decoders are used, because feeds are untrusted.
struct PictureDecoder: @unchecked Sendable {
  // `@unchecked`: it holds only function addresses, which are written once in `init`.
  private let functions: earshot_av

  /// Bytes of a file. Covers have up to three megabytes.
  private static let byteLimit = 12_000_000
  /// Apple allows at most 3000 × 3000 pixels; some covers have twice that per edge.
  private static let pixelLimit: Int64 = 64_000_000

  init() throws(CoverArtError) {
    let codec = try Self.open("avcodec", EARSHOT_AV_CODEC_MAJOR)
    let util = try Self.open("avutil", EARSHOT_AV_UTIL_MAJOR)
    let scale = try Self.open("swscale", EARSHOT_SWS_MAJOR)
    let table = UnsafeMutablePointer<earshot_av>.allocate(capacity: 1)
    defer { table.deallocate() }
    if let missing = earshot_av_fill(table, codec, util, scale) {
      throw .libraryMissing(String(cString: missing))
    }
    functions = table.pointee
  }

  func decode(_ data: Data) throws(CoverArtError) -> Picture {
    guard data.count <= Self.byteLimit else { throw .tooLarge(bytes: data.count) }
    let bytes = [UInt8](data)
    guard let format = PictureFormat(bytes) else { throw .unknownFormat }
    var rgba = [UInt8](repeating: 0, count: Picture.side * Picture.side * 4)
    var (width, height): (Int32, Int32) = (0, 0)
    let result = withUnsafePointer(to: functions) { table in
      earshot_av_decode(
        table, format.codec, bytes, Int32(bytes.count), Self.pixelLimit, Int32(Picture.side), &rgba, &width, &height)
    }
    guard result == 0 else { throw .undecodable }
    return Picture(rgba: rgba, width: Int(width), height: Int(height))
  }

  /// Opens the library in the exact major version whose structures the program was compiled with. It is never closed.
  private static func open(_ name: String, _ major: some BinaryInteger) throws(CoverArtError) -> UnsafeMutableRawPointer
  {
    let names = [
      "lib\(name).so.\(major)", "lib\(name).\(major).dylib", "/opt/homebrew/lib/lib\(name).\(major).dylib",
      "/usr/local/lib/lib\(name).\(major).dylib",
    ]
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw .libraryMissing(names[0])
    }
    return library
  }
}

extension PictureFormat {
  fileprivate var codec: AVCodecID {
    switch self {
    case .jpeg: AV_CODEC_ID_MJPEG
    case .png: AV_CODEC_ID_PNG
    case .gif: AV_CODEC_ID_GIF
    case .webP: AV_CODEC_ID_WEBP
    }
  }
}
