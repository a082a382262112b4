import Model
import Testing

@Suite struct AddressKeyTests {
  @Test func equivalentAddressesHaveTheSameKey() {
    #expect(AddressKey.media("https://A.example/x.mp3?t=1#f") == AddressKey.media("http://a.example/x.mp3"))
    #expect(AddressKey.media("https://a.example/X.mp3") != AddressKey.media("https://a.example/x.mp3"))
    #expect(AddressKey.feed("") == "" && AddressKey.feed("://") == AddressKey.feed("://"))
    #expect(AddressKey.feed("earshot:welcome") == "earshot:welcome")
  }

  @Test(arguments: [
    ("http://example.org/feed", "https://example.org/feed/", true),
    ("http://EXAMPLE.org/feed", "http://example.org/feed", true),
    ("http://example.org", "https://example.org/", true),
    ("http://example.org:80/feed", "https://example.org:443/feed", true),
    ("https://u:p@example.org/feed#x", "https://example.org/feed", true),
    ("https://example.org/feed", "https://example.org/Feed", false),
    ("https://example.org/feed?a=1", "https://example.org/feed?a=2", false),
    ("https://example.org:8080/feed", "https://example.org/feed", false),
    ("https://example.org/:443/feed", "https://example.org/feed", false),
  ])
  func feedKeysAreEqualForTheSameFeed(_ first: String, _ second: String, _ same: Bool) {
    #expect((AddressKey.feed(first) == AddressKey.feed(second)) == same)
  }
}
