import FeedKit
import Foundation
import HTTP
import Logging
import Model
import Store
import Sync
import SyncBackends
import Synchronization

/// Decides when the player syncs: after its start, after a refresh, every few minutes, seconds after a change in the
/// library, when the listener asks for it, and when the player quits. Syncs run in the background.
package final class SyncScheduler: Sendable {
  private struct State {
    var running: Task<Void, Never>?
    /// The library has changes that were not sent yet.
    var hasChanges = false
    /// A command that came while a sync was running. It runs next.
    var pending: SyncCommand?
    /// Failed syncs in a row.
    var failures = 0
    /// The server refused the password. No automatic sync starts until a sync succeeds that the listener asked for, or
    /// the listener signs in again, which removes the account's last error.
    var isPasswordRefused = false
    /// The number of the timer that was set last. Older timers do nothing.
    var timer = 0
    var isFinished = false

    /// Whether the refusal still counts for the stored account.
    func isRefused(_ account: SyncAccount?) -> Bool { isPasswordRefused && account?.lastError != nil }
  }

  private let service: SyncService
  private let refresher: Refresher
  private let log: Logger
  private let report: @Sendable (SyncReport) -> Void
  /// Seconds between a change and its sync. More changes often follow at once.
  private let delay: Double
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "earshot.sync", qos: .utility)

  /// Seconds that the last sync may take when the player quits.
  private static let finishTimeout = 1.8
  /// Seconds to wait for another Earshot that syncs the same library.
  private static let lockTimeout = 60.0
  private static let retry = RetryPolicy(base: 30, maximum: 3600)

  package init(
    _ service: SyncService, refresher: Refresher, log: Logger, delay: Double = 5,
    report: @escaping @Sendable (SyncReport) -> Void
  ) {
    self.service = service
    self.refresher = refresher
    self.log = log
    self.delay = delay
    self.report = report
  }

  /// Seconds between two automatic syncs; 0: none.
  private var interval: Double { service.every * 60 }

  /// Called once, when the player has started.
  package func start() {
    queue.async { [self] in
      guard let account = account else { return }
      report(.phase(account.lastError.map { .failed($0) } ?? (account.lastSuccess == nil ? .waiting : .inStep)))
      if interval > 0 { sync(in: 2) }
    }
  }

  /// Syncs in a few seconds. Called after a change in the library and after a refresh.
  package func scheduleSoon() {
    state.withLock { $0.hasChanges = true }
    guard interval > 0 else { return }
    sync(in: delay)
  }

  /// Carries out a command of the listener.
  package func perform(_ command: SyncCommand) {
    queue.async { [self] in
      guard command != .status else { return reportStatus() }
      if case .logIn(let login) = command {
        Task { await logIn(login) }
        return
      }
      guard account != nil else { return report(.status(SyncText.status(nil, SyncBacklog()))) }
      begin(command)
    }
  }

  /// Sends the changes that were not sent yet, or waits for the sync that is running. Blocks for at most
  /// `finishTimeout`. No sync starts afterwards.
  package func finish() {
    let account = account
    let sendsChanges = state.withLock { state in
      state.timer += 1
      defer { state.isFinished = true }
      return state.hasChanges && !state.isRefused(account) && state.running == nil
    }
    let running = state.withLock { $0.running }
    let isDone = DispatchSemaphore(value: 0)
    let last = Task { [self] in
      await running?.value
      if sendsChanges, interval > 0, account != nil {
        _ = try? await service.run(SyncService.Options(lockTimeout: Self.finishTimeout))
      }
      isDone.signal()
    }
    guard sendsChanges && interval > 0 || running != nil else { return last.cancel() }
    if isDone.wait(timeout: .now() + Self.finishTimeout) == .timedOut {
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

  private func reportStatus() {
    do throws(StoreError) {
      report(
        .status(
          SyncText.status(
            try service.library.syncAccount(), try service.library.syncBacklog(),
            devices: try service.library.syncDevices())))
    } catch { report(.status([error.description])) }
  }

  // MARK: Login

  /// Sets up sync, and syncs for the first time.
  private func logIn(_ login: SyncLogin) async {
    do throws(SyncError) {
      let inAddress = ServerProbe.userInfo(login.url)
      let user = login.user ?? inAddress.user
      let request = SyncService.Login(url: login.url, user: user, backend: nil, device: nil, allowsHTTP: false)
      let (account, _) = try await service.logIn(request) { () throws(SyncError) in
        guard let user else { return nil }
        let typed = login.password ?? inAddress.password ?? ""
        let password = typed.isEmpty ? try service.givenPassword(url: login.url, user: user) : typed
        return password.map { (user, $0) }
      } show: { [report] link in
        report(.grantPage(link))
      }
      state.withLock { $0.isPasswordRefused = false }
      let text = "Sync is set up with \(account.shownServer); this device is “\(account.deviceName)”"
      report(.message(Message(.success, text)))
      queue.async { self.begin(.now) }
    } catch {
      log.warning("sync: \(error)")
      report(.message(Message(.error, "Sync: \(error)")))
    }
  }

  // MARK: Timers

  private func sync(in seconds: Double) {
    let timer = state.withLock { state in
      state.timer += 1
      return state.timer
    }
    queue.asyncAfter(deadline: .now() + seconds) { [self] in
      guard state.withLock({ $0.timer == timer && !$0.isFinished }) else { return }
      begin(nil)
    }
  }

  private func scheduleNext() {
    let (failures, hasChanges) = state.withLock { ($0.failures, $0.hasChanges) }
    guard interval > 0 else { return }
    var wait = hasChanges ? delay : interval
    if failures > 0 {
      wait = min(interval, Self.retry.delay(afterFailures: failures, random: Double.random(in: 0..<1)))
    }
    if let pauseEnd = account?.pauseEnd(at: Date()) { wait = max(wait, pauseEnd.timeIntervalSinceNow) }
    sync(in: min(wait, interval))
  }

  // MARK: Runs

  /// Starts a sync, or remembers the command while one is running. An automatic sync waits until the server allows it.
  /// - Parameter command: nil for an automatic sync.
  private func begin(_ command: SyncCommand?) {
    let account = account
    guard command != nil || account != nil else { return }
    // Asked each time, because a sign-in in another process ends both.
    let pauseEnd = account?.pauseEnd(at: Date())
    let wait = state.withLock { state -> Double? in
      guard !state.isFinished else { return nil }
      guard state.running == nil else {
        state.pending = command ?? state.pending
        return nil
      }
      if command == nil {
        if state.isRefused(account) { return interval }
        state.isPasswordRefused = false
        if let pauseEnd { return min(interval, max(0, pauseEnd.timeIntervalSinceNow)) }
      }
      state.hasChanges = false
      state.running = Task { [self] in await run(command) }
      return nil
    }
    if let wait { sync(in: wait) }
  }

  private func run(_ command: SyncCommand?) async {
    if command != nil { report(.phase(.waiting)) }
    do throws(SyncError) {
      let outcome = try await service.run(
        SyncService.Options(
          isFull: command == .full, acceptsRemovals: command == .acceptRemovals,
          refusesRemovals: command == .refuseRemovals, lockTimeout: Self.lockTimeout))
      await finish(outcome, command)
    } catch {
      fail(error, command)
    }
    let next = state.withLock { state in
      state.running = nil
      defer { state.pending = nil }
      return state.pending
    }
    if let next { queue.async { self.begin(next) } } else { scheduleNext() }
  }

  private func finish(_ outcome: SyncService.Outcome, _ command: SyncCommand?) async {
    for problem in outcome.report.problems {
      log.warning("sync: \(problem)")
      if command != nil || problem == outcome.report.notice { report(.message(Message(.warning, "Sync: \(problem)"))) }
    }
    if let error = outcome.report.errors.first { return fail(error, command, outcome) }
    state.withLock { ($0.failures, $0.isPasswordRefused) = (0, false) }
    log.info("sync: \(SyncText.summary(outcome))")
    let message = command.map { _ in Message(.success, SyncText.summary(outcome)) }
    report(.finished(summary(outcome, .inStep, message)))
    guard !outcome.newPodcasts.isEmpty else { return }
    await refresher.refresh(outcome.newPodcasts) { [report] change in
      if case .finished = change { report(.finished(SyncSummary(phase: .inStep, hasChanges: true))) }
    }
    await refresher.index()
  }

  private func fail(_ error: SyncError, _ command: SyncCommand?, _ outcome: SyncService.Outcome? = nil) {
    guard error != .cancelled else { return }
    log.warning("sync: \(error)")
    state.withLock { state in
      state.failures += 1
      state.hasChanges = true
      if case .unauthorized = error { state.isPasswordRefused = true }
    }
    // Without a network the listener cannot do anything about it, so no failure is shown.
    let phase: SyncPhase = if case .unreachable = error { .waiting } else { .failed("\(error)") }
    let message = command.map { _ in Message(.warning, "Sync: \(error)") }
    guard let outcome else { return report(.finished(SyncSummary(phase: phase, message: message))) }
    report(.finished(summary(outcome, phase, message)))
  }

  private func summary(
    _ outcome: SyncService.Outcome, _ phase: SyncPhase, _ message: Message?
  ) -> SyncSummary {
    // An error of the library is reported by the screens that read it.
    let rows = (try? service.library.episodeRows(Array(outcome.changed))) ?? []
    return SyncSummary(
      phase: phase, message: message,
      // An episode that another device has marked as played or new stays where the listener has paused it.
      moved: Dictionary(
        rows.filter { [.playing, .paused].contains($0.status) }.map { ($0.id, $0.position) }, uniquingKeysWith: { $1 }),
      hasChanges: outcome.report.pulled != SyncChanges(), held: outcome.held)
  }
}
