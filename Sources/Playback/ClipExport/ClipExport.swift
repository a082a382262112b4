import Foundation

/// Writes a part of a recording into a file of its own, exact to the sample, with libmpv's encoder.
///
/// Of a stream only the clip's bytes are fetched where the file allows (and the feed says its size and length): mpv seeks
/// by the index of an MP4, FLAC or Ogg, and by proportion (bytes to seconds) in an MP3 of constant rate. In one of
/// variable rate that would land beside the place, so it is read through from its beginning instead.
public struct ClipExport: Sendable {
  /// http, https, or an absolute path of a local file.
  public var address: String
  /// Seconds.
  public var start: Double
  /// Seconds; after `start`. At the recording's end the clip ends as well.
  public var end: Double
  /// A file of that name is replaced when the clip is complete.
  public var target: String
  /// What tags of the file say.
  public var title: String?
  /// What the feed says of the whole file, for asking for no more of a stream than its part. Bytes and seconds.
  public var mediaBytes: Int64?
  public var duration: Double?
  public var options: PlayerOptions

  public init(
    address: String, start: Double, end: Double, target: String, title: String? = nil,
    mediaBytes: Int64? = nil, duration: Double? = nil, options: PlayerOptions = PlayerOptions()
  ) {
    self.address = address
    self.start = start
    self.end = end
    self.target = target
    self.title = title
    self.mediaBytes = mediaBytes
    self.duration = duration
    self.options = options
  }

  /// Takes as long as reading the part takes; blocks the thread.
  /// - Returns: how long the written clip is, in seconds.
  public func run() throws(ClipExportError) -> Double {
    guard let format = ClipFormat(path: target) else { throw .format(path: target) }
    guard access(Self.directory(of: target), W_OK | X_OK) == 0 else {
      throw .target(path: target, why: String(cString: strerror(errno)))
    }
    // The ending stays, as FFmpeg looks at it.
    let partial = target + ".part.\(format.rawValue)"
    defer { unlink(partial) }
    do throws(PlaybackError) {
      let library = try MpvLibrary(names: options.libraryNames)
      let source = try MediaSource(PlayRequest(address: address, generation: 0))
      let encoder = ClipEncoder(library: library, source: source, clip: self, format: format, target: partial)
      try encoder.encode()
      let length = try ClipEncoder.length(of: partial, library, options)
      guard rename(partial, target) == 0 else {
        throw PlaybackError.unreadable(target, why: String(cString: strerror(errno)))
      }
      return length
    } catch {
      if case .unreadable(target, let why) = error { throw .target(path: target, why: why) }
      if let why = Self.writeFailure(of: partial) { throw .unwritten(path: target, why: why) }
      throw .source("\(error)")
    }
  }

  /// Why a file that was begun cannot grow; nil when it can. mpv and FFmpeg say at most that "Writing packet failed",
  /// never why; a WAVE file is not even looked after (`ao_pcm.c`).
  private static func writeFailure(of path: String) -> String? {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // More than what a muxer holds back in one packet, and than what a file system still finds in its last block.
    let bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = write(descriptor, bytes, bytes.count)
    return count == bytes.count ? nil : String(cString: strerror(count < 0 ? errno : ENOSPC))
  }

  private static func directory(of path: String) -> String {
    let directory = (path as NSString).deletingLastPathComponent
    return directory.isEmpty ? "." : directory
  }
}
