import Foundation
import Model
import Store

/// What is kept of what is heard: the place, second by second, and the history.
extension HeadlessPlayer {
  mutating func keepPlace() {
    let (position, duration) = (now.position, now.duration)
    keep { (target, library, now) throws(StoreError) in
      try target.save(position, total: duration, in: library, now: now)
    }
  }

  /// Writes something down. What cannot be written does not end the sound: it is said once, and by `leave` again.
  mutating func keep(_ write: (PlayTarget, Library, Date) throws(StoreError) -> Void) {
    guard options.keepsPlace else { return }
    do throws(StoreError) {
      try write(item.target, library, Date())
    } catch {
      guard !hasComplained else { return }
      hasComplained = true
      line.say(error.description)
    }
  }

  mutating func recordStretch() {
    guard let from = stretchStart, now.position > from else { return }
    stretchStart = now.position
    record(.play(from: from, to: now.position, total: now.duration))
  }

  /// A record that cannot be written costs a line of the history, and nothing else.
  mutating func record(_ kind: ListeningEvent.Kind) {
    guard let episode = item.target.episode else { return }
    let event = ListeningEvent(episode: episode, kind: kind, timestamp: Date(), speed: now.speed)
    keep { (_, library, _) throws(StoreError) in try library.record(event) }
  }

  /// Writes down where the listener is. After the last one the player ends first, so that nothing is heard that is not
  /// written.
  mutating func leave(isLast: Bool) throws {
    let hasSounded = now.status == .playing || now.status == .paused
    // Not when the player does not know yet of a seek.
    if let place = player.currentPosition, place.generation == now.generation, end != .heard, place.seek == newestSeek {
      now.position = place.seconds
    }
    if isLast {
      now.status = .stopped
      link.update(now)
      link.close()
      line.end()
      player.shutDown()
    }
    guard hasSounded, options.keepsPlace else { return }
    recordStretch()
    let target = item.target
    try target.save(now.position, total: now.duration, in: library, now: Date())
    if end == .heard {
      try target.finish(in: library, now: Date())
    } else if let episode = target.episode {
      record(.pause)
      try library.setStatus([episode], .paused, now: Date(), isUndoable: false)
    }
    try PlayTarget.tidy(library)
  }
}
