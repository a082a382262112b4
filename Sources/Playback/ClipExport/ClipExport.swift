import Foundation
import Model

/// Writes a part of a recording to a file, exact to the sample, with libmpv's encoder.
///
/// From a stream, only the clip's bytes are fetched if the format allows it and the feed gives size and length. mpv
/// seeks by index in MP4, FLAC and Ogg, and by proportion in an MP3 with a constant bit rate. An MP3 with a variable
/// bit rate is read from its beginning, because a proportional seek would be inaccurate.
public struct ClipExport: Sendable {
  /// An http or https address, or an absolute path of a local file.
  public var address: String
  /// Seconds.
  public var start: Double
  /// Seconds, after `start`. The clip ends with the recording if that is shorter.
  public var end: Double
  /// The path to write to. An existing file is replaced when the clip is complete.
  public var target: String
  /// The title for the file's tags.
  public var title: String?
  /// The size of the whole recording in bytes, and its length in seconds, as the feed gives them. They limit what is
  /// fetched.
  public var mediaBytes: Int64?
  public var duration: Double?
  /// For recognisers of speech: one channel of 16,000 samples a second. Only in a WAVE file.
  public var isForSpeech = false
  /// The clip is the whole recording, however long that is.
  public var isWhole = false
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

  /// Exports the clip. Blocks the thread for as long as it takes to read that part.
  /// - Returns: the length of the written clip, in seconds.
  public func run() throws(ClipExportError) -> Double {
    guard let format = ClipFormat(path: target) else { throw .format(path: target) }
    guard access(Self.directory(of: target), W_OK | X_OK) == 0 else {
      throw .target(path: target, why: String(cString: strerror(errno)))
    }
    // The partial file keeps the extension, because FFmpeg chooses the format by it.
    let partial = target + ".part.\(format.rawValue)"
    defer { unlink(partial) }
    do throws(PlaybackError) {
      let library = options.adaptLibrary(try MpvLibrary(names: options.libraryNames))
      let source = try MediaSource(PlayRequest(address: address, generation: 0))
      let encoder = ClipEncoder(library: library, source: source, clip: self, format: format, target: partial)
      try encoder.encode()
      let length = try ClipEncoder.length(of: partial, library, options)
      guard !isForSpeech else {
        do { try PlainWave.write(partial, to: target) } catch {
          unlink(target)
          throw PlaybackError.unreadable(target, why: FileFailure.text(error))
        }
        return length
      }
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

  /// Why a partial file cannot grow; nil when it can. mpv and FFmpeg report at most "Writing packet failed" without a
  /// reason, and write errors of WAVE files are not checked at all (`ao_pcm.c`).
  private static func writeFailure(of path: String) -> String? {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // More than a muxer holds back in one packet, and more than the free rest of the last file system block.
    let bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = write(descriptor, bytes, bytes.count)
    return count == bytes.count ? nil : String(cString: strerror(count < 0 ? errno : ENOSPC))
  }

  private static func directory(of path: String) -> String {
    let directory = (path as NSString).deletingLastPathComponent
    return directory.isEmpty ? "." : directory
  }
}
