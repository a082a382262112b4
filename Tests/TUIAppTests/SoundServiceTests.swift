import Foundation
import Model
import Playback
import Store
import Testing

@testable import Services
@testable import TUIApp

/// The sound settings of a podcast are stored with its other settings.
@Suite(InTurn()) struct SoundServiceTests {
  private let home: TemporaryHome
  private let library: Library
  private let podcast: PodcastID

  init() throws {
    home = try TemporaryHome()
    try home.directories.create()
    library = try Library(path: home.directories.database)
    podcast = try library.subscribe(feed: Feed(), feedURL: "http://127.0.0.1/feed", now: Date())
  }

  private func service(_ general: SoundShape = SoundShape()) -> SoundService {
    SoundService(library: library, player: Player { _ in }, general: general)
  }

  @Test func changesAddUpAndAreStored() throws {
    let first = service()
    try first.change(podcast, .speed(1.5))
    try first.change(podcast, .gain(6))
    try first.change(podcast, .silence(true))
    let playback = try library.effectiveSettings(of: podcast)
    #expect(playback.speed == 1.5 && playback.gain == 6 && playback.skipsSilence == true && playback.isMono == nil)
  }

  @Test func resetOfAllSettingsIsOneStep() throws {
    let service = service()
    try service.change(podcast, .speed(1.5))
    for change: PodcastSettings.Change in [.keepDownloads(3), .autoDownload(2), .newEpisodes(.all)] {
      try library.change(change, of: podcast)
    }
    let before = try library.settings(of: podcast)
    try service.change(podcast, .reset)
    let after = try library.settings(of: podcast)
    #expect(
      after.playback == nil && after.keepDownloads == nil && after.autoDownload == nil && after.newEpisodes == nil)
    _ = try library.undo(.back, now: Date())
    #expect(try library.settings(of: podcast) == before)
  }

  @Test func podcastSettingOverridesTheGeneralOne() throws {
    let service = service(SoundShape(isLevelled: true, isMono: true))
    try service.change(podcast, .levelling(false))
    try service.change(podcast, .gain(-3))
    let shape = service.begin(podcast, try library.effectiveSettings(of: podcast))
    #expect(shape == SoundShape(gain: -3, isLevelled: false, isMono: true))
  }

  @Test func otherSettingsOfThePodcastAreKept() throws {
    var kept = PodcastSettings()
    kept.keepDownloads = 3
    try library.update(settingsOf: podcast) { $0 = kept }
    let service = service()
    try service.change(podcast, .intro(40))
    try service.change(podcast, .intro(nil))
    #expect(try library.effectiveSettings(of: podcast) == PlaybackSettings())
    #expect(try library.settings(of: podcast) == kept, "an empty wish is none")
  }
}
