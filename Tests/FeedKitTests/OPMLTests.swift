import Foundation
import Testing

@testable import FeedKit

#if canImport(FoundationXML)
  import FoundationXML
#endif

private func read(_ text: String) throws -> [OPMLEntry] { try OPML.contents(Data(text.utf8)).entries }

@Suite struct OPMLTests {
  @Test func opmlOfOtherClientsIsRead() throws {
    let entries = try read(
      """
      \u{FEFF}<?xml version='1.0' encoding='UTF-8' standalone='no' ?>
      <!DOCTYPE opml SYSTEM "http://www.opml.org/spec.dtd">
      <OPML version="1.1"><head><title>x</title><outline xmlUrl="http://head.example/"/></head><body>
        <outline text="feeds">
          <outline type="rss" text="Pocket" xmlUrl="http://e.org/pocket?a=1&b=2"/>
        </outline>
        <outline xmlUrl="https://e.org/kasts" title="Kasts"/>
        <outline text="a description" title="gPodder" type="rss" XMLURL=" https://e.org/gpodder " htmlUrl="http://e.org"/>
        <outline text="News"><outline title="Tech"><outline xmlurl="feed://e.org/nested" text=""/></outline></outline>
        <outline type="link" url="https://e.org/by-url" text="By URL"/>
        <outline type="link" url="https://e.org/by-url" text="Twice" category="/Later,other"/>
        <outline type="rss" xmlUrl="pcast:https://e.org/pcast" text="A &amp;amp; B"/>
        <outline xmlUrl="e.org/bare" text="Bare"/>
        <outline xmlUrl="|~/tweets.py" text="command"/><outline xmlUrl="file:///etc/passwd"/>
        <outline xmlUrl="rel/podcast.rss"/><outline type="podcast-playlist" title="All" url="http://no"/>
      </body></OPML>
      """)
    #expect(
      entries == [
        OPMLEntry(url: "http://e.org/pocket?a=1&b=2", title: "Pocket"),
        OPMLEntry(url: "https://e.org/kasts", title: "Kasts"),
        OPMLEntry(url: "https://e.org/gpodder", title: "gPodder", htmlURL: "http://e.org"),
        OPMLEntry(url: "http://e.org/nested", tags: ["News", "Tech"]),
        OPMLEntry(url: "https://e.org/by-url", title: "By URL", tags: ["Later", "other"]),
        OPMLEntry(url: "https://e.org/pcast", title: "A &amp; B"),
        OPMLEntry(url: "https://e.org/bare", title: "Bare"),
      ])
  }

  @Test func overcastProgress() throws {
    let entries = try read(
      """
      <opml version="1.0"><body><outline text="playlists"><outline type="podcast-playlist" title="All"/></outline>
      <outline text="feeds"><outline type="rss" title="P" xmlUrl="https://e.org/p" overcastId="1">
        <outline type="podcast-episode" title="One" url="https://e.org/1" enclosureUrl="https://e.org/1.mp3" progress="90"/>
        <outline type="podcast-episode" title="Two" enclosureUrl="https://e.org/2.mp3" played="1" userDeleted="1"/>
        <outline type="podcast-episode" title="None"/>
      </outline></outline></body></opml>
      """)
    #expect(
      entries == [
        OPMLEntry(
          url: "https://e.org/p", title: "P",
          progress: [
            OPMLProgress(mediaURL: "https://e.org/1.mp3", title: "One", position: 90),
            OPMLProgress(mediaURL: "https://e.org/2.mp3", title: "Two", isPlayed: true, isDeleted: true),
          ])
      ])
  }

  @Test func podcastsThatWereLeftInOvercastAreNoSubscriptions() throws {
    let entries = try read(
      """
      <opml version="1.0"><body><outline text="feeds">
      <outline type="rss" title="Left" xmlUrl="https://e.org/left" subscribed="0">
        <outline type="podcast-episode" title="One" enclosureUrl="https://e.org/1.mp3" progress="90"/>
      </outline>
      <outline type="rss" title="P" xmlUrl="https://e.org/p" subscribed="1"/>
      </outline></body></opml>
      """)
    #expect(entries == [OPMLEntry(url: "https://e.org/p", title: "P")])
  }

  /// Subscriptions without a usable address are listed, so that the listener can be told. Playlists and links are no
  /// subscriptions.
  @Test func subscriptionsThatCannotBeFetchedAreListed() throws {
    let text = """
      <opml version="2.0"><body><outline type="rss" xmlUrl="https://e.org/a"/><outline type="rss" xmlUrl="nonsense"/>
      <outline xmlUrl="|command"/><outline type="podcast-playlist" title="All"/><outline type="link" htmlUrl="x"/>
      </body></opml>
      """
    let contents = try OPML.contents(Data(text.utf8))
    #expect(contents.entries.map(\.url) == ["https://e.org/a"])
    #expect(contents.refused == ["nonsense", "|command"])
  }

  @Test func fragmentsAndDamage() throws {
    #expect(try read("<body><outline xmlUrl='http://e.org/a'/></body>").map(\.url) == ["http://e.org/a"])
    #expect(try read("<outline xmlUrl='http://e.org/a'/>").map(\.url) == ["http://e.org/a"])
    #expect(try read("<opml><body/></opml>") == [])
    #expect(
      try read("<opml><body><outline xmlUrl='http://e.org/a' text='x'/><outline xmlUrl='http").map(\.url)
        == ["http://e.org/a"])
  }

  @Test(arguments: ["http://", "http://user@", "feed://user@", "https://user:pw@"])
  func addressesWithoutAHostAreNoFeeds(address: String) throws {
    let text = "<opml><body><outline xmlUrl='\(address)'/><outline xmlUrl='http://e.org/a'/></body></opml>"
    #expect(try OPML.contents(Data(text.utf8)).entries.map(\.url) == ["http://e.org/a"])
  }

  /// What `earshot add` takes, a file may have.
  @Test(
    arguments: [
      ("antennapod-subscribe://e.org/a", "http://e.org/a"), ("Podcast:feed:HTTPS://e.org/a", "https://e.org/a"),
      ("https://antennapod.org/deeplink/subscribe?url=https%3A%2F%2Fe.org%2Fa", "https://e.org/a"),
      ("127.0.0.1:8740/a", "https://127.0.0.1:8740/a"), ("feed://me:p%40ss@e.org/a", "http://me:p%40ss@e.org/a"),
      ("e.org?feed=rss2", "https://e.org/?feed=rss2"), ("http:e.org/a", "http://e.org/a"),
      ("https:/e.org/a", "https://e.org/a"),
      ("podcasts.xml", nil), ("exec:~/a.py", nil), ("|a.py/x.y", nil), ("feed:file:///etc/passwd", nil),
    ] as [(String, String?)])
  func addressIsReadLikeATypedOne(_ address: String, url: String?) throws {
    let contents = try OPML.contents(Data("<opml><body><outline xmlUrl='\(address)'/></body></opml>".utf8))
    #expect(contents.entries.map(\.url) == [url].compactMap { $0 })
    #expect(contents.refused == (url == nil ? [address] : []))
  }

  @Test func errors() {
    #expect(throws: OPMLError.notOPML(root: "not-opml")) {
      try read("<not-opml><body><outline xmlUrl='http://e.org/a'/></body></not-opml>")
    }
    #expect(throws: OPMLError.noBody) { try read("<opml><head/><outline xmlUrl='http://e.org/a'/></opml>") }
    #expect(throws: OPMLError.notOPML(root: nil)) { try read("hello") }
    #expect(throws: OPMLError.notOPML(root: nil)) { try read("") }
  }

  /// "Feeds" is the outermost container of other programs, and a comma separates categories.
  @Test(arguments: [["Feeds"], ["rock, pop"], ["rock, pop", "zed"], ["feeds", "zed"]])
  func unusualTagsReadBack(tags: [String]) throws {
    let entry = OPMLEntry(url: "https://e.org/a", title: "A", tags: tags)
    let data = OPML.write(title: "Earshot", entries: [entry], date: Date(timeIntervalSince1970: 0))
    #expect(try Set(OPML.contents(data).entries[0].tags) == Set(tags))
    #expect(try OPML.contents(data).entries[0].tags.count == tags.count)
  }

  @Test func cutOffFileIsNoticed() throws {
    let whole = "<opml><body><outline xmlUrl='http://e.org/a'/><outline xmlUrl='http://e.org/b'/></body></opml>"
    #expect(try OPML.contents(Data(whole.utf8)).damage == nil)
    let contents = try OPML.contents(Data(whole.utf8.prefix(70)))
    #expect(contents.damage == .cutOff && contents.entries.map(\.url) == ["http://e.org/a"])
  }

  /// Quadratic behaviour would take minutes.
  @Test func commentsWithoutAnEnd() throws {
    let comments = String(repeating: "<!-- ", count: 400_000)
    let text = "<opml><body><outline xmlUrl='http://e.org/a'/></body></opml>" + comments
    #expect(try OPML.contents(Data(text.utf8)).entries.map(\.url) == ["http://e.org/a"])
  }

  /// A file that lost its frame, or has only its body.
  @Test(arguments: ["", "<?xml version='1.0' encoding='ISO-8859-1'?>\n<!-- lost -->\n"])
  func outlinesWithoutRootAreAllRead(prolog: String) throws {
    let outlines =
      "<outline text='F'><outline xmlUrl='http://e.org/0'/></outline>\n"
      + (1...4).map { "<outline text='P\u{e9}\($0)' xmlUrl='http://e.org/\($0)'/>\n" }.joined()
    for text in [outlines, "<body>\(outlines)</body>"] {
      let contents = try OPML.contents(#require((prolog + text).data(using: prolog.isEmpty ? .utf8 : .isoLatin1)))
      #expect(contents.entries.map(\.url) == (0...4).map { "http://e.org/\($0)" })
      #expect(contents.entries.last?.title == "P\u{e9}4" && contents.entries[0].tags == ["F"])
      #expect(contents.damage == .noRoot)
    }
  }

  /// Outlines that the reader cannot see are counted: the quotation mark of one is missing, or a second document
  /// follows the first one.
  @Test func lostOutlinesAreCounted() throws {
    let outlines = (0...2).map { "<outline xmlUrl='http://e.org/\($0)'/>" }.joined()
    let document = "<opml version='2.0'><body>\(outlines)</body></opml>"
    #expect(try OPML.contents(Data((document + document).utf8)).damage == .unreadable(3))
    let open = document.replacing("'http://e.org/0'", with: "\"http://e.org/0'")
    let contents = try OPML.contents(Data(open.utf8))
    #expect(contents.damage != nil || contents.entries.count == 3)
    // What a comment has was never meant.
    let commented = document.replacing("<body>", with: "<body><!-- <outline xmlUrl='http://old.example'/> -->")
    #expect(try OPML.contents(Data(commented.utf8)).damage == nil)
  }

  @Test func writtenFilesReadBack() throws {
    let entries = [
      OPMLEntry(url: "https://e.org/a?x=1&y=2", title: "A <\"quoted\"> & 流動\u{1B}[2J", htmlURL: "https://e.org/"),
      OPMLEntry(url: "https://e.org/b", title: "B", tags: ["News", "Tech"]),
      OPMLEntry(url: "https://user:secret@e.org/c", tags: ["Fun"]),
    ]
    let data = OPML.write(title: "Earshot", entries: entries, date: Date(timeIntervalSince1970: 86_399))
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("<dateCreated>Thu, 01 Jan 1970 23:59:59 GMT</dateCreated>"))
    #expect(!text.contains("secret"))
    #expect(
      try OPML.contents(data).entries == [
        OPMLEntry(url: "https://e.org/a?x=1&y=2", title: "A <\"quoted\"> & 流動", htmlURL: "https://e.org/"),
        OPMLEntry(url: "https://e.org/b", title: "B", tags: ["News", "Tech"]),
        OPMLEntry(url: "https://e.org/c", title: "https://e.org/c", tags: ["Fun"]),
      ])
    let parser = XMLParser(data: data)
    #expect(parser.parse())
  }
}
