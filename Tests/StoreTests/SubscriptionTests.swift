import Foundation
import Model
import Testing

@testable import Store

@Suite struct SubscriptionTests {
  private let box: TemporaryLibrary

  init() throws { box = try TemporaryLibrary() }

  @Test func subscribedFeedIsListedWithItsEpisodes() throws {
    let id = try box.subscribe(Samples.episodes(1...3))
    let row = try #require(try box.library.podcasts().first)
    #expect(row.id == id)
    #expect(row.title == "A Podcast")
    #expect(row.episodes == 3 && row.unplayed == 3)
    #expect(row.lastPubDate == Samples.episode(3).pubDate)
    #expect(row.health == .good)
    #expect(try box.titles(EpisodeQuery(.podcast(id))) == ["Episode 3", "Episode 2", "Episode 1"])
  }

  /// The newest date is one of the feed, whatever the listener does with its episode.
  @Test func newestDateIsThatOfTheFeed() throws {
    let id = try box.subscribe(Samples.episodes(1...3))
    func newestDate(_ episodes: [FeedEpisode], _ now: Date) throws -> Date? {
      try box.library.apply(feed: Samples.feed(episodes), to: id, now: now)
      return try box.library.podcasts().first?.lastPubDate
    }
    try box.library.setStatus([box.episodes(id)[0]], .deleted, now: Samples.now)
    var episodes = Samples.episodes(1...3)
    episodes[2].title = "Changed"
    #expect(try newestDate(episodes, Samples.later(1)) == Samples.episode(3).pubDate)
    // The deleted episode stays stored when it has left the feed.
    #expect(try newestDate(Array(episodes.dropFirst()), Samples.later(2)) == Samples.episode(2).pubDate)
    #expect(try newestDate(episodes, Samples.later(3)) == Samples.episode(3).pubDate)
  }

  @Test(arguments: [
    "https://example.org/feed", "http://Example.ORG/feed/", "https://example.org:443/feed#top", "example.org/feed",
    "feed://example.org/feed", " https://example.org/feed ",
  ])
  func addressIsFoundInEverySpelling(url: String) throws {
    let id = try box.subscribe([])
    #expect(try box.library.podcastID(feedURL: url) == id)
    #expect(try box.library.isSubscribed(feedURL: url))
  }

  @Test(arguments: ["https://example.org/Feed", "https://example.org/feed?x", "earshot:feed", "https://example.org"])
  func anotherAddressIsAnotherPodcast(url: String) throws {
    try box.subscribe([])
    #expect(try box.library.podcastID(feedURL: url) == nil)
  }

  /// Hosts tell episodes apart by the query.
  @Test func addressWithAnotherQueryNamesNoEpisode() throws {
    var episode = Samples.episode(1)
    episode.mediaURL = "https://h.example/play.php?id=1"
    let ids = try box.episodes(try box.subscribe([episode]))
    #expect(try box.library.episodes(named: "https://h.example/play.php?id=1") == ids)
    #expect(try box.library.episodes(named: "https://h.example/play.php") == ids)
    #expect(try box.library.episodes(named: "https://h.example/play.php?id=2") == [])
  }

  /// A podcast found through Apple keeps Apple's picture, whatever its feed says later.
  @Test func sourceOfAPodcastIsKept() throws {
    var feed = Samples.feed(Samples.episodes(1...2))
    feed.podcast.imageURL = "https://example.org/own.jpg"
    func subscribe(_ picture: String) throws -> PodcastID {
      try box.library.subscribe(
        feed: feed, feedURL: "https://example.org/feed", source: .apple(collectionID: "42"), imageURLOverride: picture,
        now: Samples.now)
    }
    let id = try subscribe("https://a.example/42.jpg")
    #expect(try subscribe("https://a.example/other.jpg") == id)
    try box.library.apply(feed: feed, to: id, now: Samples.later(1))
    let detail = try #require(try box.library.podcastDetail(id))
    #expect(detail.source == .apple(collectionID: "42"))
    #expect(detail.imageURLOverride == "https://a.example/42.jpg")
    let episode = try #require(try box.library.episode(try box.episodes(id)[0]))
    #expect(episode.podcastImageURL == "https://a.example/42.jpg")
  }

  /// The listener has unsubscribed from the address of a podcast, and finds it through Apple.
  @Test func sourceOfAFormerSubscriptionIsAdded() throws {
    let id = try box.subscribe(Samples.episodes(1...2))
    func subscribe(_ number: String) throws -> PodcastDetail? {
      try box.library.subscribe(
        feed: Samples.feed(Samples.episodes(1...2)), feedURL: "https://example.org/feed",
        source: .apple(collectionID: number), imageURLOverride: "https://a.example/\(number).jpg", now: Samples.now)
      return try box.library.podcastDetail(id)
    }
    #expect(try subscribe("42")?.source == .rss(url: "https://example.org/feed"), "a subscription keeps its source")
    for number in ["43", "44"] {
      try box.library.unsubscribe(id, now: Samples.now)
      let detail = try #require(try subscribe(number))
      #expect(detail.source == .apple(collectionID: "43"))
      #expect(detail.imageURLOverride == "https://a.example/43.jpg")
    }
  }

  /// Podcasting 2.0: the people of an item replace those of its channel.
  @Test func episodeWithoutPeopleHasThoseOfItsPodcast() throws {
    var feed = Samples.feed(Samples.episodes(1...2))
    let (host, guest) = (Person(name: "Ada", role: "host"), Person(name: "Ben", role: "guest"))
    feed.podcast.persons = [host]
    feed.episodes[0].persons = [guest]
    let id = try box.library.subscribe(feed: feed, feedURL: "https://example.org/feed", now: Samples.now)
    let details = try box.library.episodes(try box.episodes(id))
    #expect(Set(details.map { $0.persons.map(\.name) }) == [["Ada"], ["Ben"]])
    #expect(details.filter(\.feed.persons.isEmpty).count == 1, "the item itself stays as it is")
  }

  @Test func podcastsAreInOrderOfTitle() throws {
    for title in ["zebra", "The Moth", "Älter", "banana", "lemon"] {
      try box.library.subscribe(
        feed: Samples.feed([], title: title), feedURL: "https://x.example/\(title)", now: Samples.now)
    }
    #expect(try box.library.podcasts().map(\.title) == ["Älter", "banana", "lemon", "The Moth", "zebra"])
  }

  @Test func feedWithoutTitleIsUntitled() throws {
    try box.library.subscribe(feed: Feed(), feedURL: "https://x.example", now: Samples.now)
    #expect(try box.library.podcasts().map(\.title) == ["Untitled"])
  }

  @Test func subscribingAgainRestoresAllData() throws {
    let id = try box.subscribe(Samples.episodes(1...3))
    let episodes = try box.episodes(id)
    try box.library.setStatus([episodes[0]], .played, now: Samples.now)
    try box.library.savePosition(episodes[1], seconds: 77, total: nil, now: Samples.now)
    try box.library.unsubscribe(id, now: Samples.now)
    #expect(try box.library.podcasts().isEmpty)
    #expect(try box.library.episodeIDs(EpisodeQuery(.new)).isEmpty)
    #expect(try box.subscribe(Samples.episodes(1...3)) == id)
    #expect(try box.episodes(id) == episodes)
    let rows = try box.library.episodeRows(episodes)
    #expect(rows.map(\.status) == [.played, .playing, .new])
    #expect(rows[1].position == 77)
  }

  @Test func fieldsOfAFeedAreReadBack() throws {
    let feed = Samples.full
    let id = try box.library.subscribe(
      feed: feed, feedURL: "https://example.org/full", source: .apple(collectionID: "42"), now: Samples.now)
    let detail = try #require(try box.library.podcastDetail(id))
    var expected = feed.podcast
    expected.feedURL = "https://example.org/full"
    expected.lastPubDate = feed.episodes[0].pubDate
    #expect(detail.feed == expected)
    #expect(detail.source == .apple(collectionID: "42"))
    let episode = try #require(try box.library.episode(box.episodes(id)[0]))
    #expect(episode.feed == feed.episodes[0])
    #expect(episode.podcastImageURL == "https://example.org/itunes.jpg")
  }

  /// The sample of the test above has a value for each field of a feed.
  @Test func sampleHasEveryField() {
    func unset(_ value: Any, _ empty: Any) -> [String] {
      zip(Mirror(reflecting: value).children, Mirror(reflecting: empty).children).compactMap { one, other in
        String(describing: one.value) == String(describing: other.value) ? one.label : nil
      }
    }
    let feed = Samples.full
    // The address is the one that was requested. An archive is never stored as a podcast.
    #expect(unset(feed.podcast, FeedPodcast()) == ["feedURL", "lastPubDate", "isArchive"])
    // Such an episode is not stored.
    #expect(unset(feed.episodes[0], FeedEpisode()) == ["isCutOff"])
  }

  /// SQL finds nothing under a key that is renamed, or whose value gets a column.
  @Test func extrasThatSQLReadsAreStored() throws {
    let ofPodcasts: Set<Extra> = [.categories, .explicit, .guid, .medium, .newFeedURL, .persons, .type]
    let ofEpisodes: Set<Extra> = [.categories, .chapters, .chaptersURL, .episodeType, .explicit, .transcripts]
    #expect(ofPodcasts.union(ofEpisodes) == Set(Extra.allCases))
    func missing(_ extras: Set<Extra>, _ text: String?) throws -> [Extra] {
      let stored = try JSONSerialization.jsonObject(with: Data(try #require(text).utf8)) as? [String: Any] ?? [:]
      return extras.filter { stored[$0.rawValue] == nil }
    }
    let feed = Samples.full
    #expect(try missing(ofPodcasts, feed.podcast.extras()) == [])
    #expect(try missing(ofEpisodes, feed.episodes[0].extras(media: nil)) == [])
  }

  /// Older versions stored some values of an episode as lists of one.
  @Test func extrasOfOlderVersionsAreRead() throws {
    let episode = try box.episodes(try box.subscribe(Samples.episodes(1...1)))[0]
    let extras = #"""
      {"updated":1600000002.0,"subtitle":"s","explicit":false,"categories":["A"],"enclosures":[{"url":"https://o"}],\#
      "chapters":[{"hidden":false,"start":5,"title":"C"}],"soundbites":[{"startTime":1.5,"duration":30.0}],\#
      "value":[{"recipients":[{"name":"n"}],"type":"lightning"}],"location":[{"name":"Ulm"}],\#
      "license":[{"name":"cc0"}],"chats":[{"kind":"irc","server":"s"}],"unknown":[1]}
      """#
    try box.library.pool.write { db in
      try db.execute(sql: "UPDATE episodeContent SET extras = ?", arguments: [extras])
    }
    let feed = try #require(try box.library.episode(episode)).feed
    #expect(feed.updated == Date(timeIntervalSince1970: 1_600_000_002) && feed.subtitle == "s")
    #expect(feed.explicit == false && feed.block == nil && feed.categories == ["A"] && feed.persons == [])
    #expect(feed.enclosures == [Enclosure(url: "https://o")])
    #expect(feed.chapters == [Chapter(start: 5, title: "C")])
    #expect(feed.soundbites == [Soundbite(startTime: 1.5, duration: 30)])
    #expect(feed.value == ValueBlock(type: "lightning", recipients: [.init(name: "n")]))
    #expect(feed.location?.name == "Ulm" && feed.license?.name == "cc0" && feed.chats.map(\.server) == ["s"])
  }

  /// A first version of the same text must give the same hash, or each refresh would store all episodes again.
  @Test func extrasHaveOneTextAndNothingThatIsAbsent() throws {
    var episode = FeedEpisode()
    (episode.title, episode.guid, episode.duration) = ("in columns", "g", 7)
    #expect(try episode.extras(media: nil) == nil)
    (episode.updated, episode.subtitle) = (Date(timeIntervalSince1970: 5), "s\u{9b}")
    (episode.explicit, episode.categories) = (false, ["A"])
    let text = #"{"updated":5.0,"subtitle":"s\u009b","explicit":false,"categories":["A"]}"#
    #expect(try episode.extras(media: nil) == text)
  }

  /// The base for an episode's notes without a page of its own: the podcast's page, or the feed's address.
  @Test func relativeAddressesHaveABase() throws {
    for (page, base) in [("https://example.org/show", "https://example.org/show"), (nil, "https://example.org/feed")] {
      var feed = Samples.full
      feed.podcast.link = page
      feed.podcast.isCutOff = false
      feed.episodes[0].link = nil
      let id = try box.library.subscribe(
        feed: feed, feedURL: "https://example.org/feed", source: .rss(url: "https://example.org/feed"), now: Samples.now
      )
      #expect(try box.library.episode(box.episodes(id)[0])?.notesBase == base)
      #expect(try box.library.podcastDetail(id)?.notesBase == base)
      try box.library.unsubscribe(id, now: Samples.now)
    }
  }

  @Test func movedFeedKeepsItsEpisodesAndDropsItsValidators() throws {
    let id = try box.subscribe(Samples.episodes(1...2))
    let info = RefreshInfo(validators: FeedValidators(etag: "\"a\"", lastModified: "then", bodyDigest: "d"))
    try box.library.store(.unchanged(id, info), now: Samples.now)
    #expect(try box.library.setFeedURL(id, "https://new.example/feed", now: Samples.now) == id)
    #expect(try box.library.podcasts().map(\.feedURL) == ["https://new.example/feed"])
    let candidate = try box.library.podcastsToRefresh([id], now: Samples.now).first
    #expect(candidate?.validators == FeedValidators(bodyDigest: "d"))
    #expect(try box.episodes(id).count == 2)
  }

  @Test func feedThatMovesToAnotherSubscriptionIsMerged() throws {
    let old = try box.subscribe(Samples.episodes(1...3), url: "https://old.example/feed")
    let episodes = try box.episodes(old)
    let new = try box.subscribe(Samples.episodes(2...4), url: "https://new.example/feed")
    let kept = try box.episodes(new)
    try box.library.setStatus([episodes[0]], .played, now: Samples.now)
    try box.library.savePosition(episodes[1], seconds: 50, total: nil, now: Samples.now)
    try box.library.enqueue([episodes[1], episodes[2]], now: Samples.now)
    let clip = try box.library.addClip(of: episodes[0], startTime: 1, endTime: 2, now: Samples.now)
    #expect(try box.library.setFeedURL(old, "http://new.example/feed/", now: Samples.later(5)) == new)
    #expect(try box.library.podcasts().map(\.id) == [new])
    #expect(try box.titles(EpisodeQuery(.podcast(new))) == ["Episode 4", "Episode 3", "Episode 2", "Episode 1"])
    let rows = try box.library.episodeRows(box.episodes(new))
    #expect(rows.map(\.status) == [.new, .played, .playing, .new])
    #expect(rows[2].position == 50)
    // A player may still hold the episode that was heard last.
    #expect(try box.library.queue() == [episodes[1], episodes[2]])
    #expect(try box.library.clip(clip)?.episode == kept[1])
    #expect(try box.library.podcasts().map(\.unplayed) == [3])
    #expect(try box.library.integrityCheck() == [])
  }

  /// A player stores positions by the id of its episode.
  @Test func mergeLeavesTheEpisodeThatPlays() throws {
    let old = try box.subscribe(Samples.episodes(1...3), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...3), url: "https://new.example/feed")
    let playing = try box.episodes(old)[1]
    try box.library.setSetting("last-played", "\(playing)")
    try box.library.savePosition(playing, seconds: 5, total: nil, now: Samples.now)
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    try box.library.savePosition(playing, seconds: 19, total: nil, now: Samples.later(19))
    #expect(try box.library.episode(playing)?.row.podcast == new)
    #expect(try box.library.episodeRows(box.episodes(new)).map(\.position) == [0, 19, 0])
    #expect(try box.library.integrityCheck() == [])
  }

  /// Whether the feed at another address is that of the podcast.
  @Test func episodesTellWhetherAFeedIsThatOfThePodcast() throws {
    func feed(_ change: (inout FeedEpisode, Int) -> Void) -> [FeedEpisode] {
      (1...8).map { number in
        var episode = Samples.episode(number)
        change(&episode, number)
        return episode
      }
    }
    // Two shows that count their guids and their titles.
    let counted = feed { $0.guid = "\($1)" }
    let podcast = try box.subscribe(counted)
    let other = feed {
      $0.guid = "\($1)"
      $0.mediaURL = "https://other.example/\($1).mp3"
      $0.pubDate = $0.pubDate?.addingTimeInterval(5_000_000)
      ($0.duration, $0.mediaBytes) = (77 + $1, 5000 + Int64($1))
    }
    #expect(try !box.library.hasEpisode(among: other, podcast))
    // A new host renames guids and files.
    let moved = feed {
      $0.guid = "https://new.example/?p=\($1)"
      $0.mediaURL = "https://new.example/\($1)/audio.mp3"
    }
    #expect(try box.library.hasEpisode(among: moved, podcast))
    #expect(try box.library.hasEpisode(among: counted.suffix(1), podcast))
    #expect(try !box.library.hasEpisode(among: [], podcast))
  }

  /// An episode is loaded before it is heard.
  @Test func loadedEpisodeStays() throws {
    let old = try box.subscribe(Samples.episodes(1...3), url: "https://old.example/feed")
    let loaded = try box.episodes(old)[1]
    try box.library.setSetting("loaded", "\(loaded)")
    let without = Samples.feed([Samples.episode(3), Samples.episode(1)])
    #expect(try box.library.apply(feed: without, to: old, now: Samples.now).removed.isEmpty)
    let new = try box.subscribe(Samples.episodes(1...3), url: "https://new.example/feed")
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    #expect(try box.library.episode(loaded)?.row.podcast == new)
  }

  /// A player has loaded one copy of the episode, and `earshot play` plays the other one.
  @Test func mergeLeavesTheCopyThatPlayedLast() throws {
    let old = try box.subscribe(Samples.episodes(1...3), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...3), url: "https://new.example/feed")
    let (loaded, played) = (try box.episodes(old)[1], try box.episodes(new)[1])
    try box.library.setSetting("loaded", "\(loaded)")
    try box.library.setSetting("last-played", "\(played)")
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    #expect(try box.library.episode(played)?.row.podcast == new)
    #expect(try box.library.setting("loaded") == "\(played)")
  }

  /// A running player has its jump list, and the place where the sleep timer was set, in memory.
  @Test(arguments: ["jumps", "sleep-mark"]) func mergeLeavesTheEpisodesOfPlaces(setting: String) throws {
    let old = try box.subscribe(Samples.episodes(1...3), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...3), url: "https://new.example/feed")
    let ids = try box.episodes(old)
    let (left, loaded) = (ids[1], try box.episodes(new)[2])
    try box.library.setSetting(setting, "\(left)@41.5 \(ids[2])@2.0")
    try box.library.setSetting("loaded", "\(loaded)")
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    #expect(try box.library.episode(left)?.row.podcast == new)
    #expect(try box.library.episode(loaded)?.row.podcast == new, "the loaded one stays in any case")
    #expect(try box.library.setting(setting) == "\(left)@41.5 \(loaded)@2.0")
  }

  /// Earlier steps of the undo log and stored places name the episodes that stay.
  @Test func undoAfterAMergeLosesNothing() throws {
    let library = box.library
    let old = try box.subscribe(Samples.episodes(1...3), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...3), url: "https://new.example/feed")
    let ids = try box.episodes(old)
    let stay = try box.episodes(new)
    let clip = try library.addClip(of: ids[2], startTime: 1, endTime: 2, now: Samples.now)
    let playlist = try library.addPlaylist(title: "P", now: Samples.now)
    try library.addToPlaylist(playlist, [.episode(ids[0]), .episode(ids[1])], now: Samples.now)
    try library.enqueue([ids[0], stay[1], ids[2]], now: Samples.now)
    try library.setTags(["later"], of: ids[0], now: Samples.now)
    try library.setTags([], of: ids[0], now: Samples.now)
    try library.deleteClip(clip, now: Samples.now)
    try library.deletePlaylist(playlist, now: Samples.now)
    try library.setStatus([ids[1]], .played, now: Samples.now)
    try library.clearQueue(now: Samples.now)
    try library.setSetting("jumps", "\(ids[1])@41.5 \(stay[1])@2.0")
    #expect(try library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5)) == new)
    #expect(try library.setting("jumps") == "\(stay[1])@41.5 \(stay[1])@2.0")
    func undo() throws { #expect(try library.undo(now: Samples.later(6)) != nil) }
    try undo()
    #expect(try library.queue() == stay)
    try undo()
    #expect(try library.episodeRows(stay).map(\.status) == [.new, .new, .new])
    try undo()
    #expect(try library.playlist(playlist)?.items == [.episode(stay[0]), .episode(stay[1])])
    try undo()
    #expect(try library.clip(clip)?.episode == stay[2])
    try undo()
    #expect(try library.episode(stay[0])?.tags == ["later"])
    #expect(try library.integrityCheck() == [])
  }

  /// The steps of the podcast that is gone must not take what the other one had before.
  @Test func undoAfterAMergeSparesTheOtherPodcast() throws {
    let library = box.library
    let stays = try box.subscribe(Samples.episodes(1...2), url: "https://new.example/feed")
    let id = try box.episodes(stays)[0]
    try library.setTags(["news"], of: stays, now: Samples.now)
    try library.setTags(["great"], of: id, now: Samples.now)
    try library.change(.keepDownloads(5), of: stays, now: Samples.now)
    try library.setStatus([id], .played, now: Samples.now)
    let old = try box.subscribe(Samples.episodes(1...2), url: "https://old.example/feed")
    let copy = try box.episodes(old)[0]
    try library.setTags(["daily"], of: old, now: Samples.later(1))
    try library.setTags(["loud"], of: copy, now: Samples.later(2))
    try library.change(.keepDownloads(9), of: old, now: Samples.later(3))
    try library.setStatus([copy], .played, now: Samples.later(4))
    try library.write { db in
      try db.execute(sql: "INSERT INTO undo (label, step, timestamp) VALUES ('newer', '{\"future\":{}}', 1)")
    }
    #expect(try library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5)) == stays)
    try library.write { db in try db.execute(sql: "DELETE FROM undo WHERE label = 'newer'") }
    for _ in 1...4 { #expect(try library.undo(now: Samples.later(6)) != nil) }
    // The next step is the listener's own.
    #expect(try library.undoEntries(limit: 9).map(\.label).first?.hasPrefix("Mark as played") == true)
    #expect(try library.episode(id)?.row.status == .played && library.episode(id)?.tags == ["great"])
    #expect(try library.podcastDetail(stays)?.row.tags == ["news"])
    #expect(try library.podcastSettings()[stays]?.keepDownloads == 5)
    #expect(try library.podcasts().map(\.id) == [stays])
    #expect(try library.integrityCheck() == [])
  }

  /// The one that the listener meant to hear first.
  @Test func mergeKeepsTheEarlierTurnInTheQueue() throws {
    let old = try box.subscribe(Samples.episodes(1...3), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...3), url: "https://new.example/feed")
    let (ids, stay) = (try box.episodes(old), try box.episodes(new))
    try box.library.enqueue([ids[2], stay[0], stay[1], stay[2]], now: Samples.now)
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    #expect(try box.library.queue() == [stay[2], stay[0], stay[1]])
  }

  @Test(arguments: [false, true]) func mergeKeepsTheCompleteDownload(isOldComplete: Bool) throws {
    let old = try box.subscribe(Samples.episodes(1...1), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...1), url: "https://new.example/feed")
    for (podcast, isComplete) in [(old, isOldComplete), (new, !isOldComplete)] {
      let episode = try box.episodes(podcast)[0]
      let name = isComplete ? "whole.mp3" : "part.mp3"
      try box.library.saveDownload(
        Download(episode: episode, fileName: name, downloadComplete: isComplete), now: Samples.now)
    }
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    #expect(try box.library.download(box.episodes(new)[0])?.fileName == "whole.mp3")
  }

  /// Whatever it is that the listener did with the copy that goes.
  @Test func mergeKeepsWhatTheListenerDid() throws {
    let old = try box.subscribe(Samples.episodes(1...1), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...1), url: "https://new.example/feed")
    let stays = try box.episodes(new)[0]
    try box.library.setSetting("last-played", "\(stays)")
    let columns = EpisodeTouched.columns.map { $0.name }
    try box.library.write { db in
      let values = columns.map { "\($0) = 3" }.joined(separator: ", ")
      try db.execute(sql: "UPDATE episode SET \(values) WHERE podcastID = ?", arguments: [old.rawValue])
    }
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    for column in columns { #expect(try box.value(Double.self, "SELECT \(column) FROM episode") == 3, "\(column)") }
  }

  /// A position that was set later is no listening.
  @Test(arguments: [false, true]) func mergeKeepsWhenTheEpisodeWasHeard(isOldHeard: Bool) throws {
    let old = try box.subscribe(Samples.episodes(1...1), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...1), url: "https://new.example/feed")
    let (id, stays) = (try box.episodes(old)[0], try box.episodes(new)[0])
    try box.library.setSetting("last-played", "\(stays)")
    try box.library.savePosition(isOldHeard ? id : stays, seconds: 50, total: nil, now: Samples.now)
    try box.library.setPosition(isOldHeard ? stays : id, seconds: 70, now: Samples.later(1))
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    let row = try #require(try box.library.episodeRows([stays]).first)
    #expect(row.position == 70 && row.heardAt == Samples.now)
  }

  /// It is on the New screen, also if the other podcast has it as back catalogue.
  @Test func mergeKeepsAMarkAsNew() throws {
    let old = try box.subscribe(Samples.episodes(1...1), url: "https://old.example/feed")
    let new = try box.subscribe(Samples.episodes(1...1), url: "https://new.example/feed")
    let (id, stays) = (try box.episodes(old)[0], try box.episodes(new)[0])
    try box.library.setCatalogueRule(.none, of: new)
    try box.library.setStatus([id], .played, now: Samples.now)
    try box.library.setStatus([id], .new, now: Samples.later(1))
    #expect(try box.library.newEpisodes(among: [id, stays]) == [id])
    try box.library.setFeedURL(old, "https://new.example/feed", now: Samples.later(5))
    #expect(try box.library.newEpisodes(among: [stays]) == [stays])
  }

  /// A host that closes redirects all feeds to one, and a feed can name the address of any other.
  @Test func anotherPodcastAtTheNewAddressIsNotMerged() throws {
    let one = try box.subscribe(Samples.episodes(1...5), url: "https://one.example/feed")
    let other = try box.subscribe(Samples.episodes(11...15), url: "https://other.example/feed")
    #expect(try box.library.setFeedURL(one, "https://other.example/feed", now: Samples.now) == nil)
    #expect(
      try box.library.podcasts().map(\.feedURL).sorted() == ["https://one.example/feed", "https://other.example/feed"])
    // The notice is in both, but it is not most of them.
    for podcast in [one, other] {
      let feed = try box.library.prepare(Samples.feed(Samples.episodes(20...20)), of: podcast)
      _ = box.library.store([.feed(podcast, feed)], now: Samples.now)
    }
    #expect(try box.library.setFeedURL(one, "https://other.example/feed", now: Samples.now) == nil)
    #expect(try box.episodes(one).count == 6 && box.episodes(other).count == 6)
  }

  @Test func podcastsWithOneGuidAreMerged() throws {
    let ids = try ["one", "other"].enumerated().map { index, name in
      var feed = Samples.feed(Samples.episodes(index * 10 + 1...index * 10 + 3))
      feed.podcast.guid = "abc-1"
      return try box.library.subscribe(feed: feed, feedURL: "https://\(name).example/feed", now: Samples.now)
    }
    #expect(try box.library.setFeedURL(ids[0], "https://other.example/feed", now: Samples.now) == ids[1])
    #expect(try box.episodes(ids[1]).count == 6)
  }

  /// One of several servers still has yesterday's document.
  @Test func anOldCopyRemovesNothing() throws {
    func feed(_ numbers: ClosedRange<Int>, built: Double?) -> Feed {
      var feed = Samples.feed(Samples.episodes(numbers))
      feed.podcast.lastBuildDate = built.map { Samples.now.addingTimeInterval($0) }
      return feed
    }
    func apply(_ feed: Feed) throws -> ApplyResult {
      let prepared = try box.library.prepare(feed, of: podcast)
      return try box.library.store([.feed(podcast, prepared)], now: Samples.now)[0].get()
    }
    let podcast = try box.library.subscribe(
      feed: feed(1...4, built: -60), feedURL: "https://a.example/feed", now: Samples.now)
    for _ in 0..<2 {
      #expect(try apply(feed(1...3, built: -3600)).removed == [])
      #expect(try box.episodes(podcast).count == 4)
    }
    #expect(try apply(feed(1...4, built: -60)).new == [])
    // A newer document without the episode: it was withdrawn.
    #expect(try apply(feed(1...3, built: -30)).removed == ["Episode 4"])
    // A date in the future proves nothing, nor does a document without one.
    _ = try apply(feed(1...4, built: 1e9))
    #expect(try apply(feed(1...3, built: -30)).removed == ["Episode 4"])
    _ = try apply(feed(1...4, built: -20))
    #expect(try apply(feed(1...3, built: nil)).removed == ["Episode 4"])
  }

  @Test func goneAndPausedFeedsAreNotRefreshed() throws {
    let (dead, waiting, well) = (
      try box.subscribe([], url: "https://a.example"), try box.subscribe([], url: "https://b.example"),
      try box.subscribe([], url: "https://c.example")
    )
    try box.subscribe([], url: "earshot:welcome")
    try box.library.store(.failed(dead, .gone, RefreshInfo()), now: Samples.now)
    let pause = RefreshInfo(notBefore: Samples.later(60), pause: .feed)
    try box.library.store(.failed(waiting, .failed(connectivity: true, message: "429"), pause), now: Samples.now)
    #expect(try box.library.podcastsToRefresh(now: Samples.later(59)).map(\.id) == [well])
    let candidates = try box.library.podcastsToRefresh(now: Samples.later(60))
    #expect(Set(candidates.map(\.id)) == [well, waiting])
    #expect(candidates.first { $0.id == waiting }?.failures == 1)
  }

  @Test func failureChangesOnlyTheHealth() throws {
    let id = try box.subscribe(Samples.episodes(1...3))
    let validators = FeedValidators(etag: "e", lastModified: "l", bodyDigest: "d")
    try box.library.store(.unchanged(id, RefreshInfo(validators: validators)), now: Samples.now)
    let health = FeedHealth.failed(connectivity: false, message: "This is a web page.")
    try box.library.store(.failed(id, health, RefreshInfo(validators: FeedValidators())), now: Samples.now)
    let row = try #require(try box.library.podcasts().first)
    #expect(row.health == health && row.episodes == 3 && row.title == "A Podcast")
    #expect(try box.library.podcastsToRefresh([id], now: Samples.now).first?.validators == validators)
  }
}
