import Foundation
import Testing

@testable import Model

/// Stored settings of a podcast.
@Suite struct PodcastSettingsTests {
  private func decode(_ stored: String) throws -> PodcastSettings {
    try JSONDecoder().decode(PodcastSettings.self, from: Data(stored.utf8))
  }

  /// The lists of the library need all settings. One value of another type must not make them unreadable.
  @Test(arguments: [
    #"{"show":5,"keepDownloads":3}"#, #"{"order":"shuffled","keepDownloads":3}"#,
    #"{"show":{"speed":"fast"},"keepDownloads":3}"#, #"{"autoDownload":1e300,"keepDownloads":3}"#,
  ])
  func readableValuesOfDamagedSettingsAreRead(stored: String) throws {
    let settings = try decode(stored)
    #expect(settings.keepDownloads == 3 && settings.isDamaged && !settings.isWithinLimits)
    #expect(settings.playback == nil && settings.order == nil && settings.autoDownload == nil)
    #expect(settings != PodcastSettings())
  }

  @Test func missingValuesAreNotDamaged() throws {
    #expect(try decode("{}") == PodcastSettings())
    #expect(try decode(#"{"show":null,"order":null,"later":[1]}"#) == PodcastSettings())
    var settings = PodcastSettings()
    settings.playback = PlaybackSettings()
    settings.playback?.speed = 1.5
    settings.newEpisodes = .all
    settings.autoDownloadAfter = 7
    #expect(try JSONDecoder().decode(PodcastSettings.self, from: JSONEncoder().encode(settings)) == settings)
  }
}
