import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore
@testable import Session

/// The sound settings, in general and of one podcast.
@Suite struct SoundSettingsTests {
  private static let podcast = PodcastID(1)

  private func listening(_ settings: PlaybackSettings = PlaybackSettings(), chapters: [Chapter] = []) -> Driver {
    var driver = Driver.listening()
    driver.play(Driver.first)
    driver.send(.library(.playbackSettings(Self.podcast, settings)))
    driver.answerPlay(from: 0, chapters: chapters)
    driver.begin()
    driver.send(.player(.speed(settings.speed ?? driver.state.player.generalSpeed)))
    _ = driver.takeEffects()
    return driver
  }

  @Test func soundSwitchIsGeneralAndIsStored() {
    var driver = listening()
    driver.send(.input(.resize(Size(120, 30))))
    driver.type(":skip-silence<Enter>")
    #expect(
      driver.takeEffects() == [.player(.setSound(SoundShape(skipsSilence: true))), .saveSetting(.skipSilence, "1")])
    #expect(driver.screen.contains("skips silence"))
    driver.send(.player(.saved(generation: driver.generation, seconds: 75)))
    #expect(driver.screen.contains("saved 1:15"))
    driver.type(":skip-silence off<Enter>:mono on<Enter>")
    #expect(driver.state.sound == SoundShape(isMono: true))
    driver.type(":levelling perhaps<Enter>")
    #expect(driver.state.message?.kind == .error)
  }

  @Test func podcastWithItsOwnSettingIsChangedAlone() {
    var settings = PlaybackSettings()
    settings.isMono = true
    var driver = listening(settings)
    driver.type(":mono<Enter>")
    #expect(driver.takeEffects() == [.changePlayback(Self.podcast, .mono(false))])
    #expect(driver.state.sound.isMono == false)
    #expect(driver.state.player.playbackSettings.isMono == false)
  }

  /// Playback returns to the previous sound immediately.
  @Test func undoneSettingIsAppliedToPlayback() {
    var settings = PlaybackSettings()
    settings.speed = 1.5
    var driver = listening(settings)
    driver.send(.library(.settingsRestored(PodcastID(99), PlaybackSettings())))
    #expect(driver.takeEffects() == [])
    settings.speed = 1.2
    settings.intro = 30
    driver.send(.library(.settingsRestored(Self.podcast, settings)))
    #expect(driver.takeEffects() == [.setSpeed(1.2)])
    #expect(driver.state.player.playbackSettings == settings && driver.state.player.speed == 1.2)
  }

  @Test func speedKeysChangeThePodcastsOwnSpeed() {
    var settings = PlaybackSettings()
    settings.speed = 1.5
    var driver = listening(settings)
    driver.type("]")
    #expect(driver.takeEffects() == [.setSpeed(1.6), .changePlayback(Self.podcast, .speed(1.6))])
    #expect(driver.state.player.generalSpeed == 1)
    // Another podcast keeps its sound.
    driver.play(EpisodeID(21))
    #expect(
      driver.takeEffects().contains { if case .player(.play(EpisodeID(21), _, _, 1, _)) = $0 { true } else { false } })
    driver.type(":show speed default<Enter>")
  }

  @Test(arguments: [
    ("speed 1.25", PlaybackSettings.Change.speed(1.25)), ("speed off", .speed(nil)), ("gain -3.5", .gain(-3.5)),
    ("levelling on", .levelling(true)), ("silence default", .silence(nil)), ("mono off", .mono(false)),
    ("intro 1:30", .intro(90)), ("outro 20", .outro(20)),
    ("skip Sponsor, Werbung ,", .skippedWords(["Sponsor", "Werbung"])),
    ("skip off", .skippedWords([])), ("reset", .reset),
  ])
  func podcastSettingCommands(typed: String, change: PlaybackSettings.Change) {
    var driver = listening()
    driver.type(":show \(typed)<Enter>")
    #expect(driver.takeEffects().first == .changePlayback(Self.podcast, change))
    var expected = PlaybackSettings()
    expected.apply(change)
    #expect(driver.state.player.playbackSettings == expected)
  }

  @Test(arguments: [
    "speed 9", "gain loud", "intro soon", "skip", "colour red", "mono maybe", "reset now", "outro 2:00:00",
  ])
  func invalidPodcastSettingsAreReported(typed: String) {
    var driver = listening()
    driver.type(":show \(typed)<Enter>")
    #expect(driver.state.message?.kind == .error)
    #expect(driver.takeEffects().isEmpty)
  }

  @Test func podcastSettingPickerOpensTheCommand() {
    var driver = listening()
    driver.type(":show<Enter>")
    #expect(driver.takeEffects().questions == [AnyLibraryQuestion(PodcastSettingsQuestion(podcast: Self.podcast))])
    var settings = PodcastSettings()
    settings.playback = PlaybackSettings()
    settings.playback?.intro = 45
    driver.send(.answer(driver.state.awaited.last, PodcastSettingsQuestion(podcast: Self.podcast).answer(settings)))
    #expect(driver.screen.contains("Skip the intro"))
    #expect(driver.screen.contains("0:45"))
    driver.type("<Enter>1.5<Enter>")
    #expect(driver.takeEffects() == [.changePlayback(Self.podcast, .speed(1.5)), .setSpeed(1.5)])
    // The picker is still open, and shows the new value.
    #expect(driver.screen.contains("Speed                1.5×"))
    #expect(driver.screen(after: "jj<Enter>j<Enter>").contains("Levelling            on "))
    #expect(driver.screen(after: "Gkkk<Enter>2<Enter>").contains("the newest 2 when added"))
    _ = driver.takeEffects()
    // Each Esc goes one step back.
    driver.type("ggjj<Enter>")
    #expect(driver.state.overlays.count == 2)
    driver.type("<Esc>")
    #expect(driver.state.overlays.count == 1 && driver.screen.contains("Settings of"))
    driver.type("<Esc>")
    #expect(driver.state.overlays.isEmpty && driver.takeEffects() == [])
  }

  /// Another podcast may begin to play while the picker or its prompt is open.
  @Test(arguments: ["<Enter>1.5<Enter>", "jj<Enter>j<Enter>", "jjjjjjjjj<Enter>3<Enter>"], [false, true])
  func settingPickerChangesThePodcastThatItShows(keys: String, isPromptOpen: Bool) {
    var driver = listening()
    driver.openPodcastSettings()
    let end = keys.firstRange(of: "<Enter>")!.upperBound
    if isPromptOpen { driver.type(String(keys[..<end])) }
    driver.state.offer(
      EpisodeRow(id: EpisodeID(21), podcast: PodcastID(2), podcastTitle: "Radio Nowhere", title: "x"),
      with: PlaybackSettings())
    driver.play(EpisodeID(21))
    let changed = driver.effects(of: isPromptOpen ? String(keys[end...]) : keys).compactMap { effect -> PodcastID? in
      switch effect {
      case .write(.changeSettings(let podcast, .playback)), .write(.changeSettings(let podcast, .autoDownload)): podcast
      default: nil
      }
    }
    #expect(changed == [Self.podcast])
  }

  /// A setting with few values offers them.
  @Test func fileOfAnEpisodeIsChosenFromAPicker() {
    var driver = listening()
    driver.openPodcastSettings()
    driver.type("jjjjjjjj<Enter>")
    for row in ["the feed’s main one", "the smallest one", "the video one"] { #expect(driver.screen.contains(row)) }
    #expect(driver.effects(of: "j<Enter>") == [.changePlayback(Self.podcast, .media(.smallest))])
  }

  /// The settings are those of the selected podcast, also while another one plays. The full-screen view has the
  /// playing one.
  @Test func settingsAreOfTheSelectedPodcast() {
    var driver = Driver()
    let other = EpisodeRow(id: EpisodeID(21), podcast: PodcastID(2), podcastTitle: "Radio Nowhere", title: "x")
    driver.state.offer(other, with: PlaybackSettings())
    driver.type("<Enter>")
    #expect(driver.state.settingTarget?.id == PodcastID(1))
    driver.play(EpisodeID(21))
    #expect(driver.state.settingTarget?.id == PodcastID(1))
    driver.type("2j")
    #expect(
      driver.state.settingTarget?.id == driver.state.selectedEpisode.flatMap { driver.state.library.rows[$0] }?.podcast)
    driver.type("p")
    #expect(driver.state.settingTarget?.id == PodcastID(2))
  }

  @Test func outroEndsTheEpisode() {
    var settings = PlaybackSettings()
    settings.outro = 60
    var driver = listening(settings)
    driver.send { $0.seek(to: 3530, as: .short) }
    driver.report(3530)
    _ = driver.takeEffects()
    driver.hear(to: 3545)
    let effects = driver.takeEffects()
    #expect(effects.contains(.stopPlayer))
    #expect(effects.statuses == [.played])
    // A listener who seeks into the outro wants to hear it.
    driver = listening(settings)
    driver.send { $0.seek(to: 3560, as: .short) }
    driver.report(3560)
    driver.hear(to: 3590)
    #expect(driver.takeEffects().statuses == [])
  }

  @Test func resumeRewindsMoreAfterALongerPause() {
    var driver = listening()
    driver.report(8)
    driver.report(16)
    driver.pause()
    driver.report(16.5)
    _ = driver.takeEffects()
    driver.state.player.change { $0.pause?.since = Driver.now.addingTimeInterval(-900) }
    driver.type("<Space>")
    var effects = driver.takeEffects()
    #expect(effects.seeks == [11.5])
    #expect(effects.pauses == [false])
    driver.state.player.rewindsAfterPause = false
    driver.pause(false)
    driver.pause()
    driver.state.player.change { $0.pause?.since = Driver.now.addingTimeInterval(-900) }
    effects = driver.effects(of: "<Space>")
    #expect(effects.seeks == [])
  }

  @Test func deviceIsChosenFromAPicker() {
    var driver = listening()
    driver.type(":device<Enter>")
    #expect(driver.takeEffects() == [.player(.listDevices)])
    let devices = [
      AudioDevice(name: "auto", description: "Autoselect"),
      AudioDevice(name: "alsa/usb", description: "USB \u{1B}[31mheadset"),
    ]
    driver.send(.player(.devices(devices, chosen: "auto")))
    #expect(driver.screen.contains("headset"))
    driver.type("j<Enter>")
    #expect(driver.takeEffects() == [.player(.setDevice("alsa/usb")), .saveSetting(.device, "alsa/usb")])
  }

  /// Keys of a prompt that was opened meanwhile must not choose a device.
  @Test func devicesDoNotOpenOverAPrompt() {
    var driver = listening()
    driver.type(":device<Enter>:")
    driver.send(.player(.devices([AudioDevice(name: "auto", description: "Autoselect")], chosen: "auto")))
    #expect(driver.state.overlays.count == 1 && !driver.screen.contains("Autoselect"))
  }

  @Test func deviceIsChosenByItsName() {
    var driver = listening()
    let devices = [
      AudioDevice(name: "auto", description: "Autoselect"), AudioDevice(name: "alsa/usb", description: "USB"),
    ]
    driver.type(":device nosuch<Enter>")
    #expect(driver.takeEffects() == [.player(.listDevices)])
    driver.send(.player(.devices(devices, chosen: "auto")))
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
    #expect(driver.state.message?.text == "There is no audio device “nosuch”: write one of auto, alsa/usb")
    driver.type(":device alsa/usb<Enter>")
    driver.send(.player(.devices(devices, chosen: "auto")))
    #expect(
      driver.takeEffects() == [
        .player(.listDevices), .player(.setDevice("alsa/usb")), .saveSetting(.device, "alsa/usb"),
      ])
    driver.type(":device alsa/usb<Enter>")
    driver.send(.player(.devices([], chosen: nil)))
    #expect(driver.state.message?.text == "There is no sound device: is libmpv installed?")
  }
}

@Suite struct ResumePositionTests {
  private let now = Date(timeIntervalSince1970: 1_000_000)

  @Test(arguments: [(0.0, 0.0), (59, 0), (60, 2), (599, 2), (600, 5), (3600, 10), (86_400, 20), (1e9, 30), (-5, 0)])
  func rewindGrowsWithThePause(pause: Double, back: Double) {
    #expect(ResumePosition.rewind(after: pause) == back)
    #expect(
      ResumePosition.start(position: 100, savedAt: now.addingTimeInterval(-pause), now: now, intro: 0) == 100 - back)
  }

  @Test func rewindStopsAtTheBeginningAndTheIntro() {
    #expect(ResumePosition.start(position: 1, savedAt: .distantPast, now: now, intro: 0) == 0)
    #expect(ResumePosition.start(position: 0, savedAt: nil, now: now, intro: 30) == 30)
    #expect(ResumePosition.start(position: 35, savedAt: .distantPast, now: now, intro: 30) == 30)
    #expect(ResumePosition.start(position: 500, savedAt: nil, now: now, intro: 30) == 500)
  }

  @Test func missingDeviceIsReportedAndStaysSelected() {
    var driver = Driver.playing()
    driver.send(.player(.deviceGone("alsa/USB\u{1B}[2J")))
    #expect(driver.state.message?.kind == .warning)
    #expect(driver.state.message?.text.hasPrefix("The sound device alsa/USB") == true)
    #expect(driver.state.message?.text.contains("\u{1B}") == false)
    // The device stays selected, because it may be connected again later.
    #expect(driver.takeEffects() == [] && driver.state.player.phase == .playing)
  }
}
