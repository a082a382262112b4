import Foundation
import Model
import Testing

@testable import FeedKit

@Suite struct FeedFormatTests {
  @Test func tagsOfAChannel() throws {
    let feed = try FeedReader.read(FeedSample.fixture("everything.xml"), feedURL: "https://elsewhere.example/x")
    let podcast = feed.podcast
    #expect(podcast.feedURL == "https://elsewhere.example/x")
    #expect(podcast.title == "The Harbour & the Night")
    #expect(podcast.link == "https://show.example/")
    #expect(podcast.summary == "Ships, told by those who load them.")
    #expect(podcast.imageURL == "https://show.example/feed/cover-small.png")
    #expect(podcast.itunesImageURL == "https://show.example/feed/cover.jpg")
    #expect(podcast.iTunesAuthor == "Ada Quay")
    #expect(podcast.type == "serial")
    #expect(podcast.language == "en")
    #expect(podcast.lastBuildDate == FeedSample.date("2025-02-01T06:30:00Z"))
    #expect(podcast.lastPubDate == FeedSample.date("2025-02-01T06:00:00Z"))
    #expect(podcast.explicit == false)
    #expect(podcast.block == false)
    #expect(podcast.locked == true)
    #expect(podcast.ownerName == "Harbour Radio")
    #expect(podcast.ownerEmail == "desk@show.example")
    #expect(podcast.categories == ["Society & Culture", "Documentary"])
    #expect(podcast.keywords == ["ships", "night", "cranes"])
    #expect(podcast.newFeedURL == "https://new.example/feed")
    #expect(podcast.nextPageURL == "https://show.example/feed/?page=2")
    #expect(podcast.firstPageURL == "https://show.example/feed/?page=1")
    #expect(podcast.previousArchiveURL == "https://show.example/feed/old.xml")
    #expect(podcast.isComplete && !podcast.isArchive)
    #expect(podcast.paymentURL == "https://pay.example/harbour")
    #expect(podcast.guid == "917393e3-1b1e-5cef-ace4-edaa54e1f810")
    #expect(podcast.funding == [Funding(url: "https://pay.example/club", message: "Join the crew")])
    #expect(podcast.persons.map(\.img) == ["https://show.example/feed/ada.jpg"])
    #expect(podcast.trailers.map(\.bytes) == [123_456])
    #expect(podcast.updateFrequency?.rule == "FREQ=WEEKLY")
    #expect(podcast.updateFrequency?.complete == true)
    #expect(podcast.usesPodping)
    #expect(podcast.timeToLive == 120 && podcast.updatePeriod == "daily" && podcast.updatesPerPeriod == 4)
    #expect(podcast.minimumRefreshInterval == 21_600)
    #expect(podcast.texts == [PurposeText(purpose: "verify", text: "42")])
    #expect(podcast.podroll.map(\.feedURL) == ["https://other.example/feed"])
    #expect(podcast.value?.recipients.map(\.split) == [95, 5])
    #expect(!podcast.damaged)
  }

  @Test func tagsOfAnItem() throws {
    let feed = try FeedReader.read(FeedSample.fixture("everything.xml"))
    #expect(feed.episodes.count == 2)
    let episode = try #require(feed.episodes.first)
    #expect(episode.title == "2: The Crane")
    #expect(episode.link == "https://show.example/feed/episodes/2")
    #expect(episode.guid == "harbour-2")
    #expect(episode.summary == "Plain words.")
    #expect(episode.contentHTML == "<p>The <b>full</b> notes &amp; links.</p>")
    #expect(episode.subtitle == "Up and down")
    #expect(episode.author == "Ben Bollard")
    #expect(episode.duration == 3723)
    #expect(episode.explicit == true)
    #expect(episode.season == 2)
    #expect(episode.seasonName == "Winter")
    #expect(episode.episodeNumber == 2)
    #expect(episode.episodeDisplay == "Two")
    #expect(episode.episodeType == "full")
    #expect(episode.imageURL == "https://show.example/feed/crane.jpg")
    #expect(episode.mediaURL == "https://show.example/feed/audio/2.mp3?a=1&b=2")
    #expect(episode.mediaType == "audio/mpeg")
    #expect(episode.mediaBytes == 31_416_000)
    #expect(episode.enclosures.map(\.type) == ["image/jpeg", "audio/mpeg", "video/mp4"])
    #expect(episode.transcripts.map(\.language) == ["en", nil])
    #expect(episode.chaptersURL == "https://show.example/feed/2.chapters.json")
    #expect(episode.chapters.map(\.start) == [0, 600.5])
    #expect(episode.chapters.last?.image == "https://show.example/feed/c.png")
    #expect(episode.soundbites == [Soundbite(startTime: 73.5, duration: 60, title: "The hook")])
    #expect(episode.persons == [Person(name: "Cy Capstan", role: "guest", href: "https://cy.example/")])
    #expect(episode.alternateEnclosures.map(\.sources) == [["https://cdn.example/2.opus"]])
    #expect(episode.paymentURL == "https://pay.example/2")
    #expect(episode.categories == ["Cranes"])
  }

  @Test func absentValuesStayAbsent() throws {
    let episode = try #require(try FeedReader.read(FeedSample.fixture("everything.xml")).episodes.last)
    #expect(episode.pubDate == nil)
    #expect(episode.mediaURL == nil)
    #expect(episode.duration == nil)
    #expect(episode.link == "https://show.example/1", "a guid that is an address stands in for the link")
  }

  @Test func liveItemsDoNotChangeTheChannel() throws {
    let feed = try FeedReader.read(FeedSample.fixture("everything.xml"))
    let live = try #require(feed.podcast.liveItems.first)
    #expect(live.status == "live")
    #expect(live.start == FeedSample.date("2025-02-03T02:00:00Z"))
    #expect(live.contentLinks == ["https://video.example/live"])
    #expect(live.episode.title == "Live from the quay")
    #expect(live.episode.mediaURL == "https://live.example/stream")
    #expect(feed.podcast.title == "The Harbour & the Night")
  }

  @Test func atom() throws {
    let feed = try FeedReader.read(FeedSample.fixture("atom.xml"))
    #expect(feed.podcast.title == "Nacht & Hafen")
    #expect(feed.podcast.summary == "Schiffe")
    #expect(feed.podcast.link == "https://atom.example/")
    #expect(feed.podcast.imageURL == "https://atom.example/logo.png")
    #expect(feed.podcast.iTunesAuthor == "Ada Kai")
    #expect(feed.podcast.language == "de")
    #expect(feed.podcast.lastBuildDate == FeedSample.date("2025-02-01T11:00:00Z"))
    let episode = try #require(feed.episodes.first)
    #expect(episode.title == "Der Kran")
    #expect(episode.link == "https://atom.example/folge/2")
    #expect(episode.mediaURL == "https://atom.example/folge/2.opus")
    #expect(episode.summary == "Kurz < gut")
    #expect(
      episode.contentHTML == "<p>Ganz <a href=\"https://atom.example/folge/mehr\">lang</a> &amp; breit<br /></p>")
    #expect(episode.author == "Ben Poller")
    #expect(episode.categories == ["kran"])
    let second = try #require(feed.episodes.last)
    #expect(second.pubDate == second.updated)
    #expect(second.contentHTML == "<p>Text</p>")
    #expect(!feed.podcast.damaged)
  }

  @Test func rss1() throws {
    let feed = try FeedReader.read(FeedSample.fixture("rdf.xml"))
    #expect(feed.podcast.title == "Old but good")
    #expect(feed.podcast.imageURL == "https://rdf.example/i.gif")
    #expect(feed.episodes.map(\.title) == ["First"])
    #expect(feed.episodes.first?.guid == "https://rdf.example/1")
    #expect(feed.episodes.first?.author == "Dee Cee")
    #expect(feed.episodes.first?.pubDate == FeedSample.date("2001-06-07T00:00:00Z"))
  }

  /// Any piece size yields the same feed: no state is lost at a boundary.
  @Test(arguments: ["everything.xml", "atom.xml", "rdf.xml", "broken.xml"])
  func feedInPiecesIsReadTheSame(name: String) throws {
    let data = try FeedSample.fixture(name)
    let whole = try FeedReader.read(data)
    for pieces in [1, 2, 3, 5, 17, 100, 1000] { #expect(try FeedSample.read(data, pieces: pieces) == whole) }
  }

  @Test func episodesArriveBeforeTheEnd() throws {
    let seen = Counter()
    let reader = FeedReader { episodes, podcast in
      seen.titles += episodes.compactMap(\.title)
      seen.podcast = podcast.title
    }
    let head = Array("<rss><channel><title>T</title><item><title>A</title></item><item><title>B</title>".utf8)
    try head.withUnsafeBytes { try reader.feed($0) }
    #expect(seen.titles == ["A"])
    #expect(seen.podcast == "T")
    let tail = Array("</item></channel></rss>".utf8)
    try tail.withUnsafeBytes { try reader.feed($0) }
    #expect(seen.titles == ["A", "B"])
    #expect(try reader.finish().episodes.count == 2)
  }

  private final class Counter: @unchecked Sendable {
    // Written only on the test's own thread, which is the feeding thread.
    var titles: [String] = []
    var podcast: String?
  }

  @Test func namespacesByAddressWhateverThePrefix() throws {
    let addresses = [
      "http://www.itunes.com/dtds/podcast-1.0.dtd", "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
      "https://www.itunes.com/dtds/podcast-1.0.dtd/", "http://itunes.com/dtds/PodCast-1.0.dtd",
    ]
    for address in addresses {
      #expect(try FeedSample.channel("<x:author>A</x:author>", attributes: " xmlns:x='\(address)'").iTunesAuthor == "A")
    }
    #expect(try FeedSample.channel("<itunes:author>A</itunes:author>").iTunesAuthor == "A", "undeclared")
    let wrong = " xmlns:itunes='http://example.com/unknown'"
    #expect(try FeedSample.channel("<itunes:author>A</itunes:author>", attributes: wrong).iTunesAuthor == "A")
    let old = " xmlns:p='https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md'"
    #expect(try FeedSample.channel("<p:locked>yes</p:locked>", attributes: old).locked == true)
    for address in [
      "HTTPS://PodcastIndex.org/namespace/1.0/", "https://podcastindex.org/namespace/1.0.md",
      "https://podcastindex.org/podcast1.0", "https://podcastindex.org",
      "https://github.com/Podcasting-org/podcast-namespace/blob/main/docs/1.0.md",
    ] {
      let spaces = " xmlns:podcast='\(address)'"
      #expect(try FeedSample.channel("<podcast:locked>yes</podcast:locked>", attributes: spaces).locked == true)
    }
    for address in ["https://example.org/other", "https://podcastindex.org.example/namespace/1.0"] {
      let unknown = " xmlns:podcast='\(address)'"
      #expect(try FeedSample.channel("<podcast:locked>yes</podcast:locked>", attributes: unknown).locked == nil)
    }
    let other = " xmlns:title='http://example.com/x'"
    #expect(try FeedSample.channel("<title:title>A</title:title>", attributes: other).title == nil)
  }

  /// A prefix means its usual vocabulary if its address is unknown, but not if it is the address of another one.
  @Test func usualPrefixWithAnUnknownAddress() throws {
    let wrong = ["content", "dc", "dcterms", "media"].map { " xmlns:\($0)='http://example.com/\($0)'" }.joined()
    let inside = """
      <content:encoded>C</content:encoded><dc:creator>A</dc:creator><dcterms:issued>2004-01-01</dcterms:issued>
      <media:content url='https://h.example/a.mp3' type='audio/mpeg'/>
      """
    let item = try FeedSample.item(inside, attributes: wrong)
    #expect(item.contentHTML == "C")
    #expect(item.author == "A")
    #expect(item.pubDate == FeedDate.parse("2004-01-01"))
    #expect(item.mediaURL == "https://h.example/a.mp3")
    let other = " xmlns:dc='http://search.yahoo.com/mrss/'"
    #expect(try FeedSample.item("<dc:creator>A</dc:creator>", attributes: other).author == nil)
  }

  /// The root's namespace stands for the format's own, even if it is unknown or belongs to a module.
  @Test(arguments: [
    "http://www.itunes.com/dtds/podcast-1.0.dtd", "https://podcastindex.org/namespace/1.0",
    "http://purl.org/rss/1.0/modules/content/", "http://search.yahoo.com/mrss/", "http://example.com/unknown",
  ])
  func wrongNamespaceOfTheRoot(address: String) throws {
    let modules = "xmlns:i='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:x='http://example.com/x'"
    let text = """
      <rss xmlns='\(address)' \(modules)><channel><x:title>X</x:title><title>T</title><i:author>A</i:author>
      <image><title>I</title><url>u</url></image><item><title>E</title><guid>g</guid><i:duration>5</i:duration></item>
      </channel></rss>
      """
    let feed = try FeedSample.read(text)
    #expect(feed.podcast.title == "T")
    #expect(feed.podcast.iTunesAuthor == "A")
    #expect(feed.podcast.imageURL == "u")
    #expect(feed.episodes.map(\.guid) == ["g"])
    #expect(feed.episodes.map(\.title) == ["E"])
    #expect(feed.episodes.map(\.duration) == [5])
  }

  /// The precedence table: what is written, in both orders, and what wins.
  @Test(arguments: [
    ("<title>A</title>", "<itunes:title>B</itunes:title>"),
    ("<title>A</title>", "<atom:title>B</atom:title>"), ("<atom:title>A</atom:title>", "<dc:title>B</dc:title>"),
    ("<description>A</description>", "<itunes:summary>B</itunes:summary>"),
  ])
  func precedence(better: String, worse: String) throws {
    for inside in [better + worse, worse + better] {
      let item = try FeedSample.item(inside)
      #expect((item.title ?? item.summary) == "A")
    }
    let alone = try FeedSample.item(worse)
    #expect((alone.title ?? alone.summary) == "B")
  }

  @Test(arguments: [
    ("Tom &amp; Jerry", "Tom & Jerry"), ("Tom &amp;amp; Jerry", "Tom & Jerry"),
    ("&lt;b&gt;Bold&lt;/b&gt; claim", "Bold claim"),
    ("<![CDATA[It&#8217;s <i>here</i>]]>", "It’s here"), ("a &lt; b and c &gt; d", "a < b and c > d"),
    ("AT&amp;T", "AT&T"),
    ("I &lt;3 radio", "I <3 radio"), ("<![CDATA[a<script>alert(1)</script>b]]>", "ab"),
    ("  two\n  lines ", "two lines"),
  ])
  func titles(written: String, shown: String) throws {
    #expect(try FeedSample.item("<title>\(written)</title>").title == shown)
  }

  @Test func media() throws {
    let picture = "<enclosure url='http://x.example/a.jpg' type='image/jpeg'/>"
    let sound = "<enclosure url='http://x.example/a.mp3' type='' length='0'/>"
    let video = "<media:content url='http://x.example/a.mp4' type='video/mp4' fileSize='9'/>"
    let both = try FeedSample.item(picture + video + sound)
    #expect(both.mediaURL == "http://x.example/a.mp3", "a show's own enclosure comes before media:content")
    #expect(both.mediaBytes == nil)
    #expect(both.imageURL == "http://x.example/a.jpg")
    #expect(try FeedSample.item(picture + video).mediaURL == "http://x.example/a.mp4")
    #expect(try FeedSample.item(picture).mediaURL == "http://x.example/a.jpg")
    let torrent = "<enclosure url='http://x.example/a.torrent' type='application/x-bittorrent'/>"
    #expect(try FeedSample.item(torrent + picture).mediaURL == "http://x.example/a.torrent")
    #expect(try FeedSample.item(torrent + video).mediaURL == "http://x.example/a.mp4")
    let twice = try FeedSample.item(video + "<enclosure url='http://x.example/a.mp4'/>")
    #expect(twice.enclosures == [Enclosure(url: "http://x.example/a.mp4", type: "video/mp4", bytes: 9)])
  }

  @Test(arguments: [
    ("<guid>http://x.example/1</guid>", "http://x.example/1"),
    ("<guid isPermaLink='false'>http://x.example/1</guid>", nil),
    ("<guid isPermaLink='true'>/1</guid>", "http://base.example/1"), ("<guid>abc</guid>", nil),
    ("<guid>http://x.example/1</guid><link>http://x.example/2</link>", "http://x.example/2"),
  ])
  func permaLinks(inside: String, link: String?) throws {
    #expect(try FeedSample.item(inside, url: "http://base.example/feed").link == link)
  }

  @Test(arguments: [
    ("a/b?c", "http://h.example/x/a/b?c"), ("/a", "http://h.example/a"), ("../a", "http://h.example/a"),
    ("?q", "http://h.example/x/y?q"),
    ("//o.example/a", "http://o.example/a"), ("https://o.example", "https://o.example"), ("mailto:a@b", "mailto:a@b"),
    (" \n a\nb c ", "http://h.example/x/ab%20c"), ("#f", "http://h.example/x/y?z#f"),
    ("./../../../a/./b/..", "http://h.example/a/"),
  ])
  func relativeAddresses(reference: String, absolute: String) {
    #expect(RelativeAddress.resolve(reference, base: "http://h.example/x/y?z#old") == absolute)
  }

  @Test func invalidBaseIsIgnored() {
    for base in ["javascript:alert(1)", "mailto:a@example.org", "data:text/html,x", "urn:isbn:1"] {
      #expect(RelativeAddress.resolve("/abs", base: base) == "/abs")
    }
  }

  @Test func relativeAddressesWithoutABaseStayAsTheyAre() {
    #expect(RelativeAddress.resolve("a/b", base: nil) == "a/b")
    #expect(RelativeAddress.resolve("a/b", base: "no base") == "a/b")
  }
}
