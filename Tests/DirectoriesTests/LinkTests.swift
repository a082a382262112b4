import Foundation
import Testing

@testable import Directories

/// Links that people share, and where they lead.
struct LinkTests {
  @Test(arguments: [
    (
      "https://podcasts.apple.com/us/podcast/sea-stories/id123?i=1000456",
      SharedLink.apple(id: "123", episode: "1000456")
    ),
    ("podcasts.apple.com/de/podcast/id123", .apple(id: "123", episode: nil)),
    (
      "https://open.spotify.com/episode/0123456789abcdefghijAB?si=x",
      .spotify(kind: .episode, id: "0123456789abcdefghijAB")
    ),
    (
      "https://open.spotify.com/intl-de/show/0123456789abcdefghijAB",
      .spotify(kind: .show, id: "0123456789abcdefghijAB")
    ),
    ("spotify:show:0123456789abcdefghijAB", .spotify(kind: .show, id: "0123456789abcdefghijAB")),
    ("https://fyyd.de/podcast/meer/0", .fyyd(id: "meer")),
    ("https://podcastindex.org/podcast/920666", .podcastIndex(id: "920666")),
    ("https://overcast.fm/itunes123/sea", .apple(id: "123", episode: nil)),
    ("https://overcast.fm/+ABcd", .page(site: "Overcast", url: "https://overcast.fm/+ABcd")),
    ("https://pca.st/abcd", .page(site: "Pocket Casts", url: "https://pca.st/abcd")),
    ("https://castbox.fm/channel/Sea-id123", .page(site: "Castbox", url: "https://castbox.fm/channel/Sea-id123")),
    (
      "https://www.youtube.com/channel/UC0123456789abcdefghijkl",
      .youTube(feedURL: "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789abcdefghijkl")
    ), ("https://youtube.com/@sea", .page(site: "YouTube", url: "https://youtube.com/@sea")),
  ])
  func sharedLinksAreKnown(_ text: String, _ link: SharedLink) { #expect(SharedLink(text) == link) }

  @Test(arguments: [
    "https://example.org/feed.xml", "example.org", "https://podcasts.apple.com/us/genre/podcasts", "ftp://pca.st/x", "",
    "https://open.spotify.com/track/0123456789abcdefghijAB", "file:///etc/passwd", "https://pca.st/",
    "words to look for",
    "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789abcdefghijkl",
  ])
  func otherAddressesAreLeftAlone(_ text: String) { #expect(SharedLink(text) == nil) }

  private static func resolver(
    spotify: SpotifyDirectory.Credentials? = nil,
    _ answers: @escaping @Sendable (DirectoryRequest) -> FakeTransport.Answer
  ) -> SharedLinkResolver {
    var settings = DirectorySettings()
    settings.spotifyCredentials = spotify
    settings.names = [.apple]
    return settings.resolver(transport: FakeTransport(answers))
  }

  private static let seaStories =
    #"{"collectionId":123,"collectionName":"Sea Stories","artistName":"Ada","feedUrl":"https://s.example/f"}"#

  @Test func anAppleEpisodeLeadsToItsGuid() async throws {
    let resolver = Self.resolver { request in
      request.url.contains("entity=podcastEpisode")
        ? .init(
          body: """
            {"results":[\(Self.seaStories),{"wrapperType":"podcastEpisode","trackId":9,"trackName":"Nine","episodeGuid":"g9",
            "feedUrl":"https://s.example/f","episodeUrl":"https://s.example/9.mp3"}]}
            """)
        : .init(body: "{\"results\":[\(Self.seaStories)]}")
    }
    let resolved = try await resolver.resolve(.apple(id: "123", episode: "9"))
    #expect(resolved.episode == .init(guid: "g9", mediaURL: "https://s.example/9.mp3", title: "Nine"))
    guard case .feed(let url, let podcast?) = resolved.outcome else { return #expect(Bool(false)) }
    #expect(url == "https://s.example/f")
    #expect(podcast.appleID == "123")
  }

  @Test func aSpotifyShowIsMatchedByItsTitles() async throws {
    let resolver = Self.resolver(spotify: .init(id: "i", secret: "s")) { request in
      if request.url.contains("/api/token") {
        #expect(request.form == "grant_type=client_credentials")
        return .init(body: #"{"access_token":"tok","token_type":"Bearer","expires_in":3600}"#)
      }
      if request.url.contains("/shows/") {
        #expect(request.secretHeaders.map(\.value) == ["Bearer tok"])
        return .init(body: #"{"name":"Sea Stories","publisher":"Ada","episodes":{"items":[{"name":"Nine"},null]}}"#)
      }
      return .init(
        body:
          "{\"results\":[{\"collectionName\":\"Seaside cooking\",\"feedUrl\":\"https://c.example/f\"},\(Self.seaStories)]}"
      )
    }
    let resolved = try await resolver.resolve(.spotify(kind: .show, id: "0123456789abcdefghijAB"))
    guard case .matches(let matches) = resolved.outcome else { return #expect(Bool(false)) }
    #expect(matches.map(\.podcast.title) == ["Sea Stories"])
    #expect(matches[0].certainty > 0.99)
  }

  @Test func withoutCredentialsTheOpenTitleServesAndWhatIsNowhereElseIsSaid() async throws {
    let resolver = Self.resolver { request in
      request.url.contains("/oembed")
        ? .init(body: #"{"title":"Only There","type":"rich"}"#) : .init(body: "{\"results\":[\(Self.seaStories)]}")
    }
    let resolved = try await resolver.resolve(.spotify(kind: .show, id: "0123456789abcdefghijAB"))
    #expect(resolved.outcome == .onlyThere(site: "Spotify", title: "Only There"))
  }

  @Test func aPageOfAnotherPlayerLeadsToItsFeedOrByAppleOrByTitle() async throws {
    let page = { (html: String) in
      Self.resolver { request in
        request.url.contains("pca.st") ? .init(body: html) : .init(body: "{\"results\":[\(Self.seaStories)]}")
      }
    }
    let link = SharedLink.page(site: "Pocket Casts", url: "https://pca.st/x")
    let feed = try await page(
      #"<link rel="alternate" type="application/rss+xml" href="https://f.example/a?b=1&amp;c=2">"#
    ).resolve(link)
    #expect(feed.outcome == .feed(url: "https://f.example/a?b=1&c=2", podcast: nil))
    let apple = try await page(
      #"<a href='https://podcasts.apple.com/us/podcast/x/id123'>Apple</a><audio src="https://m.example/9.mp3#t=5">"#
    ).resolve(link)
    guard case .feed("https://s.example/f", _) = apple.outcome else { return #expect(Bool(false)) }
    #expect(apple.episode?.mediaURL == "https://m.example/9.mp3")
    let title = try await page(#"<meta content="Sea &quot;Stories&quot;" property="og:title">"#).resolve(link)
    guard case .matches(let matches) = title.outcome else { return #expect(Bool(false)) }
    #expect(matches.first?.podcast.feedURL == "https://s.example/f")
    await #expect(throws: DirectoryError.self) { try await page("<p>nothing").resolve(link) }
  }

  @Test func likenessIsOfWords() {
    #expect(WantedPodcast.likeness("The Daily", "the daily!") == 1)
    #expect(WantedPodcast.likeness("The Daily", "Weekly") == 0)
    #expect(
      WantedPodcast(title: "Sea", publisher: "Ada", episodeTitles: ["One"]).certainty(
        of: DirectoryPodcast(title: "Sea")) == 1)
  }
}
