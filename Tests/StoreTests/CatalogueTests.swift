import Foundation
import Model
import Testing

@testable import Store

/// The back catalogue of a new subscription, and which of its episodes count as new.
@Suite struct CatalogueTests {
  private let box: TemporaryLibrary
  private var library: Library { box.library }

  init() throws { box = try TemporaryLibrary() }

  private func add(
    _ episodes: [FeedEpisode], rule: CatalogueRule, url: String = "https://example.org/feed"
  ) throws -> PodcastID {
    try library.subscribe(
      feed: Samples.feed(episodes), feedURL: url, info: RefreshInfo(catalogueRule: rule), now: Samples.now)
  }

  private var new: [String] { get throws { try box.titles(EpisodeQuery(.new)) } }

  @Test(arguments: [(CatalogueRule.none, 0), (.standard, 1), (CatalogueRule(newest: 3), 3), (.all, 9)])
  func ruleLimitsTheNewEpisodesOfAnAddedPodcast(rule: CatalogueRule, count: Int) throws {
    let podcast = try add(Samples.episodes(1...9), rule: rule)
    #expect(try new == (0..<count).map { "Episode \(9 - $0)" })
    // They are still unplayed.
    #expect(try box.episodes(podcast).count == 9 && library.podcasts().map(\.unplayed) == [9])
    #expect(try box.titles(EpisodeQuery(.podcast(podcast), unplayedOnly: true)).count == 9)
    #expect(try library.podcasts().map(\.new) == [count])
    #expect(try library.podcastDetail(podcast)?.row.new == count)
  }

  @Test func newestEpisodesAreFoundByDate() throws {
    _ = try add(Samples.episodes(1...9).reversed(), rule: .standard)
    #expect(try new == ["Episode 9"])
  }

  @Test func firstPartOfAnAudiobookIsNew() throws {
    var feed = Samples.feed(Samples.episodes(1...9))
    feed.podcast.medium = "audiobook"
    _ = try library.subscribe(
      feed: feed, feedURL: "https://example.org/feed", info: RefreshInfo(catalogueRule: .standard), now: Samples.now)
    #expect(try new == ["Episode 1"])
  }

  @Test func laterEpisodesAreNewForEveryRule() throws {
    let podcast = try add(Samples.episodes(1...9), rule: .none)
    let info = RefreshInfo(catalogueRule: .none)
    try library.apply(feed: Samples.feed(Samples.episodes(1...11)), to: podcast, info: info, now: Samples.now)
    #expect(try new == ["Episode 11", "Episode 10"])
    try library.applyPage(Samples.feed(Samples.episodes(-5...0)), to: podcast, catalogueRule: .none, now: Samples.now)
    #expect(try new.count == 2, "an older page is back catalogue")
  }

  /// The feed was empty when the listener subscribed.
  @Test func firstEpisodesFromBeforeTheSubscriptionAreBackCatalogue() throws {
    let podcast = try add([], rule: .standard)
    var episodes = Samples.episodes(1...8)
    for index in episodes.indices { episodes[index].pubDate = Samples.later(Double(-1000 * (index + 1))) }
    episodes[0].pubDate = Samples.later(60)
    let later = Samples.later(3600)
    let result = try library.apply(
      feed: Samples.feed(episodes), to: podcast, info: RefreshInfo(catalogueRule: .none), now: later)
    #expect(result.new.count == 8)
    #expect(try new == [episodes[0].title].compactMap { $0 })
  }

  /// The publisher lists the archive again, at the end or by mistake at the beginning of the feed.
  @Test(arguments: [false, true]) func reopenedArchiveIsBackCatalogue(isFirst: Bool) throws {
    let podcast = try add(Samples.episodes(500...509), rule: .standard)
    let (news, archive) = (Samples.episodes(500...510), Samples.episodes(1...50))
    let info = RefreshInfo(catalogueRule: .standard)
    let result = try library.apply(
      feed: Samples.feed(isFirst ? archive + news : news + archive), to: podcast, info: info, now: Samples.now)
    #expect(result.new.count == 51)
    #expect(try new == ["Episode 510", "Episode 509"])
    #expect(try library.newEpisodes(among: result.new).count == 1)
    #expect(try box.episodes(podcast).count == 61 && library.podcasts().map(\.unplayed) == [61])
    try library.setCatalogueRule(CatalogueRule(newest: 12), of: podcast)
    #expect(try new.count == 13 && new.last == "Episode 49", "the archive follows the known back catalogue")
  }

  /// An item that is only a little late is news.
  @Test func lateEpisodeIsNew() throws {
    let weekly = { (numbers: [Int]) in numbers.map { Samples.episode($0 * 7) } }
    let podcast = try add(weekly([13, 12, 11, 10]), rule: .none)
    let info = RefreshInfo(catalogueRule: .none)
    let late = weekly([13, 12, 11, 10, 5]) + [Samples.episode(13 * 7 - 5)]
    let result = try library.apply(feed: Samples.feed(late), to: podcast, info: info, now: Samples.now)
    #expect(result.new.count == 2)
    #expect(try new == ["Episode 86"])
  }

  /// A wrong date of the future does not make everything old.
  @Test func wrongDateDoesNotHideNewEpisodes() throws {
    var wrong = Samples.episode(3)
    wrong.pubDate = Date(timeIntervalSince1970: 4_000_000_000)
    let podcast = try add([wrong] + Samples.episodes(1...2), rule: .none)
    let info = RefreshInfo(catalogueRule: .none)
    try library.apply(
      feed: Samples.feed([wrong] + Samples.episodes(1...2) + [Samples.episode(4)]), to: podcast, info: info,
      now: Samples.now)
    #expect(try new == ["Episode 4"])
  }

  @Test func ruleCanBeChangedLater() throws {
    let one = try add(Samples.episodes(1...9), rule: .standard)
    let other = try add(Samples.episodes(21...29), rule: .standard, url: "https://example.org/other")
    try library.setCatalogueRule(CatalogueRule(newest: 2), of: one)
    #expect(try new == ["Episode 29", "Episode 9", "Episode 8"])
    try library.setGeneralCatalogueRule(.none, besides: [one])
    #expect(try new == ["Episode 9", "Episode 8"])
    #expect(try library.generalCatalogueRule() == CatalogueRule.none)
    try library.setCatalogueRule(.all, of: other)
    #expect(try new.count == 11)
  }

  @Test func changedEpisodesLeaveTheBacklog() throws {
    let podcast = try add(Samples.episodes(1...9), rule: .none)
    let ids = try box.episodes(podcast)
    try library.savePosition(ids[4], seconds: 60, total: nil, now: Samples.now)
    #expect(try new == ["Episode 5"])
    try library.setStatus([ids[6]], .played, now: Samples.now)
    try library.setStatus([ids[6]], .new, now: Samples.now)
    #expect(try new == ["Episode 5", "Episode 3"])
  }

  /// Undo restores that an episode belongs to the back catalogue and is not on the New screen.
  @Test(arguments: [EpisodeStatus.played, .deleted, .new]) func undoRestoresTheBackCatalogue(
    status: EpisodeStatus
  ) throws {
    let podcast = try add(Samples.episodes(1...9), rule: .standard)
    let ids = try box.episodes(podcast)
    try library.setStatus([ids[6]], status == .new ? .played : status, now: Samples.now)
    if status == .new { try library.setStatus([ids[6]], .new, now: Samples.now) }
    let changed = try new
    _ = try library.undo(now: Samples.later(60))
    if status == .new { _ = try library.undo(now: Samples.later(60)) }
    #expect(try new == ["Episode 9"])
    _ = try library.undo(.forward, now: Samples.later(70))
    if status == .new { _ = try library.undo(.forward, now: Samples.later(70)) }
    #expect(try new == changed)
    _ = try library.undo(now: Samples.later(80))
    if status == .new { _ = try library.undo(now: Samples.later(80)) }
    #expect(try new == ["Episode 9"])
    try library.setCatalogueRule(CatalogueRule(newest: 7), of: podcast)
    #expect(try new.count == 7, "it has its rank again")
  }

  @Test func undoOfAllPlayedRestoresTheBackCatalogue() throws {
    let podcast = try add(Samples.episodes(1...9), rule: .standard)
    try library.markAllPlayed(podcast, now: Samples.now)
    #expect(try new == [])
    _ = try library.undo(now: Samples.later(60))
    #expect(try new == ["Episode 9"])
  }

  @Test func episodeMarkedAsNewStaysOnNewWhenTheRuleChanges() throws {
    let podcast = try add(Samples.episodes(1...9), rule: .standard)
    let ids = try box.episodes(podcast)
    try library.setStatus([ids[6]], .played, now: Samples.now)
    try library.setStatus([ids[6]], .new, now: Samples.now)
    try library.setCatalogueRule(.none, of: podcast)
    #expect(try new == ["Episode 3"])
  }

  @Test func firstRefreshOfAnImportIsTheBackCatalogue() throws {
    let foreign = ForeignLibrary(
      program: "OPML", podcasts: [ForeignPodcast(feedURL: "https://example.org/feed", title: "A")])
    let podcast = try #require(try library.importLibrary(foreign, now: Samples.now).added.first)
    let info = RefreshInfo(catalogueRule: .standard)
    try library.apply(feed: Samples.feed(Samples.episodes(1...9)), to: podcast, info: info, now: Samples.now)
    #expect(try new == ["Episode 9"])
    try library.apply(feed: Samples.feed(Samples.episodes(1...10)), to: podcast, info: info, now: Samples.now)
    #expect(try new == ["Episode 10", "Episode 9"])
  }

  @Test func subscribingAgainMarksNothingNew() throws {
    let podcast = try add(Samples.episodes(1...3), rule: .standard)
    try library.unsubscribe(podcast, now: Samples.now)
    _ = try add(Samples.episodes(1...30), rule: .standard)
    #expect(try new == ["Episode 30", "Episode 3"])
  }

  @Test func podcastsInEveryOrder() throws {
    let names = ["Beta", "alpha", "The Gamma"]
    var ids: [PodcastID] = []
    for (index, name) in names.enumerated() {
      ids.append(
        try library.subscribe(
          feed: Samples.feed(Samples.episodes((index * 10)...(index * 10 + index)), title: name),
          feedURL: "https://example.org/\(index)", now: Samples.now))
    }
    #expect(try library.setTags(["news", "a, b"], of: ids[0]))
    #expect(try !library.setTags(["a, b", "news"], of: ids[0]))
    func titles(_ order: PodcastOrder) throws -> [String] { try library.podcasts(order: order).map(\.title) }
    #expect(try titles(.title) == ["alpha", "Beta", "The Gamma"])
    #expect(try titles(.newest) == ["The Gamma", "alpha", "Beta"])
    #expect(try titles(.unplayed) == ["The Gamma", "alpha", "Beta"])
    #expect(try titles(.manual) == ["alpha", "Beta", "The Gamma"])
    try library.movePodcast(ids[2], to: 0, among: try library.podcasts(order: .manual).map(\.id))
    #expect(try titles(.manual) == ["The Gamma", "alpha", "Beta"])
    try library.movePodcast(ids[2], to: 9, among: try library.podcasts(order: .manual).map(\.id))
    #expect(try titles(.manual) == ["alpha", "Beta", "The Gamma"])
    #expect(try library.podcasts().map(\.tags) == [[], ["a, b", "news"], []])
  }
}
