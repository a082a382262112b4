import Model
import Testing

@testable import FeedKit

/// Feeds in which the end tag of an element is missing. Only that element may suffer.
@Suite struct MissingEndTests {
  private static let items = "<item><title>1</title></item><item><title>2</title></item>"

  @Test(arguments: [
    "<podcast:value type='lightning'>", "<podcast:value type='lightning'><podcast:valueRecipient name='a'>",
    "<podcast:podroll>", "<podcast:podroll><podcast:remoteItem feedGuid='a'/>", "<podcast:publisher>",
    "<atom:author>", "<atom:author><atom:name>Ada</atom:name>", "<itunes:owner>", "<image>",
  ])
  func episodesAfterAnOpenElementOfTheChannel(_ open: String) throws {
    let live = "<podcast:liveItem status='live'><title>L</title></podcast:liveItem>"
    let feed = try FeedSample.read("<rss><channel>\(open)\(Self.items)</channel></rss>")
    #expect(feed.episodes.map(\.title) == ["1", "2"])
    guard !open.hasPrefix("<i") else { return }
    let broadcast = try FeedSample.read("<rss><channel>\(open)\(live)\(Self.items)</channel></rss>")
    #expect(broadcast.podcast.liveItems.map(\.episode.title) == ["L"])
    #expect(broadcast.episodes.map(\.title) == ["1", "2"])
  }

  @Test(arguments: ["<author>", "<author><name>Ada</name>", "<podcast:value>"])
  func entriesAfterAnOpenElementOfTheFeed(_ open: String) throws {
    let entries = "<entry><title>1</title></entry><entry><title>2</title></entry>"
    let feed = try FeedSample.read("<feed xmlns='http://www.w3.org/2005/Atom'>\(open)\(entries)</feed>")
    #expect(feed.episodes.map(\.title) == ["1", "2"])
  }

  @Test(arguments: ["<podcast:value type='lightning'>", "<podcast:podroll>", "<podcast:publisher>"])
  func valuesAfterAnOpenElementOfTheChannel(_ open: String) throws {
    let podcast = try FeedSample.channel("\(open)<title>T</title><itunes:image href='https://h.example/i'/>")
    #expect(podcast.title == "T")
    #expect(podcast.itunesImageURL == "https://h.example/i")
  }

  @Test(arguments: [
    "<podcast:value type='lightning'><podcast:valueRecipient name='a'/>",
    "<podcast:alternateEnclosure type='audio/ogg'><podcast:source uri='https://h.example/b.ogg'/>",
    "<podcast:alternateEnclosure type='audio/ogg'>",
  ])
  func valuesAfterAnOpenElementOfAnItem(_ open: String) throws {
    let rest = "<title>1</title><enclosure url='https://h.example/a.mp3' type='audio/mpeg'/>"
    let feed = try FeedSample.read("<rss><channel><item>\(open)\(rest)</item>\(Self.items)</channel></rss>")
    #expect(feed.episodes.map(\.title) == ["1", "1", "2"])
    let first = try #require(feed.episodes.first)
    #expect(first.mediaURL == "https://h.example/a.mp3")
    #expect(first.alternateEnclosures.allSatisfy { $0.sources == ["https://h.example/b.ogg"] })
  }

  /// The elements of a person of an old social network are the person's own.
  @Test func personKeepsItsElements() throws {
    let author = "<author><uri>u:1</uri><name>Ada</name><title>ada</title><link href='https://h.example/ada'/></author>"
    let entry = "<entry>\(author)<title>E</title><link href='https://h.example/e'/></entry>"
    let feed = try FeedSample.read("<feed xmlns='http://www.w3.org/2005/Atom'>\(entry)</feed>")
    #expect(feed.episodes.map(\.title) == ["E"])
    #expect(feed.episodes.map(\.link) == ["https://h.example/e"])
    #expect(feed.episodes.map(\.author) == ["Ada"])
  }

  @Test func valueTimeSplitsStayApart() throws {
    let split = "<podcast:valueTimeSplit startTime='60'><podcast:remoteItem feedGuid='a'/></podcast:valueTimeSplit>"
    let block = "<podcast:value type='lightning'>\(split)<podcast:valueRecipient name='a'/></podcast:value>"
    let podcast = try FeedSample.channel(block)
    #expect(podcast.value?.recipients.map(\.name) == ["a"])
    #expect(podcast.listed.isEmpty)
  }

  /// One line of text ends where the next element of the item begins.
  @Test func openTextDoesNotSwallowItsNeighbour() throws {
    let item = try FeedSample.item("<title>One<link>https://h.example/1</link><guid>g</guid>")
    #expect(item.title == "One")
    #expect(item.link == "https://h.example/1")
    #expect(item.guid == "g")
    let person = try FeedSample.item("<podcast:person>P<title>1</title><description>D</description>")
    #expect(person.persons.map(\.name) == ["P"])
    #expect(person.title == "1")
    #expect(person.summary == "D")
    let author = try FeedSample.item("<author>Ada<category>Arts<title>1<description>a <b>b</b></description>")
    #expect(author.author == "Ada")
    #expect(author.categories == ["Arts"])
    #expect(author.title == "1")
    #expect(author.summary == "a <b>b</b>")
    let markup = try FeedSample.item("<description>a <title>b</title> <link>c</link> d</description><title>T</title>")
    #expect(markup.title == "T")
    #expect(markup.summary?.hasPrefix("a ") == true && markup.summary?.hasSuffix(" d") == true)
  }
}
