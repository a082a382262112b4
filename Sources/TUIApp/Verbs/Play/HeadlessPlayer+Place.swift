import Foundation
import Model
import Session
import Store

/// What is kept of what is heard: the place, second by second, and the history.
extension HeadlessPlayer {
  /// What is to be written for an effect of the session; nil where nothing is. What is not in the library has a place and
  /// nothing else.
  mutating func note(_ effect: SessionEffect) -> ListeningRecorder.Note? {
    // Read once: a release build of Swift 6.3.1 crashes where two cases read it.
    let episode = item.target.episode
    switch effect {
    case .savePosition(let seconds, let total): return item.target.place(at: seconds, total: total, now: Date())
    case .record(let kind, let speed):
      return episode.map {
        .event(ListeningEvent(episode: $0, kind: kind, timestamp: Date(), speed: speed))
      }
    case .heardExcerpt(let from, let end, let speed):
      return episode.map {
        .excerpt(
          ListeningEvent(
            episode: $0, kind: .play(from: from, to: end, total: nil), timestamp: Date(), speed: speed))
      }
    // `PlayTarget.finished` says it, and more.
    case .setStatus(.played): return nil
    case .jumped(let from, let target): return episode.map { .jump($0, from: from, to: target) }
    case .setStatus(let status): return episode.map { .status($0, status) }
    case .spared(let saving): return session.item?.podcastID.map { .saving(saving, $0) }
    case .began:
      hasSounded = true
      return item.target.begun
    default: return nil
    }
  }

  /// Writes something down. What cannot be written does not end the sound: it is remembered, and that is said once.
  mutating func keep(_ note: ListeningRecorder.Note) {
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

  private func tell(_ news: ListeningRecorder.Notice?) { if let news { line.say(news.text) } }

  /// Writes down where the listener is. After the last one the player ends first, so that nothing is heard that is not
  /// written.
  mutating func leave(isLast: Bool) throws {
    if let place = player.currentPosition {
      session.noteExactPosition(place.seconds, seek: place.seek, generation: place.generation)
    }
    if isLast {
      var now = session.nowPlaying
      now.status = .stopped
      link.update(now)
      link.close()
      line.end()
      player.shutDown()
    }
    if session.isActive { perform(session.silence(recording: .pause)) }
    guard hasSounded, options.keepsPlace else { return }
    tell(keeper.trouble == nil ? nil : keeper.retry(now: Date()))
    guard let trouble = keeper.trouble else { return try PlayTarget.tidy(library) }
    if isLast { throw trouble }
  }
}
