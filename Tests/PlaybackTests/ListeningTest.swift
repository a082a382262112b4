import Foundation
import Model
import Testing

@testable import Playback

/// Tests with a real mpv core. They run one at a time: FFmpeg's log goes to only one core of a process, and the cause
/// of a failed open is read from that log.
@Suite(.serialized, .timeLimit(.minutes(20))) enum RealCore {}

/// A player whose events a test can await. One per test.
final class ListeningTest {
  let player: Player
  private let events: AsyncStream<PlayerEvent>
  /// All events that `next` has read, in order.
  private(set) var seen: [PlayerEvent] = []
  private let output: PlayerOptions.Output
  private var directories: [TemporaryDirectory] = []

  init(_ output: PlayerOptions.Output = .null(isTimed: false), change: (inout PlayerOptions) -> Void = { _ in }) {
    self.output = output
    var options = PlayerOptions(output: output)
    (options.networkTimeout, options.reconnectSeconds) = (5, 1)
    // On a busy machine a test may be late to load the next file.
    options.upcomingTimeout = 600
    change(&options)
    let (stream, source) = AsyncStream.makeStream(of: PlayerEvent.self)
    events = stream
    player = Player(options: options) { source.yield($0) }
  }

  /// A player whose sound is written to a file.
  convenience init(recordingIn directory: TemporaryDirectory, change: (inout PlayerOptions) -> Void = { _ in }) {
    self.init(.wave(path: "\(directory.path)/heard.wav"), change: change)
  }

  deinit { player.shutDown(waitingAtMost: 10) }

  /// Ends the player, which completes the file of its sound.
  func recording() throws -> Recording {
    guard case .wave(let path) = output else { preconditionFailure("the sound is not recorded") }
    #expect(player.shutDown(waitingAtMost: 300))
    return try Recording(ofWave: path)
  }

  /// Waits for an event for which `read` returns a value. The suite's time limit ends the wait if none comes.
  func next<Result>(_ read: (PlayerEvent) -> Result?) async -> Result? {
    var iterator = events.makeAsyncIterator()
    while let event = await iterator.next() {
      seen.append(event)
      if let result = read(event) { return result }
    }
    return nil
  }

  /// Waits for this event, unless it has already been read.
  func happens(_ event: PlayerEvent) async -> Bool {
    if seen.contains(event) { return true }
    return await next { $0 == event ? true : nil } ?? false
  }

  /// Waits until a seek of a paused player has finished: its target is reported at once, and again with the first sound
  /// after it. A playing one may have moved on until the second report.
  func settles(at seconds: Double) async -> Bool {
    for _ in 1...2 {
      let isThere: Bool? = await next { event in
        // Nothing settles in a file that is closed.
        Outcome(event) != nil ? false : event.positionSeconds.flatMap { abs($0 - seconds) < 0.01 ? true : nil }
      }
      if isThere != true { return false }
    }
    return true
  }

  func load(
    _ address: String, generation: Int = 1, start: Double = 0, change: (inout PlayRequest) -> Void = { _ in }
  ) {
    var request = PlayRequest(address: address, generation: generation, start: start)
    change(&request)
    player.load(request)
  }

  /// Writes the sound to a file, and loads that.
  func loadFile(
    _ sound: [UInt8], as name: String = "a.wav", generation: Int = 1, start: Double = 0,
    change: (inout PlayRequest) -> Void = { _ in }
  ) throws {
    let directory = try TemporaryDirectory()
    directories.append(directory)
    load(try directory.write(sound, as: name), generation: generation, start: start, change: change)
  }

  /// Loads a tone that FFmpeg generates, which needs no file.
  func loadTone(seconds: Double, generation: Int = 1, change: (inout PlayRequest) -> Void = { _ in }) {
    load("av://lavfi:sine=f=440:d=\(seconds)", generation: generation) {
      $0.isTrusted = true
      change(&$0)
    }
  }
}

extension Player {
  /// Seeks without an id, for tests that need not distinguish seeks.
  func seek(to seconds: Double) { seek(to: seconds, .none) }
}

/// How a file ended, in a comparable form.
enum Outcome: Equatable {
  case ended(generation: Int, atEnd: Bool)
  case failed(generation: Int)

  init?(_ event: PlayerEvent) {
    switch event {
    case .ended(let generation, _, let atEnd): self = .ended(generation: generation, atEnd: atEnd)
    case .failed(let generation, _, _, _): self = .failed(generation: generation)
    default: return nil
    }
  }
}

extension PlayerEvent {
  var positionSeconds: Double? { if case .position(_, let seconds, _) = self { seconds } else { nil } }
  var seek: SeekID? { if case .position(_, _, let seek) = self { seek } else { nil } }
  var endSeconds: Double? { if case .ended(_, let seconds, _) = self { seconds } else { nil } }
  var failure: String? { if case .failed(_, _, let message, _) = self { message } else { nil } }
  var failureSeconds: Double? { if case .failed(_, let seconds, _, _) = self { seconds } else { nil } }
  var startDuration: Double? { if case .started(_, let duration, _) = self { duration } else { nil } }
  var isStart: Bool { if case .started = self { true } else { false } }
}
