import Foundation
import Model

extension PlayerThread {
  /// False when the player is to end.
  func carryOut(_ commands: [PlayerCommand], on core: MpvCore) -> Bool {
    for command in commands {
      switch command {
      case .load(let request): load(request, on: core)
      case .setPaused(let isPaused): setPaused(isPaused, on: core)
      case .seek(let seconds): seek(to: seconds, on: core)
      case .seekBy(let seconds):
        guard let file = active else { continue }
        seek(to: (file.pendingSeek ?? file.tracker.position ?? file.request.start) + seconds, on: core)
      case .setSpeed(let speed):
        guard let speed = speed.clamped(to: PlayRequest.speeds) else { continue }
        active?.speed = speed
        if active?.isLoaded == true { core.set(.speed, to: .double(speed)) }
      case .setVolume(let percent):
        guard let percent = percent.clamped(to: PlayRequest.volumes) else { continue }
        active?.volume = percent
        if active?.isLoaded == true { core.set(.volume, to: .double(percent)) }
      case .stop: stop(on: core)
      case .shutDown:
        noteExactPosition(on: core)
        return false
      }
    }
    return true
  }

  private func load(_ request: PlayRequest, on core: MpvCore) {
    active = nil
    do throws(PlaybackError) {
      let source = try MediaSource(request)
      let result = try core.command("loadfile", LoadArguments.make(request, source))
      guard case .integer(let entry) = result["playlist_entry_id"] else { throw .coreFailed("loadfile gave no entry") }
      active = ActiveFile(request: request, source: source, entry: entry)
    } catch {
      core.stop()
      give(.failed(generation: request.generation, seconds: nil, message: "\(error)"))
    }
  }

  private func setPaused(_ isPaused: Bool, on core: MpvCore) {
    active?.isPaused = isPaused
    guard active?.isLoaded == true else { return }
    core.set(.isPaused, to: .flag(isPaused))
    // A seek to the end while paused does not end the file: going on does.
    if !isPaused, core.value(of: .isAtEnd).bool == true { fileHasEnded(on: core) }
  }

  func seek(to seconds: Double, on core: MpvCore) {
    guard let file = active else { return }
    guard file.isLoaded else {
      active?.pendingSeek = PlayRequest.position(seconds)
      return
    }
    let target = min(PlayRequest.position(seconds), file.tracker.duration ?? .infinity)
    do throws(PlaybackError) {
      guard core.value(of: "seekable").bool == true else { throw .other("not seekable") }
      _ = try core.command(
        "seek",
        [(key: "target", value: .string(LoadArguments.text(target))), (key: "flags", value: .string("absolute+exact"))])
      tell(active?.tracker.sought(to: target, now: now))
    } catch {
      // The place stays; saying so puts the shown position right.
      tell(active?.tracker.restarted(at: core.value(of: .position).number, now: now))
    }
  }

  private func stop(on core: MpvCore) {
    noteExactPosition(on: core)
    if let file = active {
      let seconds = file.tracker.position ?? file.request.start
      finish(with: .ended(generation: file.request.generation, seconds: seconds, atEnd: false), at: seconds)
    }
    core.stop()
  }

  /// Takes down where playback is at this very moment, for the last word about a file.
  private func noteExactPosition(on core: MpvCore) {
    guard active?.isLoaded == true, let seconds = core.value(of: .position).number else { return }
    _ = active?.tracker.changedPosition(seconds, now: now)
    tell(nil)
  }
}
