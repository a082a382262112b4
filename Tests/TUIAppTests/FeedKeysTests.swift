import FeedKit
import Foundation
import Model
import Testing

@testable import TUIApp

/// `list --json` and `episodes --json` have all keys of `earshot feed --json`.
@Suite(InTurn()) struct FeedKeysTests {
  private struct Keys {
    var podcast: Set<String>
    var episode: Set<String>
    var liveItem: Set<String>
  }

  private func keysOfFeed() throws -> Keys {
    var feed = Feed(episodes: [FeedEpisode()])
    feed.podcast.liveItems = [LiveItem(status: "live")]
    let object = try #require(try JSONSerialization.jsonObject(with: FeedJSON.encode(feed)) as? [String: Any])
    let podcast = try #require(object["podcast"] as? [String: Any])
    let episode = try #require((object["episodes"] as? [[String: Any]])?.first)
    let live = try #require((podcast["liveItems"] as? [[String: Any]])?.first)
    return Keys(podcast: Set(podcast.keys), episode: Set(episode.keys), liveItem: Set(live.keys))
  }

  private func keys(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }

  @Test func feedKeysEqualTheLibraryKeys() throws {
    let said = try keysOfFeed()
    let row = PodcastRow(id: PodcastID(1), feedURL: "https://example.org/feed", title: "A")
    let podcast = PodcastDetail(
      id: row.id, row: row, feed: FeedPodcast(), source: .rss(url: row.feedURL), isSubscribed: true)
    #expect(said.podcast.subtracting(keys(PodcastJSON(podcast))) == [])
    let episode = EpisodeDetail(
      row: EpisodeRow(id: EpisodeID(1), podcast: row.id, title: "E"), feed: FeedEpisode())
    #expect(said.episode.subtracting(keys(EpisodeJSON(episode))) == [])
    #expect(keys(LiveItemJSON(LiveItem(status: "live"))).subtracting(said.liveItem) == [])
  }
}
