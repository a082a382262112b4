import Foundation
import Model

/// One sync. For each category it pulls the changes of other devices and then pushes those of this device.
///
/// A category that could not be pulled is not pushed, so that newer values are never overwritten with older ones. A
/// run may be interrupted at any point; the next run repeats it.
public struct SyncRun: Sendable {
  /// The result of a run, as counts. `earshot sync` prints it as JSON.
  public struct Report: Sendable, Equatable {
    public var pulled = SyncChanges()
    public var pushed = SyncChanges()
    public var errors: [SyncError] = []
    /// Messages for the user about values that could not be read or were refused. Everything else was synced.
    public var problems: [String] = []
    /// How many values the server refused, by its reason. `perform` turns them into problems.
    var refused: [String: Int] = [:]
    /// What a check of the server has found, as a message for the user. Nil: it was not checked. Empty: it keeps what
    /// it gets.
    public var notice: String?
    /// Whether every category was pulled and pushed.
    public var isComplete: Bool { errors.isEmpty }
    public init() {}
  }

  public var backend: any SyncBackend
  public var isFirstSync: Bool
  public var isFull: Bool
  public var acceptsRemovals: Bool
  public var isDryRun: Bool
  private let now: @Sendable () -> Double
  private let pause: @Sendable (Double) async -> Void

  /// - Parameters:
  ///   - pause: waits for some seconds.
  ///   - now: returns seconds since 1970.
  public init(
    backend: any SyncBackend, isFirstSync: Bool = false, isFull: Bool = false, acceptsRemovals: Bool = false,
    isDryRun: Bool = false, pause: @escaping @Sendable (Double) async -> Void = SyncRun.sleep,
    now: @escaping @Sendable () -> Double
  ) {
    self.pause = pause
    self.backend = backend
    self.isFirstSync = isFirstSync
    self.isFull = isFull
    self.acceptsRemovals = acceptsRemovals
    self.isDryRun = isDryRun
    self.now = now
  }

  /// A cancelled sleep ends at once.
  public static let sleep: @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }

  public func perform(on store: some SyncStore) async -> Report {
    var report = Report()
    var offset = 0.0
    for category in backend.traits.categories {
      do throws(SyncError) {
        let last = try store.cursor(category)
        var cursor = last
        if isFull || isFirstSync, try !store.hasUnconfirmedPush(category) { cursor = nil }
        var pull = try await self.pull(category, since: cursor)
        if cursor == nil, let last, category == .subscriptions, backend.traits.mayLoseValues {
          pull.addRemovals(of: try await self.pull(category, since: last))
        }
        offset = pull.clockOffset ?? offset
        report.add(pull.problems)
        report.pulled += try store.apply(pull, category, rules(offset, isFullPull: cursor == nil))
        try await pullRest(&pull, category, store, offset, isFull: cursor == nil, &report)
        if !isDryRun, isFull || isFirstSync || pull.hasLostOwnValues {
          try store.queueUnsent(rules(offset), lost: pull.hasLostOwnValues ? category : nil)
        }
        let pushed = try await push(category, store, offset, pull.cursor ?? cursor, &report)
        if let newest = pushed.newest, let cursor = try backend.cursor(category, pull.cursor ?? cursor, pushed: newest)
        {
          try store.save(cursor, category)
        }
        if isFull || isFirstSync, backend.traits.mayLoseValues, !pushed.sample.isEmpty {
          // Everything was synced, so an error of the check is none of the run.
          report.notice = try? await check(pushed.sample, since: pull.cursor, offset)
        }
      } catch {
        report.errors.append(error)
        // The other categories use the same server and would fail too.
        break
      }
    }
    // What has ended the run is said once.
    for error in report.errors { report.refused["\(error)"] = nil }
    for (cause, count) in report.refused.sorted(by: { $0.key < $1.key }) {
      report.problems.append(count == 1 ? cause : "\(cause) (\(count) times)")
    }
    if let notice = report.notice, !notice.isEmpty { report.problems.append(notice) }
    return report
  }

  /// Pulls what one pull does not return. So a device that changed very much needs no more memory than others.
  private func pullRest(
    _ pull: inout SyncPull, _ category: SyncCategory, _ store: some SyncStore, _ offset: Double, isFull: Bool,
    _ report: inout Report
  ) async throws(SyncError) {
    var pages = 1
    while pull.hasMore {
      guard pages < Self.maxPages else {
        return report.add(["there are more changes than one sync reads; the next sync continues"])
      }
      pages += 1
      let hasLostOwnValues = pull.hasLostOwnValues
      pull = try await self.pull(category, since: pull.cursor)
      pull.hasLostOwnValues = pull.hasLostOwnValues || hasLostOwnValues
      report.add(pull.problems)
      report.pulled += try store.apply(pull, category, rules(offset, isFullPull: isFull))
    }
  }

  /// How many times a run pulls a category.
  private static let maxPages = 100

  private func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
    do throws(SyncError) { return try await backend.pull(category, since: cursor) } catch {
      guard error.mayPass else { throw error }
      await pause(Self.busyPause)
      return try await backend.pull(category, since: cursor)
    }
  }

  /// Seconds. Servers with SQLite (opodsync, micro-gpodder-server) answer 500 while another client writes.
  private static let busyPause = 1.0

  /// What was pushed.
  private struct Pushed {
    /// The latest time. Nil: nothing was pushed.
    var newest: Double?
    /// Some states of episodes.
    var sample: [EpisodeChange] = []

    mutating func add(_ batch: SyncBatch, _ receipt: SyncReceipt) {
      newest = [newest, batch.newest ?? receipt.time].compactMap { $0 }.max()
      sample = (sample + batch.episodes).suffix(SyncRun.sampleSize)
    }
  }

  private static let sampleSize = 50

  /// Asks for states that the server has just accepted. Some servers drop actions, or all of them (gpodder2go).
  /// - Returns: a message for the user; empty if all of them are there.
  private func check(
    _ sample: [EpisodeChange], since cursor: String?, _ offset: Double
  ) async throws(SyncError) -> String {
    let recent = rules(offset).clock.shared(now()) - Self.sampleAge
    let sample = sample.filter { $0.time > recent }
    guard !sample.isEmpty else { return "" }
    let kept = try await pull(.episodes, since: cursor).episodes.map(\.episode)
    let guids = Set(kept.compactMap(\.guid))
    let addresses = Set(kept.compactMap { $0.mediaURL.map { AddressKey.decoded($0) } })
    let lost = sample.count {
      !($0.episode.guid.map(guids.contains) ?? false)
        && !($0.episode.mediaURL.map { addresses.contains(AddressKey.decoded($0)) } ?? false)
    }
    switch lost {
    case 0: return ""
    case sample.count: return "this server does not keep positions: it accepts them, but returns none of them"
    default: return "this server dropped \(lost) of \(sample.count) positions that it had accepted"
    }
  }

  /// Seconds. Older states may be outside of what a pull asks for.
  private static let sampleAge = 20 * 86_400.0

  private func rules(_ offset: Double, isFullPull: Bool = false) -> SyncRules {
    SyncRules(
      clock: SyncClock(offset: offset, step: backend.traits.timeResolution, now: now()), traits: backend.traits,
      isFirstSync: isFirstSync, isFull: isFullPull, acceptsRemovals: acceptsRemovals, isDryRun: isDryRun)
  }

  private func push(
    _ category: SyncCategory, _ store: some SyncStore, _ offset: Double, _ cursor: String?, _ report: inout Report
  ) async throws(SyncError) -> Pushed {
    var pushed = Pushed()
    if isDryRun {
      // Nothing is stored, so a second batch could contain the values of the first under new keys.
      report.count(try store.outgoing(category, limit: Int(Int32.max), rules(offset), without: []).batch)
      return pushed
    }
    // Values that the server refused or accepted in this run.
    var done: Set<String> = []
    while true {
      let outgoing = try store.outgoing(
        category, limit: backend.traits.batch, rules(offset), without: done)
      guard !outgoing.keys.isEmpty else { return pushed }
      done.formUnion(outgoing.keys)
      // The server stores these values with its own time. The answer with that time may be lost.
      if outgoing.batch.newest == nil,
        let cursor = try backend.cursor(category, cursor, pushed: now() + offset)
      {
        try store.save(cursor, category)
      }
      var fault: SyncError?
      let isTaken = try await send(outgoing, store, offset, &report, &pushed, &fault, isFirstTry: true)
      if !isTaken, let fault { throw fault }
    }
  }

  /// If the server fails for this many values and accepts none of them, no single value is the cause, so the run stops.
  private static let suspectLimit = 4

  /// Pushes a batch. If it is refused because of a bad value, it is halved until that value is found.
  /// - Parameter fault: the error of a server that failed without naming a bad value.
  /// - Returns: whether any value was accepted.
  private func send(
    _ outgoing: SyncOutgoing, _ store: some SyncStore, _ offset: Double, _ report: inout Report,
    _ pushed: inout Pushed, _ fault: inout SyncError?, isFirstTry: Bool = false
  ) async throws(SyncError) -> Bool {
    try store.willSend(outgoing)
    do throws(SyncError) {
      let receipt = try await backend.push(outgoing.batch)
      try store.didSend(outgoing, receipt, rules(offset))
      report.count(outgoing.batch)
      pushed.add(outgoing.batch, receipt)
      for case (let url, nil) in receipt.renamed {
        report.refused["the server refuses the address \(url)", default: 0] += 1
      }
      return true
    } catch {
      guard error.mayBeCausedByOneValue else { throw error }
      if isFirstTry, error.mayPass {
        await pause(Self.busyPause)
        return try await send(outgoing, store, offset, &report, &pushed, &fault)
      }
      if case .fault = error { fault = error }
      guard outgoing.keys.count > 1 else {
        // The value stays queued: another server, or a newer version of this one, may accept it.
        try store.wasRefused(outgoing)
        report.refused["\(error)", default: 0] += 1
        return false
      }
      let halves = outgoing.halves
      let isFirstTaken = try await send(halves.0, store, offset, &report, &pushed, &fault)
      if case .fault = error, !isFirstTaken, halves.0.keys.count >= Self.suspectLimit { throw error }
      let isSecondTaken = try await send(halves.1, store, offset, &report, &pushed, &fault)
      return isFirstTaken || isSecondTaken
    }
  }
}

extension SyncRun.Report {
  /// Adds messages, each once.
  mutating func add(_ problems: [String]) {
    for problem in problems where !self.problems.contains(problem) { self.problems.append(problem) }
  }

  mutating func count(_ batch: SyncBatch) {
    pushed.subscribed += batch.subscriptions.count { $0.isSubscribed }
    // A removal is sent with each spelling of the address.
    pushed.unsubscribed += Set(batch.subscriptions.filter { !$0.isSubscribed }.map { AddressKey.feed($0.url) }).count
    pushed.episodes += batch.episodes.count
    pushed.registers += batch.registers.count
  }
}
