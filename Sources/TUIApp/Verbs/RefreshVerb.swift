import ArgumentParser
import Desktop
import Foundation
import Model
import Services
import Store
import Synchronization
import TerminalKit

/// `earshot refresh`: refreshes feeds. A terminal shows a progress bar. The last line has the counts.
struct RefreshVerb: LibraryVerb {
  static let configuration = CommandConfiguration(commandName: "refresh", abstract: "Fetch new episodes.")

  @Argument(
    help: "Addresses, numbers or titles of podcasts; by default all podcasts.", completion: VerbCompletion.podcast)
  var podcasts: [String] = []

  @Option(
    help: ArgumentHelp(
      "Also fetch the older episodes on further pages of this podcast's feed, or all videos of a list.",
      valueName: "podcast"),
    completion: VerbCompletion.podcast)
  var archive: String?

  @Flag(
    help: """
      Fetch only feeds that are due. That depends on refresh_every, on the feed, and on how often it has new episodes. \
      Does nothing while another refresh is running.
      """) var due = false

  @Flag(name: .shortAndLong, help: "Print nothing, not even failures; only the exit status reports them.")
  var quiet = false

  @Flag(help: "Show a desktop notification about new episodes.")
  var notify = false

  @OptionGroup var output: JSONOption

  var isSilent: Bool { quiet }

  func validate() throws {
    if archive != nil, !podcasts.isEmpty { throw ValidationError("--archive takes one podcast, and no others.") }
    if due, archive != nil || !podcasts.isEmpty { throw ValidationError("--due chooses the podcasts itself.") }
  }

  func perform(_ context: VerbContext) throws {
    let rows = try (archive.map { [$0] } ?? podcasts).map { try context.podcast($0) }
    let ids = rows.isEmpty ? nil : rows.map(\.id)
    let bar = RefreshBar(isShown: !quiet && !output.json && Report.isWatched, isQuiet: quiet)
    let notice = notify ? NewEpisodeNotice() : nil
    let isQuiet = quiet
    let hooks = HookRunner(context.configuration, log: LogFile.logger(context.configuration.directories)) {
      if !isQuiet { Report.message($0) }
    }
    let events = LibraryEvents(library: context.library, downloads: context.configuration.directories.downloads)
    let count = try refresh(ids, context) { report in
      bar.show(report)
      if case .added(let episodes) = report { hooks?.handle(events.event(.newEpisodes, episodes)) }
      guard let text = notice?.add(report) else { return }
      // Without a desktop there is no notification. That is not a failure of the refresh.
      if let error = DesktopNotice.post(title: text.title, body: text.body), !isQuiet { Report.message(error) }
    }
    bar.clear()
    try announce(context, events, hooks)
    hooks?.finish(atMost: Self.hookSeconds)
    if archive != nil, !count.hasStoreFailure { return try performArchive(of: rows[0], after: count, context) }
    if !quiet { try bar.reportFailures(context.library) }
    if output.json {
      try Report.json(
        [
          "new": count.new, "removed": count.removed, "unchanged": count.unchanged, "failed": count.failed,
          // Not asked: their servers asked for a pause, or the publishers have ended the feeds.
          "postponed": count.postponed,
          // The notes are other changes, such as new addresses.
          "errors": bar.errors, "notes": bar.notes, "rules": count.rules.lines,
        ] as JSONObject)
    } else if !quiet {
      Report.line(Self.line(count.new, count.removed, count.unchanged, count.failed))
    }
    try context.library.close()
    guard count.failed > 0 else { return }
    // A failed write is the most serious cause, then invalid data.
    throw (count.hasStoreFailure ? ExitStatus.cannotWrite : count.hasInvalidData ? .invalidData : .unavailable).error
  }

  private static func line(_ new: Int, _ removed: Int, _ unchanged: Int, _ failed: Int) -> String {
    "\(new) new, \(removed > 0 ? "\(removed) removed, " : "")\(unchanged) unchanged, \(failed) failed"
  }

  /// How long the command waits for hooks, which end themselves earlier.
  private static let hookSeconds = 60.0

  /// Shows what rules with the action `notify` have found.
  private func announce(_ context: VerbContext, _ events: LibraryEvents, _ hooks: HookRunner?) throws {
    let notices = try context.library.takeRuleNotices(now: Date())
    guard let text = try RuleNotice.text(notices, context.library) else { return }
    hooks?.handle(events.event(.notify, notices.map(\.episode), text: text.title))
    if let error = DesktopNotice.post(title: text.title, body: text.body), !quiet { Report.message(error) }
  }

  /// Refreshes the feeds that are due, `ids`, or all.
  private func refresh(
    _ ids: [PodcastID]?, _ context: VerbContext, report: @escaping @Sendable (RefreshReport) -> Void
  ) throws -> Refresher.Count {
    let refresher = context.refresher
    guard due else { return Blocking.run { await refresher.refresh(ids, report: report) } }
    // 0 turns off the player's automatic refresh. This command may still be started by a timer.
    let minutes = context.configuration.refreshEvery
    let schedule = RefreshSchedule(every: (minutes == 0 ? 60 : minutes) * 60)
    let count = try Blocking.run { () async throws(StoreError) in
      try await refresher.refreshDue(schedule, report: report)
    }
    return count ?? Refresher.Count()
  }

  /// Fetches the older pages of a podcast after its refresh.
  private func performArchive(of podcast: PodcastRow, after count: Refresher.Count, _ context: VerbContext) throws {
    let refresher = context.refresher
    var outcome = try Blocking.run { () async throws(StoreError) in
      try await refresher.fetchArchive(of: podcast.id, after: count)
    }
    Blocking.run { await refresher.index() }
    outcome.new += count.new
    let failure = outcome.failure ?? count.failure
    let failed = failure == nil ? 0 : 1
    // A podcast with older episodes has changed, too.
    let unchanged = failed == 0 && outcome.new == count.new ? count.unchanged : 0
    // A list is fetched although its feed failed. Then there may be two failures.
    if let error = count.failure, error != outcome.failure, !quiet {
      Report.message(error.message(podcast: podcast.title))
    }
    if let error = outcome.failure, !quiet { Report.message(error.message(podcast: podcast.title)) }
    if output.json {
      try Report.json(
        [
          "new": outcome.new, "removed": count.removed, "unchanged": unchanged, "failed": failed,
          "pages": outcome.pages, "isBounded": outcome.isBounded, "error": failure?.cause,
        ] as JSONObject)
    } else if !quiet {
      let pages = Counted.text(outcome.pages, "further page") + (outcome.isBounded ? ", more are there" : "")
      Report.line("\(Self.line(outcome.new, count.removed, unchanged, failed)), \(pages)")
    }
    try context.library.close()
    if let failure { throw Report.status(of: failure).error }
  }
}

/// A progress bar on stderr.
final class RefreshBar: Sendable {
  private let isShown: Bool
  private let isQuiet: Bool
  private let collected = Mutex<[(title: String, text: String)]>([])
  private let noted = Mutex<[String]>([])

  init(isShown: Bool, isQuiet: Bool) {
    self.isShown = isShown
    self.isQuiet = isQuiet
  }

  var errors: [String] { collected.withLock { $0.map(\.text) } }

  /// Prints the failures in a few lines.
  func reportFailures(_ library: Library) throws(StoreError) {
    let addresses = Dictionary(
      try library.podcasts().map { ($0.title, $0.feedURL) }, uniquingKeysWith: { first, _ in first })
    var summary = FailureSummary()
    for (title, text) in collected.withLock({ $0 }) {
      summary.add(title: title, message: text, feedURL: addresses[title] ?? "")
    }
    for line in summary.lines { Report.message(line) }
  }

  var notes: [String] { noted.withLock { $0 } }

  func show(_ report: RefreshReport) {
    switch report {
    case .started, .added, .finished: break
    case .reading(let title, let files, let total):
      if isShown { Report.progress("\(title): \(files) of \(total) files read") }
    case .offline(let podcasts):
      let text = "offline: none of the servers of \(podcasts) podcasts could be reached; nothing was changed"
      collected.withLock { $0.append(("", text)) }
    case .postponed(let podcasts):
      guard !isQuiet else { return }
      guard podcasts.count > FailureSummary.maxListed else {
        for podcast in podcasts {
          let cause = podcast.health == .gone ? "the publisher has ended the feed" : "its server asked for a pause"
          Report.message("\(podcast.title): \(cause). Run “earshot refresh \(podcast.id)” to refresh it now.")
        }
        return
      }
      Report.message(
        "\(podcasts.count) podcasts were not asked, because their servers asked for a pause or the feeds have ended (\(podcasts.map(\.title).listed(3))). Run “earshot refresh NUMBER” to refresh one now."
      )
    case .ruled(let report):
      guard !isQuiet else { return }
      clear()
      report.lines.forEach(Report.message)
    case .podcast(let title, let done, let total, _): draw(title, done, total)
    case .noted(let title, let note):
      let text = note.text(podcast: title)
      noted.withLock { $0.append(text) }
      guard !isQuiet else { return }
      clear()
      Report.message(text)
    case .failed(let title, let error, let done, let total):
      collected.withLock { $0.append((title, error.text)) }
      draw(title, done, total)
    }
  }

  private func draw(_ title: String, _ done: Int, _ total: Int) {
    guard isShown, total > 0 else { return }
    let bar = ProgressBar(width: 24, fraction: Double(done) / Double(total)).text
    let name = Clusters.shortened(title, columns: 40)
    Report.progress("[\(bar)] \(done)/\(total) \(name)")
  }

  func clear() {
    if isShown { Report.progress("") }
  }
}
