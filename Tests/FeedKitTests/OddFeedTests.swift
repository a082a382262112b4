import Foundation
import HTTP
import Model
import Testing

@testable import FeedKit

/// What single publishers write in their own way: addresses, lengths and titles in unusual places and forms.
@Suite struct OddFeedTests {
  @Test(arguments: [
    "<enclosure>https://e.example/MP3/P%201.mp3</enclosure>",
    "<enclosure type='audio/mpeg' length='62,447,386'>\n https://e.example/MP3/P%201.mp3 \n</enclosure>",
    "<enclosure url='' type='audio/mpeg'><![CDATA[https://e.example/MP3/P%201.mp3]]></enclosure>",
  ])
  func enclosureWithItsAddressAsText(enclosure: String) throws {
    let episode = try FeedSample.item("<title>A</title>\(enclosure)<guid>g</guid>")
    #expect(episode.mediaURL == "https://e.example/MP3/P%201.mp3" && episode.enclosures.count == 1)
    #expect(episode.guid == "g" && episode.title == "A")
    if enclosure.contains("length") { #expect(episode.mediaBytes == 62_447_386) }
  }

  @Test func textOfAnEnclosureIsNoAddress() throws {
    let text =
      "<enclosure url='https://e.example/1.mp3'>https://e.example/2.mp3</enclosure><enclosure>see below</enclosure>"
    #expect(try FeedSample.item(text).enclosures.map(\.url) == ["https://e.example/1.mp3"])
  }

  /// Tags that a title is about are text. Markup has a partner or attributes, or touches a word.
  @Test(arguments: [
    ("Why <b> is not <strong>", "Why <b> is not <strong>"), ("<i> vs <em>", "<i> vs <em>"),
    ("Using <p> and <br>", "Using <p> and <br>"), ("Between <a> and </a>", "Between  and"),
    ("The </b> tag", "The </b> tag"), ("“<blink>” is back", "“<blink>” is back"), ("(<sub>)", "(<sub>)"),
    ("How <script> tags work", "How <script> tags work"), ("Love <i>The Wire</i> again", "Love The Wire again"),
    ("<p>Whole title</p>", "Whole title"), ("<b>Unclosed", "Unclosed"), ("Closed</b>", "Closed"),
    ("One<br>two <br/> three", "One two three"), ("A <font color='red'> word", "A  word"),
    ("<b><i>Both</i></b>", "Both"), ("Use <STRONG>", "Use <STRONG>"), ("a<script>b</script>c", "ac"),
  ])
  func tagsInTitles(written: String, shown: String) throws {
    let escaped = written.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    #expect(try FeedSample.item("<title>\(escaped)</title>").title == shown)
  }

  @Test func lineBreaksInTitlesAreBlanks() throws {
    let written = "\n  We Gotta\n Believe\t\n"
    let feed = try FeedSample.read(
      "<rss><channel><title>\(written)</title><item><title>Part\r\n   one</title></item></channel></rss>")
    #expect(feed.podcast.title == "We Gotta Believe" && feed.episodes[0].title == "Part one")
    let atom = try FeedSample.read("<feed><title type='text'>A\n  b</title></feed>")
    #expect(atom.podcast.title == "A b")
    let elements = try FeedSample.read(
      "<rss><channel><title>one<br/>two <b>three</b><p>four</p></title></channel></rss>")
    #expect(elements.podcast.title == "one two three four")
    // Chinese has no blanks.
    #expect(try FeedSample.item("<title>流動的\n資金</title>").title == "流動的資金")
  }

  /// Without the repair, the section would end with that of the next item.
  @Test(arguments: [1, 7, 4096]) func sectionWithoutEndSwallowsNoItems(pieces: Int) throws {
    let item = { (name: String, end: String) in
      "<item><title>\(name)</title><description><![CDATA[<p>Notes & <b>\(name)</b></p>\(end)</description>"
        + "<enclosure url=\"https://e.example/\(name).mp3\"/></item>\n"
    }
    let text = "<rss><channel><title>T</title>\(item("A", "]]>"))\(item("B", ""))\(item("C", "]]>"))\(item("D", ""))"
    let feed = try FeedSample.read(Data((text + "</channel></rss>").utf8), pieces: pieces)
    #expect(feed.episodes.map(\.title) == ["A", "B", "C", "D"])
    #expect(feed.episodes.map(\.mediaURL) == ["A", "B", "C", "D"].map { "https://e.example/\($0).mp3" })
    #expect(feed.episodes.map(\.summary) == ["A", "B", "C", "D"].map { "<p>Notes & <b>\($0)</b></p>" })
    #expect(feed.podcast.damaged && !feed.podcast.isCutOff)
  }

  /// Notes about XML are no damage.
  @Test(arguments: [
    "<item><description>x</description><link>y</link></item>", "ends with </description>", "</description> <",
  ])
  func sectionAboutFeedsIsUnchanged(notes: String) throws {
    let feed = try FeedSample.read(
      "<rss><channel><item><description><![CDATA[\(notes)]]></description><guid>g</guid></item></channel></rss>")
    if notes != "</description> <" { #expect(feed.episodes.first?.summary == notes && !feed.podcast.damaged) }
    #expect(feed.episodes.first?.guid == "g")
  }

  @Test(
    arguments: [
      ("<media:content url='https://e.example/a.mp3' type='audio/mpeg' duration='2050'/>", 2050),
      (
        "<media:content url='https://e.example/a.mp3' duration='34:10' medium='audio'/><itunes:duration>5</itunes:duration>",
        5
      ),
      // Of another file.
      (
        "<enclosure url='https://e.example/a.mp3'/><media:content url='https://e.example/a.mp4' type='video/mp4' duration='9'/>",
        nil
      ),
      ("<enclosure url='https://e.example/a.mp3'/><description>About tea. (34:10)</description>", 2050),
      ("<enclosure url='https://e.example/a.mp3'/><description>&lt;p&gt;(1:04:10)&lt;/p&gt; Tea</description>", 3850),
      ("<enclosure url='https://e.example/a.mp3'/><description>(00:10) Tea (34:10)</description>", nil),
      ("<enclosure url='https://e.example/a.mp3'/><description>At 20:15 on air (34:10)</description>", nil),
      ("<enclosure url='https://e.example/a.mp3'/><description>We read (34:10) and more</description>", nil),
      ("<enclosure url='https://e.example/a.mp3'/><description>Genesis 34:10</description>", nil),
      ("<description>No sound (34:10)</description>", nil),
    ] as [(String, Int?)])
  func lengthInOtherPlaces(inside: String, seconds: Int?) throws {
    let names =
      " xmlns:media='http://search.yahoo.com/mrss/' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
    #expect(try FeedSample.item(inside, attributes: names).duration == seconds)
  }

  /// The error says how to write the login, and shows none of it.
  @Test(arguments: [
    "https://me@mail.example:pa/ss@host.example/feed", "https://me@mail.example:pass@host.example/feed",
    "https://me:pa/ss@host.example/feed",
    "me:p?ss@host.example/feed",
    "https://me:sec#ret@host.example/feed",
  ])
  func loginThatMustBeEncoded(address: String) throws {
    let error = #expect(throws: FeedError.http(.unencodedLogin)) { try FeedAddress.parse(address) }
    let text = try #require(error).message(podcast: address)
    #expect(text.contains("@ is %40") && text.contains("/ is %2F"))
    #expect(!text.contains("example") && !text.contains("ss@") && !text.contains("ret"))
  }

  @Test(arguments: [
    "https://host.example:8080/@name/feed", "https://host.example/a:b@c", "https://[::1]:80/@x",
    "https://me:pass@host.example/feed@x", "https://me:p%2Fss@host.example/feed",
  ])
  func addressWithAtSignIsNoWrongLogin(address: String) throws {
    #expect(throws: Never.self) { try FeedAddress.parse(address) }
  }
}
