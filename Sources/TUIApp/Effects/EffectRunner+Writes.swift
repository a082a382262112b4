import AppCore
import Foundation
import Model
import Store

extension EffectRunner {
  /// Changes the library, in the order of the effects; a player that only reads says why it does not.
  func write(_ effect: Effect) {
    if let refusal {
      if case .savePosition = effect { return }
      if case .saveSetting = effect { return }
      if case .record = effect { return }
      mailbox.post(.library(.failed(ReportedError(refusal))))
      return
    }
    writes.async { [self] in
      do throws(StoreError) {
        if let answer = try write(effect, now: clock()) { mailbox.post(.library(answer)) }
        cleanUpDownloads(after: effect)
      } catch {
        log.error("\(effect): \(error)")
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }

  private func write(_ effect: Effect, now: Date) throws(StoreError) -> LibraryAnswer? {
    switch effect {
    case .savePosition(let id, let seconds, let total):
      try library.savePosition(id, seconds: seconds, total: total, now: now)
      return nil
    case .record(let event):
      try library.record(event)
      return nil
    case .saveSetting(let setting, let value):
      try library.setSetting(setting.rawValue, value)
      return nil
    case .setStatus(let ids, let status): try library.setStatus(ids, status, now: now)
    case .setPlayerStatus(let id, let status): try library.setStatus([id], status, now: now, isUndoable: false)
    case .markAllPlayed(let podcast): try library.markAllPlayed(podcast, now: now)
    case .unsubscribe(let podcast): try library.unsubscribe(podcast, now: now)
    case .enqueue(let id, let next):
      if next { try library.playNext([id], now: now) } else { try library.enqueue([id], now: now) }
    case .dequeue(let id): try library.dequeue([id], now: now)
    case .moveInQueue(let id, let index): try library.moveInQueue(id, to: index, now: now)
    case .changeShow(let podcast, let change):
      try sound.change(podcast, change)
      return nil
    case .undo: return .undone(try library.undo(now: now)?.label)
    default:
      guard try PlaylistWriter(library: library).write(effect, now: now) else { return nil }
    }
    return .changed
  }
}
