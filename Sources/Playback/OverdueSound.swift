import Foundation
import Model

/// Detects that the sound of an open file does not start although mpv has the data. Pure: `now` is in seconds of the
/// player thread's clock.
///
/// libmpv 0.35 sometimes waits forever at the start if all sound up to the end fits into the buffer of the output. The
/// probable cause: a frame at the option `end` does not wake the core (`ao_process` in its player/audio.c). A C program
/// without Earshot's code shows this, too, on a busy machine with `ao=pcm`, which buffers 65,536 samples. It happened
/// in 11 of 382 loads with the filter `ahead` of `SoundShape.filters`, which delays the sound, and once in 2500 loads
/// with other filters. Another seek to the same position has always started the sound at once.
///
/// A command wakes mpv, which may start the sound just before it executes the seek (`run_playloop` in its
/// player/playloop.c). Then the sound would be heard twice. So mpv is paused first. In 27 of 27 lost starts, the pause
/// was enough to start the sound. If it is not, mpv stays paused until the seek is done.
struct OverdueSound: Equatable {
  /// A machine can also be slow, and each seek starts the work again. So the waits grow: 3, 9 and 27 seconds.
  static let firstWait = 3.0
  static let maximumAttempts = 3
  /// Seconds between the pause and the seek.
  static let grace = 0.5

  private var since: Double?
  /// When mpv was paused.
  private var heldAt: Double?
  private var attempts = 0

  /// When to pause mpv, and then when to seek again. Nil: not at all.
  var deadline: Double? {
    guard let since, attempts < Self.maximumAttempts else { return nil }
    return heldAt.map { $0 + Self.grace } ?? since + Self.firstWait * pow(3, Double(attempts))
  }

  /// mpv was paused, and the sound has not started since.
  var isHeld: Bool { heldAt != nil }

  mutating func update(isPending: Bool, now: Double) {
    if !isPending {
      self = OverdueSound()
    } else if since == nil {
      since = now
    }
  }

  /// Whether mpv has read a stream from one second to the other, or as far as it will: to its end, or until its buffer
  /// is full.
  /// - Parameter cache: mpv's `demuxer-cache-state`.
  static func isCached(_ cache: MpvValue, from start: Double, until end: Double) -> Bool {
    let isRead = cache["cache-end"].number ?? 0
    return cache["eof"].bool == true || isRead > end || cache["idle"].bool == true && isRead > start
  }

  /// mpv has been paused.
  mutating func held(now: Double) { heldAt = now }

  /// The sound has been requested again.
  mutating func tried(now: Double) {
    attempts += 1
    startAgain(now: now)
  }

  /// Restarts the wait, because the data has not arrived.
  mutating func startAgain(now: Double) { (since, heldAt) = (now, nil) }
}

extension PlayerThread {
  /// Seeks again to the position where the sound should start, if mpv has lost the start.
  func seekAgainWhenOverdue(on core: MpvCore) {
    guard let file = active, let deadline = file.overdue.deadline, now >= deadline else { return }
    // mpv has refused the seek without an error, and plays on. It does so outside of the buffer of a stream that cannot
    // seek.
    if case .open(.pending(.seek, _)) = file.stage, core.value(of: "seeking").bool == false {
      return soundHasStarted(on: core)
    }
    guard hasData(at: file.wantedPosition, of: file, on: core) else {
      active?.overdue.startAgain(now: now)
      return
    }
    guard file.overdue.isHeld else {
      hold(on: core)
      active?.overdue.held(now: now)
      return
    }
    active?.overdue.tried(now: now)
    seekTag += 1
    // If mpv refuses the seek, the next try follows.
    guard (try? core.seek(to: file.wantedPosition, tag: seekTag)) != nil else { return }
    active?.stage = .open(.pending(.reply(tag: seekTag), isHeld: file.isHeld))
  }

  /// Pauses mpv until the sound has started. `soundHasStarted` ends the pause.
  private func hold(on core: MpvCore) {
    guard case .open(.pending(let event, _)) = active?.stage else { return }
    active?.stage = .open(.pending(event, isHeld: true))
    core.set(.isPaused, to: .flag(true))
  }

  /// Whether the sound at this second can be decoded now, so that only mpv can be the reason that there is none.
  private func hasData(at seconds: Double, of file: ActiveFile, on core: MpvCore) -> Bool {
    // Decoding up to a position takes its time.
    guard core.value(of: "seekable").bool == true, file.opening.seeking != .decodeThrough else { return false }
    guard file.source.isStream else { return true }
    return OverdueSound.isCached(
      core.value(of: "demuxer-cache-state"), from: seconds, until: seconds + OverdueSound.firstWait)
  }
}
