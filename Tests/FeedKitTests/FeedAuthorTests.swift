import Model
import Testing

@testable import FeedKit

/// Authors in RSS are a line of text, in Atom a person with elements. Feeds mix up the two.
@Suite struct FeedAuthorTests {
  private static let person = "<author><name>John Doe</name><email>j@example.org</email></author>"
  private static let line = "<author>a@example.org (Au)</author>"

  private func authors(_ document: String) throws -> [String?] {
    let feed = try FeedSample.read(document)
    return [feed.podcast.iTunesAuthor] + feed.episodes.map(\.author)
  }

  @Test(arguments: ["", " xmlns='http://www.w3.org/2005/Atom'", " xmlns='http://purl.org/atom/ns#'", " xmlns='urn:x'"])
  func authorsAreReadInAnyNamespace(_ namespace: String) throws {
    for (author, name) in [(Self.person, "John Doe"), (Self.line, "Au"), ("<author>Ada</author>", "Ada")] {
      let entry = "<entry><title>E</title>\(author)</entry>"
      #expect(try authors("<feed\(namespace)><title>T</title>\(author)\(entry)</feed>") == [name, name])
      let item = "<item><title>E</title>\(author)</item>"
      #expect(
        try authors("<rss\(namespace)><channel><title>T</title>\(author)\(item)</channel></rss>") == [name, name])
    }
  }

  @Test(arguments: [
    ("<name>Jane</name><email>q@example.org</email>", "Jane"), ("<email>q@example.org</email>", "q@example.org"),
    (" <uri>https://h.example/</uri> <name> Jane </name> ", "Jane"), ("<b>Jane</b> Doe", "Jane Doe"), (" ", nil),
    ("<uri>https://h.example/</uri>", nil), ("<homepage>https://h.example/</homepage>", nil), ("", nil),
  ])
  func authorOfAnItem(_ inside: String, _ name: String?) throws {
    #expect(try FeedSample.item("<author>\(inside)</author><title>T</title>").author == name)
    let item = try FeedSample.item("<author>\(inside)</author><itunes:author>I</itunes:author><title>T</title>")
    #expect(item.author == "I")
    #expect(item.title == "T")
  }

  @Test func titleAndLinkOfAnAuthorAreNotThoseOfTheItem() throws {
    let author = "<author><title>Dr</title><link href='https://me.example/'/><name>Jane</name></author>"
    let item = try FeedSample.item(author + "<title>T</title><link>https://h.example/e</link>")
    #expect(item.author == "Jane" && item.title == "T" && item.link == "https://h.example/e")
  }

  /// Like titles, names are plain text, in which references may remain.
  @Test func referencesInNames() throws {
    let twice = "<![CDATA[Tom &amp; Jerry]]>"
    for name in ["itunes:author", "author", "dc:creator"] {
      #expect(try FeedSample.item("<\(name)>\(twice)</\(name)>").author == "Tom & Jerry")
      #expect(try FeedSample.channel("<\(name)>\(twice)</\(name)>").iTunesAuthor == "Tom & Jerry")
    }
    #expect(try FeedSample.item("<author><name>\(twice)</name></author>").author == "Tom & Jerry")
    #expect(try FeedSample.channel("<author><name>\(twice)</name></author>").iTunesAuthor == "Tom & Jerry")
    let owner = "<itunes:owner><itunes:name>\(twice)</itunes:name></itunes:owner>"
    #expect(try FeedSample.channel(owner).ownerName == "Tom & Jerry")
    let person = "<podcast:person>\(twice)</podcast:person>"
    #expect(try FeedSample.item(person).persons.map(\.name) == ["Tom & Jerry"])
    #expect(try FeedSample.item("<itunes:author>a &lt; b, AT&amp;T</itunes:author>").author == "a < b, AT&T")
  }

  @Test func referencesInCategoriesAndTitles() throws {
    let categories =
      "<itunes:category text='Society &amp; Culture'/><itunes:category text='Society &amp;amp; Culture'/>"
      + "<category>Society &amp;amp; Culture</category><dc:subject>Society &amp;amp; Culture</dc:subject>"
    #expect(try FeedSample.channel(categories).categories == ["Society & Culture"])
    #expect(try FeedSample.item(categories).categories == ["Society & Culture"])
    let funding = "<podcast:funding url='https://h.example/'>Beer &amp;amp; Tea</podcast:funding>"
    #expect(try FeedSample.channel(funding).funding.map(\.message) == ["Beer & Tea"])
    let bite = "<podcast:soundbite startTime='1' duration='2'>Beer &amp;amp; Tea</podcast:soundbite>"
    #expect(try FeedSample.item(bite).soundbites.map(\.title) == ["Beer & Tea"])
    let trailer = "<podcast:trailer url='https://h.example/a.mp3'>Beer &amp;amp; Tea</podcast:trailer>"
    #expect(try FeedSample.channel(trailer).trailers.map(\.title) == ["Beer & Tea"])
  }
}
