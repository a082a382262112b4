import Model

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
