import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Passwords, each with its origin, stored apart from a podcast's other settings.
@Suite struct CredentialTests {
  let box: TemporaryLibrary
  var library: Library { box.library }

  init() throws { box = try TemporaryLibrary() }

  private func credentials(_ user: String, _ origin: String) throws -> Credentials {
    Credentials(user: user, password: "secret", origin: try #require(Origin(origin)))
  }

  @Test func credentialsBelongToOnePodcast() throws {
    let given = try credentials("me", "https://a.example")
    let podcast = try library.subscribe(
      feed: Feed(), feedURL: "https://a.example/f", credentials: given, now: Samples.now)
    let other = try library.subscribe(feed: Feed(), feedURL: "https://a.example/g", now: Samples.now)
    try box.reopen()
    #expect(try library.credentials(of: podcast) == given)
    #expect(try library.credentials(of: other) == nil)
    let candidates = try library.podcastsToRefresh(now: Samples.now)
    #expect(candidates.first { $0.id == podcast }?.credentials == given)
    #expect(candidates.count == 2 && candidates.first { $0.id == other }?.credentials == nil)
  }

  @Test func addingAPodcastAgainKeepsItsCredentials() throws {
    let podcast = try library.subscribe(feed: Feed(), feedURL: "https://a.example/f", now: Samples.now)
    try library.update(settingsOf: podcast) { settings in
      settings.playback = PlaybackSettings()
      settings.playback?.speed = 1.5
      settings.playback?.intro = 30
      settings.keepDownloads = 3
      settings.autoDownload = 2
    }
    try library.setTags(["paid"], of: podcast)
    let before = try library.settings(of: podcast)
    let given = try credentials("me", "https://a.example")
    try library.subscribe(feed: Feed(), feedURL: "https://a.example/f", credentials: given, now: Samples.now)
    #expect(try library.settings(of: podcast) == before)
    #expect(try library.podcastDetail(podcast)?.row.tags == ["paid"])
    #expect(try library.credentials(of: podcast) == given)
    // A subscription without a password keeps the stored one; one with another password replaces it.
    try library.subscribe(feed: Feed(), feedURL: "https://a.example/f", now: Samples.now)
    #expect(try library.credentials(of: podcast) == given)
    let newer = try credentials("you", "https://a.example")
    try library.subscribe(feed: Feed(), feedURL: "https://a.example/f", credentials: newer, now: Samples.now)
    #expect(try library.credentials(of: podcast) == newer)
    try library.addCredentials(given, of: podcast)
    #expect(try library.credentials(of: podcast) == newer, "an import does not replace stored credentials")
  }

  @Test func credentialsAreDroppedWhenTheFeedMovesToAnotherServer() throws {
    let given = try credentials("me", "http://a.example")
    let podcast = try library.subscribe(
      feed: Feed(), feedURL: "http://a.example/f", credentials: given, now: Samples.now)
    try library.setFeedURL(podcast, "http://evil.example/f", now: Samples.now)
    #expect(try library.credentials(of: podcast)?.origin == given.origin)
    // When two podcasts are merged, the remaining one keeps its own password, or gets the other's with its origin.
    let other = try library.subscribe(feed: Feed(), feedURL: "http://b.example/f", now: Samples.now)
    #expect(try library.setFeedURL(podcast, "http://b.example/f", now: Samples.now) == other)
    #expect(try library.credentials(of: other) == given)
  }

  @Test func credentialsAreNotSentOverHTTPAfterAMoveToHTTPS() throws {
    let podcast = try library.subscribe(
      feed: Feed(), feedURL: "http://a.example/f", credentials: try credentials("me", "http://a.example"),
      now: Samples.now)
    try library.setFeedURL(podcast, "https://a.example/f", now: Samples.now)
    #expect(try library.credentials(of: podcast)?.origin == Origin("https://a.example"))
    try library.setFeedURL(podcast, "http://a.example/f", now: Samples.now)
    #expect(try library.credentials(of: podcast)?.origin == Origin("https://a.example"))
  }

  /// http and https of an address are one podcast. The feed is fetched from the one that the password is for.
  @Test func passwordForHTTPSIsUsedForAFeedAddedWithHTTP() throws {
    let podcast = try library.subscribe(feed: Feed(), feedURL: "http://a.example/f", now: Samples.now)
    let given = try credentials("me", "https://a.example")
    let again = try library.subscribe(
      feed: Feed(), feedURL: "https://a.example/f", credentials: given, now: Samples.now)
    #expect(again == podcast)
    #expect(try library.podcastDetail(podcast)?.row.feedURL == "https://a.example/f")
    // The reverse does not change the address.
    try library.subscribe(feed: Feed(), feedURL: "http://a.example/f", now: Samples.now)
    #expect(try library.podcastDetail(podcast)?.row.feedURL == "https://a.example/f")
  }

  @Test func feedAddressesContainNoPassword() throws {
    let podcast = try library.subscribe(feed: Feed(), feedURL: "http://u:secret@a.example/f", now: Samples.now)
    #expect(try library.podcastDetail(podcast)?.row.feedURL == "http://a.example/f")
    #expect(try library.podcastDetail(podcast)?.source == .rss(url: "http://a.example/f"))
    try library.setFeedURL(podcast, "http://u:secret@a.example/g", now: Samples.now)
    #expect(try library.podcastDetail(podcast)?.row.feedURL == "http://a.example/g")
  }

  @Test func credentialsOfAnOriginNeedAgreement() throws {
    let origin = try #require(Origin("https://a.example"))
    let given = try credentials("me", "https://a.example")
    for path in ["f", "g"] {
      let url = "https://a.example/\(path)"
      try library.subscribe(feed: Feed(), feedURL: url, credentials: given, now: Samples.now)
    }
    #expect(try library.credentials(at: origin) == given)
    #expect(try library.credentials(at: try #require(Origin("https://b.example"))) == nil)
    try library.subscribe(
      feed: Feed(), feedURL: "https://a.example/h", credentials: try credentials("you", "https://a.example"),
      now: Samples.now)
    #expect(try library.credentials(at: origin) == nil, "the podcasts have different credentials")
  }

  // MARK: Libraries of older versions

  private static let rowsOfV7 = """
    INSERT INTO podcast (id, feedURL, feedKey, title, titleKey, source, sourceID, isSubscribed, subscriptionUpdated,
      health, healthMessage) VALUES
      (1, 'https://a.example:8443/f', 'a.example:8443/f', 'A', 'a', 'rss', 'https://a.example:8443/f', 1, 0, 'good', NULL),
      (2, 'http://evil.example/f', 'evil.example/f', 'B', 'b', 'rss', 'http://evil.example/f', 1, 0, 'connectivity',
        'B: the server asks for a user name and password (give it to me)'),
      (3, 'http://ann:p%40ss@c.example/f', 'c.example/f', 'C', 'c', 'rss', 'http://ann:p%40ss@c.example/f', 1, 0, 'good', NULL),
      (4, 'http://d.example/@f', 'd.example/@f', 'D', 'd', 'apple', '42', 1, 0, 'good', NULL),
      (5, 'earshot:welcome', 'earshot:welcome', 'E', 'e', 'rss', 'earshot:welcome', 1, 0, 'good', NULL);
    INSERT INTO podcastSettings (podcastID, settings) VALUES
      (1, '{"keepDownloads":3,"password":"one","show":{"speed":1.5},"user":"me"}'),
      (2, '{"password":"two","user":"me"}'), (4, '{"autoDownload":2}'), (5, '{"user":"me"}');

    """

  @Test func passwordsOfAnOlderLibraryAreKept() throws {
    let path = box.directory + "/old.db"
    let old = try DatabaseQueue(path: path)
    try Schema.migrator.migrate(old, upTo: "v7")
    try old.write { db in try db.execute(sql: Self.rowsOfV7) }
    try old.close()
    let library = try Library(path: path)
    let origin = try #require(Origin("https://a.example:8443"))
    #expect(try library.credentials(of: PodcastID(1)) == Credentials(user: "me", password: "one", origin: origin))
    var kept = PodcastSettings()
    kept.keepDownloads = 3
    kept.playback = PlaybackSettings()
    kept.playback?.speed = 1.5
    #expect(try library.settings(of: PodcastID(1)) == kept)
    // The feed may have been redirected to another server, which refuses the password: it is sent to nobody, and can
    // be entered again.
    #expect(try library.credentials(of: PodcastID(2)) == nil)
    #expect(try library.credentialCount() == 4)
    let again = try credentials("me", "http://evil.example")
    try library.addCredentials(again, of: PodcastID(2))
    #expect(try library.credentials(of: PodcastID(2)) == again)
    // Taken from the address.
    let plain = try #require(Origin("http://c.example"))
    #expect(try library.credentials(of: PodcastID(3)) == Credentials(user: "ann", password: "p@ss", origin: plain))
    #expect(try library.podcastDetail(PodcastID(3))?.row.feedURL == "http://c.example/f")
    #expect(try library.podcastDetail(PodcastID(3))?.source == .rss(url: "http://c.example/f"))
    #expect(try library.podcastDetail(PodcastID(4))?.row.feedURL == "http://d.example/@f")
    #expect(try library.settings(of: PodcastID(4)).autoDownload == 2)
    #expect(try library.credentials(of: PodcastID(5)) == nil)
    let texts = try library.pool.read { db in try String.fetchAll(db, sql: "SELECT settings FROM podcastSettings") }
    #expect(texts.count == 2 && !texts.joined().contains("password") && !texts.joined().contains("user"))
  }
}
