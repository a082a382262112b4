import Foundation
import Logging
import Model
import Store
import Synchronization

/// Refreshes feeds that are due while the player runs (`refresh_every`). It wakes when the next feed is due, and at
/// least four times an hour to notice refreshes by other processes.
package final class UnattendedRefresh: Sendable {
  /// The pauses between refreshes, in seconds. Feeds that are due within the minimum pause are refreshed together.
  package struct Pauses: Sendable {
    package var minimum: Double = 120
    package var maximum: Double = 900
  }

  private let library: Library
  private let refresher: Refresher
  private let schedule: RefreshSchedule
  private let pauses: Pauses
  /// Called with the progress of each refresh.
  private let report: @Sendable (RefreshReport) -> Void
  /// Called with the number of new episodes, and whether no server was reached, when a refresh ends or another process
  /// has changed the library.
  private let ended: @Sendable (_ new: Int, _ isOffline: Bool) -> Void
  private let log: Logger
  private let queue = DispatchQueue(label: "earshot.unattended", qos: .utility)
  private struct Work {
    var task: Task<Void, Never>?
    var isStopped = false
    /// The number of the last `wait`. Earlier ones do not start a refresh.
    var alarm = 0
    /// What the listener wanted to refresh while no server could be reached. Nil inside: all podcasts.
    var missed: [PodcastID]??
  }
  private let work = Mutex(Work())
  /// The time of the last refresh that the screen shows.
  private let seen: Mutex<Date?>

  package init(
    refresher: Refresher, library: Library, every: Double, pauses: Pauses = Pauses(), log: Logger,
    report: @escaping @Sendable (RefreshReport) -> Void = { _ in },
    ended: @escaping @Sendable (_ new: Int, _ isOffline: Bool) -> Void
  ) {
    self.refresher = refresher
    self.library = library
    self.pauses = pauses
    self.report = report
    self.ended = ended
    self.log = log
    schedule = RefreshSchedule(every: every)
    seen = Mutex(try? library.lastAsked())
  }

  /// Starts after the minimum pause, because the player does other work at its start.
  package func start() { wait(pauses.minimum) }

  /// Cancels the running refresh. Nothing is reported afterwards.
  package func stop() {
    work.withLock { work in
      work.isStopped = true
      work.task?.cancel()
    }
  }

  /// Waits by the wall clock, so that a machine that slept refreshes as soon as it wakes.
  private func wait(_ seconds: Double) {
    let alarm = work.withLock { work in
      work.alarm += 1
      return work.alarm
    }
    let ring = DispatchWorkItem { [weak self] in
      let isNext = self?.work.withLock { work in
        guard work.alarm == alarm else { return false }
        // The other clock rings in vain.
        work.alarm += 1
        return true
      }
      if isNext == true { self?.startRefresh() }
    }
    // The wall clock goes on while the machine sleeps. The other one goes on when the wall clock is set back.
    queue.asyncAfter(wallDeadline: .now() + seconds, execute: ring)
    queue.asyncAfter(deadline: .now() + seconds, execute: ring)
  }

  /// Repeats a refresh by the listener that reached no server, until one is reached.
  /// - Parameter podcasts: nil: all.
  package func retryWhenOnline(_ podcasts: [PodcastID]?) {
    work.withLock { $0.missed = .some(podcasts) }
    wait(pauses.minimum)
  }

  /// Refreshes what the listener wanted, or else the feeds that are due.
  private func refreshNow() async throws(StoreError) -> Refresher.Count? {
    guard let missed = work.withLock({ $0.missed }) else {
      return try await refresher.refreshDue(schedule, report: report)
    }
    let count = await refresher.refresh(missed, report: report)
    if !count.isOffline { work.withLock { $0.missed = nil } }
    return count
  }

  private func startRefresh() {
    work.withLock { work in
      if !work.isStopped { work.task = Task { [weak self] in await self?.refresh() } }
    }
  }

  private func refresh() async {
    do throws(StoreError) {
      let before = try library.lastAsked()
      let wasRefreshedElsewhere = seen.withLock { $0 != before }
      let count = try await refreshNow()
      // Without a refresh of its own, a refresh by another process since the first query is reported the next time.
      let now = count == nil ? before : try library.lastAsked()
      seen.withLock { $0 = now }
      guard !Task.isCancelled else { return }
      if let count {
        log.info("unattended refresh: \(count.new) new, \(count.unchanged) unchanged, \(count.failed) failed")
      }
      if count != nil || wasRefreshedElsewhere { ended(count?.new ?? 0, count?.isOffline == true) }
      if count != nil { await refresher.index() }
      let next = try library.nextDue(schedule, now: Date()).map(\.timeIntervalSinceNow)
      if count?.isOffline == true { return wait(pauses.minimum) }
      wait(min(max(next ?? pauses.maximum, pauses.minimum), pauses.maximum))
    } catch {
      log.error("unattended refresh: \(error)")
      wait(pauses.maximum)
    }
  }
}
