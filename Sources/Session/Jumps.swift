import Foundation
import Model

/// How far a seek leads in the mind of the listener.
public enum SeekKind: Equatable, Sendable {
  /// A little back or ahead: the listener stays about where they are.
  case nudge
  /// A long step: a chapter, a minute, a press on the progress bar. Strides that follow each other lead away from one
  /// place, the first.
  case stride
  /// To a place that was chosen: a hit, a time of the notes, a time that was typed.
  case jump
}

extension ListeningSession {
  /// Why an item is loaded.
  public enum Arrival: Equatable, Sendable {
    /// To go on with it.
    case resume
    /// To hear it from a place that was chosen.
    case jump
    /// A step through the places that were left.
    case step
    /// To hear it from its start, since the place that was left cannot be reached. That place stays the one that is kept
    /// until something later was heard.
    case fromStart
    /// To hear a part of it, in seconds.
    case excerpt(ClosedRange<Double>)
  }

  /// How an item was left before it was loaded.
  public struct Left: Equatable, Sendable {
    /// Seconds.
    public var place: Double
    /// It was heard to its end before.
    public var isPlayed: Bool
    public init(place: Double, isPlayed: Bool) {
      self.place = place
      self.isPlayed = isPlayed
    }
  }

  struct Excerpt: Equatable, Sendable {
    var range: ClosedRange<Double>
    /// Where the item was left: stored, and not moved. Nil until that is known.
    var place: Double?
  }

  /// Where the listener is, for the list of jumps; nil in what is not in the library.
  public var here: EpisodePlace? { place(at: sound?.exactPosition ?? position) }

  func place(at seconds: Double) -> EpisodePlace? {
    item?.episodeID.map { EpisodePlace(episode: $0, seconds: seconds) }
  }

  /// Seconds after which a stride is one of its own.
  static var strideSeconds: Double { 5 }

  /// The place to go to for a step back, or forward again, through those that were left; nil when there is none. The
  /// caller goes there, in the item that is loaded by `seek(to:)`, else by a load with `Arrival.step`.
  public mutating func step(back: Bool) -> EpisodePlace? {
    back ? jumps.back(from: stage == .finished ? nil : here) : jumps.forward(from: stage == .finished ? nil : here)
  }

  /// The listener leaves where they are in the item, which is playing.
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

  /// Hears a part of the item that is loaded, which does not move the place.
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

  /// The listener goes on with the item beyond the part, which moves the place.
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

  /// The part has been heard when the position has come to its end.
  mutating func endExcerpt() -> [SessionEffect] {
    guard let excerpt, position >= excerpt.range.upperBound, sound?.wantedPause != true else { return [] }
    change { $0.wantedPause = true }
    return [.setPaused(true), .say(.excerptEnded(place: excerpt.place, isOver: false))]
  }

  /// The part is over, or nearly: whoever goes on wants more than that.
  var isExcerptOver: Bool { excerpt.map { position >= $0.range.upperBound - 0.5 } ?? false }
}
