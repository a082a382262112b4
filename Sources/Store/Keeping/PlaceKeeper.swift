import Foundation
import Model
import Synchronization

/// Writes what the player notes while it plays: places, what was heard, settings. What cannot be written now (a full or
/// read-only disk, a library that was moved away) is kept in memory and written as soon as that is possible.
public final class PlaceKeeper: Sendable {
  /// What the player notes by itself. It is not lost because a disk is full.
  public enum Note: Sendable, Equatable {
    /// Seconds.
    case position(EpisodeID, seconds: Double, total: Double?)
    case event(ListeningEvent)
    /// A stretch of a part that was heard by itself.
    case excerpt(ListeningEvent)
    case saving(Saving, PodcastID)
    case status(EpisodeID, EpisodeStatus)
    case dequeue(EpisodeID)
    /// The listener leaves the place `from` of the episode for another one, in seconds; nil: the one that is stored.
    case jump(EpisodeID, from: Double?, to: Double)
    case setting(String, String?)
  }

  /// What the listener should know, once.
  public enum News: Sendable, Equatable {
    /// From now on nothing can be written.
    case held(StoreError)
    /// All that was kept in memory has been written.
    case keptAgain
    /// The library's file was moved away or replaced; it was written again.
    case rescued(path: String, isBack: Bool)
    /// The disk took what was written, and then failed to keep it.
    case notFlushed(StoreError)
  }

  private struct Held {
    var note: Note
    var time: Date
  }

  private struct Progress {
    var held: [Held] = []
    /// Why nothing can be written; nil when all is.
    var trouble: StoreError?
    var lastTry: ContinuousClock.Instant?
    var lastLook: ContinuousClock.Instant?
    /// Of the place that the library was rescued to.
    var locks: [PlayerLock] = []
  }

  /// Between two tries while notes come.
  private static let pause = Duration.seconds(5)
  /// More than this many are not kept, beside the places and settings; the oldest go. Hours of seeking and pausing.
  private static let limit = 20_000

  private let library: Library
  private let progress = Mutex(Progress())

  /// - Parameter library: one that `Library.open` could only read is told of by its outcome, and not again.
  public init(_ library: Library) {
    self.library = library
    let obstacle = library.obstacle.withLock { $0 }
    if library.isReadOnly { progress.withLock { $0.trouble = obstacle } }
  }

  /// Writes the note, or keeps it in memory.
  /// Throws what has nothing to do with the disk: the episode is gone, the library is damaged.
  public func keep(_ note: Note, now: Date) throws(StoreError) -> News? {
    let (news, failure) = progress.withLock { progress in keep(note, &progress, now) }
    if let failure { throw failure }
    return news
  }

  private func keep(_ note: Note, _ progress: inout Progress, _ now: Date) -> (News?, StoreError?) {
    if let news = look(&progress, isUrgent: false, now: now) {
      let failure = progress.trouble ?? failure(writing: note, at: now)
      guard let failure else { return (news, nil) }
      guard failure.mayPass else { return (news, failure) }
      progress.trouble = failure
      hold(note, &progress, now)
      return (news, nil)
    }
    guard progress.trouble == nil else {
      hold(note, &progress, now)
      return (isDue(progress.lastTry) ? write(&progress) : nil, nil)
    }
    guard let failure = failure(writing: note, at: now) else {
      return (library.takeFlushFailure().map { .notFlushed($0) }, nil)
    }
    guard failure.mayPass else { return (nil, failure) }
    hold(note, &progress, now)
    progress.trouble = failure
    progress.lastTry = .now
    return (.held(failure), nil)
  }

  /// Looks whether the library is where it was, and writes what is in memory. Call it now and then, also while nothing
  /// plays, and before the end.
  public func retry(now: Date) -> News? {
    progress.withLock { progress in
      if let news = look(&progress, isUrgent: true, now: now) { return news }
      return progress.trouble == nil ? nil : write(&progress)
    }
  }

  /// Why what was noted last is in memory only; nil when all is written.
  public var trouble: StoreError? { progress.withLock { $0.trouble } }

  /// Seconds: where the listener is in an episode whose place could not be written yet.
  public func position(of episode: EpisodeID) -> Double? {
    progress.withLock { progress in
      for held in progress.held.reversed() {
        switch held.note {
        case .position(episode, let seconds, _): return seconds
        case .status(episode, .played), .status(episode, .new): return 0
        default: break
        }
      }
      return nil
    }
  }

  // MARK: What is held

  private func hold(_ note: Note, _ progress: inout Progress, _ now: Date) {
    // Of a place and of a setting only the newest counts.
    progress.held.removeAll { held in
      switch (held.note, note) {
      case (.position(let old, _, _), .position(let new, _, _)): old == new
      case (.setting(let old, _), .setting(let new, _)): old == new
      default: false
      }
    }
    progress.held.append(Held(note: note, time: now))
    if progress.held.count > Self.limit { progress.held.removeFirst() }
  }

  private func isDue(_ last: ContinuousClock.Instant?) -> Bool { last.map { .now - $0 >= Self.pause } ?? true }

  /// Writes all that is held, in order, with the times at which it was noted.
  private func write(_ progress: inout Progress) -> News? {
    progress.lastTry = .now
    // Nothing is written to a file that nobody can find again.
    guard library.place == .same else { return nil }
    progress.trouble = makeWritable()
    while progress.trouble == nil, let first = progress.held.first {
      // Of an episode that is gone nothing needs to be known.
      if let failure = failure(writing: first.note, at: first.time), failure.mayPass {
        progress.trouble = failure
      } else {
        progress.held.removeFirst()
      }
    }
    return progress.trouble == nil ? .keptAgain : nil
  }

  private func makeWritable() -> StoreError? {
    do throws(StoreError) {
      try library.makeWritable()
      return nil
    } catch {
      return error
    }
  }

  private func failure(writing note: Note, at time: Date) -> StoreError? {
    do throws(StoreError) {
      switch note {
      case .position(let id, let seconds, let total):
        try library.savePosition(id, seconds: seconds, total: total, now: time)
      case .event(let event): try library.record(event)
      case .excerpt(let event): try library.recordExcerpt(event)
      case .saving(let saving, let podcast): try library.record(saving, of: podcast, now: time)
      case .status(let id, let status): try library.setStatus([id], status, now: time, isUndoable: false)
      case .jump(let id, let from, let target): try library.jump(in: id, from: from, to: target, now: time)
      case .dequeue(let id): try library.dequeue([id], now: time)
      case .setting(let key, let value): try library.setSetting(key, value)
      }
      return nil
    } catch {
      return error
    }
  }

  // MARK: Where the library is

  /// Looks whether the library's file is still in its place, and writes it again when it is not. Nothing must be
  /// written to a file that nobody can find again.
  private func look(_ progress: inout Progress, isUrgent: Bool, now: Date) -> News? {
    guard isUrgent || isDue(progress.lastLook) else { return nil }
    progress.lastLook = .now
    let outcome: Result<(place: Library.Place, path: String)?, StoreError> = rescue(now: now)
    switch outcome {
    case .success(nil): return nil
    case .success(let rescued?):
      // Who holds the player is said in the directory, and that may be another one now.
      if let lock = newLock() { progress.locks.append(lock) }
      _ = write(&progress)
      return .rescued(path: rescued.path, isBack: rescued.place != .replaced)
    case .failure(let error):
      guard progress.trouble == nil else { return nil }
      let trouble = StoreError.moved(path: library.path, detail: error.description)
      progress.trouble = trouble
      progress.lastTry = .now
      return .held(trouble)
    }
  }

  private func rescue(now: Date) -> Result<(place: Library.Place, path: String)?, StoreError> {
    do throws(StoreError) { return .success(try library.rescue(now: now)) } catch { return .failure(error) }
  }

  /// nil where another player was faster, or nothing can be locked.
  private func newLock() -> PlayerLock? {
    guard case .held(let lock) = try? PlayerLock.acquire(library: library.path) else { return nil }
    return lock
  }
}

extension PlaceKeeper.News {
  /// Whether something is not as it should be.
  public var isGrave: Bool { if case .keptAgain = self { false } else { true } }

  /// For people.
  public var text: String {
    switch self {
    case .held(let error): "\(error.description) Your place is not kept; it is remembered until it can be."
    case .keptAgain: "The library can be written again: your place is kept."
    case .rescued(let path, true): "The library \(path) was moved or deleted while it was open. It was written again."
    case .rescued(let path, false):
      "Another file took the library's place while it was open. Yours is kept as \(path), and used until the end."
    case .notFlushed(let error): "The disk did not keep what was written. \(error.description)"
    }
  }
}
