import AppCore
import Foundation
import Model
import Store

/// Changes of the library, in the order in which they come.
extension EffectRunner {
  /// A player that only reads says why it does not write; of what the listener did not ask for it says nothing.
  func write(_ change: Write) {
    if let refusal {
      switch change {
      case .savePosition, .saveSetting, .record: return
      default: return mailbox.post(.library(.failed(ReportedError(refusal))))
      }
    }
    writes.async { [self] in
      do throws(StoreError) {
        if let event = try write(change, now: clock()) { mailbox.post(.library(event)) }
        cleanUpDownloads(after: change)
      } catch {
        log.error("\(change): \(error)")
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }

  /// Returns what there is to tell; nil for what is not shown.
  private func write(_ change: Write, now: Date) throws(StoreError) -> LibraryEvent? {
    switch change {
    case .savePosition(let id, let seconds, let total):
      try library.savePosition(id, seconds: seconds, total: total, now: now)
      return nil
    case .record(let event):
      try library.record(event)
      return nil
    case .saveSetting(let setting, let value):
      try library.setSetting(setting.rawValue, value)
      return nil
    case .changeShow(let podcast, let change):
      try sound.change(podcast, change)
      return nil
    case .setAutomaticDownload(let podcast, let count):
      try downloads.setAutomatic(podcast, count: count)
      return nil
    case .setKeptDownloads(let podcast, let count):
      try downloads.setKept(podcast, count: count)
      return nil
    case .undo: return .undone(try library.undo(now: now)?.label)
    case .setStatus(let ids, let status): try library.setStatus(ids, status, now: now)
    case .setPlayerStatus(let id, let status): try library.setStatus([id], status, now: now, isUndoable: false)
    case .markAllPlayed(let podcast): try library.markAllPlayed(podcast, now: now)
    case .unsubscribe(let podcast): try library.unsubscribe(podcast, now: now)
    case .enqueue(let id, let next):
      if next { try library.playNext([id], now: now) } else { try library.enqueue([id], now: now) }
    case .dequeue(let id): try library.dequeue([id], now: now)
    case .moveInQueue(let id, let index): try library.moveInQueue(id, to: index, now: now)
    case .makePlaylist(let title, let item):
      try library.addPlaylist(title: title, items: item.map { [$0] } ?? [], now: now)
    case .renamePlaylist(let id, let title):
      guard var playlist = try library.playlist(id) else { throw .unknown("playlist \(id)") }
      playlist.title = title
      try library.updatePlaylist(playlist, now: now)
    case .deletePlaylist(let id): try library.deletePlaylist(id, now: now)
    case .addToPlaylist(let id, let items): try library.addToPlaylist(id, items, now: now)
    case .removeFromPlaylist(let id, let items): try library.removeFromPlaylist(id, items, now: now)
    case .moveInPlaylist(let id, let item, let index): try library.moveInPlaylist(id, item, to: index, now: now)
    case .addClip(let episode, let start, let end, let title):
      _ = try library.addClip(of: episode, startTime: start, endTime: end, title: title, now: now)
    case .updateClip(let clip): try library.updateClip(clip, now: now)
    case .deleteClip(let id): try library.deleteClip(id, now: now)
    case .saveSmartPlaylist(let id, let title, let filter): try saveSmartPlaylist(id, title, filter, now)
    }
    return .changed
  }

  private func saveSmartPlaylist(
    _ id: PlaylistID?, _ title: String, _ filter: String, _ now: Date
  ) throws(StoreError) {
    guard let id else {
      let parsed: EpisodeFilter
      do throws(FilterError) { parsed = try EpisodeFilter(parsing: filter) } catch {
        throw .invalid(error.description)
      }
      _ = try library.addSmartPlaylist(title: title, filter: parsed, now: now)
      return
    }
    guard var playlist = try library.playlist(id) else { throw .unknown("playlist \(id)") }
    playlist.title = title
    playlist.filter = filter
    try library.updatePlaylist(playlist, now: now)
  }
}
