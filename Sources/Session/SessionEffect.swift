import Model

/// What a session wants done. Writes are about the item that was loaded when the session was asked. Seconds.
public enum SessionEffect: Equatable, Sendable {
  // The player.
  case setPaused(Bool)
  case seek(to: Double, SeekID)
  case setFade(Double)
  case stopPlayer

  // What is kept.
  case savePosition(seconds: Double, total: Double?)
  /// `speed`: of a stretch that was heard.
  case record(ListeningEvent.Kind, speed: Double?)
  case setStatus(EpisodeStatus)
  /// A stretch of a part that was heard by itself: it counts as heard and says nothing of the place.
  case heardExcerpt(from: Double, to: Double, speed: Double)
  /// Time that the listener did not have to spend.
  case spared(Saving)
  /// The listener leaves this place of the item for another one: `undo` is to bring it back. `from` nil: the place that is
  /// stored.
  case jumped(from: Double?, to: Double)
  /// Sound has come for the first time.
  case began
  /// The file is another one than when it was left: where a transcript was read before, the one of today tells more.
  case compareTranscripts
  /// The player has found these chapters in the file.
  case found([Chapter])

  /// The place cannot be sought, in seconds: the server sends the item only from its start. Nothing is loaded any more.
  /// `isPlace` tells a place that the listener came to from the end of an introduction.
  case unreachable(Double, isPlace: Bool)

  // What the listener learns.
  case phase(ListeningPhase)
  case say(SessionRemark)

  /// The item has been heard to its end and is no longer loaded: what comes next is to be loaded now, unless the sleep
  /// timer wants silence. `stillSounds`: the player is in the part that is not wanted, and must be stopped where nothing
  /// follows.
  case heardToEnd(sleeps: Bool, stillSounds: Bool)
}

/// What plays, in one word.
public enum ListeningPhase: Equatable, Sendable {
  /// Nothing loaded; an episode may stand ready to be resumed.
  case stopped
  /// Asked for, no sound yet.
  case loading
  case playing
  case paused
}

/// What a session has to say to the listener, without the words. Seconds.
public enum SessionRemark: Equatable, Sendable {
  case nothingIsPlaying
  case stillOpening
  /// A seek waits until the item is open.
  case seeksWhenOpen
  /// A seek to `wanted` has led to another place: the stream does not give out what lies there.
  case soughtElsewhere(wanted: Double, place: Double)
  case noChapters
  case lastChapter
  case skipped([Chapter])
  /// The connection broke off, for that reason.
  case waits(cause: String)
  case soundIsBack(after: Double)
  /// The sleep timer has paused.
  case goodNight
  case cannotPlay(String)
  /// The sound ended before this place, which is kept.
  case endedBefore(place: Double)
  /// Only a part was to be heard, and its end is reached. `place`: where the item was left. `isOver`: the file ends there,
  /// too, so that nothing is loaded any more.
  case excerptEnded(place: Double?, isOver: Bool)
  /// The file is that much longer than when it was left, or shorter.
  case fileChanged(by: Double)
  /// In the file as it is now, the place that was left is here.
  case placeMoved(to: Double, PlaceEvidence)
}
