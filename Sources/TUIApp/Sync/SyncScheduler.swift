import AppCore
import FeedKit
import Foundation
import HTTP
import Logging
import Model
import Services
import Store
import Sync
import Synchronization

/// When the player syncs by itself: after its start, after a refresh, some minutes apart, seconds after something was
/// done, and at the end. All of it beside the keys.
final class SyncScheduler: Sendable {
  private struct Line {
    var running: Task<Void, Never>?
    /// Something was done here that nobody else knows of.
    var hasNews = false
    /// What was asked for while a sync was under way.
    var wish: SyncWish?
    /// Failures in a row.
    var failures = 0
    var notBefore: Date?
    /// The password is wrong: it is asked for no more until the listener wishes so.
    var isBarred = false
    /// Numbers the alarms: only the one that was set last rings.
    var alarm = 0
    var isOver = false
  }

  private let service: SyncService
  private let refresher: Refresher
  private let log: Logger
  private let report: @Sendable (SyncReport) -> Void
  private let line = Mutex(Line())
  private let queue = DispatchQueue(label: "earshot.sync", qos: .utility)

  /// Seconds after something was done: the next thing may follow at once.
  private static let delay = 5.0
  /// Seconds for the last sync of a player.
  private static let patience = 1.8
  /// Seconds to wait for another Earshot that syncs the same library.
  private static let othersTurn = 60.0
  private static let retry = RetryPolicy(base: 30, longest: 3600)

  init(
    _ service: SyncService, refresher: Refresher, log: Logger, report: @escaping @Sendable (SyncReport) -> Void
  ) {
    self.service = service
    self.refresher = refresher
    self.log = log
    self.report = report
  }

  private var every: Double { service.configuration.sync.every * 60 }

  /// The player has started.
  func start() {
    queue.async { [self] in
      guard let account = account else { return }
      report(.phase(account.lastError.map { .trouble($0) } ?? (account.lastSuccess == nil ? .waiting : .inStep)))
      if every > 0 { ring(in: 2) }
    }
  }

  /// Something was done here, or feeds have come.
  func soon() {
    line.withLock { $0.hasNews = true }
    guard every > 0 else { return }
    ring(in: Self.delay)
  }

  func wish(_ wish: SyncWish) {
    queue.async { [self] in
      guard wish != .status else { return tellStatus() }
      guard account != nil else { return report(.status(SyncText.status(nil, SyncBacklog()))) }
      begin(wish)
    }
  }

  /// Sends what nobody else knows of yet, if that takes no longer than moments. Blocks.
  func finish() {
    let hasNews = line.withLock { line in
      line.alarm += 1
      defer { line.isOver = true }
      return line.hasNews && !line.isBarred && line.running == nil && (line.notBefore ?? .distantPast) <= Date()
    }
    let running = line.withLock { $0.running }
    let isOver = DispatchSemaphore(value: 0)
    let last = Task { [self] in
      await running?.value
      if hasNews, every > 0, account != nil { _ = try? await service.run(SyncService.Options(patience: Self.patience)) }
      isOver.signal()
    }
    guard hasNews && every > 0 || running != nil else { return last.cancel() }
    if isOver.wait(timeout: .now() + Self.patience) == .timedOut {
      running?.cancel()
      last.cancel()
      log.info("sync: there was no time for the last one")
    }
  }

  private var account: SyncAccount? {
    do throws(StoreError) { return try service.library.syncAccount() } catch {
      log.error("sync: \(error)")
      return nil
    }
  }

  private func tellStatus() {
    do throws(StoreError) {
      report(.status(SyncText.status(try service.library.syncAccount(), try service.library.syncBacklog())))
    } catch { report(.status([error.description])) }
  }

  // MARK: Alarms

  private func ring(in seconds: Double) {
    let alarm = line.withLock { line in
      line.alarm += 1
      return line.alarm
    }
    queue.asyncAfter(deadline: .now() + seconds) { [self] in
      guard line.withLock({ $0.alarm == alarm && !$0.isOver }) else { return }
      begin(nil)
    }
  }

  private func ringAgain() {
    let (failures, notBefore, hasNews) = line.withLock { ($0.failures, $0.notBefore, $0.hasNews) }
    guard every > 0 else { return }
    var wait = hasNews ? Self.delay : every
    if failures > 0 { wait = min(every, Self.retry.delay(afterFailures: failures, random: Double.random(in: 0..<1))) }
    if let notBefore { wait = max(wait, notBefore.timeIntervalSinceNow) }
    ring(in: wait)
  }

  // MARK: Runs

  /// - Parameter wish: nil: by itself.
  private func begin(_ wish: SyncWish?) {
    guard wish != nil || account != nil else { return }
    line.withLock { line in
      guard !line.isOver else { return }
      guard line.running == nil else {
        line.wish = wish ?? line.wish
        return
      }
      if wish == nil, line.isBarred || (line.notBefore ?? .distantPast) > Date() { return }
      line.hasNews = false
      line.running = Task { [self] in await run(wish) }
    }
  }

  private func run(_ wish: SyncWish?) async {
    if wish != nil { report(.phase(.waiting)) }
    do throws(SyncError) {
      let outcome = try await service.run(
        SyncService.Options(acceptsRemovals: wish == .acceptRemovals, patience: Self.othersTurn))
      await finish(outcome, wish)
    } catch {
      fail(error, wish)
    }
    let next = line.withLock { line in
      line.running = nil
      defer { line.wish = nil }
      return line.wish
    }
    if let next { queue.async { self.begin(next) } } else { ringAgain() }
  }

  private func finish(_ outcome: SyncService.Outcome, _ wish: SyncWish?) async {
    for problem in outcome.report.problems { log.warning("sync: \(problem)") }
    if let error = outcome.report.errors.first { return fail(error, wish, outcome) }
    line.withLock { line in
      (line.failures, line.notBefore, line.isBarred) = (0, nil, false)
    }
    log.info("sync: \(SyncText.summary(outcome))")
    let message = wish.map { _ in Message(.success, SyncText.summary(outcome)) }
    report(.finished(summary(outcome, .inStep, message)))
    guard !outcome.newPodcasts.isEmpty else { return }
    await refresher.refresh(outcome.newPodcasts) { [report] change in
      if case .finished = change { report(.finished(SyncSummary(phase: .inStep, hasChanges: true))) }
    }
    await refresher.index()
  }

  private func fail(_ error: SyncError, _ wish: SyncWish?, _ outcome: SyncService.Outcome? = nil) {
    guard error != .cancelled else { return }
    log.warning("sync: \(error)")
    line.withLock { line in
      line.failures += 1
      line.hasNews = true
      if case .rateLimited(_, let until) = error { line.notBefore = until }
      if case .unauthorized = error { line.isBarred = true }
    }
    // Without a network there is nothing that the listener could do.
    let phase: SyncState.Phase = if case .unreachable = error { .waiting } else { .trouble("\(error)") }
    let message = wish.map { _ in Message(.warning, "Sync: \(error)") }
    guard let outcome else { return report(.finished(SyncSummary(phase: phase, message: message))) }
    report(.finished(summary(outcome, phase, message)))
  }

  private func summary(
    _ outcome: SyncService.Outcome, _ phase: SyncState.Phase, _ message: Message?
  ) -> SyncSummary {
    // A list that cannot be read says so elsewhere.
    let rows = (try? service.library.episodeRows(Array(outcome.changed))) ?? []
    return SyncSummary(
      phase: phase, message: message,
      moved: Dictionary(rows.map { ($0.id, $0.position) }, uniquingKeysWith: { $1 }),
      hasChanges: outcome.report.pulled != SyncChanges(), held: outcome.held)
  }
}
