/// The network or the server is away in the middle of a stream: it is asked for again, from the place that was reached,
/// for much longer than FFmpeg does (about half a minute). Seconds; times are those of the player's clock.
struct Outage: Equatable {
  /// When it began.
  var since: Double
  /// Where the stream broke off.
  var place: Double
  /// Why, or why it could not be opened again.
  var cause: PlaybackError
  /// When the stream is opened again.
  var nextTry: Double

  /// A stream that comes, and breaks off again before it got that far, has not come.
  static let progress = 5.0

  /// The stream has broken off, perhaps not for the first time. Nil when patience is at its end.
  static func after(
    _ last: Outage?, at place: Double, because cause: PlaybackError, now: Double, options: PlayerOptions
  ) -> Outage? {
    let isSame = last.map { place < $0.place + progress } ?? false
    let since = isSame ? last?.since ?? now : now
    guard now - since < options.outagePatience else { return nil }
    return Outage(since: since, place: place, cause: cause, nextTry: now + options.outageInterval)
  }
}
