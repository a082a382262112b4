import Foundation
import Model
import Store
import Testing

@testable import TUIApp

/// `earshot episodes --json` and `earshot list --json` have all values of the feed, and what the library knows.
@Suite(InTurn()) struct EpisodeListTests {
  private let home: TemporaryHome
  private let library: Library

  init() throws {
    home = try TemporaryHome()
    library = try Library(path: home.path + "/list.db")
  }

  private var full: FeedEpisode {
    var episode = FeedEpisode()
    (episode.title, episode.guid) = ("流動的資金盛宴 🎙️ \"quoted\"", "guid")
    (episode.mediaURL, episode.mediaType, episode.mediaBytes) = ("https://u:p@cdn.example.org/7.mp3", "audio/mpeg", 7)
    episode.contentHTML = "<p>“quoted” \\ \t\n <a href=\"https://example.org/?token=abcdefgh\">end</a></p>"
    (episode.summary, episode.subtitle) = ("short", "sub\u{2028}title \u{7}")
    (episode.updated, episode.pubDate) = (
      Date(timeIntervalSince1970: 1.6e9), Date(timeIntervalSince1970: 1_600_000_001.5)
    )
    (episode.link, episode.imageURL, episode.author) = ("https://example.org/7", "https://example.org/7.jpg", "Ben")
    (episode.duration, episode.season, episode.seasonName, episode.episodeNumber) = (61, 2, "Two", 7)
    (episode.episodeDisplay, episode.episodeType, episode.explicit, episode.block) = ("7b", "bonus", false, true)
    (episode.paymentURL, episode.categories) = ("https://example.org/pay", ["A", "B \"c\""])
    episode.enclosures = [
      Enclosure(url: "https://cdn.example.org/7.ogg", type: "audio/ogg"), Enclosure(url: "https://x"),
    ]
    episode.chaptersURL = "https://example.org/7.json"
    episode.chapters = [Chapter(start: 0, title: "Start"), Chapter(start: 60.5, end: 70, hidden: true)]
    episode.transcripts = [TranscriptLink(url: "https://example.org/7.vtt", type: "text/vtt", language: "en")]
    episode.soundbites = [Soundbite(startTime: 175, duration: 30.25, title: "S")]
    episode.persons = [
      Person(name: "Carla", role: "guest", group: "cast", href: "https://c.example/token/0123456789ab")
    ]
    episode.alternateEnclosures = [AlternateEnclosure(type: "audio/opus", bitrate: 64000, sources: [])]
    episode.funding = [Funding(url: "https://f.example", message: "Give")]
    episode.value = ValueBlock(method: "keysend", recipients: [.init(name: "n", split: 90)])
    episode.texts = [PurposeText(purpose: "p", text: "t")]
    episode.location = FeedLocation(name: "Ulm", geo: "geo:48.4,10")
    episode.license = License(name: "cc-by-4.0")
    episode.chats = [ChatRoom(server: "irc.example", kind: "irc")]
    episode.comments = [CommentThread(kind: "activitypub", url: "https://c.example/1")]
    return episode
  }

  private func plain(_ number: Int) -> FeedEpisode {
    var episode = FeedEpisode()
    episode.guid = "plain-\(number)"
    episode.subtitle = number == 1 ? "only a subtitle" : nil
    episode.summary = number == 2 ? "only a summary" : nil
    episode.mediaURL = number == 3 ? nil : "https://cdn.example.org/\(number).mp3"
    return episode
  }

  private func subscribe() throws -> PodcastID {
    var podcast = FeedPodcast()
    (podcast.title, podcast.imageURL) = ("P", "https://example.org/podcast.jpg")
    podcast.location = FeedLocation(name: "Bonn")
    podcast.license = License(name: "cc0")
    podcast.liveItems = [LiveItem(status: "live", episode: full)]
    let feed = Feed(podcast: podcast, episodes: [full] + (1...3).map(plain))
    return try library.subscribe(feed: feed, feedURL: "https://example.org/feed", now: Date())
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ value: some Encodable) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: Data(JSONFormat(isPretty: true).bytes(of: value)))
  }

  @Test func episodesHaveAllValuesOfTheirFeed() throws {
    let ids = try library.episodeIDs(EpisodeQuery(.podcast(try subscribe())))
    #expect(ids.count == 4)
    let written = try decode([FeedEpisode].self, EpisodeJSON.List(ids: ids, library: library))
    for (episode, id) in zip(written, ids) {
      let detail = try #require(try library.episode(id))
      var expected = detail.feed
      (expected.title, expected.summary) = (detail.row.title, detail.notes)
      expected.imageURL = expected.imageURL ?? "https://example.org/podcast.jpg"
      // Written in whole seconds.
      expected.pubDate = expected.pubDate.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
      #expect(episode == expected)
    }
    #expect(written[0].chats == full.chats && written[0].comments == full.comments && !full.comments.isEmpty)
  }

  @Test func episodesHaveTheValuesOfTheLibrary() throws {
    let ids = try library.episodeIDs(EpisodeQuery(.podcast(try subscribe())))
    try library.setTags(["b", "a"], of: ids[0])
    try library.setStatus(Array(ids.prefix(1)), .played, now: Date(timeIntervalSince1970: 1_700_000_000))
    let bytes = try JSONFormat(isPretty: true).bytes(of: EpisodeJSON.List(ids: ids, library: library))
    let list = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
    #expect(list[0]["id"] as? Int64 == ids[0].rawValue && list[0]["podcast"] as? String == "P")
    #expect(list[0]["status"] as? String == "played" && list[0]["tags"] as? [String] == ["a", "b"])
    #expect(list[0]["statusUpdated"] as? String == "2023-11-14T22:13:20Z" && list[0]["duration"] as? Double == 61)
    #expect(list[0]["queued"] as? Bool == false && list[0]["playbackPosition"] as? Double == 0)
    let plain = try #require(list.last)
    #expect(plain["tags"] as? [String] == [] && plain["season"] == nil && plain["persons"] == nil)
    #expect(plain["fileName"] == nil && plain["isCutOff"] == nil)
  }

  @Test func podcastsHaveAllValuesOfTheirFeed() throws {
    let detail = try #require(try library.podcastDetail(try subscribe()))
    let json = PodcastJSON(detail)
    var written = try decode(FeedPodcast.self, json)
    #expect(written.liveItems[0].episode.summary == full.contentHTML)
    written.liveItems = detail.feed.liveItems
    var expected = detail.feed
    expected.lastPubDate = expected.lastPubDate.map {
      Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down))
    }
    #expect(written == expected)
    let text = try JSONFormat().text(of: json)
    #expect(text.contains(#""source":{"type":"rss","url":"https://example.org/feed"}"#))
    #expect(text.contains(#""tags":[]"#) && text.contains(#""unplayed":4"#))
  }
}
