import Foundation
import Model
import Testing

@testable import FeedKit

/// Rules on which feed readers differ; each test states ours.
@Suite struct FeedRuleTests {
  @Test(arguments: [
    ("ada@example.org (Ada Lovelace)", "Ada Lovelace"), ("Ada Lovelace (ada@example.org)", "Ada Lovelace"),
    ("\"Ada\" <ada@example.org>", "Ada"), ("Ada <ada@example.org>", "Ada"), ("ada@example.org", "ada@example.org"),
    ("Ada (and friends)", "Ada (and friends)"), ("(ada@example.org)", "ada@example.org"), ("()", "()"), ("<@>", "@"),
    (")(", ")("), ("ada@example.org ()", "ada@example.org"),
  ])
  func namesAreTakenOutOfMailAddresses(_ written: String, _ name: String) {
    #expect(PersonName.text(written) == name)
  }

  /// A tag whose field is not set would be read and dropped.
  @Test func everyRowSetsItsField() {
    let values = [
      "words", "60", "yes", "full", "serial", "daily", "https://example.org/a", "Thu, 02 Jan 2025 10:00:00 GMT",
    ]
    func isSet(_ field: FeedField, _ rank: UInt8, by value: String, inItem: Bool) -> Bool {
      var builder = FeedBuilder(feedURL: nil, limits: .standard)
      builder.inItem = inItem
      for byte in value.utf8 { builder.text.append(byte) }
      builder.set(field, rank)
      return inItem ? builder.item != FeedEpisode() : builder.podcast != FeedPodcast()
    }
    for row in FeedPrecedence.rows {
      guard case .value(let field, let rank) = row.action else { continue }
      for scope in row.scopes {
        let places =
          switch scope {
          case .item: [true]
          case .channel, .owner: [false]
          // A channel and an item have pictures and persons.
          default: [true, false]
          }
        for inItem in places {
          let isRead = values.contains { isSet(field, rank, by: $0, inItem: inItem) }
          #expect(isRead, "\(row.names) in \(inItem ? "an item" : "the channel")")
        }
      }
    }
  }

  /// An email address is removed from author and managingEditor, but not from itunes:author, which wins over both.
  @Test func authorNames() throws {
    let escaped = "ada@example.org (Ada)"
    #expect(try FeedSample.item("<author>\(escaped)</author>").author == "Ada")
    #expect(try FeedSample.item("<itunes:author>\(escaped)</itunes:author>").author == escaped)
    #expect(try FeedSample.channel("<managingEditor>\(escaped)</managingEditor>").iTunesAuthor == "Ada")
    let both = "<webMaster>w@example.org</webMaster><managingEditor>e@example.org</managingEditor>"
    #expect(try FeedSample.channel(both).iTunesAuthor == "e@example.org")
    #expect(try FeedSample.channel(both + "<itunes:author>Ada</itunes:author>").iTunesAuthor == "Ada")
  }

  @Test(arguments: [
    ("safe&lt;embed src=\"http://example.com/\"&gt; text", "safe text"),
    ("safe&lt;iframe src=\"x\"&gt;&lt;/iframe&gt; text", "safe text"),
    ("safe&lt;object data=x&gt;&lt;param name='a'&gt;&lt;/object&gt; text", "safe text"),
    ("&lt;blink&gt;safe&lt;/blink&gt; text", "safe text"),
    ("How &lt;video&gt; works, and &lt;/video&gt;", "How <video> works, and </video>"),
    ("C++ &lt;vector a=b&gt;", "C++ <vector a=b>"),
    ("One&lt;br&gt;two &lt;br /&gt; three", "One two three"),
    ("&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;", "One two"),
    ("b&lt;b&gt;o&lt;/b&gt;ld", "bold"),
    ("safe&lt;script&gt;alert(1)&lt;/script&gt; text", "safe text"),
  ])
  func titlesAreReadAsText(_ written: String, _ shown: String) throws {
    #expect(try FeedSample.item("<title>\(written)</title>").title == shown)
    #expect(try FeedSample.channel("<copyright>\(written)</copyright>").copyright == shown)
  }

  @Test func scriptsInInlineMarkupAreNoTitle() throws {
    let inside = "<title type='xhtml'><div>a<script>b<i>c</i></script><b>d</b><style>e</style>f</div></title>"
    let entry = "<feed xmlns='http://www.w3.org/2005/Atom'><entry>\(inside)<id>1</id></entry></feed>"
    let episode = try #require(try FeedSample.read(entry).episodes.first)
    #expect(episode.title == "adf")
    #expect(episode.guid == "1")
  }

  @Test func secondListOfChaptersIsIgnored() throws {
    let list = { (title: String) in
      "<psc:chapters xmlns:psc='http://podlove.org/simple-chapters'><psc:chapter start='0:01' title='\(title)'/>"
        + "<psc:chapter start='npt=1:02.5' title='\(title)2'/></psc:chapters>"
    }
    let chapters = try FeedSample.item(list("a") + list("b")).chapters
    #expect(chapters.map(\.title) == ["a", "a2"])
    #expect(chapters.map(\.start) == [1, 62.5])
  }

  @Test func enclosuresOfRSS1() throws {
    let text = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#"><channel><title>T</title></channel><item rdf:about="u:1">
        <enc:enclosure rdf:resource="http://x.example/a.jpg" enc:type="image/jpeg"/>
        <enc:enclosure rdf:resource="http://x.example/a.mp3" enc:type="audio/mpeg" enc:length="7"/></item></rdf:RDF>
      """
    let episode = try #require(try FeedSample.read(text).episodes.first)
    #expect(episode.enclosures == [Enclosure(url: "http://x.example/a.mp3", type: "audio/mpeg", bytes: 7)])
    #expect(episode.imageURL == "http://x.example/a.jpg")
  }

  @Test(arguments: [
    ("PT1H2M3S", 3723), ("P1DT1H", 90_000), ("1h2m3s", 3723), ("61 min", 3660), (":45", 45), ("P", nil), ("T", nil),
    ("1h30", 5400), ("2m5", 125), ("1d2", 93_600), ("1h:02m:03s", 3723), ("45'", 2700), ("45'30\"", 2730),
    ("45′30″", 2730), ("1 hour and 2 minutes", 3720), ("1:02:", nil), ("and", nil), ("30s5", nil), ("min 5", nil),
    ("1h30 40", nil), ("1:30 PM", nil),
  ])
  func durations(_ written: String, _ seconds: Int?) throws {
    #expect(try FeedSample.item("<itunes:duration>\(written)</itunes:duration>").duration == seconds)
  }

  @Test func sourceElementIsNotTheEntry() throws {
    let source =
      "<source><title>S</title><id>s</id><updated>2001-01-01T00:00:00Z</updated><author><name>N</name></author></source>"
    let entry = "<entry>\(source)<title>E</title><id>e</id><updated>2005-01-01T00:00:00Z</updated></entry>"
    let episode = try #require(
      try FeedSample.read("<feed xmlns='http://www.w3.org/2005/Atom'>\(entry)</feed>").episodes.first)
    #expect(episode.title == "E")
    #expect(episode.guid == "e")
    #expect(episode.author == nil)
    #expect(episode.pubDate == FeedDate.parse("2005-01-01T00:00:00Z"))
  }

  /// An item's picture for players, before a picture that is part of the text.
  @Test func coverOfAnItem() throws {
    let image = "<image><url>https://h.example/a.jpg</url></image>"
    let cover = "<itunes:image href='https://h.example/b.jpg'/>"
    #expect(try FeedSample.item(image + cover).imageURL == "https://h.example/b.jpg")
    #expect(try FeedSample.item(cover + image).imageURL == "https://h.example/b.jpg")
    #expect(try FeedSample.item(image).imageURL == "https://h.example/a.jpg")
    let thumbnail = "<media:thumbnail url='https://h.example/t.jpg'/>"
    #expect(try FeedSample.item(thumbnail + image).imageURL == "https://h.example/a.jpg")
  }

  /// RSS 1.0 identifies an item by rdf:about. Publishers put other numbers of theirs into dc:identifier.
  @Test func nameOfAnItemInRSS1() throws {
    let text = """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title></channel><item rdf:about="u:1">
        <dc:identifier>doi:1</dc:identifier></item><item><dc:identifier>doi:2</dc:identifier></item></rdf:RDF>
      """
    #expect(try FeedSample.read(text).episodes.map(\.guid) == ["u:1", "doi:2"])
  }

  /// A media type may have parameters. If it stands for base64, the text may still be plain.
  @Test(arguments: [
    ("text/html; charset=utf-8", "a &amp;amp; b", "a & b"), ("TEXT/PLAIN;format=flowed", "a &amp;amp; b", "a &amp; b"),
    ("application/xhtml+xml; q=1", "<div>a <b>b</b></div>", "a b"),
    ("application/x-base64; q=1", "w6QgJiDDtg==", "ä & ö"), ("application/octet-stream", "Good days", "Good days"),
  ])
  func typesOfTexts(type: String, written: String, title: String) throws {
    let entry = "<entry><title type='\(type)'>\(written)</title></entry>"
    let feed = try FeedSample.read("<feed xmlns='http://www.w3.org/2005/Atom'>\(entry)</feed>")
    #expect(feed.episodes.first?.title == title)
  }

  /// The name is the format's own element, and isPermaLink counts only for the guid that is used.
  @Test(arguments: [
    ("<id>5</id><guid>g</guid>", "g", nil), ("<guid>g</guid><id>5</id>", "g", nil), ("<id>5</id>", "5", nil),
    ("<atom:id>u:5</atom:id><guid isPermaLink='false'>https://h.example/</guid>", "https://h.example/", nil),
    ("<guid isPermaLink='false'>https://h.example/</guid><id>5</id>", "https://h.example/", nil),
    ("<guid isPermaLink='false'>https://h.example/</guid><guid>h</guid>", "https://h.example/", nil),
    ("<guid isPermaLink='no'>https://h.example/</guid>", "https://h.example/", nil),
    ("<guid isPermaLink='yes'>https://h.example/</guid>", "https://h.example/", "https://h.example/"),
    ("<guid/><guid>https://h.example/</guid>", "https://h.example/", "https://h.example/"),
  ])
  func nameOfAnItem(inside: String, guid: String, link: String?) throws {
    let item = try FeedSample.item(inside)
    #expect(item.guid == guid)
    #expect(item.link == link)
  }

  @Test func guidInAtom() throws {
    let atom = { (inside: String) in "<feed xmlns='http://www.w3.org/2005/Atom'><entry>\(inside)</entry></feed>" }
    #expect(try FeedSample.read(atom("<guid>g</guid><id>i</id>")).episodes.first?.guid == "i")
    #expect(try FeedSample.read(atom("<guid>g</guid>")).episodes.first?.guid == "g")
  }

  /// A date of the format itself is used before one of another format.
  @Test func dateOfTheFormat() throws {
    let (own, other) = ("<pubDate>2004-01-01</pubDate>", "<published>2005-01-01</published>")
    for inside in [own + other, other + own] {
      #expect(try FeedSample.item(inside).pubDate == FeedDate.parse("2004-01-01"))
    }
    #expect(try FeedSample.item(other + "<dc:date>2006-01-01</dc:date>").pubDate == FeedDate.parse("2005-01-01"))
    let built = "<atom:updated>2005-01-01</atom:updated><lastBuildDate>2004-01-01</lastBuildDate>"
    #expect(try FeedSample.channel(built).lastBuildDate == FeedDate.parse("2004-01-01"))
  }

  @Test func firstValidDateIsUsed() throws {
    let dates = ["never", "Wed, 18 Jun 2008 12:00:00 GMT", "Thu, 19 Jun 2008 12:00:00 GMT"]
    let item = try FeedSample.item(dates.map { "<pubDate>\($0)</pubDate>" }.joined())
    #expect(item.pubDate == FeedDate.parse("2008-06-18T12:00:00Z"))
  }

  /// xml:base also applies to escaped HTML. Without it the notes stay unchanged.
  @Test func addressesInEscapedHTML() throws {
    let html =
      "&lt;a class=x HREF='b/c?d=1&amp;amp;e'&gt;f&lt;/a&gt; &lt;img src=&quot;/g&quot;&gt; &lt; h &lt;a href=\"https://i/\"&gt;"
    let item = { (base: String) in
      try FeedSample.item("<description>\(html)</description>", attributes: base, url: "https://u.example/")
    }
    #expect(
      try item(" xml:base='https://h.example/a/'").summary
        == "<a class=x HREF='https://h.example/a/b/c?d=1&amp;e'>f</a> <img src=\"https://h.example/g\"> < h <a href=\"https://i/\">"
    )
    #expect(try item("").summary?.hasPrefix("<a class=x HREF='b/c?d=1&amp;e'>f</a> <img src=\"/g\">") == true)
  }

  @Test(arguments: [
    "", "<", "<a", "<a href", "<a href=", "<a href='", "<a href='x", "<a href='x'", "a<b c=d>e", "<a =x href>",
  ])
  func brokenTagsAreText(_ html: String) {
    #expect(MarkupAddresses.absolute(html, base: "https://h.example/") == html)
  }

  /// Attribute names match in any case: `isPermalink` is the most common misspelling.
  @Test func attributesInOtherLetters() throws {
    #expect(try FeedSample.item("<guid isPermalink='FALSE'>https://h.example/1</guid>").link == nil)
    let media = try FeedSample.item("<enclosure URL='https://h.example/a.mp3' Type='audio/mpeg' LENGTH='7'/>")
    #expect(media.enclosures == [Enclosure(url: "https://h.example/a.mp3", type: "audio/mpeg", bytes: 7)])
    // The correctly spelled attribute wins, in either order.
    #expect(
      try FeedSample.item("<enclosure URL='https://h.example/b' url='https://h.example/a'/>").mediaURL
        == "https://h.example/a")
  }

  @Test func categoriesAndKeywords() throws {
    let spaces = " xmlns:media='http://search.yahoo.com/mrss/'"
    let item = try FeedSample.item(
      "<category>a</category><media:category label='B'>b</media:category><media:category label='c'/>"
        + "<media:keywords>d, a</media:keywords><itunes:keywords>e f,g</itunes:keywords>"
        + "<googleplay:category text='h'/>", attributes: spaces)
    #expect(item.categories == ["a", "b", "c", "d", "e f", "g", "h"])
    let podcast = try FeedSample.channel("<itunes:keywords>e f,g</itunes:keywords><googleplay:category text='Arts'/>")
    #expect(podcast.keywords == ["e f", "g"])
    #expect(podcast.categories == ["Arts"])
  }

  @Test func picturesInOldSpellings() throws {
    let thumbnail = "<media:thumbnail>https://h.example/t.jpg</media:thumbnail>"
    #expect(try FeedSample.item(thumbnail).imageURL == "https://h.example/t.jpg")
    let link = { (rel: String) in
      "<itunes:link rel='\(rel)' type='video/jpeg' href='https://h.example/l.jpg'>x</itunes:link>"
    }
    #expect(try FeedSample.item(link("image")).imageURL == "https://h.example/l.jpg")
    #expect(try FeedSample.channel(link("image")).itunesImageURL == "https://h.example/l.jpg")
    #expect(try FeedSample.channel(link("self")).itunesImageURL == nil)
  }

  @Test func ownerAndAuthorWithoutAName() throws {
    let owner = "<itunes:owner><name>N</name><email>n@example.org</email></itunes:owner>"
    let podcast = try FeedSample.channel(owner)
    #expect(podcast.ownerName == "N")
    #expect(podcast.ownerEmail == "n@example.org")
    let entry = { (inside: String) in
      "<feed xmlns='http://www.w3.org/2005/Atom'><entry><author>\(inside)</author></entry></feed>"
    }
    let mail = "<email>a@example.org</email>"
    #expect(try FeedSample.read(entry(mail)).episodes.first?.author == "a@example.org")
    #expect(try FeedSample.read(entry(mail + "<name>Ada</name>")).episodes.first?.author == "Ada")
  }

  // MARK: Deliberate differences (docs/conformance-notes.md)

  @Test func podcastSeasonAndEpisodeWin() throws {
    let item = try FeedSample.item(
      "<itunes:season>1</itunes:season><itunes:episode>2</itunes:episode><podcast:season>3</podcast:season><podcast:episode>4</podcast:episode>"
    )
    #expect(item.season == 3)
    #expect(item.episodeNumber == 4)
  }

  @Test(
    arguments: [
      ("315.5", 315, "315.5"), (" 0 ", nil, "0"), ("0.5", nil, "0.5"), ("315.0", 315, nil), ("1,234", 1234, nil),
      ("-1", nil, nil), ("one", nil, nil),
    ] as [(String, Int?, String?)])
  func decimalNumberIsShownAsItIs(_ text: String, number: Int?, display: String?) throws {
    let item = try FeedSample.item("<podcast:episode>\(text)</podcast:episode>")
    #expect(item.episodeNumber == number && item.episodeDisplay == display)
    let named = try FeedSample.item("<podcast:episode display='Ch. 3'>\(text)</podcast:episode>")
    #expect(named.episodeDisplay == "Ch. 3")
  }

  @Test(
    arguments: [("12", 12, nil), ("0", nil, nil), ("", nil, "0")] as [(String, Int?, String?)])
  func zeroIsOnlyShownWithoutAnotherNumber(_ other: String, number: Int?, display: String?) throws {
    let zero = "<podcast:episode>0</podcast:episode>"
    let other = "<itunes:episode>\(other)</itunes:episode>"
    for both in [zero + other, other + zero] {
      let item = try FeedSample.item(both)
      #expect(item.episodeNumber == number && item.episodeDisplay == display)
    }
    let named = try FeedSample.item("<podcast:episode display='0'>0</podcast:episode>" + other)
    #expect(named.episodeDisplay == "0")
  }

  @Test func twelveHourTimesAreRead() {
    #expect(FeedDate.parse("Sat, Dec 16 2023 02:02:33 PM") == FeedDate.parse("2023-12-16T14:02:33Z"))
  }

  @Test func declaredEncodingIsIgnoredForValidUTF8() throws {
    let utf8 = "<?xml version='1.0' encoding='windows-1252'?><rss><channel><title>Euro €</title></channel></rss>"
    #expect(try FeedSample.read(utf8).podcast.title == "Euro €")
    let latin =
      Array("<rss><channel><title>nombre d".utf8) + [0x92, 0xE9] + Array("tudes</title></channel></rss>".utf8)
    #expect(try FeedReader.read(latin).podcast.title == "nombre d’études")
  }

  @Test func flagsCountInAnyCase() throws {
    let podcast = try FeedSample.channel("<itunes:explicit> YES </itunes:explicit><itunes:block>Yes</itunes:block>")
    #expect(podcast.explicit == true)
    #expect(podcast.block == true)
  }

  @Test func guidIsUnchangedAndMarkupIsKept() throws {
    let item = try FeedSample.item(
      "<guid>a/b</guid><description>&lt;script&gt;x&lt;/script&gt;</description>", url: "https://h.example/")
    #expect(item.guid == "a/b")
    #expect(item.summary == "<script>x</script>")
  }
}
