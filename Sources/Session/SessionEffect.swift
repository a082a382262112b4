import Model

/// A request of a session to its client. Effects are about the item that was loaded when the session was called. All
/// numbers are seconds.
public enum SessionEffect: Equatable, Sendable {
  // The player.
  case setPaused(Bool)
  case seek(to: Double, SeekID)
  case setFade(Double)
  case stopPlayer

  // The library.
  /// Without an episode of the library only the position is stored.
  case note(ListeningNote)
  /// The file has changed since it was last played. Compare its transcripts, if one was read before.
  case compareTranscripts
  /// The player found these chapters in the file.
  case found([Chapter])

  /// The server sends the item only from its start, so playback cannot begin at this position. Nothing is loaded any
  /// more. `isWanted`: the position was stored by listening or chosen, and is not just the end of the intro. `reason`
  /// of the session tells why it was loaded.
  case unreachable(Double, isWanted: Bool)
  /// The file ends at `end`, before the position at which playback was to begin. Nothing is loaded any more, and the
  /// stored position, `position`, is kept.
  case endsTooEarly(end: Double, position: Double)

  /// The file ended at `end`. The file that was heard before had the duration `before`, so its rest was not heard.
  /// Nothing is loaded any more, and the position is stored.
  case endedEarly(end: Double, before: Double)

  /// The item cannot be played at all, for this cause, which is its file. Another item may play. Nothing is loaded any
  /// more.
  case unplayable(cause: String)
  /// The intro to skip is as long as the file. Nothing is loaded any more. Load the item again, from `start`.
  case introTooLong(start: Double)

  // The listener.
  case phase(NowPlaying.Status)
  case message(SessionMessage)

  /// The item was heard to its end and is unloaded. Load the next item, unless `sleeps`. `outroPlays`: the player is
  /// still in the skipped outro, and must be stopped if no item follows.
  case heardToEnd(sleeps: Bool, outroPlays: Bool)
}

extension SessionEffect {
  /// Whether it records a span that was heard, with which the library marks the item as playing.
  var isHeardSpan: Bool { if case .note(.event(.play, _)) = self { true } else { false } }

  /// Whether it only tells the listener something.
  public var isMessage: Bool { if case .message = self { true } else { false } }
}

/// A message for the listener, without its wording. All numbers are seconds.
public enum SessionMessage: Equatable, Sendable {
  case nothingIsPlaying
  case stillOpening
  /// A seek waits until the item is open.
  case seeksWhenOpen
  /// A seek to `wanted` has led to another position, because the stream cannot deliver the sound at `wanted`.
  case seekedElsewhere(wanted: Double, position: Double)
  /// The file ends at `end`, before the requested position.
  case endsBefore(wanted: Double, end: Double)
  case noChapters
  case lastChapter
  case skipped([Chapter])
  /// A part that the listener has marked was skipped, of so many seconds.
  case skippedPart(Double)
  /// The connection broke off for this cause.
  case waitsForStream(cause: String)
  case streamResumed(after: Double)
  /// The sleep timer has paused playback.
  case sleepTimerEnded
  case cannotPlay(String)
  /// The sound ended before this position, which is kept.
  case endedBefore(position: Double)
  /// The end of an excerpt was reached. `position`: the one of the item to which a step back leads; nil if it leads
  /// to another item. `isOver`: the file ends there, too, and nothing is loaded any more. Then it is the stored
  /// position.
  case excerptEnded(position: Double?, isOver: Bool)
  /// The file is this much longer than when it was last played, or shorter if negative.
  case fileChanged(by: Double)
  /// The stored position is here in the current file.
  case positionMoved(to: Double, PositionEvidence)
}
