import Foundation
import Model
import TerminalKit

@testable import AppCore
@testable import Session

/// Simulates the player: `Driver` keeps the effects, and these functions send the reports of a real player.
extension Driver {
  static let first = EpisodeID(1)
  static let second = EpisodeID(2)
  static let third = EpisodeID(3)

  /// A driver that shows the list of episodes, with this queue.
  static func listening(queue: [EpisodeID] = [], library: FakeLibrary = .sample) -> Driver {
    var library = library
    library.queue = queue
    var driver = Driver(library: library)
    driver.type("<Enter>")
    _ = driver.takeEffects()
    return driver
  }

  /// A driver that plays an episode of one hour from `start`.
  static func playing(
    _ id: EpisodeID = first, from start: Double = 0, duration: Double? = 3600, chapters: [Chapter] = [],
    queue: [EpisodeID] = []
  ) -> Driver {
    var driver = listening(queue: queue)
    driver.play(id)
    driver.answerPlay(from: start, chapters: chapters)
    driver.begin(duration: duration)
    _ = driver.takeEffects()
    return driver
  }

  /// A driver that has requested the second episode of `FakeLibrary.left`, from its stored position. The player has not
  /// reported anything.
  static func resuming() -> Driver {
    var driver = listening(library: .left)
    driver.play(second)
    driver.answerPlay(from: 3002)
    _ = driver.takeEffects()
    return driver
  }

  var generation: Int { state.player.generation }

  /// Requests an episode, like a command.
  mutating func play(_ id: EpisodeID, from second: Double? = nil) { send { $0.play(id, from: second) } }

  /// Sends the answer of the store for the requested episode.
  mutating func answerPlay(from start: Double, chapters: [Chapter] = [], duration: Double? = nil) {
    guard let id = state.player.episode?.id, var row = library.row(id) else { return }
    row.duration = duration ?? row.duration
    send(.library(.playing(generation: generation, row, chapters, from: start)))
  }

  /// Reports that the file is open.
  mutating func begin(duration: Double? = 3600) {
    send(.player(.started(generation: generation, duration: duration, seekable: true)))
    send(.player(.paused(generation: generation, false)))
  }

  /// Reports a position. - Parameter seek: nil: the newest seek.
  mutating func report(_ seconds: Double, seek: SeekID? = nil) {
    send(.player(.position(generation: generation, seconds: seconds, seek: seek ?? state.player.newestSeek)))
  }

  /// Reports every second up to `end`.
  mutating func hear(to end: Double) {
    var second = state.player.position
    while second + 1 < end {
      second += 1
      report(second)
    }
    report(end)
  }

  mutating func pause(_ isPaused: Bool = true) { send(.player(.paused(generation: generation, isPaused))) }

  mutating func end(at seconds: Double, atEnd: Bool) {
    send(.player(.ended(generation: generation, seconds: seconds, atEnd: atEnd)))
  }

  mutating func fail(at seconds: Double?) {
    send(.player(.failed(generation: generation, seconds: seconds, message: "the stream broke off")))
  }
}

extension FakeLibrary {
  /// The sample, but the second episode has two hours and was left at 50:02.
  static var left: FakeLibrary {
    var library = sample
    library.episodes[1].position = 3002
    library.episodes[1].duration = 7200
    return library
  }
}

extension Effect {
  func isPlay(_ id: EpisodeID, from second: Double?) -> Bool {
    if case .player(.play(id, second, _, _, _)) = self { true } else { false }
  }
}

extension [Effect] {
  /// The positions that were saved, in order.
  var positions: [Double] {
    compactMap { if case .note(_, .position(let seconds, _)) = $0 { seconds } else { nil } }
  }

  var savedEpisodes: [EpisodeID] {
    compactMap { if case .note(let id, .position) = $0 { id } else { nil } }
  }

  var events: [ListeningEvent.Kind] {
    compactMap { if case .note(_, .event(let kind, _)) = $0 { kind } else { nil } }
  }

  /// The recorded spans.
  var spans: [ClosedRange<Double>] {
    events.compactMap { if case .play(let from, let to, _) = $0 { from...to } else { nil } }
  }

  var statuses: [EpisodeStatus] {
    compactMap { if case .note(_, .status(let status)) = $0 { status } else { nil } }
  }

  var plays: [EpisodeID] {
    compactMap { if case .player(.play(let id, _, _, _, _)) = $0 { id } else { nil } }
  }

  var seeks: [Double] { compactMap { if case .player(.seek(let second, _)) = $0 { second } else { nil } } }

  var pauses: [Bool] { compactMap { if case .player(.setPaused(let isPaused)) = $0 { isPaused } else { nil } } }

  var fades: [Double] { compactMap { if case .player(.setFade(let share)) = $0 { share } else { nil } } }
}
