import Model

/// Why something cannot be played. The text is for users; the caller puts the episode's title before it.
public enum PlaybackError: Error, Equatable {
  case libraryMissing
  case libraryUnsuitable(String)
  /// `mpv_create` requires LC_NUMERIC=C. With another locale it would read and write "0,5".
  case numericLocale(String)
  case coreFailed(String)
  case addressRefused(String)
  case noSuchFile(String)
  case notAFile(String)
  case unreadable(String, why: String)
  case httpStatus(Int, String)
  case unknownHost(String)
  case unreachable(String)
  case insecure(String)
  case notAudio
  case noSoundDevice
  /// The stream ended long before its duration. Seconds.
  case brokeOff(at: Double, of: Double?)
  /// A local file ended long before its duration. Seconds.
  case incomplete(at: Double, of: Double?)
  case other(String)
}

extension PlaybackError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .libraryMissing:
      "libmpv was not found: apt-get install libmpv2 (brew install mpv on macOS)"
    case .libraryUnsuitable(let why): "the libmpv of this machine cannot be used: \(why)"
    case .numericLocale(let name): "libmpv needs LC_NUMERIC=C, but it is \(name)"
    case .coreFailed(let why): "libmpv did not start: \(why)"
    case .addressRefused(let why): "the address cannot be played: \(why)"
    case .noSuchFile(let path): "there is no file \(path)"
    case .notAFile(let path): "\(path) is not a file"
    case .unreadable(let path, let why): "\(path) cannot be read: \(why)"
    case .httpStatus(let status, let reason): Self.text(ofStatus: status, reason: reason)
    case .unknownHost(let host): "the host \(host) was not found: no connection, or a wrong address"
    case .unreachable(let why): "the server cannot be reached: \(why)"
    case .insecure(let why): "the connection is not secure: \(why)"
    case .notAudio: "this is not audio that mpv can play"
    case .noSoundDevice: "no sound device can be opened"
    case .brokeOff(let position, let duration):
      "the stream broke off at \(Self.share(position, of: duration))"
    case .incomplete(let position, let duration):
      "the file ends at \(Self.share(position, of: duration)): it is not complete"
    case .other(let why): why
    }
  }

  /// "12:34 of 56:00", or "12:34" when the duration is unknown.
  private static func share(_ position: Double, of duration: Double?) -> String {
    TimeText.clock(position) + (duration.map { " of " + TimeText.clock($0) } ?? "")
  }

  private static func text(ofStatus status: Int, reason: String) -> String {
    switch status {
    case 401, 403: "the server refuses access (\(status))"
    case 404, 410: "the server does not have the file any more (\(status))"
    case 429: "the server asks for fewer requests: try again later"
    case 500...599: "the server has an internal problem (\(status))"
    default: "the server answered \(status)\(reason.isEmpty ? "" : " \(reason)")"
    }
  }
}
