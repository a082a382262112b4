import Foundation
import Model
import Session
import Store

/// Stores positions and the history.
extension HeadlessPlayer {
  /// The note to write for an effect of the session; nil if there is none. For files and addresses outside of the
  /// library only the position is stored.
  mutating func note(_ effect: SessionEffect) -> ListeningRecorder.Note? {
    if effect == .began { hasStarted = true }
    if item.target.isLive, effect.isAboutPosition { return nil }
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
    // `PlayTarget.finished` does it, and more.
    case .setStatus(.played): return nil
    case .jumped(let from, let target): return episode.map { .jump($0, from: from, to: target) }
    case .setStatus(let status): return episode.map { .status($0, status) }
    case .recordSavedTime(let saved): return session.item?.podcastID.map { .savedTime(saved, $0) }
    case .began: return item.target.begun
    default: return nil
    }
  }

  /// Writes a note. A failed write does not stop playback: the note is kept for later, and the listener is told once.
  mutating func store(_ note: ListeningRecorder.Note) {
    guard options.keepsPlace else { return }
    do throws(StoreError) {
      showNews(try recorder.keep(note, now: Date()))
    } catch {
      guard !hasReportedWriteError else { return }
      hasReportedWriteError = true
      line.showMessage(error.description)
    }
  }

  /// Writes kept notes, and checks where the library is. Also called while nothing plays.
  mutating func maintainLibrary() { if options.keepsPlace { showNews(recorder.retry(now: Date())) } }

  private func showNews(_ news: ListeningRecorder.Notice?) { if let news { line.showMessage(news.text) } }

  /// Saves the position. At the end, the player is shut down first, so that nothing is heard after the saved position.
  mutating func savePosition(isLast: Bool) throws {
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
    if session.isActive { perform(session.stop(recording: .pause)) }
    guard hasStarted, options.keepsPlace else { return }
    showNews(recorder.failure == nil ? nil : recorder.retry(now: Date()))
    guard let failure = recorder.failure else { return try PlayTarget.deleteOldPlaces(in: library) }
    if isLast { throw failure }
  }
}
