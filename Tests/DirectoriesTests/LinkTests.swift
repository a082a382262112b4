import Foundation
import Model
import Testing

@testable import Directories

/// Shared links and the podcasts or episodes that they are resolved to.
struct LinkTests {
  @Test(arguments: [
    (
      "https://podcasts.apple.com/us/podcast/sea-stories/id123?i=1000456",
      SharedLink.apple(id: "123", episode: "1000456", country: "us")
    ),
    ("podcasts.apple.com/de/podcast/id123", .apple(id: "123", country: "de")),
    (
      "<https://embed.podcasts.apple.com/DE/podcast/x/id123?itsct=a&i=9>",
      .apple(id: "123", episode: "9", country: "de")
    ),
    ("podcast:https://podcasts.apple.com/podcast/x/id123?i=no", .apple(id: "123")),
    ("https://pca.st/itunes/123", .apple(id: "123")),
    ("//podcasts.apple.com/podcast/x/id123", .apple(id: "123")),
    (
      "https://antennapod.org/deeplink/subscribe?url=https%3A%2F%2Fpodcasts.apple.com%2Fde%2Fpodcast%2Fx%2Fid123%3Fi%3D9",
      .apple(id: "123", episode: "9", country: "de")
    ),
    ("https://subscribeonandroid.com/podcasts.apple.com/podcast/x/id123", .apple(id: "123")),
    ("https://fyyd.de/episode/77", .fyydEpisode(id: "77")),
    ("https://podcastindex.org/podcast/920666?episode=16795090", .podcastIndex(id: "920666", episode: "16795090")),
    ("https://spotify.link/AbC", .page(.spotify, url: "https://spotify.link/AbC")),
    ("https://castbox.fm/episode/Nine-id1-id2", .page(.castbox, url: "https://castbox.fm/episode/Nine-id1-id2")),
    (
      "https://www.youtube.com/watch?v=x&list=PL0123456789ab",
      .youTube(feedURL: "https://www.youtube.com/feeds/videos.xml?playlist_id=PL0123456789ab")
    ),
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
    ("https://overcast.fm/+ABcd", .page(.overcast, url: "https://overcast.fm/+ABcd")),
    ("https://pca.st/abcd", .page(.pocketCasts, url: "https://pca.st/abcd")),
    ("https://castbox.fm/channel/Sea-id123", .page(.castbox, url: "https://castbox.fm/channel/Sea-id123")),
    (
      "https://www.youtube.com/channel/UC0123456789abcdefghijkl",
      .youTube(feedURL: "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789abcdefghijkl")
    ), ("https://youtube.com/@sea", .page(.youTube, url: "https://youtube.com/@sea")),
  ])
  func sharedLinkIsParsed(_ text: String, _ link: SharedLink) { #expect(SharedLink(text) == link) }

  @Test(arguments: [
    "https://example.org/feed.xml", "example.org", "https://podcasts.apple.com/us/genre/podcasts", "ftp://pca.st/x", "",
    "https://open.spotify.com/track/0123456789abcdefghijAB", "file:///etc/passwd", "https://pca.st/",
    "words to look for",
    "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789abcdefghijkl",
  ])
  func otherAddressesAreNoSharedLinks(_ text: String) { #expect(SharedLink(text) == nil) }

  @Test(arguments: [
    ("https://overcast.fm/+ABcd", true), ("https://overcast.fm/p1-x", false), ("https://pca.st/episode/u-1", true),
    ("https://pocketcasts.com/podcast/sea/u-1/nine/u-2", true), ("https://pocketcasts.com/podcast/sea/u-1", false),
    ("https://castbox.fm/episode/x-id1-id2", true), ("https://castbox.fm/channel/x-id1", false),
    ("https://podcasts.apple.com/us/podcast/x/id1?i=2", true), ("https://podcasts.apple.com/us/podcast/x/id1", false),
    ("https://open.spotify.com/episode/0123456789abcdefghijAB", true), ("https://fyyd.de/podcast/meer/0", false),
    ("https://fyyd.de/episode/1", true), ("https://podcastindex.org/podcast/1?episode=2", true),
    ("https://youtube.com/@sea", false),
  ])
  func linkKindIsRecognized(_ text: String, _ names: Bool) {
    #expect(SharedLink(text)?.namesEpisode == names)
  }

  private static func resolver(
    spotify: DirectoryKey? = nil, index: DirectoryKey? = nil,
    _ answers: @escaping @Sendable (DirectoryRequest) -> FakeTransport.Answer
  ) -> SharedLinkResolver {
    var settings = DirectorySettings()
    settings.spotifyCredentials = spotify
    settings.podcastIndexKey = index
    settings.names = [.apple]
    return SharedLinkResolver(settings, transport: FakeTransport(answers))
  }

  private static let seaStories =
    #"{"collectionId":123,"collectionName":"Sea Stories","artistName":"Ada","feedUrl":"https://s.example/f"}"#

  @Test func appleEpisodeLinkResolvesToTheGuid() async throws {
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
    guard case .feed(let url, let podcast?) = resolved.outcome else {
      Issue.record("the link leads to something else")
      return
    }
    #expect(url == "https://s.example/f")
    #expect(podcast.appleID == "123")
  }

  @Test func spotifyLinkIsMatchedByTitles() async throws {
    let token = String(repeating: "tok", count: 80)
    let resolver = Self.resolver(spotify: .init(id: "i", secret: "s")) { request in
      if request.url.contains("/api/token") {
        #expect(request.form == "grant_type=client_credentials")
        return .init(body: "{\"access_token\":\"\(token)\",\"token_type\":\"Bearer\",\"expires_in\":3600}")
      }
      if request.url.contains("/shows/") {
        #expect(request.secretHeaders.map(\.value) == ["Bearer \(token)"])
        return .init(body: #"{"name":"Sea Stories","publisher":"Ada","episodes":{"items":[{"name":"Nine"},null]}}"#)
      }
      return .init(
        body:
          "{\"results\":[{\"collectionName\":\"Seaside cooking\",\"feedUrl\":\"https://c.example/f\"},\(Self.seaStories)]}"
      )
    }
    let resolved = try await resolver.resolve(.spotify(kind: .show, id: "0123456789abcdefghijAB"))
    guard case .matches(let matches) = resolved.outcome else {
      Issue.record("the link leads to something else")
      return
    }
    #expect(matches.map(\.podcast.title) == ["Sea Stories"])
    #expect(matches[0].certainty > 0.99)
  }

  @Test func spotifyLinkWithoutAKeyUsesTheTitleOfItsPage() async throws {
    let resolver = Self.resolver { request in
      request.url.contains("/oembed")
        ? .init(body: #"{"title":"Only There","type":"rich"}"#) : .init(body: "{\"results\":[\(Self.seaStories)]}")
    }
    let resolved = try await resolver.resolve(.spotify(kind: .show, id: "0123456789abcdefghijAB"))
    #expect(resolved.outcome == .notListed(site: "Spotify", title: "Only There"))
  }

  @Test func pageOfAnotherPlayerResolvesByFeedAppleOrTitle() async throws {
    let page = { (html: String) in
      Self.resolver { request in
        request.url.contains("pca.st") ? .init(body: html) : .init(body: "{\"results\":[\(Self.seaStories)]}")
      }
    }
    let link = SharedLink.page(.pocketCasts, url: "https://pca.st/x")
    let feed = try await page(
      #"<link rel="alternate" type="application/rss+xml" href="https://f.example/a?b=1&amp;c=2">"#
    ).resolve(link)
    #expect(feed.outcome == .feed(url: "https://f.example/a?b=1&c=2", podcast: nil))
    let apple = try await page(
      #"<a href='https://podcasts.apple.com/us/podcast/x/id123'>Apple</a><audio src="https://m.example/9.mp3#t=5">"#
    ).resolve(link)
    guard case .feed("https://s.example/f", _) = apple.outcome else {
      Issue.record("the link leads to something else")
      return
    }
    #expect(apple.episode?.mediaURL == "https://m.example/9.mp3")
    let title = try await page(#"<meta content="Sea &quot;Stories&quot; | Pocket Casts" property="og:title">"#)
      .resolve(link)
    guard case .matches(let matches) = title.outcome else {
      Issue.record("the link leads to something else")
      return
    }
    #expect(matches.first?.podcast.feedURL == "https://s.example/f")
    await #expect(throws: DirectoryError.self) { try await page("<p>nothing").resolve(link) }
  }

  /// A link, the answers of its site, and the expected feed and episode.
  struct Case: Sendable, CustomTestStringConvertible {
    let link: String
    /// Address prefix and body of each answer. `-> URL` redirects to a page of `pages`.
    let pages: [(String, String)]
    let feed: String
    let episode: EpisodeClue?
    var testDescription: String { link }
  }

  private static let found = #"{"results":[\#(seaStories)]}"#
  private static let foundEpisode = """
    {"results":[{"wrapperType":"podcastEpisode","trackName":"Nine","collectionName":"Sea Stories",
    "feedUrl":"https://s.example/f","episodeUrl":"https://s.example/9.mp3"}]}
    """

  static let cases: [Case] = [
    Case(
      link: "https://overcast.fm/+ABcd",
      pages: [
        (
          "https://overcast.fm/",
          #"""
          <title>Nine &mdash; Sea Stories &mdash; Overcast</title><meta name="og:title" content="Nine — Sea Stories">
          <a href="/itunes123/sea-stories">Sea</a><audio><source src="https://m.example/9.mp3#t=0"></audio>
          """#
        ), ("https://itunes.apple.com/lookup", found),
      ], feed: "https://s.example/f", episode: .init(mediaURL: "https://m.example/9.mp3", title: "Nine — Sea Stories")),
    Case(
      link: "https://pca.st/abcd",
      pages: [
        ("https://pca.st/abcd", "-> https://pca.st/episode/u-1"),
        (
          "https://pca.st/episode/",
          #"<meta property="og:title" content="Nine"><link rel="alternate" type="application/rss+xml" href="https://s.example/f">"#
        ),
      ], feed: "https://s.example/f", episode: .init(title: "Nine")),
    Case(
      link: "https://pca.st/efgh",
      pages: [
        ("https://pca.st/efgh", "-> https://pocketcasts.com/podcast/sea/u-1/nine/u-2"),
        ("https://pocketcasts.com/", "<title>Nine - Sea Stories - Pocket Casts</title>"),
        ("https://itunes.apple.com/search", found),
      ], feed: "https://s.example/f", episode: .init(title: "Nine - Sea Stories - Pocket Casts")),
    Case(
      link: "https://castbox.fm/episode/Nine-id1-id2",
      pages: [
        ("https://castbox.fm/", #"<meta property="og:title" content="Nine">"#),
        ("https://itunes.apple.com/search", foundEpisode),
      ], feed: "https://s.example/f", episode: .init(title: "Nine")),
    Case(
      link: "https://fyyd.de/episode/77",
      pages: [
        (
          "https://api.fyyd.de/0.2/episode?episode_id=77",
          #"{"data":{"id":77,"podcast_id":5,"title":"Nine","guid":"g9","enclosure":"https://s.example/9.mp3"}}"#
        ),
        (
          "https://api.fyyd.de/0.2/podcast?podcast_id=5",
          #"{"data":{"title":"Sea Stories","xmlURL":"https://s.example/f"}}"#
        ),
      ], feed: "https://s.example/f",
      episode: .init(guid: "g9", mediaURL: "https://s.example/9.mp3", title: "Nine")),
    Case(
      link: "https://podcastindex.org/podcast/5?episode=77",
      pages: [
        (
          "https://api.podcastindex.org/api/1.0/episodes/byid?id=77",
          #"""
          {"status":"true","id":"77","episode":{"title":"Nine","guid":"g9","feedUrl":"https://s.example/f",
          "enclosureUrl":"https://s.example/9.mp3"}}
          """#
        ),
        (
          "https://api.podcastindex.org/api/1.0/podcasts/byfeedid?id=5",
          #"{"status":"true","feed":{"title":"Sea Stories","url":"https://s.example/f"}}"#
        ),
      ], feed: "https://s.example/f",
      episode: .init(guid: "g9", mediaURL: "https://s.example/9.mp3", title: "Nine")),
    Case(
      // The episode is older than the newest 200 that Apple lists, so its title comes from the page.
      link: "https://podcasts.apple.com/de/podcast/sea/id123?i=9",
      pages: [
        ("https://itunes.apple.com/lookup?id=123&entity=podcast&country=de", #"{"results":[]}"#),
        ("https://itunes.apple.com/lookup", found),
        ("https://podcasts.apple.com/de/podcast/id123?i=9", #"<meta property="og:title" content="Nine">"#),
      ], feed: "https://s.example/f", episode: .init(title: "Nine")),
    Case(
      link: "https://open.spotify.com/episode/0123456789abcdefghijAB",
      pages: [
        ("https://open.spotify.com/oembed", #"{"title":"Nine"}"#), ("https://itunes.apple.com/search", foundEpisode),
      ], feed: "https://s.example/f", episode: .init(title: "Nine")),
    Case(
      link: "https://spotify.link/AbC",
      pages: [
        ("https://spotify.link/", "-> https://open.spotify.com/episode/0123456789abcdefghijAB?si=x"),
        ("https://open.spotify.com/episode/", "<html>"), ("https://open.spotify.com/oembed", #"{"title":"Nine"}"#),
        ("https://itunes.apple.com/search", foundEpisode),
      ], feed: "https://s.example/f", episode: .init(title: "Nine")),
    Case(
      link: "https://www.youtube.com/@sea",
      pages: [("https://www.youtube.com/@sea", #"<script>var x={"externalId":"UC0123456789abcdefghijkl"}</script>"#)],
      feed: "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789abcdefghijkl", episode: nil),
    Case(
      link: "https://www.youtube.com/c/sea",
      pages: [
        (
          "https://www.youtube.com/c/sea",
          #"<link rel="alternate" type="application/rss+xml" href="https://www.youtube.com/feeds/videos.xml?channel_id=UCx">"#
        )
      ], feed: "https://www.youtube.com/feeds/videos.xml?channel_id=UCx", episode: nil),
  ]

  @Test(arguments: cases)
  func everyFormOfLinkIsResolved(_ form: Case) async throws {
    let resolver = Self.resolver(index: .init(id: "k", secret: "s")) { request in
      Self.answer(request.url, form.pages)
    }
    let resolved = try await resolver.resolve(try #require(SharedLink(form.link)))
    switch resolved.outcome {
    case .feed(let url, _): #expect(url == form.feed)
    // Found by title: the listener must confirm.
    case .matches(let matches): #expect(matches.first?.podcast.feedURL == form.feed)
    case .notListed: Issue.record("it was not found")
    }
    #expect(resolved.episode == form.episode)
  }

  private static func answer(_ url: String, _ pages: [(String, String)]) -> FakeTransport.Answer {
    guard let page = pages.first(where: { url.hasPrefix($0.0) }) else { return .init(status: 404, body: "") }
    guard page.1.hasPrefix("-> ") else { return .init(body: page.1) }
    let target = String(page.1.dropFirst(3))
    var answer = answer(target, pages)
    answer.finalURL = target
    return answer
  }

  /// A podcast is ranked by its best matching episode, not by the first that the directory lists.
  @Test func podcastIsRankedByItsBestEpisode() async throws {
    let entry = { @Sendable (title: String) in
      #"{"wrapperType":"podcastEpisode","trackName":"\#(title)","collectionName":"S","feedUrl":"https://s.example/f"}"#
    }
    let resolver = Self.resolver { request in
      request.url.contains("/oembed")
        ? .init(body: #"{"title":"Part 2"}"#) : .init(body: "{\"results\":[\(entry("Part 1")),\(entry("Part 2"))]}")
    }
    let resolved = try await resolver.resolve(.spotify(kind: .episode, id: "0123456789abcdefghijAB"))
    guard case .matches(let matches) = resolved.outcome else {
      Issue.record("the link leads to something else")
      return
    }
    #expect(matches.map(\.certainty) == [0.8])
  }

  /// Sites whose pages have changed: the error message.
  @Test(arguments: [
    ("https://pca.st/x", FakeTransport.Answer(status: 404, body: "<title>Sea Stories</title>"), "Pocket Casts: "),
    ("https://pca.st/x", .init(status: 500, body: ""), "Pocket Casts: "),
    ("https://overcast.fm/+x", .init(body: ""), "Overcast sent an answer that cannot be read: a page without a title"),
    ("https://castbox.fm/channel/x-id1", .init(body: "{\"not\":\"a page\"}"), "a page without a title"),
    (
      "https://www.youtube.com/@sea", .init(body: "<title>Before you continue to YouTube</title>"),
      "YouTube names no feed on this page"
    ),
    (
      "https://podcastindex.org/podcast/5", .init(body: "<title>Podcastindex.org</title>"),
      "Podcast Index names no feed on this page; with a key (podcastindex_key) it can be asked"
    ),
    (
      "https://podcasts.apple.com/us/podcast/x/id5", .init(body: #"{"results":[{"collectionName":"No feed"}]}"#),
      "Apple Podcasts has no such podcast, or names no feed for it"
    ),
    ("https://podcasts.apple.com/us/podcast/x/id5", .init(body: "<html>"), "Apple Podcasts sent an answer"),
    ("https://fyyd.de/episode/5", .init(body: #"{"data":[]}"#), "fyyd has no such episode"),
    ("https://fyyd.de/podcast/x", .init(body: #"{"data":{"title":"x","xmlURL":"ftp://x"}}"#), "fyyd has no such"),
    ("https://open.spotify.com/show/0123456789abcdefghijAB", .init(status: 404, body: ""), "Spotify: "),
    ("https://spotify.link/x", .init(body: "<title>Spotify</title>"), "Spotify names no feed on this page"),
  ])
  func changedPageIsReported(_ link: String, _ answer: FakeTransport.Answer, _ said: String) async throws {
    let resolver = Self.resolver { _ in answer }
    let link = try #require(SharedLink(link))
    do {
      let resolved = try await resolver.resolve(link)
      Issue.record("it led to \(resolved)")
    } catch {
      #expect("\(error)".contains(said), "\(error)")
    }
  }

  /// Scripts, entities and tags that are never closed do not disturb the reading of a page.
  @Test func pageIsParsedAsInABrowser() {
    let page = SharedPage(
      Data(
        #"""
        <!-- <meta property="og:title" content="Commented"> --><script>"<meta property='og:title' content='Script'>"</script>
        <title>It&#8217;s \#u{1B}[31mred</title><LINK REL=alternate TYPE="application/rss+xml" HREF=https://f.example/a>
        <a href="javascript:alert(1)/feed">x</a><a href="https://f.example/b.rss">b</a><meta
        """#.utf8))
    #expect(page.title?.hasPrefix("It’s ") == true && page.title?.contains("\u{1B}") == false)
    #expect(page.feedURLs == ["https://f.example/a", "https://f.example/b.rss"])
    let nothing = SharedPage(Data(repeating: UInt8(ascii: "<"), count: 4_000_000))
    #expect(nothing.title == nil && nothing.feedURLs.isEmpty)
  }

  @Test func similarityComparesWords() {
    #expect(WantedPodcast.similarity("The Daily", "the daily!") == 1)
    #expect(WantedPodcast.similarity("The Daily", "Weekly") == 0)
    #expect(
      WantedPodcast(title: "Sea", publisher: "Ada", episodeTitles: ["One"]).certainty(
        of: DirectoryPodcast(title: "Sea")) == 1)
  }
}
