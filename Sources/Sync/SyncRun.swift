import Foundation

/// One sync: what others did is pulled, then what was done here is pushed, a category after the other.
///
/// Nothing is pushed of a category that could not be pulled, so that nothing older overwrites something newer. A run that
/// ends anywhere is repeated by the next one.
public struct SyncRun: Sendable {
  /// What a run did. Counts; the JSON of `earshot sync` is made of it.
  public struct Report: Sendable, Equatable {
    public var pulled = SyncChanges()
    public var pushed = SyncChanges()
    public var errors: [SyncError] = []
    /// What could not be read, for people; the rest was done.
    public var problems: [String] = []
    /// Every category was pulled and pushed.
    public var isComplete: Bool { errors.isEmpty }
    public init() {}
  }

  public var backend: any SyncBackend
  public var unites: Bool
  public var isFull: Bool
  public var acceptsRemovals: Bool
  public var isDryRun: Bool
  private let now: @Sendable () -> Double

  /// - Parameter now: seconds since 1970.
  public init(
    backend: any SyncBackend, unites: Bool = false, isFull: Bool = false, acceptsRemovals: Bool = false,
    isDryRun: Bool = false, now: @escaping @Sendable () -> Double
  ) {
    self.backend = backend
    self.unites = unites
    self.isFull = isFull
    self.acceptsRemovals = acceptsRemovals
    self.isDryRun = isDryRun
    self.now = now
  }

  /// - Parameter afterPull: called when a category was taken over, before anything of it is sent.
  public func perform(
    on store: some SyncStore, afterPull: (SyncCategory) async -> Void = { _ in }
  ) async -> Report {
    var report = Report()
    var offset = 0.0
    for category in backend.traits.categories {
      do throws(SyncError) {
        var cursor = try store.cursor(category)
        if isFull || unites, try !store.isUnanswered(category) { cursor = nil }
        let pull = try await backend.pull(category, since: cursor)
        offset = pull.clockOffset ?? offset
        report.problems += pull.problems
        report.pulled += try store.apply(pull, category, rules(offset, toldAll: cursor == nil))
        await afterPull(category)
        if !isDryRun, isFull || unites || pull.hasLostOwn {
          try store.collectUnsent(rules(offset), lost: pull.hasLostOwn ? category : nil)
        }
        let newest = try await push(category, store, offset, &report)
        if let newest, let cursor = try backend.cursor(category, pull.cursor ?? cursor, pushed: newest) {
          try store.keep(cursor, category)
        }
      } catch {
        report.errors.append(error)
        // The other categories would meet the same server.
        break
      }
    }
    return report
  }

  private func rules(_ offset: Double, toldAll: Bool = false) -> SyncRules {
    SyncRules(
      clock: SyncClock(offset: offset, step: backend.traits.timeStep, now: now()), traits: backend.traits,
      unites: unites, isFull: toldAll, acceptsRemovals: acceptsRemovals, isDryRun: isDryRun)
  }

  /// - Returns: the latest time that was pushed; nil: nothing was, or it has no times.
  private func push(
    _ category: SyncCategory, _ store: some SyncStore, _ offset: Double, _ report: inout Report
  ) async throws(SyncError) -> Double? {
    var newest: Double?
    // What the server refused, or has taken in this run already.
    var done: Set<String> = []
    while true {
      let outgoing = try store.outgoing(
        category, limit: backend.traits.batch, rules(offset), without: done)
      guard !outgoing.keys.isEmpty else { return newest }
      done.formUnion(outgoing.keys)
      if isDryRun {
        report.count(outgoing.batch)
      } else {
        var fault: SyncError?
        if try await !send(outgoing, store, offset, &report, &fault), let fault { throw fault }
        newest = [newest, outgoing.batch.newest].compactMap { $0 }.max()
      }
    }
  }

  /// So many values that all fail are no accident: it is the server.
  private static let suspectLimit = 4

  /// A batch that is refused because of one bad value is halved until that value is alone.
  /// - Parameter fault: why the server failed at a value, without saying that the value is to blame.
  /// - Returns: whether any of it was taken.
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
      guard error.mayBeOneValue else { throw error }
      if case .fault = error { fault = error }
      guard outgoing.keys.count > 1 else {
        // It stays to be sent: another server, or a newer one, may take it.
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
  mutating func count(_ batch: SyncBatch) {
    pushed.subscribed += batch.subscriptions.count { $0.isSubscribed }
    pushed.unsubscribed += batch.subscriptions.count { !$0.isSubscribed }
    pushed.episodes += batch.episodes.count
    pushed.registers += batch.registers.count
  }
}
