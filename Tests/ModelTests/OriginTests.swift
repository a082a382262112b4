import Model
import Testing

/// The origins of addresses, and addresses that only look like another origin.
@Suite struct OriginTests {
  @Test(arguments: [
    ("https://example.org/feed", "https://example.org:443"), ("HTTP://Example.ORG", "http://example.org:80"),
    ("http://example.org:8080/a?b#c", "http://example.org:8080"), ("http://u:p@example.org/", "http://example.org:80"),
    ("http://[::1]:81/", "http://[::1]:81"), ("http://[2001:DB8::1]/", "http://[2001:db8::1]:80"),
    ("https://example.org:443", "https://example.org:443"),
  ])
  func originIsReadFromAnAddress(address: String, origin: String) {
    #expect(Origin(address)?.description == origin)
    #expect(Origin(origin)?.description == origin)
  }

  @Test(arguments: [
    "", "example.org", "ftp://example.org/", "http://", "http:///x", "http://exa mple.org/", "http://bücher.example/",
    "http://ex%61mple.org/", "http://example.org:0/", "http://example.org:65536/", "http://example.org:/",
    "http://example.org:80:80/", "http://[::1/", "http://a,b/", "earshot:welcome", "http://[example.org]/",
  ])
  func ambiguousAddressHasNoOrigin(address: String) { #expect(Origin(address) == nil) }

  /// A listener sees whether a password is sent without encryption.
  @Test(arguments: [
    ("https://example.org/feed", "example.org"), ("https://example.org:8443", "example.org:8443"),
    ("http://example.org", "http://example.org"), ("http://[::1]:8080/f", "http://[::1]:8080"),
  ])
  func nameShowsWhatIsUnusual(address: String, name: String) { #expect(Origin(address)?.name == name) }

  @Test func upgradeToHTTPSIsTrustedAndNothingElse() throws {
    let plain = try #require(Origin("http://example.org"))
    let secure = try #require(Origin("https://example.org"))
    #expect(plain.trusts(plain) && plain.trusts(secure) && secure.trusts(secure))
    #expect(!secure.trusts(plain))
    for other in ["http://example.org:81", "https://example.org:80", "https://www.example.org", "http://example.net"] {
      #expect(!plain.trusts(try #require(Origin(other))), "\(other)")
    }
    #expect(!(try #require(Origin("http://example.org:8080"))).trusts(secure))
  }

  @Test(arguments: [
    ("http://u:p@example.org/a@b", "http://example.org/a@b"), ("https://u@h:81?q=@", "https://h:81?q=@"),
    ("http://u:p@ss@h/", "http://h/"), ("http://u:pa/ss@h/", "http://h/"), ("http://u:p:q@h", "http://h"),
    ("https://h/@user/feed", "https://h/@user/feed"), ("https://h:8080/@user", "https://h:8080/@user"),
    ("mailto:me@example.org", "mailto:me@example.org"), ("a@b", "a@b"), ("", ""),
  ])
  func userInfoIsTakenOut(address: String, plain: String) { #expect(address.withoutUserInfo == plain) }

  @Test func credentialsOfAnAddress() throws {
    let found = try #require(Credentials(in: "https://al%20ice:p%40%3A@example.org/feed"))
    #expect(found.user == "al ice" && found.password == "p@:" && found.origin == Origin("https://example.org"))
    #expect(Credentials(in: "https://example.org/@a") == nil)
  }
}
