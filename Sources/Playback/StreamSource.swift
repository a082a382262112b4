import Model

/// Fetches streams for mpv, which then connects only to this machine.
public protocol StreamSource: Sendable {
  /// The local address that stands for an http or https address. Nil: mpv uses the original.
  func address(for address: String) -> String?
  /// Why the last request for the address failed. Nil if it succeeded.
  func lastFailure(for address: String) -> StreamFailure?
  /// Whether mpv did not get the whole of the last response for the address.
  func isUnfinished(_ address: String) -> Bool
  /// What is known about the seconds of an mp3 file at the address. Nil: nothing.
  func timing(of address: String) -> StreamTiming?
}

/// Why a server sends nothing.
public enum StreamFailure: Equatable, Sendable {
  case unknownHost(String)
  /// A reason in words for the user.
  case unreachable(String)
  case insecure(String)
  /// What the server sends cannot be played. A reason in words for the user.
  case unusable(String)
  /// The server answers with this status. FFmpeg does not report some of them, such as 401.
  case refused(status: Int)
}

extension PlaybackError {
  init(_ failure: StreamFailure) {
    self =
      switch failure {
      case .unknownHost(let host): .unknownHost(host)
      case .unreachable(let why): .unreachable(why)
      case .insecure(let why): .insecure(why)
      case .unusable(let why): .other(why)
      case .refused(let status): .httpStatus(status, "")
      }
  }
}
