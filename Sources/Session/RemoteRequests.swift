import Foundation
import Model

/// Commands of media keys and of `earshot ctl`.
extension ListeningSession {
  /// Carries out a command that concerns only what is playing. The other commands change nothing here, and each player
  /// handles them itself.
  public mutating func handle(_ command: RemoteCommand, now: Date) -> [SessionEffect] {
    switch command {
    case .play: resume(now: now)
    case .pause: pause(now: now)
    case .toggle: togglePause(now: now)
    case .previous: goBack()
    case .seek(let second): second.isFinite ? seek(to: second, as: .jump) : []
    case .seekBy(let delta): delta.isFinite ? seek(by: delta, now: now) : []
    case .chapter(.next): seekChapter(1)
    case .chapter(.previous): seekChapter(-1)
    case .chapter(.number(let number)):
      chapters.indices.contains(number - 1) ? seek(to: chapters[number - 1].start, as: .jump) : []
    case .stop, .next, .speed, .volume, .quit, .playEpisode, .enqueue, .sleep, .clipStart, .clipEnd,
      .bookmark:
      []
    }
  }
}
