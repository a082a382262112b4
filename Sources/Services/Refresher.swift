import Directories
import FeedKit
import Foundation
import HTTP
import Model
import Playback
import Store

/// Fetches feeds into the library: new ones, and updates of known ones. The player and the command line share it.
package final class Refresher: Sendable {
  package let library: Library
  let client: FeedClient
  let resources: Resources
  /// Runs expensive work before a write, outside of Swift concurrency.
  let preparing = WorkerThreads("prepare", atOnce: 2)
  /// Reads folders, one at a time, because a disk is slower with several readers.
  let scanning = WorkerThreads("folders", atOnce: 1)
  let writer: RefreshWriter
  /// Reads the tags of files in folders. Nil: the names of the files are all that is known.
  let facts: FactsReader?
  package let preferences: RefreshPreferences
  /// nil: shared links cannot be resolved, except by the server of a feed.
  package let directories: DirectoryAccess?
  /// nil: the listener has not named yt-dlp.
  package let sites: Sites?
  package let clock: @Sendable () -> Date

  /// Its second argument is called with the number of files that are read.
  package typealias FactsReader = @Sendable ([String], (Int) -> Void) -> [MediaFacts?]

  /// The maximum number of feeds in memory at once, between the network and the library. Each takes some megabytes.
  private static let window = 10

  package init(
    library: Library, client: FeedClient, resources: Resources, preferences: RefreshPreferences = RefreshPreferences(),
    directories: DirectoryAccess? = nil, sites: Sites? = nil, clock: @escaping @Sendable () -> Date = { Date() },
    facts: FactsReader? = nil
  ) {
    self.facts = facts
    self.library = library
    self.preferences = preferences
    self.directories = directories
    self.sites = sites
    self.client = client
    self.resources = resources
    self.clock = clock
    writer = RefreshWriter(library: library, clock: clock)
    storeDescriptions()
  }

  /// The result of one podcast's refresh.
  package enum Outcome: Sendable {
    /// Stored. The episodes that count as new, `ApplyResult.synced`, other changes, and what rules did.
    case stored(new: [EpisodeID], synced: Int, [RefreshNote], rules: RuleReport = RuleReport())
    /// No connection was made. Nothing is stored until it is known whether the network is the cause.
    case unreached(FeedError)
    case failed(FeedError)
    case notStored(StoreError)
  }

  package struct Count: Sendable, Equatable {
    package var new = 0
    /// Episodes that publishers removed.
    package var removed = 0
    package var unchanged = 0
    package var failed = 0
    /// Episodes whose status or position another device had changed before they arrived.
    package var synced = 0
    /// Podcasts that a refresh of all left out.
    package var postponed = 0
    /// No server was reached, so the network is the cause of all failures, and no podcast was marked as failed.
    package var isOffline = false
    /// At least one failure was invalid data, not connectivity.
    package var hasInvalidData = false
    package var hasStoreFailure = false
    /// Why the last of the failed feeds was not fetched.
    package var failure: FeedError?
    /// The new address of the last of the feeds that have moved.
    package var movedTo: String?
    /// What rules did.
    package var rules = RuleReport()

    package init() {}
  }

  // MARK: Refreshing

  /// Refreshes `podcasts`. If it is nil, refreshes all podcasts whose feeds may be requested, and `refreshDue` does
  /// nothing meanwhile. A failure only changes the podcast's health. A refresh by the listener does not wait for other
  /// refreshes.
  @discardableResult
  package func refresh(_ podcasts: [PodcastID]?, report: @escaping @Sendable (RefreshReport) -> Void) async -> Count {
    let lock = podcasts == nil ? RefreshLock.acquire(library: library.path) : nil
    defer { withExtendedLifetime(lock) {} }
    return await refreshUnlocked(podcasts, report: report)
  }

  /// Refreshes the feeds that are due.
  /// - Returns: nil if none is due, or if another refresh is running in any process.
  package func refreshDue(
    _ schedule: RefreshSchedule, report: @escaping @Sendable (RefreshReport) -> Void
  ) async throws(StoreError) -> Count? {
    // The lock comes first: feeds that another process is fetching stay due until they are stored.
    guard let lock = RefreshLock.acquire(library: library.path) else { return nil }
    defer { withExtendedLifetime(lock) {} }
    let due = try library.podcastsDue(schedule, now: clock())
    return due.isEmpty ? nil : await refreshUnlocked(due, report: report)
  }

  private func refreshUnlocked(
    _ podcasts: [PodcastID]?, report: @escaping @Sendable (RefreshReport) -> Void
  ) async -> Count {
    var count = Count()
    let candidates: [RefreshCandidate]
    let postponed: [PodcastRow]
    do {
      candidates = try library.podcastsToRefresh(podcasts, now: clock())
      postponed = try podcasts == nil ? self.postponed(besides: candidates) : []
    } catch {
      count.failed = 1
      count.hasStoreFailure = true
      report(.failed(title: "", ReportedError(String(describing: error)), done: 0, total: 0))
      report(.finished(new: 0, unchanged: 0, failed: 1))
      return count
    }
    report(.started(total: candidates.count))
    count.postponed = postponed.count
    if !postponed.isEmpty { report(.postponed(postponed)) }
    var done = 0
    var newEpisodes: [[EpisodeID]] = []
    func add(_ outcome: Outcome, of candidate: RefreshCandidate) {
      let title = candidate.title.isEmpty ? ShownAddress(candidate.feedURL).description : candidate.title
      switch outcome {
      case .stored(let episodes, let synced, let notes, let rules):
        let fresh = episodes.count
        count.rules += rules
        count.synced += synced
        if fresh > 0 { newEpisodes.append(episodes) }
        let removed = notes.reduce(0) { $0 + $1.removed }
        count.new += fresh
        count.removed += removed
        // Nobody knows whether the rest has changed.
        if fresh + removed == 0, !notes.contains(where: \.isPartial) { count.unchanged += 1 }
        for note in notes {
          if case .moved(let address) = note { count.movedTo = address }
          report(.noted(title: title, note))
        }
        report(.podcast(title: title, done: done, total: candidates.count, fresh: fresh))
      case .unreached(let error), .failed(let error):
        count.failed += 1
        count.failure = error
        count.hasInvalidData = count.hasInvalidData || !error.isConnectivity
        let advice = candidate.passwordAdvice(error).map { "; \($0)" } ?? ""
        let text = ReportedError(error.message(podcast: title) + advice)
        report(.failed(title: title, text, done: done, total: candidates.count))
      case .notStored(let error):
        count.failed += 1
        count.hasStoreFailure = true
        let text = ReportedError("\(title): \(error)")
        report(.failed(title: title, text, done: done, total: candidates.count))
      }
    }
    var unreached: [(candidate: RefreshCandidate, error: FeedError)] = []
    await withTaskGroup(of: (RefreshCandidate, Outcome).self) { group in
      var waiting = candidates[...]
      for candidate in waiting.prefix(Self.window) {
        group.addTask { (candidate, await self.refresh(candidate, report)) }
      }
      waiting = waiting.dropFirst(Self.window)
      for await (candidate, outcome) in group {
        done += 1
        if let next = waiting.popFirst() { group.addTask { (next, await self.refresh(next, report)) } }
        if case .unreached(let error) = outcome {
          unreached.append((candidate, error))
          report(.podcast(title: candidate.title, done: done, total: candidates.count, fresh: 0))
        } else {
          add(outcome, of: candidate)
        }
      }
    }
    // The files of a folder say nothing about the network.
    if unreached.count == candidates.count(where: { !FolderAddress.isLocal($0.feedURL) }),
      Set(unreached.map { URLComponents(string: $0.candidate.feedURL)?.host }).count > 1
    {
      count.isOffline = true
      count.failed += unreached.count
      if !newEpisodes.isEmpty { report(.added(Array(newEpisodes.joined()))) }
      report(.offline(podcasts: unreached.count))
    } else {
      for (candidate, error) in unreached { add(await storeFailure(error, of: candidate), of: candidate) }
      count.rules += (try? library.runTimedRules(now: clock())) ?? RuleReport()
      if !newEpisodes.isEmpty { report(.added(Array(newEpisodes.joined()))) }
      if !count.rules.isEmpty { report(.ruled(count.rules)) }
      report(.finished(new: count.new, unchanged: count.unchanged, failed: count.failed))
    }
    await fetchDocuments(of: newEpisodes)
    return count
  }

  /// The podcasts that a refresh of all leaves out: those whose servers asked for a pause, and ended feeds (410). The
  /// report names them, because they are not “unchanged”.
  private func postponed(besides candidates: [RefreshCandidate]) throws(StoreError) -> [PodcastRow] {
    let asked = Set(candidates.map(\.id))
    return try library.podcasts().filter {
      !asked.contains($0.id) && !$0.feedURL.hasPrefix(Resources.welcomeAddress)
    }
  }

  /// The rule for the back catalogue of a podcast; nil: of one that is not in the library yet.
  package func catalogueRule(of podcast: PodcastID?) -> CatalogueRule {
    // If the library cannot be read, the write that follows fails.
    podcast.flatMap { try? library.settings(of: $0) }?.newEpisodes ?? preferences.catalogueRule
  }

  /// Applies the configuration's rule for back catalogues, if it has changed. Called once at the start.
  package func applyCatalogueRule() throws(StoreError) {
    guard try library.generalCatalogueRule() != preferences.catalogueRule else { return }
    let settings = try library.podcastSettings()
    var own: Set<PodcastID> = []
    for podcast in try library.podcasts(withFormer: true) {
      // All episodes of the welcome podcast count as new.
      let isWelcome = podcast.feedURL.hasPrefix(Resources.welcomeAddress)
      if isWelcome || settings[podcast.id]?.newEpisodes != nil { own.insert(podcast.id) }
    }
    try library.setGeneralCatalogueRule(preferences.catalogueRule, besides: own)
  }

  /// Updates the search index.
  package func index() async {
    // An error does not matter: the next search or refresh updates the index.
    try? await preparing.run { try self.library.indexAllPending() }
  }
}

/// The settings of a refresh.
package struct RefreshPreferences: Sendable {
  /// How many episodes of a podcast's back catalogue count as new, if the podcast has no setting of its own.
  package var catalogueRule = CatalogueRule.standard
  /// Fetches the chapters and transcripts of new episodes, so that search finds them before they are played.
  package var fetchesChapters = false
  package var fetchesTranscripts = false

  package init() {}
}
