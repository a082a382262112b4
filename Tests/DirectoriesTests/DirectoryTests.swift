import Foundation
import Model
import Testing

@testable import Directories

/// The requests that each directory gets, and how its answers are parsed.
struct DirectoryTests {
  private static let applePodcasts = """
    {"resultCount":4,"results":[
     {"wrapperType":"track","kind":"podcast","collectionId":77,"artistName":"Ada \\u001b[31mRed","collectionName":"Sea  Stories",
      "feedUrl":"https://example.org/sea.xml","artworkUrl100":"https://img.example/100.jpg",
      "artworkUrl600":"https://img.example/600.jpg","trackCount":12,"releaseDate":"2026-05-01T10:00:00Z",
      "genres":["Fiction","Podcasts"],"collectionExplicitness":"notExplicit"},
     {"wrapperType":"track","kind":"podcast","collectionId":78,"collectionName":"No feed"},
     {"kind":"song","collectionName":"Sea Shanty","feedUrl":"https://example.org/song.xml"},
     {"kind":"podcast","collectionName":{"not":"a text"},"feedUrl":["no"]}]}
    """

  @Test func appleSearchReadsPodcastsAndCountsThoseWithoutAFeed() async throws {
    let transport = FakeTransport(Self.applePodcasts)
    let answer = try await AppleDirectory(transport: transport).find(
      DirectoryQuery("sea & süß", country: "DE", limit: 7))
    #expect(
      transport.requests.map(\.url) == [
        "https://itunes.apple.com/search?media=podcast&entity=podcast&term=sea%20%26%20s%C3%BC%C3%9F&country=DE&limit=7"
      ])
    let podcast = try #require(answer.podcasts.first)
    #expect(answer.podcasts.count == 1)
    #expect(answer.skipped == 3)
    #expect(podcast.title == "Sea Stories")
    #expect(podcast.author?.contains("\u{1B}") == false)
    #expect(podcast.feedURL == "https://example.org/sea.xml")
    #expect(podcast.appleID == "77")
    #expect(podcast.appleImageURL == "https://img.example/600.jpg")
    #expect(podcast.genres == ["Fiction"])
    #expect(podcast.isExplicit == false)
    #expect(podcast.episodeCount == 12)
    #expect(podcast.newest == Date(timeIntervalSince1970: 1_777_629_600))
  }

  @Test func appleChartsAreCompletedByALookUpAndKeepTheirOrder() async throws {
    let transport = FakeTransport { request in
      if request.url.contains("/rss/") {
        return .init(
          body:
            #"{"feed":{"entry":[{"id":{"attributes":{"im:id":"2"}}},{"id":{"attributes":{"im:id":"1"}}},{"id":{}}]}}"#)
      }
      return .init(
        body: """
          {"results":[{"collectionId":1,"collectionName":"One","feedUrl":"https://a.example/1"},
           {"collectionId":2,"collectionName":"Two","feedUrl":"https://a.example/2"}]}
          """)
    }
    let genre = try #require(Genre(named: "tech"))
    let answer = try await AppleDirectory(transport: transport).find(
      DirectoryQuery(kind: .top(genre: genre), country: "GB", limit: 25))
    #expect(answer.podcasts.map(\.title) == ["Two", "One"])
    #expect(answer.skipped == 1)
    #expect(
      transport.requests.map(\.url) == [
        "https://itunes.apple.com/gb/rss/toppodcasts/limit=25/genre=1318/explicit=true/json",
        "https://itunes.apple.com/lookup?id=2%2C1&entity=podcast&country=GB",
      ])
  }

  @Test(arguments: [
    (200, "<html>login</html>", DirectoryError.Reason.unreadable("a web page")), (200, "", .unreadable("not JSON")),
    (200, "[1]", .unreadable("no results")), (200, #"{"results":7}"#, .unreadable("no results")),
    (403, "", .rateLimited()), (429, "", .rateLimited()), (500, "", .fetch(.refused(status: 500))),
  ])
  func appleFaultsAreNamed(_ status: Int, _ body: String, _ reason: DirectoryError.Reason) async {
    let directory = AppleDirectory(transport: FakeTransport(body, status: status))
    await #expect(throws: DirectoryError("Apple Podcasts", reason)) { try await directory.find(DirectoryQuery("x")) }
  }

  @Test func gpodderServerThatWantsAPasswordSaysWhereToPutIt() async {
    let directory = GpodderDirectory(transport: FakeTransport("", status: 401))
    let error = await #expect(throws: DirectoryError.self) { try await directory.find(DirectoryQuery("x")) }
    #expect(error?.description.contains("gpodder_url") == true)
  }

  /// One damaged title must not cost the other results.
  @Test(
    arguments: [
      (#"lone \ud800 half"#, "lone \u{FFFD} half"), (#"low \udc00"#, "low \u{FFFD}"),
      (#"\\ud800 \ud83c\udf19 \ud83c"#, "\\ud800 🌙 \u{FFFD}"),
      ("tab\there", "tab here"), (#"cut \u12"#, nil),
    ] as [(String, String?)])
  func damagedCharactersAreReplaced(_ title: String, _ read: String?) async throws {
    let body = #"{"results":[{"collectionName":"\#(title)","feedUrl":"https://a.example/","trackCount":-1},{}]}"#
    let answer = try? await AppleDirectory(transport: FakeTransport(body)).find(DirectoryQuery("x"))
    #expect(answer?.podcasts.map(\.title) == read.map { [$0] })
    #expect(answer?.podcasts.first?.episodeCount == nil)
  }

  @Test func bytesThatAreNotUTF8AreReplaced() throws {
    let json = try #require(JSONValue(Data([UInt8](#"["K"#.utf8) + [0xE4] + [UInt8](#"se"]"#.utf8))))
    #expect(json.array?.first?.line == "K\u{FFFD}se")
  }

  @Test func pauseOfADirectoryIsNamed() {
    let until = Date(timeIntervalSince1970: 1_790_000_000)
    #expect(
      DirectoryError("fyyd", .rateLimited(until: until)).description
        == "fyyd accepts no more requests until \(MinuteText.text(until))")
    #expect(DirectoryError("fyyd", .rateLimited()).description == "fyyd accepts no more requests for a while")
  }

  @Test func appleEpisodesAreReadWithGenresOfAnotherShape() async throws {
    let transport = FakeTransport(
      """
      {"results":[{"wrapperType":"podcastEpisode","kind":"podcast-episode","trackId":5,"episodeGuid":"g5","trackName":"Five",
      "collectionName":"Sea Stories","feedUrl":"https://example.org/sea.xml","episodeUrl":"https://example.org/5.mp3",
      "trackTimeMillis":61500,"releaseDate":"2026-05-01T10:00:00Z","genres":[{"name":"Fiction","id":"1483"}]}]}
      """)
    let answer = try await AppleDirectory(transport: transport).find(DirectoryQuery("five", kind: .episodes))
    let episode = try #require(answer.episodes.first)
    #expect(episode.guid == "g5")
    #expect(episode.duration == 61.5)
    #expect(episode.mediaURL == "https://example.org/5.mp3")
  }

  @Test func podcastIndexSignsEachRequest() async throws {
    // The test vector of Podcast Index's documentation.
    let key = DirectoryKey(id: "UXKCGDSYGUUEVQJSYDZH", secret: "yzJe2eE7XV-3eY576dyRZ6wXyAbndh6LUrCZ8KN|")
    let transport = FakeTransport(
      """
      {"status":"true","feeds":[{"id":1,"podcastGuid":"g-1","title":"Sea Stories","url":"https://example.org/sea.xml",
      "author":"","ownerName":"Ada","itunesId":null,"explicit":false,"dead":0,"episodeCount":3,"medium":"podcast",
      "categories":{"104":"Tv","2":"Arts"},"newestItemPubdate":1742752110,"unheardOf":{"a":[]}},{"title":"No address"}],"count":2}
      """)
    let directory = PodcastIndexDirectory(
      key: key, transport: transport, clock: { Date(timeIntervalSince1970: 1_613_713_388) })
    let answer = try await directory.find(DirectoryQuery("sea", limit: 5))
    let request = try #require(transport.requests.first)
    #expect(request.url == "https://api.podcastindex.org/api/1.0/search/byterm?q=sea&max=5")
    #expect(
      request.secretHeaders.map { "\($0.name): \($0.value)" } == [
        "X-Auth-Key: UXKCGDSYGUUEVQJSYDZH", "X-Auth-Date: 1613713388",
        "Authorization: 73a1fffed61c1d30d858beb1fc48f355386449d2",
      ])
    #expect(answer.skipped == 1)
    #expect(answer.podcasts[0].author == "Ada")
    #expect(answer.podcasts[0].genres == ["Tv", "Arts"])
    #expect(answer.podcasts[0].isDead == false)
  }

  @Test func podcastIndexReportsARefusedKey() async {
    let directory = PodcastIndexDirectory(
      key: .init(id: "k", secret: "s"), transport: FakeTransport(#""Authorization header required""#, status: 401))
    await #expect(throws: DirectoryError.self) { try await directory.find(DirectoryQuery("x")) }
    do { _ = try await directory.find(DirectoryQuery("x")) } catch {
      #expect("\(error)".contains("refuses the key"))
    }
  }

  @Test func peopleAreFoundWithTheirEpisodes() async throws {
    let transport = FakeTransport(
      """
      {"status":"true","items":[{"title":"With Ada","feedTitle":"Sea Stories","feedUrl":"https://example.org/sea.xml",
      "guid":"g","enclosureUrl":"https://example.org/a.mp3","duration":0,"datePublished":1700000000,
      "persons":[{"name":"Ada"},{"role":"x"}]}]}
      """)
    let directory = PodcastIndexDirectory(key: .init(id: "k", secret: "s"), transport: transport)
    let episode = try #require(try await directory.find(DirectoryQuery("ada", kind: .people)).episodes.first)
    #expect(episode.persons == ["Ada"])
    #expect(episode.duration == nil)
  }

  @Test func fyydAndGpodderAreRead() async throws {
    let fyyd = FyydDirectory(
      transport: FakeTransport(
        #"{"status":1,"data":[{"title":"Meer","xmlURL":"http://a.example/f","author":"Ada"},{"title":"x"}]}"#))
    let found = try await fyyd.find(DirectoryQuery("meer"))
    #expect(found.podcasts.map(\.feedURL) == ["http://a.example/f"])
    #expect(found.skipped == 1)
    let gpodder = GpodderDirectory(
      transport: FakeTransport(
        #"[{"url":"http://a.example/f","title":"Meer","author":null,"subscribers":3,"logo_url":null}]"#))
    #expect(try await gpodder.find(DirectoryQuery("meer")).podcasts.map(\.title) == ["Meer"])
    let broken = GpodderDirectory(transport: FakeTransport("{}"))
    await #expect(throws: DirectoryError("gpodder", .unreadable("no list"))) {
      try await broken.find(DirectoryQuery("x"))
    }
  }

  @Test func directoryWithoutItsKeyIsNotAsked() {
    var settings = DirectorySettings()
    let transport = FakeTransport("")
    #expect(settings.directories(transport: transport).map(\.name) == [.apple, .fyyd, .gpodder])
    settings.podcastIndexKey = .init(id: "k", secret: "s")
    #expect(
      settings.directories([.podcastindex, .apple], transport: transport).map(\.name) == [.podcastindex, .apple])
  }

  @Test(arguments: [("de_AT.UTF-8", "AT"), ("en_GB", "GB"), ("C.UTF-8", nil), ("POSIX", nil), (nil, nil)])
  func countryComesFromTheLocale(_ locale: String?, _ country: String?) {
    #expect(DirectorySettings.country(ofLocale: locale) == country)
  }

  @Test func genresAreFoundByTheirBeginning() {
    #expect(Genre(named: "TRUE")?.id == 1488)
    #expect(Genre(named: "s") == nil)
    #expect(Genre(named: "") == nil)
  }
}
