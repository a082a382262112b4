import FeedKit
import Foundation
import HTTP
import Model
import Store
import Sync

/// Refreshes one podcast: fetches its feed, prepares and stores it, and reports what has changed.
extension Refresher {
  /// - Parameter followsNewFeedURL: whether the feed may name another address (itunes:new-feed-url).
  func refresh(
    _ candidate: RefreshCandidate, followsNewFeedURL: Bool = true,
    _ report: @escaping @Sendable (RefreshReport) -> Void
  ) async -> Outcome {
    if candidate.feedURL.hasPrefix(Resources.welcomeAddress) { return await refreshWelcome(candidate) }
    if FolderAddress.isLocal(candidate.feedURL) { return await refreshFolder(candidate, report) }
    let result: FetchResult
    do throws(StoreError) {
      result = try await fetch(candidate, followsNewFeedURL: followsNewFeedURL)
      if case .feed(let feed, let info) = result, let address = info.movedTo,
        try !canMove(candidate.id, candidate.title, to: address, feed)
      {
        guard followsNewFeedURL else { return await reportStray(candidate, feed) }
        // The feed at its own address may still be read.
        return await refresh(candidate, followsNewFeedURL: false, report)
      }
    } catch { return .notStored(error) }
    switch result {
    case .unchanged(let info):
      let arrival = RefreshArrival.unchanged(candidate.id, RefreshInfo(validators: info.validators))
      return outcome(await writer.store(arrival), of: candidate, movedTo: info.movedTo)
    case .feed(let feed, let info):
      return await store(feed, of: candidate, info)
    case .failed(let error):
      guard error != .http(.cancelled) else { return .failed(error) }
      if case .http(let cause) = error, cause.isUnreached { return .unreached(error) }
      return await storeFailure(error, of: candidate)
    }
  }

  /// Changes nothing, because the address leads to the feed of another podcast.
  private func reportStray(_ candidate: RefreshCandidate, _ feed: Feed) async -> Outcome {
    let title = feed.podcast.title.map(CleanText.line) ?? "Untitled"
    let answer = await writer.store(.unchanged(candidate.id, RefreshInfo()))
    return outcome(answer, of: candidate, notes: [.strayed(to: title)])
  }

  /// Marks the podcast as failed.
  func storeFailure(_ error: FeedError, of candidate: RefreshCandidate) async -> Outcome {
    let health = error.health(podcast: candidate.title, advice: candidate.passwordAdvice(error))
    let arrival = RefreshArrival.failed(
      candidate.id, health,
      RefreshInfo(
        notBefore: notBefore(error, candidate),
        pause: error.pausedServer.map { $0 == Origin(candidate.feedURL) ? .server : .feed }))
    if case .failure(let error) = await writer.store(arrival) { return .notStored(error) }
    return error == .http(.gone) ? joined(candidate) ?? .failed(error) : .failed(error)
  }

  private func fetch(
    _ candidate: RefreshCandidate, followsNewFeedURL: Bool
  ) async throws(StoreError) -> FetchResult {
    if let page = SiteList.page(ofFeed: candidate.feedURL) { return await listSite(page) }
    var request = FeedRequest(
      url: candidate.feedURL, validators: candidate.validators, knownNewFeedURL: candidate.newFeedURL)
    if candidate.asksForWholeFeed { (request.validators.etag, request.validators.lastModified) = (nil, nil) }
    // A known feed that suddenly answers with a web page (a captive portal) must not be replaced by another feed.
    request.followsAlternates = false
    request.followsNewFeedURL = followsNewFeedURL
    // Credentials are sent at once, because a paid feed may answer 200 without them, with its public part.
    request.access = RequestAccess(candidate.credentials, userAgent: candidate.userAgent)
    let originals = try originals(of: candidate)
    // A feed that was never fetched and looks encoded twice is asked for as it was before. For the other address,
    // some servers make a feed that contains only an error.
    let isUnlikely = candidate.lastRefreshed == nil && SyncAddress.isEncodedTwice(candidate.feedURL)
    if isUnlikely, let found = try await fetch(originals, request, of: candidate) { return found }
    var result = await client.fetch(request)
    if candidate.asksForWholeFeed, case .failed(.http(.refused(status: 304))) = result {
      request.validators = candidate.validators
      result = await client.fetch(request)
    }
    guard !isUnlikely, case .failed(let error) = result, error.isAboutAddress else { return result }
    return try await fetch(originals, request, of: candidate) ?? result
  }

  /// The addresses that a sync server may have turned into the one of the podcast.
  private func originals(of candidate: RefreshCandidate) throws(StoreError) -> [String] {
    guard var url = SyncAddress.unescaped(candidate.feedURL), try library.hasAddressOfServer(candidate.id) else {
      return []
    }
    var originals = [url]
    while originals.count < 3, let next = SyncAddress.unescaped(url) {
      originals.append(next)
      url = next
    }
    return originals
  }

  /// The first of the addresses that has the podcast's feed. The podcast moves there.
  private func fetch(
    _ originals: [String], _ request: FeedRequest, of candidate: RefreshCandidate
  ) async throws(StoreError) -> FetchResult? {
    for url in originals {
      var request = request
      (request.url, request.validators) = (url, FeedValidators())
      guard case .feed(let feed, var info) = await client.fetch(request),
        try library.matches(feed.episodes, candidate.id)
      else { continue }
      info.movedTo = info.movedTo ?? url
      return .feed(feed, info)
    }
    return nil
  }

  /// - Parameters:
  ///   - info: if it has a new address, the podcast may move there (`canMove`).
  ///   - problem: what could not be read, if only a part was.
  func store(
    _ feed: Feed, of candidate: RefreshCandidate, _ info: FetchInfo? = nil, problem: String? = nil
  ) async -> Outcome {
    let id: PodcastID
    do throws(StoreError) {
      // Before the feed is stored: two podcasts that have stored the same feed would look like one.
      var notes: [RefreshNote] = []
      if let movedTo = info?.movedTo {
        // Another podcast may have got the address meanwhile.
        guard let podcast = try move(candidate.id, to: movedTo, &notes) else {
          return await reportStray(candidate, feed)
        }
        id = podcast
      } else {
        id = candidate.id
      }
      let knownGUID = try library.podcastGUID(of: id)
      let isOldCopy = info.map { $0.validators.isOlder(than: candidate.validators, now: candidate.refresh) } ?? false
      // After an old copy the validators of the newer one stay, so that the next refresh asks for that.
      let stored = RefreshInfo(
        validators: isOldCopy ? nil : info?.validators, catalogueRule: catalogueRule(of: id),
        refresh: candidate.refresh, problem: problem, isOldCopy: isOldCopy)
      let prepared = try await preparing.run { () throws(StoreError) in
        try self.library.prepare(try self.described(feed, of: candidate), of: id, info: stored)
      }
      if feed.podcast.isCutOff { notes.append(.cutOff(episodes: feed.wholeEpisodes)) }
      if let problem { notes.append(.unreadable(problem)) }
      if feed.episodes.isEmpty, !feed.podcast.isCutOff, problem == nil,
        let known = try library.podcastDetail(id)?.row.episodes, known > 0
      {
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
        answer, of: candidate, listed: feed.episodes.count, notes: notes)
    } catch {
      return .notStored(error)
    }
  }

  /// Whether a podcast may move to this address: its feed is that of the same podcast, and no other one has the
  /// address. A host that closes redirects all of its feeds to one, and a feed can name any address.
  func canMove(_ podcast: PodcastID, _ title: String, to address: String, _ feed: Feed) throws(StoreError) -> Bool {
    guard try library.canMove(podcast, to: address) else { return false }
    if let guid = feed.podcast.guid, guid == (try library.podcastGUID(of: podcast)) { return true }
    if let new = feed.podcast.title, TextFolding.fold(CleanText.line(new)) == TextFolding.fold(title) { return true }
    return try library.hasEpisode(among: feed.episodes, podcast)
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
      return .stored(new: [], synced: 0, [.joined(with: other.row.title)])
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

  /// The result of a write.
  /// - Parameters:
  ///   - listed: episodes in the feed.
  ///   - movedTo: the new address of a feed that has not changed. It is stored, too.
  private func outcome(
    _ answer: RefreshWriter.Answer, of candidate: RefreshCandidate, listed: Int = 0, movedTo: String? = nil,
    notes: [RefreshNote] = []
  ) -> Outcome {
    var notes = notes
    do throws(StoreError) {
      let result = try answer.get()
      if !result.removed.isEmpty { notes.append(.removed(result.removed)) }
      if result.kept > 0 { notes.append(.shrank(listed: listed, missing: result.kept)) }
      if let movedTo {
        _ = try move(candidate.id, to: movedTo, &notes)
      }
      return .stored(
        new: try library.newEpisodes(among: result.new), synced: result.synced, notes, rules: result.rules)
    } catch {
      return .notStored(error)
    }
  }

  /// Stores the new address of a feed.
  /// - Returns: the podcast that has it now. Nil: it is the address of another podcast, and both stay.
  private func move(
    _ podcast: PodcastID, to address: String, _ notes: inout [RefreshNote]
  ) throws(StoreError) -> PodcastID? {
    let moved = try library.setFeedURL(podcast, address, now: clock())
    // The address is shown without a password.
    if moved != nil { notes.append(.moved(to: (try? WebAddress(address))?.text ?? address)) }
    return moved
  }

  /// When a failed feed is due again. After a lost connection every feed may be asked at once.
  private func notBefore(_ error: FeedError, _ candidate: RefreshCandidate) -> Date? {
    if case .http(.noConnectivity) = error { return nil }
    return RetryPolicy.feed.nextAttempt(
      after: error, failures: candidate.failures + 1, now: clock(), random: Double.random(in: 0..<1))
  }

  private func refreshWelcome(_ candidate: RefreshCandidate) async -> Outcome {
    guard let feed = readWelcome() else { return .stored(new: [], synced: 0, []) }
    return await store(feed, of: candidate)
  }
}

extension FeedError {
  /// Whether another address of the same server may have the feed.
  fileprivate var isAboutAddress: Bool {
    switch self {
    case .http(.noConnectivity), .http(.cancelled), .http(.rateLimited), .http(.unauthorized): false
    default: true
    }
  }

  /// What the library stores about a failed refresh.
  fileprivate func health(podcast: String, advice: String?) -> FeedHealth {
    let text = message(podcast: podcast) + (advice.map { "; \($0)" } ?? "")
    switch self {
    case .http(.gone): return .gone
    // Only the listener can change this, so it is not tried as often as after a lost connection.
    case .http(.unauthorized): return .failed(connectivity: false, message: text)
    default: return .failed(connectivity: isConnectivity, message: text)
    }
  }
}

extension RefreshCandidate {
  /// Whether the request leaves out what lets a server answer 304: once in a week of this podcast. A server that
  /// compares dates wrongly, or whose file got an older date, would hide new episodes for ever. A known body still
  /// counts as unchanged.
  fileprivate var asksForWholeFeed: Bool {
    guard let lastRefreshed else { return false }
    // Spreads the podcasts over the week.
    func week(_ date: Date) -> Double {
      (date.timeIntervalSince1970 / RefreshSchedule.week + Double(id.rawValue) * 0.618).rounded(.down)
    }
    return week(refresh) != week(lastRefreshed)
  }

  /// Why stored credentials were not sent to a server that asks for them.
  func passwordAdvice(_ error: FeedError) -> String? {
    guard case .http(.unauthorized(_, let asking)) = error, let origin = credentials?.origin, !origin.trusts(asking)
    else { return nil }
    return "your password is for \(origin) and was not sent to \(asking): add the feed again with one for that server"
  }
}

extension FeedValidators {
  /// Whether the same address sends an older document than before, as one of several caches does. False if one of them
  /// has no date.
  fileprivate func isOlder(than other: FeedValidators, now: Date) -> Bool {
    guard url != nil, url == other.url, let date = lastModified.flatMap(HTTPDate.parse),
      let before = other.lastModified.flatMap(HTTPDate.parse)
    else { return false }
    return RefreshSchedule.isOldCopy(of: date, newer: before, now: now)
  }
}

extension Feed {
  /// How many episodes are complete. The library does not store an item that was cut off.
  var wholeEpisodes: Int { episodes.count { $0.isCutOff != true } }
}
