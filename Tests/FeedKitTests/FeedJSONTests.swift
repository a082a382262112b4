import Foundation
import Model
import Testing

@testable import FeedKit

@Suite struct FeedJSONTests {
  @Test func jsonHasEveryKeyAndNullForMissingValues() throws {
    let feed = try FeedSample.read("<rss><channel><item/></channel></rss>")
    let json = try #require(JSONSerialization.jsonObject(with: Data(JSONFormat.feed.bytes(of: feed))) as? [String: Any])
    let podcast = try #require(json["podcast"] as? [String: Any])
    #expect(Set(podcast.keys) == Self.fields(of: feed.podcast))
    #expect(podcast["title"] is NSNull)
    #expect((podcast["categories"] as? [Any])?.isEmpty == true)
    let episode = try #require((json["episodes"] as? [[String: Any]])?.first)
    #expect(Set(episode.keys) == Self.fields(of: feed.episodes[0]))
    #expect(episode["pubDate"] is NSNull)
    #expect(episode["duration"] is NSNull)
  }

  private static func fields(of value: Any) -> Set<String> {
    Set(Mirror(reflecting: value).children.compactMap(\.label))
  }

  /// A live item is one object with the values of its episode.
  @Test func liveItemsAreEpisodes() throws {
    var item = LiveItem(status: "live", start: Date(timeIntervalSince1970: 0), contentLinks: ["https://u:p@e.org/live"])
    (item.episode.title, item.episode.persons) = ("On air", [Person(name: "A")])
    let text = try JSONFormat(isSorted: false, secrets: .loginsHidden).text(of: item)
    #expect(
      text == #"{"status":"live","start":"1970-01-01T00:00:00Z","contentLinks":["https://e.org/live"],"#
        + #""title":"On air","persons":[{"name":"A"}]}"#)
  }

  @Test func valuesSurvive() throws {
    let odd = "\" \\ / \u{1F} \n \t \r \u{7F} é 流 \u{2028} 🎙️"
    var feed = Feed()
    feed.podcast.title = odd
    feed.podcast.lastBuildDate = Date(timeIntervalSince1970: -1)
    var episode = FeedEpisode()
    episode.pubDate = FeedSample.date("2024-02-29T23:59:59Z")
    episode.chapters = [Chapter(start: 0), Chapter(start: 600.5), Chapter(start: .infinity)]
    episode.mediaBytes = .max
    feed.episodes = [episode, FeedEpisode()]
    let json = try #require(JSONSerialization.jsonObject(with: Data(JSONFormat.feed.bytes(of: feed))) as? [String: Any])
    let podcast = try #require(json["podcast"] as? [String: Any])
    #expect(podcast["title"] as? String == odd)
    #expect(podcast["lastBuildDate"] as? String == "1969-12-31T23:59:59Z")
    let first = try #require((json["episodes"] as? [[String: Any]])?.first)
    #expect(first["pubDate"] as? String == "2024-02-29T23:59:59Z")
    #expect((first["chapters"] as? [[String: Any]])?.map { $0["start"] as? Double } == [0, 600.5, nil])
    #expect(try JSONFormat.feed.text(of: feed).contains("\"start\":600.5"))
  }
}
