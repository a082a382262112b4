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

  @Test func mediumCountsIfThereIsNoType() throws {
    #expect(try FeedSample.item(Self.pdf + content("play?1' medium='audio'")).mediaURL == "https://h.example/play?1")
    #expect(try FeedSample.item(Self.pdf + content("play?1' medium='Video'")).mediaURL == "https://h.example/play?1")
    for other in ["play?1'", "play?1' medium='document'", "play?1' type='text/html' medium='video'"] {
      #expect(try FeedSample.item(Self.pdf + content(other)).mediaURL == "https://h.example/notes.pdf")
    }
    // The enclosure itself, repeated with its medium.
    let same = "<enclosure url='https://h.example/play?1'/>" + content("play?1' medium='audio'")
    #expect(try FeedSample.item(Self.pdf + same).mediaURL == "https://h.example/play?1")
  }

  @Test func defaultFileComesFirst() throws {
    let files =
      content("a.mp3' type='audio/mpeg'") + content("b.mp3' type='audio/mpeg' isDefault='true'")
      + content("c.mp3' type='audio/mpeg' isDefault='true'")
    let item = try FeedSample.item(files)
    #expect(item.mediaURL == "https://h.example/b.mp3")
    #expect(item.enclosures.map(\.url) == ["b", "c", "a"].map { "https://h.example/\($0).mp3" })
    let own = "<enclosure url='https://h.example/o.mp3' type='audio/mpeg'/>"
    #expect(try FeedSample.item(files + own).mediaURL == "https://h.example/o.mp3")
  }

  @Test func addressesOfAlternateEnclosures() throws {
    let sources =
      "<podcast:source uri=' rel.opus '/><podcast:source uri='HTTPS://h.example/x.ogg'/>"
      + "<podcast:source uri='ipfs://abc'/><podcast:source uri='magnet:?xt=a'/><podcast:source uri=''/>"
    let item = try FeedSample.item(
      "<podcast:alternateEnclosure type='audio/opus'>\(sources)</podcast:alternateEnclosure>",
      url: "https://u.example/feed/rss")
    #expect(
      item.alternateEnclosures.map(\.sources) == [["https://u.example/feed/rel.opus", "HTTPS://h.example/x.ogg"]])
  }

  /// Podcasting 2.0: players skip what only other networks serve.
  @Test(arguments: [
    "uri='https://h.example/a.torrent'", "uri='https://h.example/a.Torrent?x=1'",
    "uri='https://h.example/get/1' contentType='Application/x-bittorrent'",
    "uri='https://h.example/get/1' contentType='application/x-bittorrent;x-scheme-handler/magnet'",
    "uri='http://abc.onion/a.mp3'", "uri='http://ABC.ONION:80/a.mp3'", "uri='http://u@abc.onion./a.mp3'",
  ])
  func sourceOfAnotherNetworkIsSkipped(source: String) throws {
    let file = "<podcast:source uri='https://onion.example/a.mp3' contentType='audio/mpeg'/>"
    let alternate = "<podcast:alternateEnclosure type='audio/mpeg' length='9'>"
    let item = try FeedSample.item(
      "\(alternate)<podcast:source \(source)/>\(file)</podcast:alternateEnclosure>"
        + "\(alternate)<podcast:source \(source)/></podcast:alternateEnclosure>")
    #expect(item.alternateEnclosures.map(\.sources) == [["https://onion.example/a.mp3"]])
  }

  @Test func storedTorrentIsNotChosen() {
    var item = FeedEpisode()
    (item.mediaURL, item.mediaType, item.mediaBytes) = ("https://h.example/a.mp3", "audio/mpeg", 1000)
    item.alternateEnclosures = [
      AlternateEnclosure(type: "audio/mpeg", length: 10, sources: ["https://h.example/a.torrent"]),
      AlternateEnclosure(
        type: "audio/mpeg", length: 100, sources: ["https://h.example/b.torrent", "https://h.example/b.mp3"]),
    ]
    #expect(item.media(.smallest)?.url == "https://h.example/b.mp3")
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
