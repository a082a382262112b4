import AppCore
import Directories
import FeedKit
import Foundation
import HTTP
import Model
import Store

/// Fetches feeds into the library: new ones, and updates of known ones. The player and the command line share it.
package final class Refresher: Sendable {
  package let library: Library
  let client: FeedClient
  let resources: Resources
  /// Runs expensive work before a write, outside of Swift concurrency.
  let preparing = WorkerThreads("prepare", atOnce: 2)
  private let writer: RefreshWriter
  package let preferences: RefreshPreferences
  /// nil: shared links cannot be resolved, except by the server of a feed.
  package let directories: DirectoryAccess?
  package let clock: @Sendable () -> Date

  /// How many feeds are in memory at once, between the network and the library. Each takes some megabytes.
  private static let window = 10

  package init(
    library: Library, client: FeedClient, resources: Resources, preferences: RefreshPreferences = RefreshPreferences(),
    directories: DirectoryAccess? = nil, clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.library = library
    self.preferences = preferences
    self.directories = directories
    self.client = client
    self.resources = resources
    self.clock = clock
    writer = RefreshWriter(library: library, clock: clock)
  }

  /// The result of one podcast's refresh.
  package enum Outcome: Sendable {
    /// Stored. The episodes that count as new, and other changes.
    case stored(new: [EpisodeID], [RefreshNote])
    case failed(FeedError)
    case notStored(StoreError)
  }

  package struct Count: Sendable, Equatable {
    package var new = 0
    /// Episodes that publishers removed.
    package var removed = 0
    package var unchanged = 0
    package var failed = 0
    /// At least one failure was invalid data, not connectivity.
    package var hasInvalidData = false
    package var hasStoreFailure = false

    package init() {}
  }

  // MARK: Refreshing

  /// Refreshes `podcasts`, or all that may be asked. A failure only changes the podcast's health. While all are
  /// refreshed, `refreshDue` does nothing. A refresh by the listener does not wait for other refreshes.
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
    if !postponed.isEmpty { report(.postponed(postponed)) }
    var done = 0
    var newEpisodes: [[EpisodeID]] = []
    await withTaskGroup(of: (RefreshCandidate, Outcome).self) { group in
      var waiting = candidates[...]
      for candidate in waiting.prefix(Self.window) { group.addTask { (candidate, await self.refresh(candidate)) } }
      waiting = waiting.dropFirst(Self.window)
      for await (candidate, outcome) in group {
        done += 1
        if let next = waiting.popFirst() { group.addTask { (next, await self.refresh(next)) } }
        let title = candidate.title.isEmpty ? ShownAddress(candidate.feedURL).description : candidate.title
        switch outcome {
        case .stored(let episodes, let notes):
          let fresh = episodes.count
          if fresh > 0 { newEpisodes.append(episodes) }
          let removed = notes.reduce(0) { $0 + $1.removed }
          count.new += fresh
          count.removed += removed
          // Nobody knows whether a feed that was cut off has changed.
          if fresh + removed == 0, !notes.contains(where: \.isCutOff) { count.unchanged += 1 }
          for note in notes { report(.noted(title: title, note)) }
          report(.podcast(title: title, done: done, total: candidates.count, fresh: fresh))
        case .failed(let error):
          count.failed += 1
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
    }
    report(.finished(new: count.new, unchanged: count.unchanged, failed: count.failed))
    await EpisodeDocumentFetcher(
      library: library, client: client, resources: resources, preferences: preferences, clock: clock
    )
    .fetch(newEpisodes)
    return count
  }

  /// The podcasts that a refresh of all leaves out: failed feeds wait for a while, and ended feeds (410) are not asked
  /// again. The report names them, because they are not “unchanged”.
  private func postponed(besides candidates: [RefreshCandidate]) throws(StoreError) -> [PodcastRow] {
    let asked = Set(candidates.map(\.id))
    return try library.podcasts().filter {
      !asked.contains($0.id) && !$0.feedURL.hasPrefix(Resources.welcomeAddress)
    }
  }

  private func refresh(_ candidate: RefreshCandidate) async -> Outcome {
    if candidate.feedURL.hasPrefix(Resources.welcomeAddress) { return await refreshWelcome(candidate) }
    var request = FeedRequest(
      url: candidate.feedURL, validators: candidate.validators, knownNewFeedURL: candidate.newFeedURL)
    // A known feed that suddenly answers with a web page (a captive portal) must not be replaced by another feed.
    request.followsAlternates = false
    // Credentials are sent at once, because a paid feed may answer 200 without them, with its public part.
    request.credentials = candidate.credentials
    let result = await client.fetch(request)
    switch result {
    case .unchanged(let info):
      let arrival = RefreshArrival.unchanged(candidate.id, RefreshInfo(validators: info.validators))
      return outcome(await writer.store(arrival), of: candidate, movedTo: info.movedTo)
    case .feed(let feed, let info):
      return await store(feed, of: candidate, info)
    case .failed(let error):
      guard error != .http(.cancelled) else { return .failed(error) }
      let health = error.health(podcast: candidate.title, advice: candidate.passwordAdvice(error))
      let arrival = RefreshArrival.failed(
        candidate.id, health, RefreshInfo(notBefore: notBefore(error, candidate)))
      if case .failure(let error) = await writer.store(arrival) { return .notStored(error) }
      return error == .http(.gone) ? joined(candidate) ?? .failed(error) : .failed(error)
    }
  }

  private func store(_ feed: Feed, of candidate: RefreshCandidate, _ info: FetchInfo? = nil) async -> Outcome {
    let id = candidate.id
    do throws(StoreError) {
      let rule = candidate.lastRefreshed == nil ? catalogueRule(of: id) : .all
      let knownGUID = try library.podcastGUID(of: id)
      let stored = RefreshInfo(validators: info?.validators, catalogueRule: rule)
      let prepared = try await prepare { () throws(StoreError) in
        try self.library.prepare(feed, of: id, info: stored)
      }
      var notes: [RefreshNote] = feed.podcast.isCutOff ? [.cutOff(episodes: feed.episodes.count)] : []
      if feed.episodes.isEmpty, notes.isEmpty, let known = try library.podcastDetail(id)?.row.episodes, known > 0 {
        notes.append(.emptied(kept: known))
      }
      let begun = try newLiveTitles(feed.podcast, of: id)
      if !begun.isEmpty { notes.append(.live(begun)) }
      let answer = await writer.store(.feed(id, prepared))
      // The note is only made when the feed has the guid for the first time.
      if let guid = feed.podcast.guid, guid != knownGUID, let note = try handleDuplicate(of: id, guid) {
        notes.append(note)
      }
      return outcome(
        answer, of: candidate, listed: feed.episodes.count, movedTo: info?.movedTo, notes: notes)
    } catch {
      return .notStored(error)
    }
  }

  /// Handles another subscription with the same podcast:guid. If its feed is gone, it is merged into this podcast. If
  /// not, both stay and the listener is told, because a public and a paid feed may share a guid.
  private func handleDuplicate(of podcast: PodcastID, _ guid: String) throws(StoreError) -> RefreshNote? {
    guard let duplicate = try library.duplicate(of: podcast, guid: guid), let own = try library.podcastDetail(podcast),
      let other = try library.podcastDetail(duplicate.id)
    else { return nil }
    guard duplicate.isGone else { return .duplicate(other.row.title) }
    try library.setFeedURL(duplicate.id, own.row.feedURL, now: clock())
    return .joined(with: own.row.title)
  }

  /// Merges a podcast whose feed is gone (410) into the subscription with its podcast:guid. Nil if there is none.
  private func joined(_ candidate: RefreshCandidate) -> Outcome? {
    do throws(StoreError) {
      guard let guid = try library.podcastGUID(of: candidate.id),
        let duplicate = try library.duplicate(of: candidate.id, guid: guid), !duplicate.isGone,
        let other = try library.podcastDetail(duplicate.id)
      else { return nil }
      try library.setFeedURL(candidate.id, other.row.feedURL, now: clock())
      return .stored(new: [], [.joined(with: other.row.title)])
    } catch {
      return .notStored(error)
    }
  }

  /// Titles of live items that have begun since the last refresh.
  private func newLiveTitles(_ feed: FeedPodcast, of podcast: PodcastID) throws(StoreError) -> [String] {
    let live = feed.liveItems.filter(\.isOnAir)
    guard !live.isEmpty else { return [] }
    let before = Set((try library.podcastDetail(podcast)?.feed.liveItems ?? []).filter(\.isOnAir).map(\.key))
    return live.filter { !before.contains($0.key) }.map { $0.episode.title.map(CleanText.line) ?? "a stream" }
  }

  /// The result of a write. Also stores the feed's new address.
  /// - Parameter listed: episodes in the feed.
  private func outcome(
    _ answer: RefreshWriter.Answer, of candidate: RefreshCandidate, listed: Int = 0, movedTo: String?,
    notes: [RefreshNote] = []
  ) -> Outcome {
    var notes = notes
    do throws(StoreError) {
      let result = try answer.get()
      if !result.removed.isEmpty { notes.append(.removed(result.removed)) }
      if result.kept > 0 { notes.append(.shrank(listed: listed, missing: result.kept)) }
      if let movedTo {
        try library.setFeedURL(candidate.id, movedTo, now: clock())
        // The address is shown without a password.
        notes.append(.moved(to: (try? WebAddress(movedTo))?.text ?? movedTo))
      }
      return .stored(new: try library.newEpisodes(among: result.new), notes)
    } catch {
      return .notStored(error)
    }
  }

  /// When a failed feed is due again. After a lost connection every feed may be asked at once.
  private func notBefore(_ error: FeedError, _ candidate: RefreshCandidate) -> Date? {
    if case .http(.noConnectivity) = error { return nil }
    return RetryPolicy.feed.nextAttempt(
      after: error, failures: candidate.failures + 1, now: clock(), random: Double.random(in: 0..<1))
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
    await withCheckedContinuation { continuation in
      preparing.add {
        // An error does not matter: the next search or refresh updates the index.
        try? self.library.indexAllPending()
        continuation.resume()
      }
    }
  }

  private func refreshWelcome(_ candidate: RefreshCandidate) async -> Outcome {
    guard let feed = readWelcome() else { return .stored(new: [], []) }
    return await store(feed, of: candidate)
  }

  private func prepare(
    _ work: @escaping @Sendable () throws(StoreError) -> PreparedFeed
  ) async throws(StoreError) -> PreparedFeed {
    let result: Result<PreparedFeed, StoreError> = await withCheckedContinuation { continuation in
      preparing.add {
        do throws(StoreError) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}

extension FeedError {
  /// What the library stores about a failed refresh.
  fileprivate func health(podcast: String, advice: String?) -> FeedHealth {
    let text = message(podcast: podcast) + (advice.map { "; \($0)" } ?? "")
    return self == .http(.gone) ? .gone : .failed(connectivity: isConnectivity, message: text)
  }
}

extension RefreshCandidate {
  /// Why stored credentials were not sent to a server that asks for them.
  fileprivate func passwordAdvice(_ error: FeedError) -> String? {
    guard case .http(.unauthorized) = error, let origin = credentials?.origin,
      let asked = try? WebAddress(feedURL).origin,
      !origin.trusts(asked)
    else { return nil }
    return "your password is for \(origin) and was not sent to \(asked): add the feed again with its user name"
  }
}
