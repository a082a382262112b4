import AppCore
import Foundation
import Model
import Store

extension ListeningNote {
  /// Whether lists show the change.
  fileprivate var changesLists: Bool {
    switch self {
    case .status, .ended: true
    case .position, .event, .excerpt, .savedTime, .jump, .began: false
    }
  }

  /// Whether other devices must be told now. Other notes are sent with the next sync.
  fileprivate var isSynced: Bool {
    switch self {
    case .event(.pause, _), .event(.played, _), .ended: true
    case .position, .event, .excerpt, .savedTime, .status, .jump, .began: false
    }
  }
}

/// Writes to the library, in order.
extension EffectRunner {
  /// Writes what the player records. A player that may only read records nothing.
  func record(_ entry: ListeningRecorder.Entry) {
    guard refusal == nil else { return }
    change(entry) { [self] () throws(StoreError) in
      showNews(try recorder.record(entry, now: Date()))
      guard case .note(let episode, let note) = entry else { return }
      if note == .ended { desktop.withLock { $0 }?.announce(.finished, episode) }
      if note.changesLists { mailbox.post(.library(.changed)) }
      if note.isSynced { sync?.scheduleSoon() }
      // The rules need not protect the episode any more. The start of the next episode protects that one.
      if note == .status(.played) { downloads.downloader.cleanUp() }
    }
  }

  /// Does work on the queue for writes, and shows why it failed.
  /// - Parameter what: what is stored. Its kind is in the log. A change by the listener is also in the event.
  func change(_ what: some Sendable, _ work: @escaping @Sendable () throws(StoreError) -> Void) {
    writes.async { [mailbox, log] in
      do throws(StoreError) {
        try work()
      } catch {
        log.error("\(Self.kind(of: what)): \(error)")
        mailbox.post(.library(.failed(ReportedError(error.description), of: what as? Write)))
      }
    }
  }

  /// The name of a case without its values, for the log. They may be what the listener wrote.
  static func kind(of what: some Sendable) -> String { Mirror(reflecting: what).children.first?.label ?? "\(what)" }

  /// Performs a change by the listener. A player that may only read shows the reason.
  func write(_ change: Write) {
    if let refusal { return mailbox.post(.library(.failed(ReportedError(refusal), of: change))) }
    self.change(change) { [self] () throws(StoreError) in
      if let event = try write(change, now: Date()) { mailbox.post(.library(event)) }
      cleanUpDownloads(after: change)
      // The order of the podcasts is not synced.
      if case .movePodcast = change { return }
      sync?.scheduleSoon()
    }
  }

  /// Performs a write.
  /// - Returns: the event to post; nil if the screen does not show the change.
  private func write(_ change: Write, now: Date) throws(StoreError) -> LibraryEvent? {
    switch change {
    case .changeSettings(let podcast, .playback(let change)):
      try sound.change(podcast, change)
      guard change == .reset else { return nil }
      try library.setCatalogueRule(refresher.preferences.catalogueRule, of: podcast)
      downloads.downloader.applyRules()
      try downloads.fetchNew()
    case .changeSettings(let podcast, let change):
      try library.change(change, of: podcast, now: now)
      switch change {
      case .order: return .changed
      case .newEpisodes(let rule):
        try library.setCatalogueRule(rule ?? refresher.preferences.catalogueRule, of: podcast)
        return .changed
      case .autoDownload: try downloads.fetchNew()
      case .keepDownloads: downloads.downloader.applyRules()
      case .userAgent, .playback: break
      }
      return nil
    case .undo: return try undo(.back, now: now)
    case .redo: return try undo(.forward, now: now)
    case .undoConfirmed(let plan):
      let done = try library.undo(plan.direction, only: plan.id, now: now)
      // Another change was made since the question, so the listener is asked about that one.
      guard let done else { return try undo(plan.direction, now: now) }
      return try answer(plan.direction, done)
    case .setStatus(let ids, let status, let emptiesNew):
      try library.setStatus(ids, status, now: now, emptiesNew: emptiesNew)
      return .stored(change)
    case .bringBack(let ids): try library.bringBack(ids, now: now)
    case .subscribe(let podcast): try library.resubscribe(podcast, now: now)
    case .unsubscribe(let podcast): try library.unsubscribe(podcast, now: now)
    case .setTags(let tags, .podcast(let podcast)):
      return changed(try library.setTags(tags, of: podcast, now: now), else: "It has these tags already")
    case .setTags(let tags, .episode(let episode)):
      return changed(try library.setTags(tags, of: episode, now: now), else: "It has these tags already")
    case .setTags(let tags, .clip(let clip)):
      return changed(try library.changeClip(clip, now: now, { $0.tags = tags }), else: "It has these tags already")
    case .editTags(let owner, let added, let removed):
      let isChanged = try library.changeTags(of: owner, adding: added, removing: removed, now: now)
      return changed(isChanged, else: "It has these tags already")
    case .changeTags(let items, let added, let removed):
      let isChanged = try library.changeTags(of: items, adding: added, removing: removed, now: now)
      return changed(isChanged, else: "They have these tags already")
    case .movePodcast(let podcast, let index, let shown): try library.movePodcast(podcast, to: index, among: shown)
    case .enqueue(let ids, .end): try library.enqueue(ids, now: now)
    case .enqueue(let ids, .behind(let current)): try library.playNext(ids, after: current, now: now)
    case .dequeue(let ids): try library.dequeue(ids, now: now)
    case .clearQueue: try library.clearQueue(now: now)
    case .moveInQueue(let ids, let index): try library.moveInQueue(ids, to: index, now: now)
    case .sortQueue(let order, let first):
      return changed(try library.sortQueue(order, first: first, now: now), else: "The queue has this order already")
    case .makePlaylist(let title, let items): try library.addPlaylist(title: title, items: items, now: now)
    case .renamePlaylist(let id, let title): try library.changePlaylist(id, now: now) { $0.title = title }
    case .deletePlaylist(let id): try library.deletePlaylist(id, now: now)
    case .addToPlaylist(let id, let items):
      let subject = items.count == 1 ? "It is" : "They are"
      return changed(try library.addToPlaylist(id, items, now: now), else: "\(subject) already in the playlist")
    case .removeFromPlaylist(let id, let items): try library.removeFromPlaylist(id, items, now: now)
    case .moveInPlaylist(let id, let items, let index): try library.moveInPlaylist(id, items, to: index, now: now)
    case .addClip(let episode, let kind, let start, let end, let title):
      _ = try library.addClip(of: episode, kind: kind, startTime: start, endTime: end, title: title, now: now)
    case .writeNote(.newBookmark(let episode, let second), let text):
      if let known = try library.clips(of: episode).first(where: { $0.isBookmark && $0.startTime == second }) {
        return changed(try library.setNote(text, of: known, now: now), else: "The note is unchanged")
      }
      // It was undone, or deleted elsewhere, while the note was written.
      _ = try library.addClip(of: episode, startTime: second, endTime: nil, note: text, now: now)
    case .writeNote(.clip(let clip), let text):
      return changed(try library.setNote(text, of: clip, now: now), else: "The note is unchanged")
    case .writeNote(.episode(let episode), let text):
      return changed(try library.setNote(text, of: episode, now: now), else: "The note is unchanged")
    case .changeClip(let id, let change):
      return changed(try library.changeClip(id, now: now, change.apply), else: "It is unchanged")
    case .deleteClips(let ids): try library.deleteClips(ids, now: now)
    case .transcribe(let ids):
      let count = try library.addToTranscribing(ids, now: now)
      transcriber?.wake()
      if count == 0 { return changed(false, else: "It is in the list of transcripts to make already") }
      return nil
    case .cancelTranscribing(let ids):
      try transcriber?.cancel(ids)
      return nil
    case .makeSmartPlaylist(let title, let filter):
      let parsed: EpisodeFilter
      do throws(FilterError) { parsed = try EpisodeFilter(parsing: filter) } catch {
        throw .invalid(error.description)
      }
      _ = try library.addSmartPlaylist(title: title, filter: parsed, now: now)
    case .changeFilter(let id, let filter): try library.changePlaylist(id, now: now) { $0.filter = filter }
    case .rules(let change): return try write(change, now: now)
    }
    return .changed
  }
}

extension EffectRunner {
  /// If nothing has changed, a text replaces the message that the change can be undone.
  private func changed(_ isChanged: Bool, else text: String) -> LibraryEvent? {
    if isChanged { return .changed }
    mailbox.post(.message(Message(.info, text)))
    return nil
  }

  /// Undoes or redoes the next step, or asks the listener first.
  private func undo(_ direction: UndoDirection, now: Date) throws(StoreError) -> LibraryEvent {
    guard let plan = try library.undoPlan(direction) else { return try answer(direction, nil) }
    if plan.needsConfirmation(since: start) { return .asksUndo(plan) }
    return try answer(direction, library.undo(direction, only: plan.id, now: now))
  }

  private func answer(_ direction: UndoDirection, _ done: UndoneDescription?) throws(StoreError) -> LibraryEvent {
    let podcasts = done?.settings ?? []
    for podcast in podcasts { mailbox.post(.library(.settingsRestored(podcast, try sound.reload(podcast)))) }
    if !podcasts.isEmpty { downloads.downloader.applyRules() }
    // What rules wanted to download may be unwanted now, or wanted again.
    if done != nil { fetchNewDownloads() }
    return .undone(direction, done?.label, done?.restored ?? Restored(), place: done?.place)
  }

  /// Called after a refresh: downloads new episodes of podcasts with automatic downloads.
  func fetchNewDownloads() {
    guard refusal == nil else { return }
    change("downloads") { [downloads] () throws(StoreError) in try downloads.fetchNew() }
  }

  /// Deletes the file of a deleted episode, and that of a played one if the rules say so.
  private func cleanUpDownloads(after change: Write) {
    switch change {
    case .setStatus(let ids, .deleted, _): downloads.downloader.drop(ids)
    case .setStatus(_, .played, _): downloads.downloader.applyRules()
    default: break
    }
  }
}

extension DispatchQueue {
  /// Waits until the work that the queue got so far has ended. Only for a serial queue.
  /// - Returns: false if the time ended before.
  @discardableResult
  func awaitEarlierWork(atMost milliseconds: Int) -> Bool {
    let done = DispatchSemaphore(value: 0)
    async { done.signal() }
    return done.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
  }
}
