import Foundation
import Model
import Store
import Testing

@testable import TUIApp

/// The JSON of a list of episodes, which the library writes as bytes, equals `EpisodeJSON` of each episode.
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

  @Test(arguments: [true, false])
  func listAsBytesEqualsTheValues(showsSecrets: Bool) throws {
    var podcast = FeedPodcast()
    (podcast.title, podcast.imageURL) = ("P", "https://example.org/podcast.jpg")
    let feed = Feed(podcast: podcast, episodes: [full] + (1...3).map(plain))
    let id = try library.subscribe(feed: feed, feedURL: "https://example.org/feed", now: Date())
    let episodes = try library.episodeIDs(EpisodeQuery(.podcast(id)))
    #expect(episodes.count == 4)
    try library.setTags(["b", "a"], of: episodes[0])
    try library.setStatus(Array(episodes.prefix(1)), .played, now: Date(timeIntervalSince1970: 1_700_000_000.25))

    var option = SecretsOption.hidden
    option.secrets = showsSecrets
    let expected = try Report.encoded(library.episodes(episodes).map(EpisodeJSON.init), option)
    let written = try "[\n".utf8 + library.listJSON(of: episodes, showsSecrets: showsSecrets) + "\n]".utf8
    #expect(String(decoding: written, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
  }
}
