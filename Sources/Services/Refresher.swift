import AppCore
import Directories
import FeedKit
import Foundation
import HTTP
import Model
import Store

/// Brings feeds into the library: one that is new, or all that are known. The player and the verbs use it alike.
package final class Refresher: Sendable {
  package let library: Library
  let client: FeedClient
  let resources: Resources
  /// What is costly and done before the writing runs here, off Swift's own threads.
  let preparing = WorkerThreads("prepare", atOnce: 2)
  private let writer: RefreshWriter
  package let preferences: RefreshPreferences
  /// nil: shared links lead nowhere, but for those that a feed's server understands.
  package let directories: DirectoryAccess?
  package let clock: @Sendable () -> Date

  /// Feeds that are in memory at once, between the network and the library: some megabytes each.
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

  /// How one podcast's refresh ended.
  package enum Outcome: Sendable {
    /// Stored: the episodes that count as new, and what else changed.
    case stored(new: [EpisodeID], [RefreshNote])
    case failed(FeedError)
    case notStored(StoreError)
  }

  package struct Count: Sendable, Equatable {
    package var new = 0
    /// Episodes that publishers took back.
    package var removed = 0
    package var unchanged = 0
    package var failed = 0
    /// At least one failure was invalid data, not connectivity.
    package var hasInvalidData = false
    package var hasStoreFailure = false

    package init() {}
  }

  // MARK: Refreshing

  /// Refreshes `podcasts`, or all that may be asked; a failure changes nothing but the podcast's health. While all are
  /// asked, nobody asks what is due: `refreshDue`. The listener's own word does not wait for others.
  @discardableResult
  package func refresh(_ podcasts: [PodcastID]?, report: @escaping @Sendable (RefreshReport) -> Void) async -> Count {
    let lock = podcasts == nil ? RefreshLock.acquire(library: library.path) : nil
    defer { withExtendedLifetime(lock) {} }
    return await refreshUnlocked(podcasts, report: report)
  }

  /// Refreshes what is due by itself.
  /// - Returns: nil when nothing is due, or when another refresh is under way, here or in another process.
  package func refreshDue(
    _ schedule: RefreshSchedule, report: @escaping @Sendable (RefreshReport) -> Void
  ) async throws(StoreError) -> Count? {
    // First the lock: what another one is asking would be due until it is stored.
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
    let putOff: [PodcastRow]
    do {
      candidates = try library.podcastsToRefresh(podcasts, now: clock())
      putOff = try podcasts == nil ? self.putOff(besides: candidates) : []
    } catch {
      count.failed = 1
      count.hasStoreFailure = true
      report(.failed(title: "", ReportedError(String(describing: error)), done: 0, total: 0))
      report(.finished(new: 0, unchanged: 0, failed: 1))
      return count
    }
    report(.started(total: candidates.count))
    if !putOff.isEmpty { report(.putOff(putOff)) }
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
          if fresh + removed == 0 { count.unchanged += 1 }
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
    await CompanionFetcher(
      library: library, client: client, resources: resources, preferences: preferences, clock: clock
    )
    .fetch(newEpisodes)
    return count
  }

  /// Whom a refresh of all leaves out: feeds that failed are asked again after a while, and those that ended (410) not at
  /// all. That is not "unchanged".
  private func putOff(besides candidates: [RefreshCandidate]) throws(StoreError) -> [PodcastRow] {
    let asked = Set(candidates.map(\.id))
    return try library.podcasts().filter {
      !asked.contains($0.id) && !$0.feedURL.hasPrefix(Resources.welcomeAddress)
    }
  }

  private func refresh(_ candidate: RefreshCandidate) async -> Outcome {
    if candidate.feedURL.hasPrefix(Resources.welcomeAddress) { return await refreshWelcome(candidate) }
    var request = FeedRequest(
      url: candidate.feedURL, validators: candidate.validators, knownNewFeedURL: candidate.newFeedURL)
    // A known feed that suddenly answers with a page (a captive portal) must not become another feed.
    request.followsAlternates = false
    // At once, without waiting for a 401: a paid feed may answer 200 with its public part.
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
      let begun = try goneOnAir(feed.podcast, of: id)
      if !begun.isEmpty { notes.append(.live(begun)) }
      let answer = await writer.store(.feed(id, prepared))
      // Said once: when the feed says it for the first time.
      if let guid = feed.podcast.guid, guid != knownGUID, let note = try meetTwin(of: id, guid) { notes.append(note) }
      return outcome(
        answer, of: candidate, listed: feed.episodes.count, movedTo: info?.movedTo, notes: notes)
    } catch {
      return .notStored(error)
    }
  }

  /// Another subscription says that it is the same podcast (podcast:guid). Where its feed is gone, what the listener did
  /// with it goes on here; else the listener is told, and both stay: a public feed and a paid one may share a guid.
  private func meetTwin(of podcast: PodcastID, _ guid: String) throws(StoreError) -> RefreshNote? {
    guard let twin = try library.twin(of: podcast, guid: guid), let own = try library.podcastDetail(podcast),
      let other = try library.podcastDetail(twin.id)
    else { return nil }
    guard twin.isGone else { return .twin(other.row.title) }
    try library.setFeedURL(twin.id, own.row.feedURL, now: clock())
    return .joined(with: own.row.title)
  }

  /// A feed that is gone (410) goes on as the subscription that has its podcast:guid; nil: there is none.
  private func joined(_ candidate: RefreshCandidate) -> Outcome? {
    do throws(StoreError) {
      guard let guid = try library.podcastGUID(of: candidate.id),
        let twin = try library.twin(of: candidate.id, guid: guid), !twin.isGone,
        let other = try library.podcastDetail(twin.id)
      else { return nil }
      try library.setFeedURL(candidate.id, other.row.feedURL, now: clock())
      return .stored(new: [], [.joined(with: other.row.title)])
    } catch {
      return .notStored(error)
    }
  }

  /// Titles of what is on air and was not when the feed was read before.
  private func goneOnAir(_ feed: FeedPodcast, of podcast: PodcastID) throws(StoreError) -> [String] {
    let live = feed.liveItems.filter(\.isOnAir)
    guard !live.isEmpty else { return [] }
    let before = Set((try library.podcastDetail(podcast)?.feed.liveItems ?? []).filter(\.isOnAir).map(\.key))
    return live.filter { !before.contains($0.key) }.map { $0.episode.title.map(CleanText.line) ?? "a stream" }
  }

  /// What a write changed; the feed's new address is stored after it.
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
        // Addresses are shown without the password that may be in them.
        notes.append(.moved(to: (try? WebAddress(movedTo))?.text ?? movedTo))
      }
      return .stored(new: try library.newEpisodes(among: result.new), notes)
    } catch {
      return .notStored(error)
    }
  }

  /// When a feed that failed is due again. A lost connection is nobody's fault: then every feed may be asked at once.
  private func notBefore(_ error: FeedError, _ candidate: RefreshCandidate) -> Date? {
    if case .http(.noConnectivity) = error { return nil }
    return RetryPolicy.feed.nextAttempt(
      after: error, failures: candidate.failures + 1, now: clock(), random: Double.random(in: 0..<1))
  }

  /// How many episodes of its back catalogue count as new; nil: of a podcast that is not known yet.
  package func catalogueRule(of podcast: PodcastID?) -> CatalogueRule {
    // A library that cannot be read fails with the write that follows.
    podcast.flatMap { try? library.settings(of: $0) }?.newEpisodes ?? preferences.catalogueRule
  }

  /// Applies what the configuration says of back catalogues, when that has changed. Called once, at the start.
  package func applyCatalogueRule() throws(StoreError) {
    guard try library.generalCatalogueRule() != preferences.catalogueRule else { return }
    let settings = try library.podcastSettings()
    var own: Set<PodcastID> = []
    for podcast in try library.podcasts(withFormer: true) {
      // The welcome podcast is short, and all of it is for the first day.
      let isWelcome = podcast.feedURL.hasPrefix(Resources.welcomeAddress)
      if isWelcome || settings[podcast.id]?.newEpisodes != nil { own.insert(podcast.id) }
    }
    try library.setGeneralCatalogueRule(preferences.catalogueRule, besides: own)
  }

  /// Brings the search index up to date: the player calls it when a refresh has ended. Verbs leave it to the next search.
  package func index() async {
    await withCheckedContinuation { continuation in
      preparing.add {
        // A failure costs nothing: the next search goes on from here.
        while let count = try? self.library.indexPending(), count > 0 {}
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
  /// What the library remembers of a failed refresh.
  fileprivate func health(podcast: String, advice: String?) -> FeedHealth {
    let text = message(podcast: podcast) + (advice.map { "; \($0)" } ?? "")
    return self == .http(.gone) ? .gone : .failed(connectivity: isConnectivity, message: text)
  }
}

extension RefreshCandidate {
  /// Why a password that is there was not sent to a server that asks for one.
  fileprivate func passwordAdvice(_ error: FeedError) -> String? {
    guard case .http(.unauthorized) = error, let origin = credentials?.origin,
      let asked = try? WebAddress(feedURL).origin,
      !origin.trusts(asked)
    else { return nil }
    return "your password is for \(origin) and was not sent to \(asked): add the feed again with its user name"
  }
}
