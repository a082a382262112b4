import Foundation
import Model
import Synchronization

/// Saves what the player records while playing: positions, listening events and settings. If the disk is full or
/// read-only, or the library was moved away, the notes are kept in memory and saved as soon as possible.
public final class ListeningRecorder: Sendable {
  /// Something that is written automatically.
  public enum Entry: Sendable, Equatable {
    case note(EpisodeID, ListeningNote)
    /// A setting with this key. Nil deletes it.
    case setting(String, String?)

    /// Whether it changes the position or the status of the episode.
    fileprivate func changes(_ episode: EpisodeID) -> Bool {
      if case .note(episode, let note) = self { note.changesState } else { false }
    }

    /// What it changes. Entries with the same one must take effect in the order in which they were recorded. Nil if the
    /// order does not matter.
    fileprivate var subject: Subject? {
      switch self {
      case .note(let episode, .position), .note(let episode, .status), .note(let episode, .jump): .state(episode)
      // An event that is written late changes nothing that is newer, so positions need not wait for it.
      case .note(let episode, .event): .events(episode)
      case .note(_, .began): .setting(Setting.lastPlayed.rawValue)
      case .note(_, .excerpt), .note(_, .savedTime), .note(_, .ended): nil
      case .setting(let key, _): .setting(key)
      }
    }

    /// Whether it may be written twice. It then need not wait for an earlier entry that is refused.
    fileprivate var isRepeatable: Bool {
      switch self {
      case .note(_, .position), .note(_, .status), .note(_, .began), .setting: true
      case .note: false
      }
    }

    fileprivate var isPosition: Bool { if case .note(_, .position) = self { true } else { false } }
  }

  fileprivate enum Subject: Hashable {
    /// Position and status.
    case state(EpisodeID)
    case events(EpisodeID)
    case setting(String)
  }

  /// A message that the listener gets once.
  public enum Notice: Sendable, Equatable {
    /// Something cannot be saved, and is kept in memory.
    case held(StoreError)
    /// All notes in memory have been saved.
    case savedAgain
    /// The library's file was moved away or replaced, and has been written again.
    case rescued(path: String, isBack: Bool)
    /// Writing succeeded, but flushing to the disk failed.
    case notFlushed(StoreError)
  }

  private struct Held {
    var entry: Entry
    var time: Date
    /// It is in the library, but something older with the same subject is not. It is written again after that, because
    /// the older one would replace it.
    var isWritten = false
  }

  private struct Progress {
    var held: [Held] = []
    /// Why nothing can be saved.
    var failure: StoreError?
    /// Why some of the notes in memory cannot be saved, while others can.
    var refusal: StoreError?
    var lastTry: ContinuousClock.Instant?
    var lastCheck: ContinuousClock.Instant?
    /// Locks for the paths that the library was rescued to.
    var locks: [PlayerLock] = []

    /// Nil when everything is saved.
    var problem: StoreError? { failure ?? refusal }

    /// Any other error of SQLite may concern only this note, which must not block the others.
    mutating func take(_ error: StoreError) { if case .failed = error { refusal = error } else { failure = error } }
  }

  /// The time between two attempts while notes arrive.
  private static let pause = Duration.seconds(5)
  /// The maximum number of notes in memory, in addition to positions and settings. The oldest are dropped. Enough for
  /// hours of seeking and pausing.
  private static let limit = 20_000

  private let library: Library
  private let progress = Mutex(Progress())

  /// - Parameter library: if `Library.open` could only read it, the outcome has already reported why.
  public init(_ library: Library) {
    self.library = library
    let openFailure = library.openFailure.withLock { $0 }
    if library.isReadOnly { progress.withLock { $0.failure = openFailure } }
  }

  /// Saves the note, or holds it in memory. Throws errors that do not concern the disk, such as a deleted episode or
  /// a damaged library.
  public func record(_ entry: Entry, now: Date) throws(StoreError) -> Notice? {
    let (news, failure) = progress.withLock { progress in record(entry, &progress, now) }
    if let failure { throw failure }
    return news
  }

  private func record(_ entry: Entry, _ progress: inout Progress, _ now: Date) -> (Notice?, StoreError?) {
    let news = checkFile(&progress, isUrgent: false, now: now)
    let subject = entry.subject
    let follows = subject != nil && progress.held.contains { $0.entry.subject == subject }
    guard progress.failure == nil, entry.isRepeatable || !follows else {
      hold(entry, &progress, now)
      return (news ?? (isDue(progress.lastTry) ? write(&progress) : nil), nil)
    }
    guard let failure = failure(writing: entry, at: now) else {
      if follows {
        hold(entry, &progress, now, isWritten: true)
        if news == nil, isDue(progress.lastTry) { return (write(&progress), nil) }
      }
      return (news ?? library.takeFlushFailure().map(Notice.notFlushed), nil)
    }
    guard failure.isTransient else { return (news, failure) }
    let isRefusing = progress.refusal != nil
    hold(entry, &progress, now)
    progress.take(failure)
    progress.lastTry = .now
    // That single notes are refused is said once, and again when the place in another episode cannot be saved: nothing
    // may be writable any more.
    let isKnown = isRefusing && progress.failure == nil && (follows || !entry.isPosition)
    return (news ?? (isKnown ? nil : Notice.held(failure)), nil)
  }

  /// Checks whether the library's file is at its path, and saves the notes in memory. Call it regularly, also when
  /// nothing plays, and before the program ends.
  /// - Parameter isLast: the program ends, so that nothing waits for a refused note any more.
  public func retry(now: Date, isLast: Bool = false) -> Notice? {
    progress.withLock { progress in
      if let news = checkFile(&progress, isUrgent: true, now: now, isLast: isLast) { return news }
      return progress.problem == nil ? nil : write(&progress, isLast: isLast)
    }
  }

  /// Saves the notes in memory before the program ends. While another process holds the library's lock, it waits for at
  /// most a minute, so that no position is lost.
  @discardableResult
  public func saveAtEnd(clock: () -> Date) -> Notice? {
    let end = ContinuousClock.now + .seconds(60)
    var notice = failure == nil ? nil : retry(now: clock(), isLast: true)
    while case .busy = failure, ContinuousClock.now < end { notice = retry(now: clock(), isLast: true) }
    return notice
  }

  /// Why the newest notes are only in memory. Nil when everything is saved.
  public var failure: StoreError? { progress.withLock { $0.problem } }

  /// Whether the library has the newest position and status of the episode.
  public func hasSaved(_ episode: EpisodeID) -> Bool {
    progress.withLock { progress in
      progress.failure == nil && !progress.held.contains { $0.entry.changes(episode) }
    }
  }

  /// Where another device, which has played the episode last, has left it, in seconds. Nil if this device has, or if
  /// notes are not saved yet.
  public func positionElsewhere(of episode: EpisodeID) -> Double? {
    // If the library cannot be read, the position here stays.
    guard hasSaved(episode), let stored = try? library.episode(episode), stored.otherDevice != nil,
      [.playing, .paused].contains(stored.row.status)
    else { return nil }
    return stored.row.position
  }

  /// The position in seconds of an episode whose position could not be saved yet.
  public func position(of episode: EpisodeID) -> Double? {
    progress.withLock { progress in
      for held in progress.held.reversed() {
        switch held.entry {
        case .note(episode, .position(let seconds, _)): return seconds
        case .note(episode, .status(.played)), .note(episode, .status(.new)): return 0
        default: break
        }
      }
      return nil
    }
  }

  /// The status of an episode whose status could not be saved yet.
  public func status(of episode: EpisodeID) -> EpisodeStatus? {
    progress.withLock { progress in
      for held in progress.held.reversed() {
        if case .note(episode, .status(let status)) = held.entry { return status }
      }
      return nil
    }
  }

  // MARK: Notes in memory

  private func hold(_ entry: Entry, _ progress: inout Progress, _ now: Date, isWritten: Bool = false) {
    // Only the newest position of an episode and the newest value of a setting are kept. A jump, which undo can revert,
    // starts from the position before it.
    let lastJump = progress.held.lastIndex { held in
      if case (.note(let old, .jump), .note(let new, .position)) = (held.entry, entry) { old == new } else { false }
    }
    let older = progress.held.indices.filter { index in
      switch (progress.held[index].entry, entry) {
      case (.note(let old, .position), .note(let new, .position)): old == new && index > lastJump ?? -1
      case (.setting(let old, _), .setting(let new, _)): old == new
      default: false
      }
    }
    for index in older.reversed() { progress.held.remove(at: index) }
    progress.held.append(Held(entry: entry, time: now, isWritten: isWritten))
    if progress.held.count > Self.limit { progress.held.removeFirst() }
  }

  private func isDue(_ last: ContinuousClock.Instant?) -> Bool { last.map { .now - $0 >= Self.pause } ?? true }

  /// Saves all notes in order, with the times when they were recorded. Notes that are refused stay in memory.
  private func write(_ progress: inout Progress, isLast: Bool = false) -> Notice? {
    progress.lastTry = .now
    // If the file was deleted or replaced, what is written to it is lost.
    guard library.fileState == .same else { return nil }
    progress.failure = thrown { () throws(StoreError) in try library.makeWritable() }
    progress.refusal = nil
    var kept: [Held] = []
    var refused: Set<Subject> = []
    for var held in progress.held {
      let follows = held.entry.subject.map { refused.contains($0) } ?? false
      if progress.failure == nil, isLast || !follows || held.entry.isRepeatable && !held.isWritten {
        if let failure = failure(writing: held.entry, at: held.time) {
          // Notes about deleted episodes are dropped.
          guard failure.isTransient else { continue }
          progress.take(failure)
        } else {
          guard follows, !isLast else { continue }
          held.isWritten = true
        }
      }
      kept.append(held)
      if let subject = held.entry.subject { refused.insert(subject) }
    }
    progress.held = kept
    return progress.problem == nil ? .savedAgain : nil
  }

  private func failure(writing entry: Entry, at time: Date) -> StoreError? {
    let failure = attempt(writing: entry, at: time)
    // `Library.write` has made the space of the write-ahead log usable again, if that was possible.
    guard case .diskFull = failure else { return failure }
    return attempt(writing: entry, at: time)
  }

  /// - Returns: why it failed; nil if it was written.
  private func attempt(writing entry: Entry, at time: Date) -> StoreError? {
    thrown { () throws(StoreError) in
      switch entry {
      case .note(let id, let note): try library.write(note, of: id, now: time)
      case .setting(let key, let value): try library.setSetting(key, value)
      }
    }
  }

  /// Why the body failed.
  private func thrown(by body: () throws(StoreError) -> Void) -> StoreError? {
    do throws(StoreError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  // MARK: Checking the file

  /// Checks whether the library's file still has its path. If not, writes it again.
  private func checkFile(_ progress: inout Progress, isUrgent: Bool, now: Date, isLast: Bool = false) -> Notice? {
    guard isUrgent || isDue(progress.lastCheck) else { return nil }
    progress.lastCheck = .now
    do throws(StoreError) {
      guard let rescued = try library.rescue(now: now) else { return nil }
      // The player lock is in the library's directory, which may be another one now.
      if let lock = newLock() { progress.locks.append(lock) }
      _ = write(&progress, isLast: isLast)
      return .rescued(path: rescued.path, isBack: rescued.state != .replaced)
    } catch {
      guard progress.failure == nil else { return nil }
      let failure = StoreError.moved(path: library.path, detail: error.description)
      progress.failure = failure
      progress.lastTry = .now
      return .held(failure)
    }
  }

  /// Nil if another player holds the lock, or nothing can be locked.
  private func newLock() -> PlayerLock? {
    guard case .held(let lock) = try? PlayerLock.acquire(library: library.path) else { return nil }
    return lock
  }
}

extension Library {
  fileprivate func write(_ note: ListeningNote, of episode: EpisodeID, now: Date) throws(StoreError) {
    switch note {
    case .position(let seconds, let total): try savePosition(episode, seconds: seconds, total: total, now: now)
    case .event(let kind, let speed):
      try record(ListeningEvent(episode: episode, kind: kind, timestamp: now, speed: speed))
    case .excerpt(let from, let end, let speed):
      let heard = ListeningEvent.Kind.play(from: from, to: end, total: nil)
      try recordExcerpt(ListeningEvent(episode: episode, kind: heard, timestamp: now, speed: speed))
    case .savedTime(let saved): try record(saved, of: episode, now: now)
    case .status(let status): try setStatus([episode], status, now: now, isUndoable: false)
    case .jump(let from, let target): try jump(in: episode, from: from, to: target, now: now)
    case .began: try setSetting(Setting.lastPlayed.rawValue, episode.description)
    case .ended: try dequeue([episode], now: now)
    }
  }
}

extension ListeningRecorder.Notice {
  /// Whether this is a problem.
  public var isSerious: Bool { if case .savedAgain = self { false } else { true } }

  /// What a listener must know while nothing can be saved.
  public static let unsaved = "Your place is not saved yet. Earshot remembers it, and saves it as soon as it can."

  /// The text for the user.
  public var text: String {
    switch self {
    case .held(let error): "\(error.description) \(Self.unsaved)"
    case .savedAgain: "The library can be written again: your place is kept."
    case .rescued(let path, true): "The library \(path) was moved or deleted while it was open. It was written again."
    case .rescued(let path, false):
      "Another file took the library's place while it was open. Yours is kept as \(path), and used until the end."
    case .notFlushed(let error): "The disk may have lost what was written last. \(error.description)"
    }
  }
}
