import Foundation
import Model
import TemporaryFiles
import Testing

@testable import FeedKit

@Suite struct FeedHostileTests {
  @Test func brokenFeedsAreReadAsFarAsPossible() throws {
    let feed = try FeedReader.read(FeedSample.fixture("broken.xml"))
    #expect(feed.podcast.damaged)
    #expect(feed.podcast.title == "Café & Crème")
    #expect(feed.podcast.iTunesAuthor == "Ada")
    #expect(feed.podcast.categories == ["Arts"])
    #expect(feed.podcast.link == "http://broken.example/?a=1&b=2")
    #expect(feed.episodes.map(\.title) == ["One <3 two", "Two", "Three"])
    let first = try #require(feed.episodes.first)
    #expect(first.guid == "one")
    #expect(first.mediaURL == "http://broken.example/1.mp3?x=1&y=2")
    #expect(first.summary == "line one<br />line <b>two</b>")
    #expect(first.duration == 754)
    #expect(feed.episodes[1].chaptersURL == "http://broken.example/2.json")
    #expect(feed.episodes[2].mediaURL == "http://broken.example/3.mp3")
    #expect(feed.episodes[2].guid == nil, "half a guid is another guid")
  }

  /// The feed is cut off after any byte: everything complete before that is read, and the feed is marked as damaged.
  @Test func cutOffAnywhere() throws {
    let data = try FeedSample.fixture("everything.xml")
    let whole = try FeedReader.read(data)
    let text = try #require(String(bytes: data, encoding: .utf8))
    let secondItem = try #require(text.range(of: "<title>1: No media")?.lowerBound).utf16Offset(in: text)
    for end in stride(from: 800, to: data.count - 10, by: 7) {
      let feed = try FeedReader.read(data.prefix(end))
      #expect(feed.podcast.damaged)
      if end > secondItem { #expect(feed.episodes.first == whole.episodes.first) }
    }
  }

  @Test func partOfWhatFollowsTheItemsIsNotRead() throws {
    let item = "<item><title>One</title></item>"
    #expect(try FeedSample.read("<rss><channel>\(item)<title>The ve").podcast.title == nil)
    #expect(try FeedSample.read("<rss><channel><title>The ve").podcast.title == "The ve")
    #expect(try FeedSample.read("<rss><channel>\(item)<title>The very</title>").podcast.title == "The very")
    let live = "<rss xmlns:podcast='https://podcastindex.org/namespace/1.0'><channel><podcast:liveItem status='live'>"
    #expect(try FeedSample.read(live + "<title>On air</title>").podcast.liveItems == [])
    #expect(try FeedSample.read(live + "<title>On air</title></podcast:liveItem>").podcast.liveItems.count == 1)
  }

  @Test func entityBombs() throws {
    var dtd = "<!DOCTYPE rss [<!ENTITY a0 \"ha\">"
    for level in 1...60 {
      dtd += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);&a\(level - 1);&a\(level - 1);\">"
    }
    let feed = try FeedSample.read(dtd + "]><rss><channel><title>x&a60;</title></channel></rss>")
    #expect((feed.podcast.title ?? "").utf8.count < 2000)
    let large = "<!DOCTYPE rss [<!ENTITY a \"\(String(repeating: "a", count: 100_000))\">]>"
    let quadratic = large + "<rss><channel><title>x\(String(repeating: "&a;", count: 10000))</title></channel></rss>"
    #expect((try FeedSample.read(quadratic).podcast.title ?? "").utf8.count < 100)
  }

  @Test func ownEntitiesAreResolved() throws {
    let dtd = "<!DOCTYPE rss [ <!ENTITY show \"Night &amp; <b>Day</b> &#233;\"> <!ELEMENT rss ANY> ]>"
    #expect(
      try FeedSample.read(dtd + "<rss><channel><description>&show;</description></channel></rss>").podcast.summary
        == "Night & <b>Day</b> é")
  }

  @Test func externalEntitiesAreNeverRead() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write([UInt8]("secret".utf8), as: "file")
    for declaration in [
      "<!ENTITY x SYSTEM \"file://\(file)\">", "<!ENTITY % p SYSTEM \"file://\(file)\"> %p;",
    ] {
      let dtd = "<!DOCTYPE rss SYSTEM \"file://\(file)\" [\(declaration)]>"
      let feed = try FeedSample.read(dtd + "<rss><channel><title>a&x;b</title></channel></rss>")
      #expect(feed.podcast.title?.contains("secret") == false)
      #expect(feed.podcast.title?.hasPrefix("a") == true)
    }
  }

  @Test func deepNesting() throws {
    let deep = String(repeating: "<x>", count: 200_000)
    let feed = try FeedSample.read("<rss><channel><title>T</title>\(deep)</channel></rss>")
    #expect(feed.podcast.title == "T")
    let names = (0..<2000).map { "<n\($0) xmlns:p\($0)='urn:\($0)'>" }.joined()
    #expect(try FeedSample.read("<rss><channel><title>T</title>\(names)</channel></rss>").podcast.title == "T")
  }

  @Test func hugeAttributesAndTagsAndTexts() throws {
    let megabyte = String(repeating: "a", count: 1 << 20)
    let item = try FeedSample.item("<title>T</title><enclosure url='http://x.example/\(megabyte)' type='audio/mpeg'/>")
    #expect(item.title == "T")
    #expect(item.mediaURL == nil)
    let attributes = (0..<5000).map { " a\($0)='1'" }.joined()
    #expect(try FeedSample.item("<title>T</title><x\(attributes)/><guid>g</guid>").guid == "g")
    let long = try FeedSample.item("<description>\(String(repeating: megabyte, count: 3))</description><guid>g</guid>")
    #expect((long.summary ?? "").utf8.count == FeedLimits.standard.textBytes)
    #expect(long.guid == "g")
    #expect(try FeedSample.item("<title>\"\(megabyte)</title><x y=\"\(megabyte)\(megabyte)").title != nil)
  }

  /// The ends of these do not exist, or come after thousands of others. Quadratic behaviour would take minutes.
  @Test(arguments: ["</a ", "<td ", "<x ", "<", "<script ", "<!-- "], ["", ">"])
  func endsAreSearchedOnce(_ begin: String, _ end: String) throws {
    let text = String(repeating: begin, count: 1_000_000 / begin.utf8.count) + end
    let inside = "<title>T</title><category><![CDATA[\(text)]]></category><link>http://x.example/</link>"
    let podcast = try FeedSample.channel(inside)
    #expect(podcast.title == "T" && podcast.link == "http://x.example/")
  }

  @Test func tagsAndDeclarationsWithoutAnEnd() throws {
    let tags = String(repeating: "<a/b=", count: 600_000)
    #expect(try FeedSample.read("<rss><channel><title>T</title><link>" + tags).podcast.title == "T")
    let declarations = String(repeating: "<!ENTITY ", count: 100_000)
    let root = "<rss><channel><title>T</title></channel></rss>"
    #expect(try FeedSample.read("<!DOCTYPE rss [" + declarations + "\"" + root).podcast.title == "T")
  }

  @Test func manyItemsAndManyValues() throws {
    let items = String(repeating: "<item><title>T</title><guid>g</guid></item>", count: 100_000)
    #expect(try FeedSample.read("<rss><channel>\(items)</channel></rss>").episodes.count == 100_000)
    var limits = FeedLimits()
    limits.items = 10
    limits.listEntries = 5
    let few = String(repeating: "<item><category>a</category></item>", count: 12)
    let feed = try FeedReader.read(Array("<rss><channel>\(few)</channel></rss>".utf8), limits: limits)
    #expect(feed.episodes.count == 10)
    #expect(feed.podcast.damaged)
    let enclosures = String(repeating: "<enclosure url='http://x.example/'/>", count: 100)
    let crowded = "<rss><channel><item>\(enclosures)</item></channel></rss>"
    #expect(try FeedReader.read(Array(crowded.utf8), limits: limits).episodes.first?.enclosures.count == 5)
  }

  @Test func feedThatIsTooLargeIsRefused() {
    var limits = FeedLimits()
    limits.documentBytes = 1000
    let text = "<rss><channel><title>\(String(repeating: "a", count: 2000))</title></channel></rss>"
    #expect(throws: FeedReadError.tooLarge(bytes: 1000)) { try FeedReader.read(Array(text.utf8), limits: limits) }
  }

  @Test func controlCharactersAndEscapesAreGone() throws {
    let escape = "\u{1B}[2J\u{0}\u{7}\u{8}&#27;]0;x&#x0;&#7;"
    let inside = "<title>a\(escape)b</title><guid>c\(escape)d</guid><description><![CDATA[e\(escape)f]]></description>"
    let item = try FeedSample.item(inside + "<enclosure url='http://x.example/\(escape)'/>")
    for text in [item.title, item.guid, item.summary, item.mediaURL].compactMap({ $0 }) {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 })
    }
    #expect(item.title == "a[2J]0;xb")
  }

  /// Text of every field, from any element or attribute.
  @Test func fieldsContainNoControlCharacters() throws {
    let escape = "\u{1B}]0;x\u{7}\u{9B}2J&#27;&#x9b;&#155;\u{8}"
    let hostile = try #require(String(bytes: try FeedSample.fixture("everything.xml"), encoding: .utf8))
      .replacing(/>([A-Za-z][^<>]{2,})</) { ">\($0.1)\(escape)<" }
      .replacing(/(title|url|name|href)="([^"<>]+)"/) { "\($0.1)=\"\($0.2)\(escape)\"" }
    let feed = try FeedSample.read(hostile, url: "https://h.example/")
    #expect(feed.podcast.title != nil && !feed.episodes.isEmpty)
    let json = try JSONFormat.feed.text(of: feed)
    let controls = json.unicodeScalars.filter {
      $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
    }
    #expect(controls.isEmpty)
    #expect(!json.contains("\\u001b") && !json.contains("\\u0007") && !json.contains("\\u009b"))
  }

  /// Reading stops after the first megabyte of a document that has no feed root.
  @Test func documentWithoutARootIsRefused() throws {
    for piece in ["no feed at all ", "<x>", "<!-- ", "&amp;", "\u{0}"] {
      let chunk = Array(String(repeating: piece, count: 64 << 10 / piece.utf8.count).utf8)
      let reader = FeedReader()
      var fed = 0
      #expect(throws: FeedReadError.self) {
        while fed < 64 << 20 {
          fed += chunk.count
          try reader.feed(chunk)
        }
      }
      #expect(fed <= FeedLimits.standard.rootBytes + 2 * chunk.count)
    }
  }

  /// A document with twenty thousand different names is cut, because libxml2 takes quadratic time for them. The part
  /// before is kept.
  @Test(arguments: ["<n%/>", "<a n%='1'/>", "<a xmlns:n%='u:%'/>"])
  func thousandsOfDifferentNames(_ pattern: String) throws {
    let names = (0..<60_000).map { pattern.replacing("%", with: "\($0)") }.joined()
    let item = "<item><title>a</title></item>"
    let feed = try FeedSample.read("<rss><channel><title>t</title>\(item)\(names)\(item)</channel></rss>")
    #expect(feed.episodes.map(\.title) == ["a"])
    #expect(feed.podcast.damaged)
  }

  /// The limits bound what is kept of an endless document.
  @Test func endlessElementsAreBounded() throws {
    var limits = FeedLimits()
    limits.documentBytes = 1 << 20
    limits.textBytes = 1 << 16
    for (head, piece) in [
      ("<rss><channel><description>", "text without end "),
      ("<rss><channel><item><category>", "a</category><category>b"),
      ("<rss><channel><item>", "<enclosure url='http://x.example/'/>"),
      ("<rss><channel x=\"", "attribute without end "),
      ("<rss><channel><!-- ", "comment "), ("<rss><channel><![CDATA[", "section "), ("<rss><channel>", "<a>"),
    ] {
      let reader = FeedReader(limits: limits)
      try reader.feed(Array(head.utf8))
      let chunk = Array(String(repeating: piece, count: 64 << 10 / piece.utf8.count).utf8)
      #expect(throws: FeedReadError.tooLarge(bytes: limits.documentBytes)) {
        while true { try reader.feed(chunk) }
      }
      let feed = try reader.finish()
      #expect((feed.podcast.summary ?? "").utf8.count <= limits.textBytes)
      #expect((feed.episodes.first?.enclosures.count ?? 0) <= limits.listEntries)
      #expect((feed.episodes.first?.categories.count ?? 0) <= limits.listEntries)
    }
  }

  @Test func sections() throws {
    #expect(try FeedSample.item("<description><![CDATA[a]]b]]]>c]]&gt;d</description>").summary == "a]]b]c]]>d")
    #expect(
      try FeedSample.item("<description>a]]>b<![CDATA[<p>]]>c<!-- no -- >--><?php no ?>d</description>").summary
        == "a]]>b<p>cd")
    #expect(
      try FeedSample.item("<description>1 < 2 & 3 > 2 &unknown; &amp</description>").summary
        == "1 < 2 & 3 > 2 &unknown; &amp")
    #expect(try FeedSample.item("<title a=\"1 < 2\" a='2' b=c d>T</title>").title == "T")
    #expect(
      try FeedSample.item("<link a=\"never closed>http://x.example/</link><guid isPermaLink=\"false\">g</guid>").guid
        == "g")
  }

  @Test func documentsThatAreNoFeeds() {
    #expect(throws: FeedReadError.empty) { try FeedSample.read("") }
    #expect(throws: FeedReadError.empty) { try FeedSample.read(" \n\t ") }
    #expect(throws: FeedReadError.self) { try FeedSample.read("{\"version\": \"https://jsonfeed.org/version/1.1\"}") }
    #expect(throws: FeedReadError.self) { try FeedSample.read("<opml><body/></opml>") }
    #expect(throws: FeedReadError.self) { try FeedSample.read("<a:b xmlns:a='urn:x'><a:c/></a:b>") }
    #expect(throws: FeedReadError.self) { try FeedReader.read([UInt8](repeating: 0, count: 5000)) }
    #expect(throws: FeedReadError.self) { try FeedReader.read([UInt8](repeating: 0xFF, count: 5000)) }
    #expect(throws: FeedReadError.self) { try FeedReader.read([UInt8](repeating: UInt8(ascii: "<"), count: 5000)) }
  }

  @Test func webPagesLeadToTheirFeeds() {
    let page = """
      <!doctype html><html><head><title>A & B</title><base href="/shows/"><script>if (a<b) {}</script>
      <link rel=alternate type="application/atom+xml" href="atom.xml">
      <LINK REL="alternate home" TYPE="application/rss+xml" HREF="night?a=1&amp;b=2">
      <link rel="stylesheet" href="x.css"><link rel="alternate" hreflang="de" href="/de">
      </head><body><p>Hello<br></body></html>
      """
    let found = ["https://h.example/shows/night?a=1&b=2", "https://h.example/shows/atom.xml"]
    #expect(throws: FeedReadError.isHTML(alternates: found)) { try FeedSample.read(page, url: "https://h.example/x/y") }
    let typed = "<html><link rel=alternate type=' text/xml ; charset=utf-8' href='https://h.example/'></html>"
    #expect(throws: FeedReadError.isHTML(alternates: ["https://h.example/"])) { try FeedSample.read(typed) }
    #expect(throws: FeedReadError.isHTML(alternates: [])) { try FeedSample.read("<html><body>x</body></html>") }
  }

  /// Sound that was named as a feed. It has no name of an element that could be shown.
  @Test(arguments: ["ID3\u{4}\0\0\0\0\0#TSSE\0\u{F}Lavf <LªªªÐ>", "\u{7FF}\0\0 <Lªª a=1>"])
  func soundIsNotText(text: String) {
    #expect(throws: FeedReadError.notAFeed(found: "it is not text")) { try FeedReader.read(Array(text.utf8)) }
  }

  @Test func otherTextIsNamed() {
    let wide: [UInt8] = "\u{FEFF}<opml/>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [wide, Array("<opml/>".utf8)] {
      #expect(throws: FeedReadError.notAFeed(found: "it begins with <opml>")) { try FeedReader.read(bytes) }
    }
  }
}
