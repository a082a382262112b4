import Foundation
import Model
import Testing

/// Addresses, and texts with addresses, without their secrets.
@Suite struct ShownAddressTests {
  @Test(arguments: [
    ("https://example.org/feed?page=2#top", "https://example.org/feed?page=2#top"),
    ("http://alice:pw@example.org:81/f", "http://example.org:81/f"),
    ("http://alice:p@w:x@example.org/f", "http://example.org/f"),
    ("http://al:p/w@example.org/f", "http://example.org/f"),
    ("alice:pw@example.org/f", "example.org/f"), ("feed://alice:pw@example.org/f", "feed://example.org/f"),
    ("feed:https://alice:pw@example.org/f", "feed:https://example.org/f"),
    ("https://pdst.example/e/http://a:b@example.org/x.mp3", "https://pdst.example/e/http://example.org/x.mp3"),
    ("https://www.patreon.com/rss/x?auth=abc123&show=7", "https://www.patreon.com/rss/x?auth=***&show=7"),
    ("https://e.org/a?X-Amz-Signature=ab&X-Amz-Date=1", "https://e.org/a?X-Amz-Signature=***&X-Amz-Date=1"),
    ("https://e.org/a?access_token=x;b=1", "https://e.org/a?access_token=***;b=1"),
    ("https://e.org/a?apiKey=x#sessionId=y", "https://e.org/a?apiKey=***#sessionId=***"),
    (
      "https://e.org/a?AUTH=x&my.Sid=y&PassWord=z&grüß-key=q",
      "https://e.org/a?AUTH=***&my.Sid=***&PassWord=***&grüß-key=***"
    ),
    ("https://e.org/a?Key-Pair-Id=x&Expires=3", "https://e.org/a?Key-Pair-Id=***&Expires=3"),
    ("https://e.org/private/0123456789abcdef/feed", "https://e.org/private/***/feed"),
    ("https://e.org/c/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.rss", "https://e.org/c/***"),
    ("https://e.org/author/pass?keyword=a&monkeys=2&tokens", "https://e.org/author/pass?keyword=a&monkeys=2&tokens"),
    ("https://e.org/@alice/feed:1", "https://e.org/@alice/feed:1"),
    ("mailto:a:b@example.org", "mailto:a:b@example.org"),
    ("/home/a/b@c?token=1", "/home/a/b@c?token=1"), ("earshot:welcome", "earshot:welcome"), ("", ""), ("://", "://"),
    ("http://[::1]:80/@x", "http://[::1]:80/@x"), ("http://@", "http://"), ("http://a:b@", "http://"),
  ])
  func secretsInAnAddressAreHidden(address: String, shown: String) {
    #expect(ShownAddress(address).description == shown)
    #expect(ShownAddress(shown).description == shown, "what is shown once stays so")
  }

  @Test func secretsInATextAreHidden() {
    let text =
      "A: “http://u:secret@e.org/x” led to <https://e.org/?token=secret>, then http://e.org/; mail a@b.org at 3:15"
    let shown = Redaction.text(text)
    #expect(!shown.contains("secret"))
    #expect(shown.hasPrefix("A: “http://e.org/x” led to <https://e.org/?token=***>, then http://e.org/; mail a@b.org"))
    #expect(
      Redaction.text("https://e.org/?auth=x: not found (https://e.org/?key=y).")
        == "https://e.org/?auth=***: not found (https://e.org/?key=***).")
    #expect(Redaction.text("nothing to hide") == "nothing to hide")
  }

  /// The process's arguments are masked in place, so the length must stay.
  @Test func maskedBytesKeepTheirNumber() {
    let text = "http://u:secret@e.org/?auth=key&a=1"
    let masked = Redaction.mask(Array(text.utf8))
    #expect(masked.count == text.utf8.count)
    #expect(String(decoding: masked, as: UTF8.self) == "http://*********e.org/?auth=***&a=1")
  }

  @Test func keysArePartOfAnAddressAndPasswordsAreNot() {
    #expect(Redaction.hasKey("https://e.org/?auth=x") && !Redaction.hasKey("https://u:p@e.org/?a=x"))
  }

  @Test func shownAddressInJSONHidesSecrets() throws {
    let data = try JSONEncoder().encode([ShownAddress("http://u:p@e.org")])
    #expect(
      String(decoding: data, as: UTF8.self).contains("e.org") && !String(decoding: data, as: UTF8.self).contains("u:p"))
  }
}
