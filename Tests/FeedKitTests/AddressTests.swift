import Foundation
import Model
import Testing

@testable import FeedKit
@testable import HTTP

/// Addresses that users paste, and which addresses count as the same feed.
@Suite struct AddressTests {
  @Test(arguments: [
    ("https://example.org/feed", ["https://example.org/feed"]),
    ("  HTTP://Example.ORG/Feed \n", ["http://example.org/Feed"]),
    ("feed://example.org/a", ["http://example.org/a"]),
    ("FEED:https://example.org/a", ["https://example.org/a"]),
    ("feed:example.org/a", ["http://example.org/a"]),
    ("feed://https://example.org/a", ["https://example.org/a"]),
    ("pcast:http://example.org/a", ["http://example.org/a"]),
    ("pcast://example.org/a", ["http://example.org/a"]),
    ("itpc://example.org/a", ["http://example.org/a"]),
    ("itms://example.org/a", ["http://example.org/a"]),
    ("podcast://example.org:8080/a", ["http://example.org:8080/a"]),
    ("podcast:https://example.org/a", ["https://example.org/a"]),
    ("rss://example.org/a", ["http://example.org/a"]),
    ("antennapod-subscribe://example.org/a", ["http://example.org/a"]),
    (
      "https://antennapod.org/deeplink/subscribe?url=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1",
      ["https://example.org/a?b=1"]
    ),
    (
      "https://www.antennapod.org/deeplink/subscribe/?url=feed%3A%2F%2Fexample.org%2Fa&title=x",
      ["http://example.org/a"]
    ),
    ("https://subscribeonandroid.com/example.org/a", ["https://example.org/a", "http://example.org/a"]),
    ("http://www.subscribeonandroid.com/example.org/a", ["https://example.org/a", "http://example.org/a"]),
    ("example.org/feed", ["https://example.org/feed", "http://example.org/feed"]),
    ("example.org:8080/feed", ["https://example.org:8080/feed", "http://example.org:8080/feed"]),
    ("//example.org/feed", ["https://example.org/feed", "http://example.org/feed"]),
    ("localhost:8080", ["https://localhost:8080/", "http://localhost:8080/"]),
    ("<https://example.org/feed>", ["https://example.org/feed"]),
    ("'https://example.org/feed'", ["https://example.org/feed"]),
    ("\"<https://example.org/feed> \"", ["https://example.org/feed"]),
    ("https://example.org/feed?title='abc'", ["https://example.org/feed?title='abc'"]),
    ("'https://example.org/feed?title='abc''", ["https://example.org/feed?title='abc'"]),
    ("http:example.org/a", ["http://example.org/a"]), ("HTTPS:/example.org/a", ["https://example.org/a"]),
    ("feed:http:example.org/a", ["http://example.org/a"]), ("http:\\\\example.org/a", ["http://example.org/a"]),
    ("https://example.org/a b/ü", ["https://example.org/a%20b/%C3%BC"]),
    ("https://example.org/é?q=a b&é#ü", ["https://example.org/%C3%A9?q=a%20b&%C3%A9"]),
    ("https://example.org/%C3%A9/%c3%a9", ["https://example.org/%C3%A9/%c3%a9"]),
    ("https://bücher.example?ü", ["https://xn--bcher-kva.example/?%C3%BC"]),
    ("https://bücher.example/", ["https://xn--bcher-kva.example/"]),
    ("http://[::1]:8080/feed", ["http://[::1]:8080/feed"]),
    ("https://podcasts.apple.com/us/browse", ["https://podcasts.apple.com/us/browse"]),
    ("https://podcasts.apple.com/us/search?term=/id1", ["https://podcasts.apple.com/us/search?term=/id1"]),
  ])
  func addresses(_ text: String, _ urls: [String]) throws {
    let found = try FeedAddress.parse(text).urls
    // Newer libcurl writes the digits of `%c3` in upper case, which means the same (RFC 3986, section 6.2.2.1).
    func canonical(_ url: String) -> String { url.replacing(/%[0-9a-f]{2}/.ignoresCase()) { $0.output.uppercased() } }
    #expect(found.map(canonical) == urls.map(canonical))
  }

  @Test(arguments: [
    ("https://podcasts.apple.com/us/podcast/radiolab/id152249110", "152249110"),
    ("https://podcasts.apple.com/de/podcast/x/id42?i=1000", "42"),
    ("podcasts.apple.com/us/podcast/id7", "7"),
    ("itms://itunes.apple.com/us/podcast/x/id9", "9"),
    ("https://overcast.fm/itunes152249110/radiolab", "152249110"),
  ])
  func pagesOfDirectories(_ text: String, _ id: String) throws {
    var address = try FeedAddress.parse(text)
    #expect(address.urls.isEmpty && address.directoryPage?.contains(id) == true)
    // The password must not reach the directory.
    let error = FeedError.invalidData(.malformed(reason: "a user name needs the address of the feed itself"))
    #expect(throws: error) { try address.authorize(FeedLogin(user: "u", password: "p")) }
  }

  @Test(arguments: [
    ("", FeedError.http(.badAddress(""))), ("file:///etc/passwd", .http(.unsupportedScheme("file"))),
    ("FILE:/etc/passwd", .http(.unsupportedScheme("file"))),
    ("feed:file:///etc/passwd", .http(.unsupportedScheme("file"))),
    ("feed://file:///etc/passwd", .http(.unsupportedScheme("file"))),
    ("ftp://example.org/", .http(.unsupportedScheme("ftp"))),
    ("javascript:alert(1)", .http(.unsupportedScheme("javascript"))),
    ("mailto:me@example.org", .http(.unsupportedScheme("mailto"))),
    ("/etc/passwd", .http(.badAddress("/etc/passwd"))), ("radiolab", .http(.badAddress("radiolab"))),
    ("two words.example", .http(.badAddress("two words.example"))), ("../x", .http(.badAddress("../x"))),
    ("https://", .http(.badAddress("https://"))), ("feed:", .http(.badAddress("http://"))),
    ("https://a.example/\u{1B}[31m", .http(.badAddress("https://a.example/\u{1B}[31m"))),
    (
      "https://antennapod.org/deeplink/subscribe?url=file%3A%2F%2F%2Fetc%2Fpasswd", .http(.unsupportedScheme("file"))
    ),
  ])
  func refused(_ text: String, _ error: FeedError) {
    #expect(throws: error) { try FeedAddress.parse(text) }
  }

  /// Schemes of players say nothing about http and https, so the feed stays at the scheme of the page.
  @Test(arguments: [
    ("feed://example.org/a", "https://example.org/a"), (" Feed://example.org/a ", "https://example.org/a"),
    ("feed:https://example.org/a", "https://example.org/a"), ("feed:http://example.org/a", "http://example.org/a"),
    ("feed://https://example.org/a", "https://example.org/a"), ("feed:/a", "https://page.example/a"),
    ("feed:a", "https://page.example/show/a"), ("itpc://example.org/a", "https://example.org/a"),
    ("podcast:feed://example.org/a", "https://example.org/a"), ("a", "https://page.example/show/a"),
    ("//example.org/a", "https://example.org/a"), ("http://example.org/a", "http://example.org/a"),
  ])
  func addressesInDocuments(_ text: String, _ url: String) throws {
    let page = try WebAddress("https://page.example/show/")
    #expect(FeedClient.feedAddress(text, on: page)?.text == url)
    let plain = try #require(try FeedClient.feedAddress("feed://example.org/a", on: WebAddress("http://page.example/")))
    #expect(plain.text == "http://example.org/a")
  }

  @Test(arguments: [
    ("https://example.org/a", "http://example.org/a", false), ("https://example.org/a", "https://example.org/a", false),
    ("http://example.org/a", "https://example.org/a", true), ("https://example.org/a", "http://example.org/b", true),
    ("https://example.org/a", "http://other.example/a", true),
  ])
  func feedDoesNotMoveBackToHTTP(_ old: String, _ new: String, _ isMove: Bool) throws {
    let other = try WebAddress("https://example.org/other")
    #expect(try FeedClient.isMove(to: WebAddress(new), from: [other, WebAddress(old)]) == isMove)
  }

  @Test(arguments: ["https://u:p%40@example.org/feed", "feed://u:p%40@example.org/feed", "u:p%40@example.org/feed"])
  func credentialsAreSplitOff(_ text: String) throws {
    let address = try FeedAddress.parse(text)
    let scheme = text.hasPrefix("feed:") ? "http" : "https"
    let origin = Origin(scheme: scheme, host: "example.org", port: scheme == "http" ? 80 : 443)
    #expect(address.credentials == Credentials(user: "u", password: "p@", origin: origin))
    #expect(
      address.urls == ["\(scheme)://example.org/feed"],
      "an address with a password is never tried over http after https")
  }

  @Test func errorsShowNoPasswords() {
    #expect(throws: HTTPError.badAddress("https://exa mple.org/")) { try WebAddress("https://u:secret@exa mple.org/") }
  }
}
