import Foundation
import Model
import Playback
import Store
import Testing

@testable import Services
@testable import TUIApp

/// How a show is heard is stored with the show, beside what else is kept of it.
@Suite struct SoundServiceTests {
  private let home: TemporaryHome
  private let library: Library
  private let podcast: PodcastID

  init() throws {
    home = try TemporaryHome()
    try home.directories.create()
    library = try Library(path: home.directories.database)
    podcast = try library.subscribe(feed: Feed(), feedURL: "http://127.0.0.1/feed", now: Date())
  }

  private func desk(_ general: SoundShape = SoundShape()) -> SoundService {
    SoundService(library: library, player: Player { _ in }, general: general)
  }

  @Test func changesAddUpAndOutliveTheDesk() throws {
    let first = desk()
    try first.change(podcast, .speed(1.5))
    try first.change(podcast, .gain(6))
    try first.change(podcast, .silence(true))
    let playback = try desk().settings(of: podcast)
    #expect(playback.speed == 1.5 && playback.gain == 6 && playback.skipsSilence == true && playback.isMono == nil)
  }

  @Test func theShowWinsOverTheGeneralAndSaysNothingWhereItHasNoWish() throws {
    let desk = desk(SoundShape(isLevelled: true, isMono: true))
    try desk.change(podcast, .levelling(false))
    try desk.change(podcast, .gain(-3))
    let shape = desk.begin(podcast, try desk.settings(of: podcast))
    #expect(shape == SoundShape(gain: -3, isLevelled: false, isMono: true))
  }

  @Test func whatElseIsKeptOfAShowStays() throws {
    var kept = PodcastSettings()
    kept.keepDownloads = 3
    try library.update(settingsOf: podcast) { $0 = kept }
    let desk = desk()
    try desk.change(podcast, .intro(40))
    try desk.change(podcast, .reset)
    #expect(try desk.settings(of: podcast) == PlaybackSettings())
    #expect(try library.settings(of: podcast) == kept, "an empty wish is none")
  }
}
