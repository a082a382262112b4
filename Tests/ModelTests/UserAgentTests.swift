import Foundation
import Testing

@testable import Model

@Suite struct UserAgentTests {
  @Test func printableTextIsKept() {
    #expect(UserAgent(" Mozilla/5.0 (X11; Linux) ")?.description == "Mozilla/5.0 (X11; Linux)")
    #expect(UserAgent(String(repeating: "a", count: 300)) != nil)
  }

  /// Nothing can end the line of the header.
  @Test(arguments: ["", " ", "a\r\nX-Evil: 1", "a\nb", "a\u{0}b", "a\tb", "é", "a\u{85}b", "a\u{2028}b", "a\u{7F}"])
  func otherTextIsRefused(text: String) {
    #expect(UserAgent(text) == nil)
  }

  @Test func longTextIsRefused() { #expect(UserAgent(String(repeating: "a", count: 301)) == nil) }

  /// A damaged library or a restored backup must not bring a value that was never allowed, nor lose other settings.
  @Test func storedValueIsChecked() throws {
    let stored = #"{"userAgent":"a\r\nX-Evil: 1","autoDownload":3}"#
    let settings = try JSONDecoder().decode(PodcastSettings.self, from: Data(stored.utf8))
    #expect(settings.userAgent == nil && settings.autoDownload == 3)
    var own = PodcastSettings()
    own.userAgent = UserAgent("Player/1")
    let again = try JSONDecoder().decode(PodcastSettings.self, from: JSONEncoder().encode(own))
    #expect(again == own && again.userAgent == UserAgent("Player/1"))
    own.userAgent = nil
    #expect(own == PodcastSettings())
  }
}
