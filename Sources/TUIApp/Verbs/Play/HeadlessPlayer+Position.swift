import Foundation
import Model
import Session
import Store

/// Stores positions and the history.
extension HeadlessPlayer {
  mutating func record(_ note: ListeningNote) {
    if note == .began { hasStarted = true }
    if item.target.isLive, note.isAboutPosition { return }
    if let entry = item.target.entry(note, now: Date()) { store(entry) }
  }

  /// Writes a note. A failed write does not stop playback: the note is kept for later, and the listener is told once.
  mutating func store(_ entry: ListeningRecorder.Entry) {
    guard options.storesPosition else { return }
    do throws(StoreError) {
      showNews(try recorder.record(entry, now: Date()))
    } catch {
      guard !hasReportedWriteError else { return }
      hasReportedWriteError = true
      line.showMessage(error.description)
    }
  }

  /// Writes notes that were not written yet, and checks where the library is. Also called while nothing plays.
  mutating func maintainLibrary() {
    link.keepReachable()
    if options.storesPosition { showNews(recorder.retry(now: Date())) }
    adoptPosition()
  }

  /// While paused, goes to where another device has listened to meanwhile, as the full-screen player does.
  mutating func adoptPosition() {
    guard session.phase == .paused, options.storesPosition, let id = item.target.episode,
      let position = recorder.positionElsewhere(of: id), abs(position - session.position) >= 1
    else { return }
    perform(session.seek(to: position))
  }

  private func showNews(_ news: ListeningRecorder.Notice?) { if let news { line.showMessage(news.text) } }

  /// Saves the position. At the end, the player is shut down first, so that nothing is heard after the saved position.
  /// Hooks may take their time afterwards.
  mutating func savePosition(isLast: Bool) throws {
    if let current = player.currentPosition {
      session.receiveExactPosition(current.seconds, seek: current.seek, generation: current.generation)
    }
    var now = session.nowPlaying
    now.status = .stopped
    if isLast {
      player.shutDown()
      line.end()
      options.keys?.giveBackTerminal()
    }
    defer {
      if isLast {
        link.update(now)
        link.close()
        hooks?.finish(atMost: 3)
      }
    }
    if session.isActive { perform(session.stop(recording: .pause)) }
    guard hasStarted, options.storesPosition else { return }
    if isLast, case .busy = recorder.failure { Report.message(StoreError.waitsForOthers) }
    showNews(isLast ? recorder.saveAtEnd() : recorder.failure == nil ? nil : recorder.retry(now: Date()))
    guard let failure = recorder.failure else { return try PlayTarget.deleteOldPositions(in: library) }
    if isLast { throw failure }
  }
}
