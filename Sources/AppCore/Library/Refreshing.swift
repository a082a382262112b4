import Foundation
import Model
import TerminalKit

/// `r` and `R`: refreshes feeds. Reports show the progress, and a summary follows at the end.
extension State {
  mutating func refreshSelected() -> [Effect] { selectedPodcast.map { startRefresh([$0.id]) } ?? [] }

  /// Starts a refresh of these podcasts; nil: of all that are due.
  public mutating func startRefresh(_ podcasts: [PodcastID]?) -> [Effect] {
    [.network(.refresh(awaited.begin(.refresh), podcasts))]
  }

  /// All running refreshes as one; nil if none is running.
  public var refresh: RefreshState? { refreshes.sum }

  /// Handles the end of a refresh that the listener did not start.
  mutating func refreshedAutomatically(new: Int, isOffline: Bool) -> [Effect] {
    guard !isOffline else {
      if refreshes.offlineSince == nil { showOffline() }
      return []
    }
    refreshes.offlineSince = nil
    if new > 0 { showUnrequestedMessage(.success, Counted.text(new, "new episode")) }
    return invalidate()
  }

  /// Says once that no server can be reached.
  private mutating func showOffline() {
    let since = refreshes.offlineSince ?? now
    refreshes.offlineSince = since
    showMessage(
      .warning,
      "Offline since \(calendar.timeOfDay(since)): no podcast could be refreshed. Earshot tries again when the network is back.",
      while: .offline)
  }

  mutating func receive(_ request: RequestID, _ report: RefreshReport) -> [Effect] {
    guard awaited.subject(of: request) == .refresh else { return [] }
    switch report {
    case .started(let total):
      var begun = RefreshState(total: total)
      begun.unreadBefore = messages.allUnread
      begun.isCancelled = refreshes[request]?.isCancelled == true
      refreshes[request] = begun
    case .postponed(let podcasts): refreshes[request]?.postponed = podcasts.map(\.title)
    case .reading(let title, let files, let total):
      refreshes[request]?.reading = RefreshState.FolderProgress(title: title, files: files, total: total)
    case .podcast(let title, let done, let total, let fresh):
      refreshes[request]?.report(title, done, of: total)
      if fresh > 0 { return invalidate() }
      // The details say when the feed was read.
      discardReadAhead()
    case .noted(let title, let note):
      refreshes[request]?.removed += note.removed
      refreshes[request]?.hasNote = true
      showMessage(note.isWarning ? .warning : .info, note.text(podcast: title))
      return invalidate()
    case .failed(let title, let error, let done, let total):
      refreshes[request]?.report(title, done, of: total)
      // Requests that the listener has cancelled are not failures.
      guard refreshes[request]?.isCancelled != true else { return [] }
      let address = library.podcasts.first { $0.title == title }?.feedURL ?? ""
      refreshes[request]?.failures.add(title: title, message: error.text, feedURL: address)
      refreshes[request]?.lastFailure = now
      messages.show(Message(.error, error.text), at: now, isLogged: false)
      return invalidate()
    case .added: break
    case .ruled(let report):
      refreshes[request]?.ruled = report.episodes
      return log(report)
    case .offline:
      awaited.end(request)
      let ended = refreshes.end(request)
      if ended?.isCancelled == true { showMessage(.info, "Refresh stopped") } else { showOffline() }
    case .finished(let new, let unchanged, let failed):
      awaited.end(request)
      refreshes.offlineSince = nil
      let ended = refreshes.end(request) ?? RefreshState(total: 0)
      for failure in ended.failureMessages { messages.record(failure) }
      if ended.isCancelled {
        showMessage(.info, "Refresh stopped: \(Counted.text(new, "new episode")) until then")
        return invalidate()
      }
      guard new + unchanged + failed + ended.removed + ended.postponed.count > 0 else { return [] }
      var parts: [String] = []
      if new > 0 { parts.append(Counted.text(new, "new episode")) }
      if ended.removed > 0 { parts.append("\(ended.removed) removed by the publisher (see :log)") }
      if unchanged > 0 { parts.append("\(unchanged) unchanged") }
      if failed > 0 { parts.append(words(failed: failed, ended.failures)) }
      if ended.ruled > 0 { parts.append("rules acted on \(Counted.text(ended.ruled, "episode")) (see :log)") }
      if !ended.postponed.isEmpty { parts.append(words(postponed: ended.postponed)) }
      // A change of a single podcast was already reported.
      let isReported = failed == 1 && parts.count == 1 || ended.hasNote && ended.total == 1 && new == 0
      if !isReported {
        showUnrequestedMessage(failed > 0 ? .warning : .success, "Refreshed: " + parts.joined(separator: ", "))
        // The summary covers the failures that it counts.
        messages.coverUnread(since: ended.unreadBefore)
      }
      return invalidate()
    }
    return []
  }

  /// Writes what rules did into the log.
  mutating func log(_ report: RuleReport) -> [Effect] {
    for line in report.lines { messages.record(Message(.info, line), at: now) }
    return invalidate()
  }

  /// Such as `1 failed (Alpha: invalid data: the answer is empty)` or `31 failed (30 podcasts: no connectivity: …)`.
  private func words(failed count: Int, _ failures: FailureSummary) -> String {
    guard let cause = failures.lines.first else { return "\(count) failed (see :log)" }
    return "\(count) failed (\(Sanitize.line(cause))\(count > 1 ? "; see :log" : ""))"
  }

  /// Such as `1 not asked because its server wants a pause or its feed has ended (“Morning news”)`, with the key that
  /// refreshes it.
  private func words(postponed titles: [String]) -> String {
    let names = titles.map { "“\(Sanitize.line($0))”" }.listed(2)
    let (reason, which) =
      titles.count == 1
      ? ("its server wants a pause or its feed has ended", "it")
      : ("their servers want a pause or their feeds have ended", "one")
    let hint = "\(keymap.press(.refresh)) on \(which) to refresh it now."
    return "\(titles.count) not asked because \(reason) (\(names)). \(hint)"
  }

  /// Cancels all running refreshes.
  mutating func cancelRefresh() -> [Effect] {
    let requests = awaited.refreshes
    refreshes.cancel(requests)
    showMessage(.info, "Stopping the refresh…")
    return requests.map { .cancel($0) }
  }
}

/// The refreshes that have begun, and whether servers can be reached.
public struct Refreshes: Equatable, Sendable {
  private var running: [RequestID: RefreshState] = [:]
  /// When the first of the refreshes since then reached no server. Nil: the last one reached some.
  var offlineSince: Date?

  subscript(request: RequestID) -> RefreshState? {
    get { running[request] }
    _modify { yield &running[request] }
  }

  /// All running refreshes as one; nil if none is running.
  var sum: RefreshState? {
    guard var all = running.max(by: { $0.key < $1.key })?.value else { return nil }
    all.done = running.values.reduce(0) { $0 &+ $1.done }
    all.total = running.values.reduce(0) { $0 &+ $1.total }
    return all
  }

  /// The failures until now, in a few lines for each refresh.
  var failureMessages: [LoggedMessage] { running.sorted { $0.key < $1.key }.flatMap(\.value.failureMessages) }

  mutating func end(_ request: RequestID) -> RefreshState? { running.removeValue(forKey: request) }

  mutating func cancel(_ requests: [RequestID]) {
    for request in requests { running[request, default: RefreshState(total: 0)].isCancelled = true }
  }
}

/// The progress of a running refresh.
public struct RefreshState: Equatable, Sendable {
  public var done = 0
  public var total: Int
  /// The listener has stopped it. Requests that are running still end.
  public var isCancelled = false
  /// Titles of podcasts that are not asked.
  var postponed: [String] = []
  /// How many episodes publishers removed.
  var removed = 0
  /// How many episodes rules acted on.
  var ruled = 0
  /// The folder whose files are being read.
  var reading: FolderProgress?
  var failures = FailureSummary()
  /// When the newest of the failures happened.
  var lastFailure: Date?
  /// A change of a podcast was reported, such as its new address.
  var hasNote = false
  /// `Messages.allUnread` when the refresh began.
  var unreadBefore = 0

  /// The failures as messages, in a few lines.
  var failureMessages: [LoggedMessage] {
    lastFailure.map { time in failures.lines.map { LoggedMessage(message: Message(.error, $0), time: time) } } ?? []
  }

  mutating func report(_ title: String, _ done: Int, of total: Int) {
    (self.done, self.total) = (done, total)
    if reading?.title == title { reading = nil }
  }

  struct FolderProgress: Equatable, Sendable {
    var title: String
    var files: Int
    var total: Int
  }
}
