import Foundation

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
    /// Messages for the user about values that could not be read. Everything else was synced.
    public var problems: [String] = []
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

  /// - Parameter now: returns seconds since 1970.
  public init(
    backend: any SyncBackend, isFirstSync: Bool = false, isFull: Bool = false, acceptsRemovals: Bool = false,
    isDryRun: Bool = false, now: @escaping @Sendable () -> Double
  ) {
    self.backend = backend
    self.isFirstSync = isFirstSync
    self.isFull = isFull
    self.acceptsRemovals = acceptsRemovals
    self.isDryRun = isDryRun
    self.now = now
  }

  /// - Parameter afterPull: called after a category was pulled and applied, before anything is pushed.
  public func perform(
    on store: some SyncStore, afterPull: (SyncCategory) async -> Void = { _ in }
  ) async -> Report {
    var report = Report()
    var offset = 0.0
    for category in backend.traits.categories {
      do throws(SyncError) {
        let last = try store.cursor(category)
        var cursor = last
        if isFull || isFirstSync, try !store.hasUnconfirmedPush(category) { cursor = nil }
        var pull = try await backend.pull(category, since: cursor)
        if cursor == nil, let last, category == .subscriptions, backend.traits.mayLoseValues {
          pull.addRemovals(of: try await backend.pull(category, since: last))
        }
        offset = pull.clockOffset ?? offset
        report.add(pull.problems)
        report.pulled += try store.apply(pull, category, rules(offset, isFullPull: cursor == nil))
        try await pullRest(&pull, category, store, offset, isFull: cursor == nil, &report)
        await afterPull(category)
        if !isDryRun, isFull || isFirstSync || pull.hasLostOwnValues {
          try store.queueUnsent(rules(offset), lost: pull.hasLostOwnValues ? category : nil)
        }
        let newest = try await push(category, store, offset, &report)
        if let newest, let cursor = try backend.cursor(category, pull.cursor ?? cursor, pushed: newest) {
          try store.keep(cursor, category)
        }
      } catch {
        report.errors.append(error)
        // The other categories use the same server and would fail too.
        break
      }
    }
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
      pull = try await backend.pull(category, since: pull.cursor)
      pull.hasLostOwnValues = pull.hasLostOwnValues || hasLostOwnValues
      report.add(pull.problems)
      report.pulled += try store.apply(pull, category, rules(offset, isFullPull: isFull))
    }
  }

  /// How many times a run pulls a category.
  private static let maxPages = 100

  private func rules(_ offset: Double, isFullPull: Bool = false) -> SyncRules {
    SyncRules(
      clock: SyncClock(offset: offset, step: backend.traits.timeResolution, now: now()), traits: backend.traits,
      isFirstSync: isFirstSync, isFull: isFullPull, acceptsRemovals: acceptsRemovals, isDryRun: isDryRun)
  }

  /// - Returns: the latest time that was pushed. Nil: nothing was pushed, or the values have no times.
  private func push(
    _ category: SyncCategory, _ store: some SyncStore, _ offset: Double, _ report: inout Report
  ) async throws(SyncError) -> Double? {
    if isDryRun {
      // Nothing is stored, so a second batch could contain the values of the first under new keys.
      report.count(try store.outgoing(category, limit: Int(Int32.max), rules(offset), without: []).batch)
      return nil
    }
    var newest: Double?
    // Values that the server refused or accepted in this run.
    var done: Set<String> = []
    while true {
      let outgoing = try store.outgoing(
        category, limit: backend.traits.batch, rules(offset), without: done)
      guard !outgoing.keys.isEmpty else { return newest }
      done.formUnion(outgoing.keys)
      var fault: SyncError?
      if try await !send(outgoing, store, offset, &report, &fault), let fault { throw fault }
      newest = [newest, outgoing.batch.newest].compactMap { $0 }.max()
    }
  }

  /// If the server fails for this many values and accepts none of them, no single value is the cause, so the run stops.
  private static let suspectLimit = 4

  /// Pushes a batch. If it is refused because of a bad value, it is halved until that value is found.
  /// - Parameter fault: the error of a server that failed without naming a bad value.
  /// - Returns: whether any value was accepted.
  private func send(
    _ outgoing: SyncOutgoing, _ store: some SyncStore, _ offset: Double, _ report: inout Report,
    _ fault: inout SyncError?
  ) async throws(SyncError) -> Bool {
    try store.willSend(outgoing)
    do throws(SyncError) {
      let receipt = try await backend.push(outgoing.batch)
      try store.didSend(outgoing, receipt, rules(offset))
      report.count(outgoing.batch)
      return true
    } catch {
      guard error.mayBeCausedByOneValue else { throw error }
      if case .fault = error { fault = error }
      guard outgoing.keys.count > 1 else {
        // The value stays queued: another server, or a newer version of this one, may accept it.
        report.problems.append("\(error)")
        return false
      }
      let halves = outgoing.halves
      let isFirstTaken = try await send(halves.0, store, offset, &report, &fault)
      if case .fault = error, !isFirstTaken, halves.0.keys.count >= Self.suspectLimit { throw error }
      let isSecondTaken = try await send(halves.1, store, offset, &report, &fault)
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
    pushed.unsubscribed += batch.subscriptions.count { !$0.isSubscribed }
    pushed.episodes += batch.episodes.count
    pushed.registers += batch.registers.count
  }
}
