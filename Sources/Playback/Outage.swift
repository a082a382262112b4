/// An interruption of a stream because the network or the server is down. The player reopens the stream at the
/// position it reached, for much longer than FFmpeg retries (about half a minute). Seconds; times are of the player
/// thread's clock.
struct Outage: Equatable {
  /// When it began.
  var since: Double
  /// The position where the stream broke off.
  var position: Double
  /// Why it broke off, or why it could not be reopened.
  var cause: PlaybackError
  /// When the stream is reopened next.
  var nextTry: Double

  /// How long the player keeps reopening a stream.
  static let timeout = 600.0
  /// Between two attempts.
  static let interval = 4.0

  /// If the stream breaks off again before it has advanced this far, it is still the same outage.
  static let progress = 5.0

  /// Starts an outage, or continues the last one. Nil when `outageTimeout` is used up.
  static func after(
    _ last: Outage?, at position: Double, because cause: PlaybackError, now: Double, options: PlayerOptions
  ) -> Outage? {
    let isSame = last.map { position < $0.position + progress } ?? false
    let since = isSame ? last?.since ?? now : now
    guard now - since < options.outageTimeout else { return nil }
    return Outage(since: since, position: position, cause: cause, nextTry: now + options.outageInterval)
  }
}
