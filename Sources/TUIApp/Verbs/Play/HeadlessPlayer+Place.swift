import Foundation
import Model
import Store

/// What is kept of what is heard: the place, second by second, and the history.
extension HeadlessPlayer {
  mutating func keepPlace() {
    keep(item.target.place(at: now.position, total: now.duration, now: Date()))
  }

  /// Writes something down. What cannot be written does not end the sound: it is remembered, and that is said once.
  mutating func keep(_ note: PlaceKeeper.Note) {
    guard options.keepsPlace else { return }
    do throws(StoreError) {
      tell(try keeper.keep(note, now: Date()))
    } catch {
      guard !hasComplained else { return }
      hasComplained = true
      line.say(error.description)
    }
  }

  /// Looks after what could not be written, and where the library is, also while nothing plays.
  mutating func lookAfterLibrary() { if options.keepsPlace { tell(keeper.retry(now: Date())) } }

  private func tell(_ news: PlaceKeeper.News?) { if let news { line.say(news.text) } }

  mutating func recordStretch() {
    guard let from = stretchStart, now.position > from else { return }
    stretchStart = now.position
    record(.play(from: from, to: now.position, total: now.duration))
  }

  /// A record that cannot be written costs a line of the history, and nothing else.
  mutating func record(_ kind: ListeningEvent.Kind) {
    guard let episode = item.target.episode else { return }
    let event = ListeningEvent(episode: episode, kind: kind, timestamp: Date(), speed: now.speed)
    keep(.event(event))
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
    keepPlace()
    if end == .heard {
      for note in item.target.finished { keep(note) }
    } else if let episode = item.target.episode {
      record(.pause)
      keep(.status(episode, .paused))
    }
    tell(keeper.trouble == nil ? nil : keeper.retry(now: Date()))
    guard let trouble = keeper.trouble else { return try PlayTarget.tidy(library) }
    if isLast { throw trouble }
  }
}
