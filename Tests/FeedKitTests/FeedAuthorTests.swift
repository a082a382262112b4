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
    ("<uri>https://h.example/</uri>", nil), ("", nil),
  ])
  func authorOfAnItem(_ inside: String, _ name: String?) throws {
    #expect(try FeedSample.item("<author>\(inside)</author><title>T</title>").author == name)
    let item = try FeedSample.item("<author>\(inside)</author><itunes:author>I</itunes:author><title>T</title>")
    #expect(item.author == "I")
    #expect(item.title == "T")
  }
}
