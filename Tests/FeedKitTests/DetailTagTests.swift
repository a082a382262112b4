import Foundation
import Model
import Testing

@testable import FeedKit

/// Podcasting 2.0 tags: locations, licences, chats, comments, publishers; as specified and as found in feeds.
@Suite struct DetailTagTests {
  private func read(channel: String, item: String = "") throws -> Feed {
    let text = """
      <rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>T</title>\(channel)
      <item><title>I</title>\(item)</item></channel></rss>
      """
    return try FeedReader.read(Array(text.utf8), feedURL: "https://example.org/feed")
  }

  @Test func tagsOfAPodcast() throws {
    let feed = try read(
      channel: """
        <podcast:location rel="subject" geo="geo:30.2672,97.7431" osm="R113314">Austin, TX</podcast:location>
        <podcast:location>Elsewhere</podcast:location>
        <podcast:license url="/own.html">my-podcast-license-v1</podcast:license>
        <podcast:chat server="irc.zeronode.net" protocol="irc" accountId="@jsmith" space="#myawesomepodcast"/>
        <podcast:chat protocol="irc"/>
        <podcast:publisher><podcast:remoteItem medium="publisher" feedGuid="003af0a0" feedUrl="https://p.example/feed"/>
        </podcast:publisher>
        <podcast:podroll><podcast:remoteItem feedGuid="29cdca4a" title="Friend"/></podcast:podroll>
        """
    ).podcast
    #expect(feed.location == FeedLocation(name: "Austin, TX", geo: "geo:30.2672,97.7431", osm: "R113314"))
    #expect(feed.location?.mapURL == "https://www.openstreetmap.org/relation/113314")
    #expect(feed.license == License(name: "my-podcast-license-v1", url: "https://example.org/own.html"))
    #expect(feed.chats.map(\.address) == ["ircs://irc.zeronode.net/%23myawesomepodcast"])
    #expect(feed.publisher?.feedURL == "https://p.example/feed" && feed.publisher?.medium == "publisher")
    #expect(feed.podroll == [RemoteItem(feedGuid: "29cdca4a", title: "Friend")])
  }

  @Test func coverIsTheArtwork() throws {
    let feed = try read(
      channel: """
        <podcast:image href="/banner.png" purpose="social banner"/><podcast:image href="/art.png" purpose="Artwork"/>
        """
    ).podcast
    #expect(feed.imageURL == "https://example.org/art.png")
  }

  @Test func publisherListsItsPodcasts() throws {
    let feed = try read(
      channel: """
        <podcast:medium>publisher</podcast:medium><podcast:remoteItem feedGuid="a1" feedUrl="/one.xml" medium="music"/>
        <podcast:podroll><podcast:remoteItem feedGuid="b2"/></podcast:podroll><podcast:remoteItem medium="podcast"/>
        <podcast:remoteItem feedGuid="c3" itemGuid="track-1"/>
        """
    ).podcast
    #expect(
      feed.listed == [
        RemoteItem(feedGuid: "a1", feedURL: "https://example.org/one.xml", medium: "music"),
        RemoteItem(feedGuid: "c3", itemGuid: "track-1"),
      ])
    #expect(feed.podroll == [RemoteItem(feedGuid: "b2")] && feed.publisher == nil)
  }

  @Test func recipientsOfPayments() throws {
    let feed = try read(
      channel: """
        <podcast:value type="lightning" method="keysend" suggested="0.00000005">
        <podcast:valueRecipient name="A" type="node" address="02d5" split="99" customKey="696969" customValue=" x "/>
        <podcast:valueRecipient name="App" type="node" address="02d6" split="0" fee="true"/>
        <podcast:valueRecipient split="-1" fee="perhaps"/></podcast:value>
        """
    ).podcast
    typealias Recipient = ValueBlock.Recipient
    #expect(
      feed.value?.recipients == [
        Recipient(name: "A", type: "node", address: "02d5", split: 99, customKey: "696969", customValue: "x"),
        Recipient(name: "App", type: "node", address: "02d6", split: 0, fee: true), Recipient(),
      ])
    // As older versions stored it.
    let stored = Data(#"{"recipients":[{"name":"A","split":99}]}"#.utf8)
    #expect(
      try JSONDecoder().decode(ValueBlock.self, from: stored)
        == ValueBlock(recipients: [Recipient(name: "A", split: 99)]))
  }

  @Test func tagsOfAnEpisode() throws {
    let episode = try read(
      channel: "",
      item: """
        <podcast:location geo="geo:52.5,13.4;u=10">Berlin</podcast:location><podcast:license>cc-by-4.0</podcast:license>
        <podcast:socialInteract priority="2" protocol="twitter" uri="https://t.example/2" accountId="@x"/>
        <podcast:socialInteract priority="1" protocol="activitypub" uri="https://a.example/1"/>
        <podcast:socialInteract protocol="disabled"/>
        <podcast:socialInteract protocol="x" uri="javascript:alert(1)"/>
        <podcast:chat server="https://chat.example" protocol="other"/>
        """
    ).episodes[0]
    #expect(episode.location?.mapURL == "https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=12/52.5/13.4")
    #expect(episode.license?.address == "https://spdx.org/licenses/cc-by-4.0.html")
    #expect(episode.comments.map(\.url) == ["https://a.example/1", "https://t.example/2"])
    #expect(episode.chats.map(\.address) == ["https://chat.example"])
  }
}
