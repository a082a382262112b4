import Model
import Testing

@testable import FeedKit

/// The attributes of media:content and of alternate enclosures, and what of them is played.
@Suite struct MediaChoiceTests {
  private static let pdf = "<enclosure url='https://h.example/notes.pdf' type='application/pdf'/>"

  private func content(_ attributes: String) -> String { "<media:content url='https://h.example/\(attributes)/>" }

  /// Some publishers call every file an image.
  @Test func soundMarkedAsAnImageIsPlayed() throws {
    let item = try FeedSample.item(content("a.mp3' type='audio/mpeg' medium='image'"))
    #expect(item.mediaURL == "https://h.example/a.mp3")
    #expect(item.imageURL == nil)
    let untyped = try FeedSample.item(content("a.mp3' medium='image'"))
    #expect(untyped.mediaURL == "https://h.example/a.mp3")
    for picture in ["a?w=100' medium='image'", "a.jpg' medium='audio'", "a' type='image/png'"] {
      let item = try FeedSample.item(content(picture))
      #expect(item.imageURL != nil && item.mediaURL == nil)
    }
  }

  /// An empty reference is the current base (RFC 3986 §5.2.2).
  @Test(arguments: ["", " "])
  func emptyBaseChangesNothing(_ base: String) throws {
    let item = try FeedSample.item(
      "<enclosure url='a.mp3' type='audio/mpeg'/>", attributes: " xml:base='\(base)'", url: "https://u.example/feed/rss"
    )
    #expect(item.mediaURL == "https://u.example/feed/a.mp3")
  }
}
