import Foundation
import Model

extension Samples {
  /// A feed with every field set.
  static var full: Feed {
    var podcast = FeedPodcast()
    podcast.title = "All \"of\" it"
    podcast.summary = "<p>Summary\u{1}\n\\</p>"
    podcast.link = "https://example.org"
    podcast.imageURL = "https://example.org/image.jpg"
    podcast.itunesImageURL = "https://example.org/itunes.jpg"
    podcast.iTunesAuthor = "An author"
    podcast.lastBuildDate = Date(timeIntervalSince1970: 1_600_000_001)
    podcast.type = "serial"
    podcast.language = "de"
    podcast.copyright = "©"
    podcast.generator = "g"
    podcast.explicit = true
    podcast.block = false
    podcast.locked = true
    podcast.newFeedURL = "https://example.org/new"
    podcast.nextPageURL = "https://example.org/2"
    podcast.firstPageURL = "https://example.org/1"
    podcast.previousArchiveURL = "https://example.org/0"
    podcast.isComplete = true
    podcast.paymentURL = "https://example.org/pay"
    podcast.ownerName = "Owner"
    podcast.ownerEmail = "owner@example.org"
    podcast.guid = "917393e3-1b1e-5cef-ace4-edaa54e1f810"
    podcast.medium = "podcast"
    podcast.categories = ["News", "Arts"]
    podcast.keywords = ["k"]
    podcast.funding = [Funding(url: "https://f.example", message: "Give")]
    podcast.persons = [Person(name: "Anna", role: "host")]
    podcast.podroll = [RemoteItem(feedGuid: "g")]
    podcast.listed = [RemoteItem(feedGuid: "l", itemGuid: "i")]
    podcast.liveItems = [
      LiveItem(status: "live", start: now, contentLinks: ["https://l.example"], episode: episodeWithAll)
    ]
    podcast.trailers = [Trailer(title: "T", url: "https://t.example", pubDate: now, bytes: 3)]
    podcast.usesPodping = true
    podcast.updateFrequency = UpdateFrequency(text: "weekly", rule: "FREQ=WEEKLY")
    podcast.timeToLive = 90
    podcast.updatePeriod = "daily"
    podcast.updatesPerPeriod = 12
    podcast.value = ValueBlock(type: "lightning", recipients: [.init(name: "n", split: 90)])
    podcast.texts = [PurposeText(purpose: "verify", text: "abc")]
    podcast.location = FeedLocation(name: "Bonn", geo: "geo:50.7,7.1", osm: "R1")
    podcast.license = License(name: "cc-by-4.0", url: "https://license.example")
    podcast.chats = [ChatRoom(server: "irc.example", kind: "irc", account: "a", space: "#s")]
    podcast.publisher = RemoteItem(feedGuid: "p", feedURL: "https://p.example/feed")
    podcast.damaged = true
    podcast.isCutOff = true
    return Feed(podcast: podcast, episodes: [episodeWithAll])
  }

  private static var episodeWithAll: FeedEpisode {
    var episode = episode(7)
    episode.title = "流動的資金盛宴 🎙️"
    episode.contentHTML = "<p>“quoted” \\ \t\n end</p>"
    episode.updated = Date(timeIntervalSince1970: 1_600_000_002)
    episode.link = "https://example.org/7"
    episode.imageURL = "https://example.org/7.jpg"
    episode.subtitle = "sub\u{2028}title \u{7}"
    episode.author = "Ben"
    episode.season = 2
    episode.seasonName = "Two"
    episode.episodeNumber = 7
    episode.episodeDisplay = "7b"
    episode.episodeType = "bonus"
    episode.explicit = false
    episode.block = true
    episode.paymentURL = "https://example.org/pay7"
    episode.categories = ["A", "B \"c\""]
    episode.enclosures.append(Enclosure(url: "https://cdn.example.org/7.ogg", type: "audio/ogg"))
    episode.chaptersURL = "https://example.org/7.json"
    episode.chapters = [Chapter(start: 0, title: "Start"), Chapter(start: 60.5, end: 70, hidden: true)]
    episode.transcripts = [TranscriptLink(url: "https://example.org/7.vtt", type: "text/vtt", language: "en")]
    episode.soundbites = [Soundbite(startTime: 1.5, duration: 30, title: "S")]
    episode.persons = [Person(name: "Carla", role: "guest", group: "cast", href: "https://c.example", img: "https://i")]
    episode.alternateEnclosures = [AlternateEnclosure(type: "audio/opus", bitrate: 64000, sources: ["https://o"])]
    episode.funding = [Funding(url: "https://f7.example")]
    episode.value = ValueBlock(method: "keysend")
    episode.texts = [PurposeText(text: "t")]
    episode.location = FeedLocation(name: "Ulm")
    episode.license = License(name: "My license")
    episode.chats = [ChatRoom(server: "matrix.example", kind: "matrix")]
    episode.comments = [CommentThread(kind: "activitypub", url: "https://c.example/1", account: "@a", priority: 1)]
    return episode
  }
}
