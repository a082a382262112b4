import Foundation
import Testing

@testable import Model

@Suite struct IdentifierTests {
  /// Ids are plain numbers in JSON, so that other programs can read what the verbs print.
  @Test func idsAreNumbersInJSON() throws {
    let ids = [EpisodeID(7), EpisodeID(-1)]
    let data = try JSONEncoder().encode(ids)
    #expect(String(decoding: data, as: UTF8.self) == "[7,-1]")
    #expect(try JSONDecoder().decode([EpisodeID].self, from: data) == ids)
  }

  @Test func notesPreferTheRichestText() {
    var feed = FeedEpisode()
    let row = EpisodeRow(id: EpisodeID(1), podcast: PodcastID(1), title: "One")
    #expect(EpisodeDetail(row: row, feed: feed).notes == nil)
    feed.subtitle = "short"
    feed.summary = "longer"
    #expect(EpisodeDetail(row: row, feed: feed).notes == "longer")
    feed.contentHTML = "<p>longest</p>"
    #expect(EpisodeDetail(row: row, feed: feed).notes == "<p>longest</p>")
  }

  @Test func addressesInNotesAreRelativeToTheNearestPage() {
    var feed = FeedEpisode()
    let row = EpisodeRow(id: EpisodeID(1), podcast: PodcastID(1), title: "One")
    #expect(EpisodeDetail(row: row, feed: feed).notesBase == nil)
    #expect(EpisodeDetail(row: row, feed: feed, podcastAddress: "https://h.example/").notesBase == "https://h.example/")
    feed.link = "https://h.example/1"
    #expect(
      EpisodeDetail(row: row, feed: feed, podcastAddress: "https://h.example/").notesBase == "https://h.example/1")
  }
}
