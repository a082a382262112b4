import Foundation
import Model
import Testing

@testable import FeedKit

@Suite struct FeedJSONTests {
  @Test func jsonHasEveryKeyAndNullForMissingValues() throws {
    let feed = try FeedSample.read("<rss><channel><item/></channel></rss>")
    let json = try #require(JSONSerialization.jsonObject(with: FeedJSON.encode(feed)) as? [String: Any])
    let podcast = try #require(json["podcast"] as? [String: Any])
    #expect(podcast.count == 32)
    #expect(podcast["title"] is NSNull)
    #expect((podcast["categories"] as? [Any])?.isEmpty == true)
    let episode = try #require((json["episodes"] as? [[String: Any]])?.first)
    #expect(episode.count == 28)
    #expect(episode["pubDate"] is NSNull)
    #expect(episode["duration"] is NSNull)
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
    let json = try #require(JSONSerialization.jsonObject(with: FeedJSON.encode(feed)) as? [String: Any])
    let podcast = try #require(json["podcast"] as? [String: Any])
    #expect(podcast["title"] as? String == odd)
    #expect(podcast["lastBuildDate"] as? String == "1969-12-31T23:59:59Z")
    let first = try #require((json["episodes"] as? [[String: Any]])?.first)
    #expect(first["pubDate"] as? String == "2024-02-29T23:59:59Z")
    #expect((first["chapters"] as? [[String: Any]])?.map { $0["start"] as? Double } == [0, 600.5, nil])
    #expect(String(decoding: FeedJSON.encode(feed), as: UTF8.self).contains("\"start\":600.5"))
  }
}
