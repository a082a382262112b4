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

  @Test(arguments: [
    ("https://a.example/x?u=https%3A%2F%2Fb", "a.example/x?u=https://b"),
    ("http://A.example/x?u=https%253A%252F%252Fb", "a.example/x?u=https://b"),
    ("https://a.example/x?u=https%25253A%25252F%25252Fb", "a.example/x?u=https://b"),
    ("https://a.example/%C3%A4", "a.example/ä"), ("https://a.example/100%", "a.example/100%"),
    ("https://a.example/%zz%2", "a.example/%zz%2"), ("https://a.example/%%34%31", "a.example/A"),
  ])
  func everyLevelOfEncodingIsRemoved(address: String, key: String) {
    #expect(AddressKey.decoded(address) == key)
  }

  @Test func keyWithoutQueryIsDecoded() {
    #expect(AddressKey.decoded("https://a.example/b%2520c.mp3?t=1", withQuery: false) == "a.example/b c.mp3")
  }
}
