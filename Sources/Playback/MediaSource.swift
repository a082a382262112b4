import Foundation
import Model

/// An address that is safe to pass to mpv. mpv accepts many other forms (`edl://`, `lavf://`, `-`, shell-like
/// prefixes, web pages), and feeds are untrusted.
enum MediaSource: Equatable {
  case http(String)
  /// An absolute path of a regular file.
  case file(String)
  /// An address from a test, passed without checks.
  case trusted(String)

  var address: String {
    switch self {
    case .http(let address), .file(let address), .trusted(let address): address
    }
  }

  var isStream: Bool { if case .http = self { true } else { false } }

  /// The address for mpv.
  /// - Parameter streams: the relay that fetches http and https addresses; nil: mpv does.
  func address(through streams: (any StreamSource)?, seeking: SeekStrategy) -> String {
    // mpv always seeks in files that it opens itself, but FFmpeg can be told not to.
    if case .file(let path) = self, seeking == .decodeThrough { return "lavf://file:" + path }
    guard isStream else { return address }
    return streams?.address(for: address) ?? address
  }

  /// Why the relay could not fetch it. Nil if the relay has no reason, or was not used.
  func failure(in streams: (any StreamSource)?) -> PlaybackError? {
    guard isStream else { return nil }
    return streams?.lastFailure(for: address)
  }

  /// What the relay knows about the seconds of the file. Nil: nothing, or the relay was not used.
  func timing(in streams: (any StreamSource)?) -> StreamTiming? {
    guard isStream else { return nil }
    return streams?.timing(of: address)
  }

  /// Whether its bytes show that it is a chained Ogg file.
  func isChained(in streams: (any StreamSource)?) -> Bool {
    switch self {
    case .http: timing(in: streams)?.isChained == true
    case .file(let path), .trusted(let path): Self.isChained(path)
    }
  }

  /// Looks at the beginning and the end of a file.
  private static func isChained(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard let size = try? file.seekToEnd() else { return false }
    var chain = OggChain()
    for start in [0, size - min(size, UInt64(tailBytes))] {
      guard (try? file.seek(toOffset: start)) != nil, let bytes = try? file.read(upToCount: tailBytes) else { break }
      bytes.withUnsafeBytes { chain.read($0, at: Int64(start)) }
    }
    return chain.isChained
  }

  /// More than FFmpeg reads at the end of a file.
  private static let tailBytes = 128 * 1024

  init(_ request: PlayRequest) throws(PlaybackError) {
    if request.isTrusted {
      self = .trusted(request.address)
    } else if request.address.hasPrefix("/") {
      self = try Self.file(at: request.address)
    } else {
      self = try Self.stream(at: request.address)
    }
  }

  private static func stream(at address: String) throws(PlaybackError) -> MediaSource {
    guard let colon = address.range(of: "://") else { throw .addressRefused("it is no http or https address") }
    let scheme = address[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw .addressRefused("it begins with \(LogLine(scheme.prefix(20) + "://").text)")
    }
    guard address.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw .addressRefused("it contains control characters")
    }
    guard let first = address[colon.upperBound...].first, !"/?#:@".contains(first) else {
      throw .addressRefused("it names no host")
    }
    // mpv escapes spaces and non-ASCII letters itself. It compares schemes in lower case only.
    return .http(scheme + address[colon.lowerBound...])
  }

  private static func file(at path: String) throws(PlaybackError) -> MediaSource {
    guard !path.utf8.contains(0) else { throw .addressRefused("the path contains a NUL") }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .noSuchFile(path) : .unreadable(path, why: String(cString: strerror(errno)))
    }
    // A pipe or a device could block, or never end.
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
    guard access(path, R_OK) == 0 else { throw .unreadable(path, why: String(cString: strerror(errno))) }
    return .file(path)
  }

  /// Options that limit what mpv may open from this source, and that set how it seeks. Each source sets all of them,
  /// because mpv opens a prefetched file with the options of the previous file (`PlayerThread+Upcoming`).
  func options(seeking: SeekStrategy) -> [(key: String, value: String)] {
    switch self {
    case .http: [("access-references", "yes")] + seeking.options
    // A local file must not refer to other files (as an MP4 or a manifest can).
    case .file: [("access-references", "no"), ("demuxer-lavf-o", ""), ("force-seekable", "no")]
    case .trusted: [("access-references", "yes"), ("demuxer-lavf-o", ""), ("force-seekable", "no")]
    }
  }
}

/// Fetches streams for mpv, which then connects only to this machine.
public protocol StreamSource: Sendable {
  /// The local address that stands for an http or https address. Nil: mpv uses the original.
  func address(for address: String) -> String?
  /// Why the last request for the address failed. Nil if it succeeded. FFmpeg does not report some statuses, such as
  /// 401.
  func lastFailure(for address: String) -> PlaybackError?
  /// Whether mpv did not get the whole of the last response for the address.
  func isUnfinished(_ address: String) -> Bool
  /// What is known about the seconds of an mp3 file at the address. Nil: nothing.
  func timing(of address: String) -> StreamTiming?
}
