import Foundation
import Model

/// How far a seek goes, from the listener's point of view. Long seeks and jumps are recorded in the jump list.
public enum SeekKind: Equatable, Sendable {
  /// A few seconds back or forward. It is not recorded.
  case short
  /// A chapter, a minute, or a click on the progress bar. Several in a row are recorded once, with the first place.
  case long
  /// To a chosen position: a search hit, a time in the notes, a typed time.
  case jump
  /// Not requested by the listener: a rewind after a pause, a skipped chapter. It is not recorded, and no message says
  /// where it leads.
  case automatic
}

extension ListeningSession {
  /// Why an item is loaded.
  public enum LoadReason: Equatable, Sendable {
    /// To continue it.
    case resume
    /// To play it from a chosen position.
    case jump
    /// By a step through the jump list.
    case step
    /// To play it from the start, because the server cannot send it from the stored position. The stored position is
    /// kept until playback has passed it.
    case fromStart
    /// To play this part of it, in seconds.
    case excerpt(ClosedRange<Double>)
  }

  /// The stored state of an item when it was loaded.
  public struct StoredState: Equatable, Sendable {
    /// The stored position, in seconds.
    public var position: Double
    /// The item's status was “played”.
    public var isPlayed: Bool
    /// The item's status was “deleted”.
    public var isDeleted: Bool
    public init(position: Double, isPlayed: Bool, isDeleted: Bool = false) {
      self.position = position
      self.isPlayed = isPlayed
      self.isDeleted = isDeleted
    }

    /// Playing the item again changes its status.
    var isOver: Bool { isPlayed || isDeleted }
  }

  struct Excerpt: Equatable, Sendable {
    var range: ClosedRange<Double>
    /// The item's stored position, in seconds, which an excerpt does not change. Nil until it is known.
    var storedPosition: Double?
  }

  /// The range of the excerpt that plays. Nil: the item plays as a whole.
  public var excerptRange: ClosedRange<Double>? { excerpt?.range }

  /// The current place, for the jump list. Nil if the item is not in the library.
  public var currentPlace: EpisodePlace? { place(at: sound?.exactPosition ?? position) }

  /// The place that was heard this many seconds ago, or where the sound began since.
  public func placeJustHeard(before seconds: Double) -> EpisodePlace? {
    let current = sound?.exactPosition ?? position
    return place(at: max(current - seconds, min(sound?.soundStart ?? 0, current)))
  }

  func place(at seconds: Double) -> EpisodePlace? {
    item?.episodeID.map { EpisodePlace(episode: $0, seconds: seconds) }
  }

  /// Seconds of playback after which a long seek is stored separately, even if it follows another one.
  static var longSeekInterval: Double { 5 }

  /// Goes one step through the jump list.
  /// - Returns: the place that the caller must seek to, or load with `LoadReason.step` if it is in another item. Nil
  ///   when there is no further place.
  public mutating func step(back: Bool) -> EpisodePlace? {
    back
      ? jumps.back(from: stage == .finished ? nil : currentPlace)
      : jumps.forward(from: stage == .finished ? nil : currentPlace)
  }

  /// Records the current place in the jump list and for `undo`, before a seek to `target` seconds.
  mutating func recordJump(to target: Double, as kind: SeekKind) -> [SessionEffect] {
    guard kind == .long || kind == .jump, let sound, let currentPlace else { return [] }
    change { $0.heardSinceLongSeek = kind == .long ? 0 : nil }
    let continuesLongSeek = kind == .long && sound.heardSinceLongSeek != nil
    guard !continuesLongSeek, abs(target - currentPlace.seconds) >= EpisodePlace.near else { return [] }
    jumps.add(currentPlace)
    position = currentPlace.seconds
    return savePosition() + [.note(.jump(from: keptPosition == nil ? position : nil, to: target))]
  }

  /// Records the stored place in the jump list and for `undo`, when playback has started somewhere else. Records for
  /// `undo` also that an item that was over is played again.
  mutating func recordJumpFromStoredPlace() -> [SessionEffect] {
    guard let storedState, let storedPlace = place(at: storedState.position), let currentPlace else { return [] }
    let isJump = reason == .jump || reason == .step
    let isElsewhere = isJump && storedState.position >= EpisodePlace.near && !storedPlace.isNear(currentPlace)
    guard isElsewhere || storedState.isOver else { return [] }
    if isElsewhere, reason == .jump { jumps.add(storedPlace) }
    return [.note(.jump(from: nil, to: currentPlace.seconds))]
  }

  // MARK: Excerpts

  /// Plays a part of the loaded item, in seconds. The stored position does not change.
  public mutating func playExcerpt(_ range: ClosedRange<Double>) -> [SessionEffect] {
    guard let sound else { return [.message(stage == .loading ? .stillOpening : .nothingIsPlaying)] }
    var effects: [SessionEffect] = []
    if excerpt == nil {
      effects = finishHeardSpan(recording: phase == .playing ? .pause : nil)
      if let currentPlace { jumps.add(currentPlace) }
      excerpt = Excerpt(range: range, storedPosition: position)
    } else {
      effects = recordHeardSpan()
      excerpt?.range = range
    }
    effects += sendSeek(to: Self.storable(range.lowerBound))
    change { $0.requestedPause = nil }
    return sound.pause == nil ? effects : effects + [.setPaused(false)]
  }

  /// Ends the excerpt because the listener continues beyond it. From now on the position is stored again. Another
  /// position than the one at which the excerpt was started is a chosen one. Back at that one, the item counts as
  /// loaded there.
  mutating func leaveExcerpt(to target: Double) -> [SessionEffect] {
    guard let excerpt, sound != nil else { return [] }
    var effects = recordHeardSpan()
    self.excerpt = nil
    let isBack = excerpt.storedPosition.map { abs(target - $0) < EpisodePlace.near } ?? false
    if !isBack, let stored = excerpt.storedPosition.flatMap(place) {
      jumps.add(stored)
      effects.append(.note(.jump(from: nil, to: target)))
    }
    change {
      $0.spanStart = target
      if isBack { $0.beginning = target } else { $0.reach.choose() }
    }
    effects.append(.note(.began))
    return phase == .playing ? effects + [.note(.event(.start, speed: nil)), .note(.status(.playing))] : effects
  }

  /// Pauses when the position has reached the end of the excerpt.
  mutating func endExcerpt() -> [SessionEffect] {
    guard let excerpt, position >= excerpt.range.upperBound, sound?.requestedPause != true else { return [] }
    change { $0.requestedPause = true }
    // The message names the place to which the key leads, if it is in this item.
    var list = jumps
    let back = list.back(from: currentPlace).flatMap { $0.episode == item?.episodeID ? $0.seconds : nil }
    return [.setPaused(true), .message(.excerptEnded(position: back, isOver: false))]
  }

  /// The position is at the end of the excerpt, or within half a second of it. Continuing then leaves the excerpt.
  var isExcerptOver: Bool { excerpt.map { position >= $0.range.upperBound - 0.5 } ?? false }
}
