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
  }

  /// A message that the listener gets once.
  public enum Notice: Sendable, Equatable {
    /// Nothing can be saved from now on.
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
  }

  private struct Progress {
    var held: [Held] = []
    /// Why nothing can be saved. Nil when everything is saved.
    var failure: StoreError?
    var lastTry: ContinuousClock.Instant?
    var lastCheck: ContinuousClock.Instant?
    /// Locks for the paths that the library was rescued to.
    var locks: [FileLock] = []
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
    try progress.withLock { progress throws(StoreError) in try record(entry, &progress, now) }
  }

  private func record(_ entry: Entry, _ progress: inout Progress, _ now: Date) throws(StoreError) -> Notice? {
    if let news = checkFile(&progress, isUrgent: false, now: now) {
      let failure = progress.failure ?? failure(writing: entry, at: now)
      guard let failure else { return news }
      guard failure.isTransient else { throw failure }
      progress.failure = failure
      hold(entry, &progress, now)
      return news
    }
    guard progress.failure == nil else {
      hold(entry, &progress, now)
      return isDue(progress.lastTry) ? write(&progress) : nil
    }
    guard let failure = failure(writing: entry, at: now) else {
      return library.takeFlushFailure().map { .notFlushed($0) }
    }
    guard failure.isTransient else { throw failure }
    hold(entry, &progress, now)
    progress.failure = failure
    progress.lastTry = .now
    return .held(failure)
  }

  /// Checks whether the library's file is at its path, and saves the notes in memory. Call it regularly, also when
  /// nothing plays, and before the program ends.
  public func retry(now: Date) -> Notice? {
    progress.withLock { progress in
      if let news = checkFile(&progress, isUrgent: true, now: now) { return news }
      return progress.failure == nil ? nil : write(&progress)
    }
  }

  /// Saves the notes in memory before the program ends. While another process holds the library's lock, it waits for at
  /// most a minute, so that no position is lost.
  @discardableResult
  public func saveAtEnd() -> Notice? {
    let end = ContinuousClock.now + .seconds(60)
    var notice = failure == nil ? nil : retry(now: Date())
    while case .busy = failure, ContinuousClock.now < end { notice = retry(now: Date()) }
    return notice
  }

  /// Why the newest notes are only in memory. Nil when everything is saved.
  public var failure: StoreError? { progress.withLock { $0.failure } }

  /// Where another device, which has played the episode last, has left it, in seconds. Nil if this device has, or if
  /// notes are not saved yet.
  public func positionElsewhere(of episode: EpisodeID) -> Double? {
    // If the library cannot be read, the position here stays.
    guard failure == nil, let stored = try? library.episode(episode), stored.otherDevice != nil,
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

  private func hold(_ entry: Entry, _ progress: inout Progress, _ now: Date) {
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
    progress.held.append(Held(entry: entry, time: now))
    if progress.held.count > Self.limit { progress.held.removeFirst() }
  }

  private func isDue(_ last: ContinuousClock.Instant?) -> Bool { last.map { .now - $0 >= Self.pause } ?? true }

  /// Saves all notes in order, with the times when they were recorded.
  private func write(_ progress: inout Progress) -> Notice? {
    progress.lastTry = .now
    // If the file was deleted or replaced, what is written to it is lost.
    guard library.fileState == .same else { return nil }
    progress.failure = thrown { () throws(StoreError) in try library.makeWritable() }
    var kept: [Held] = []
    var lastFailure: StoreError?
    var rest = progress.held[...]
    while let first = rest.first, progress.failure == nil {
      // Notes about deleted episodes are dropped.
      if let failure = failure(writing: first.entry, at: first.time), failure.isTransient {
        guard case .failed = failure else {
          progress.failure = failure
          break
        }
        // Perhaps only this note cannot be written. It must not block the others, and is tried again.
        kept.append(first)
        lastFailure = failure
      }
      rest.removeFirst()
    }
    progress.held = kept + rest
    progress.failure = progress.failure ?? lastFailure
    return progress.failure == nil ? .savedAgain : nil
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
  private func checkFile(_ progress: inout Progress, isUrgent: Bool, now: Date) -> Notice? {
    guard isUrgent || isDue(progress.lastCheck) else { return nil }
    progress.lastCheck = .now
    do throws(StoreError) {
      guard let rescued = try library.rescue(now: now) else { return nil }
      // The player lock is in the library's directory, which may be another one now. Another player may hold that one.
      if case .held(let lock)? = try? PlayerLock.acquire(library: library.path) { progress.locks.append(lock) }
      _ = write(&progress)
      return .rescued(path: rescued.path, isBack: rescued.state != .replaced)
    } catch {
      guard progress.failure == nil else { return nil }
      let failure = StoreError.moved(path: library.path, detail: error.description)
      progress.failure = failure
      progress.lastTry = .now
      return .held(failure)
    }
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
  public static let unsaved = "Your position is not saved yet. Earshot saves it as soon as possible."

  /// The text for the user.
  public var text: String {
    switch self {
    case .held(let error): "\(error.description) \(Self.unsaved)"
    case .savedAgain: "The library can be written again. Your position is saved."
    case .rescued(let path, true): "The library \(path) was moved or deleted while it was open. It was written again."
    case .rescued(let path, false):
      "Another file replaced the library while it was open. Yours is saved as \(path) and used until Earshot ends."
    case .notFlushed(let error): "The disk may have lost what was written last. \(error.description)"
    }
  }
}
