import Foundation
import Model

/// How far a seek goes, from the listener's point of view. Long seeks and jumps are noted in the jump list.
public enum SeekKind: Equatable, Sendable {
  /// A few seconds back or forward. It is not noted.
  case nudge
  /// A chapter, a minute, or a click on the progress bar. Several in a row are noted once, with the first place.
  case stride
  /// To a chosen place: a search hit, a time in the notes, a typed time.
  case jump
}

extension ListeningSession {
  /// Why an item is loaded.
  public enum Arrival: Equatable, Sendable {
    /// To continue it.
    case resume
    /// To play it from a chosen place.
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
  public struct Left: Equatable, Sendable {
    /// The stored position, in seconds.
    public var place: Double
    /// The item's status was “played”.
    public var isPlayed: Bool
    public init(place: Double, isPlayed: Bool) {
      self.place = place
      self.isPlayed = isPlayed
    }
  }

  struct Excerpt: Equatable, Sendable {
    var range: ClosedRange<Double>
    /// The item's stored position, in seconds, which an excerpt does not change. Nil until it is known.
    var place: Double?
  }

  /// The current place, for the jump list. Nil if the item is not in the library.
  public var here: EpisodePlace? { place(at: sound?.exactPosition ?? position) }

  func place(at seconds: Double) -> EpisodePlace? {
    item?.episodeID.map { EpisodePlace(episode: $0, seconds: seconds) }
  }

  /// Seconds of playback after which a long seek is noted by itself, even if another one came before.
  static var strideSeconds: Double { 5 }

  /// Goes one step through the jump list.
  /// - Returns: the place that the caller must seek to, or load with `Arrival.step` if it is in another item. Nil when
  ///   there is no further place.
  public mutating func step(back: Bool) -> EpisodePlace? {
    back ? jumps.back(from: stage == .finished ? nil : here) : jumps.forward(from: stage == .finished ? nil : here)
  }

  /// Notes the current place in the jump list and for `undo`, before a seek to `target` seconds.
  mutating func leavePlace(to target: Double, as kind: SeekKind) -> [SessionEffect] {
    guard kind != .nudge, let sound, let here else { return [] }
    change { $0.heardSinceStride = kind == .stride ? 0 : nil }
    let goesOn = kind == .stride && sound.heardSinceStride != nil
    guard !goesOn, abs(target - here.seconds) >= EpisodePlace.near else { return [] }
    jumps.leave(here)
    position = here.seconds
    return savedPlace() + [.jumped(from: held == nil ? position : nil, to: target)]
  }

  /// The place that was stored before this load is left for the one where the sound has come.
  mutating func leaveStoredPlace() -> [SessionEffect] {
    guard arrival == .jump || arrival == .step, let left, let stored = place(at: left.place), let here else {
      return []
    }
    let isElsewhere = left.place >= EpisodePlace.near && !stored.isNear(here)
    guard isElsewhere || left.isPlayed else { return [] }
    if isElsewhere, arrival == .jump { jumps.leave(stored) }
    return [.jumped(from: nil, to: here.seconds)]
  }

  // MARK: Excerpts

  /// Plays a part of the loaded item, in seconds. The stored position does not change.
  public mutating func hear(_ range: ClosedRange<Double>) -> [SessionEffect] {
    guard let sound else { return [.say(stage == .loading ? .stillOpening : .nothingIsPlaying)] }
    var effects: [SessionEffect] = []
    if excerpt == nil {
      effects = closeStretch(recording: phase == .playing ? .pause : nil)
      if let here { jumps.leave(here) }
      excerpt = Excerpt(range: range, place: position)
    } else {
      effects = recordStretch()
      excerpt?.range = range
    }
    effects += go(to: Self.place(range.lowerBound))
    change { $0.wantedPause = nil }
    return sound.pausedAt == nil ? effects : effects + [.setPaused(false)]
  }

  /// Ends the excerpt because the listener continues beyond it. From now on the position is stored again.
  mutating func leaveExcerpt(to target: Double) -> [SessionEffect] {
    guard let excerpt, sound != nil else { return [] }
    self.excerpt = nil
    var effects: [SessionEffect] = []
    if let stored = excerpt.place.flatMap(place), let goal = place(at: target), !stored.isNear(goal) {
      jumps.leave(stored)
      effects = [.jumped(from: nil, to: target)]
    }
    change { $0.stretchStart = target }
    effects.append(.began)
    return phase == .playing ? effects + [.record(.start, speed: nil), .setStatus(.playing)] : effects
  }

  /// Pauses when the position has reached the end of the excerpt.
  mutating func endExcerpt() -> [SessionEffect] {
    guard let excerpt, position >= excerpt.range.upperBound, sound?.wantedPause != true else { return [] }
    change { $0.wantedPause = true }
    return [.setPaused(true), .say(.excerptEnded(place: excerpt.place, isOver: false))]
  }

  /// The position is at the end of the excerpt, or within half a second of it. Continuing then leaves the excerpt.
  var isExcerptOver: Bool { excerpt.map { position >= $0.range.upperBound - 0.5 } ?? false }
}
