import Model
import TerminalKit
import Testing

@testable import AppCore
@testable import Session

/// The listener's requests to the player.
@Suite struct PlayerRequestTests {
  @Test func speedIsLimited() {
    var driver = Driver.playing()
    driver.type(String(repeating: "]", count: 50))
    #expect(driver.state.player.speed == 4)
    driver.type(String(repeating: "[", count: 60))
    #expect(driver.state.player.speed == 0.5)
    driver.type("]]")
    #expect(driver.state.player.speed == 0.7)
    #expect(driver.effects(of: "\\") == [.setSpeed(1), .saveSetting(.speed, "1.0")])
    driver.type(":speed 1.234<Enter>")
    #expect(driver.state.player.speed == 1.23)
    for typed in ["99", "-1", "1e300"] {
      driver.type(":speed \(typed)<Enter>")
      #expect(driver.state.player.speed == 1.23)
      #expect(driver.state.message?.kind.isProblem == true)
    }
  }

  @Test func volumeIsLimited() {
    var driver = Driver.playing()
    driver.type(String(repeating: "+", count: 50))
    #expect(driver.state.player.volume == 150)
    driver.type(String(repeating: "-", count: 50))
    #expect(driver.state.player.volume == 0)
    #expect(driver.effects(of: ":volume 70<Enter>") == [.player(.setVolume(70)), .saveSetting(.volume, "70.0")])
    driver.type(":volume 1e300<Enter>")
    #expect(driver.state.player.volume == 70)
    #expect(driver.state.message?.kind.isProblem == true)
  }

  @Test func spaceTogglesAgainBeforeThePlayerAnswers() {
    var driver = Driver.playing()
    #expect(driver.effects(of: "<Space><Space>").pauses == [true, false])
    driver.pause()
    driver.pause(false)
    driver.type("<Space>")
    #expect(driver.takeEffects().pauses == [true])
  }

  @Test func spacePlaysTheQueueOrReportsThatThereIsNothing() {
    var driver = Driver.listening(queue: [Driver.third])
    #expect(driver.effects(of: "1<Esc><Space>").plays == [Driver.third])
    #expect(driver.effects(of: "<Space>") == [])
    #expect(driver.state.message?.text.contains("Still opening") == true)

    // The message goes when the episode plays. One that says something else stays.
    for keys in ["<Space>", "<Right>", "w<Right>"] {
      driver = Driver.listening(queue: [Driver.third])
      driver.type("1<Esc><Space>" + keys)
      #expect(driver.state.message?.text.contains("Still opening") == true)
      driver.answerPlay(from: 0)
      driver.begin()
      #expect(driver.state.message == nil)
    }
    driver = Driver.listening(queue: [Driver.third])
    driver.type("1<Esc><Space><Right>")
    driver.send(.message(Message(.info, "Something else")))
    driver.answerPlay(from: 0)
    driver.begin()
    #expect(driver.state.message?.text == "Something else")

    driver = Driver(library: FakeLibrary(podcasts: [], episodes: []))
    driver.type("<Space>")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text.contains("Nothing to play yet") == true)
  }

  @Test func lastPlayedEpisodeResumes() {
    var driver = Driver.listening()
    driver.state.offer(driver.library.row(Driver.second)!, with: PlaybackSettings())
    driver.type("<Space>")
    #expect(driver.takeEffects().plays == [Driver.second])
    #expect(driver.state.player.position == 300)
  }

  @Test func offeredEpisodeShowsItsSpeed() throws {
    var driver = Driver.listening()
    var settings = PlaybackSettings()
    settings.speed = 1.5
    driver.state.offer(try #require(driver.library.row(Driver.second)), with: settings)
    #expect(driver.lines[driver.lines.count - 2].contains("1.5×"))
    driver.state.offer(try #require(driver.library.row(Driver.second)), with: PlaybackSettings())
    #expect(!driver.lines[driver.lines.count - 2].contains("1.5×"))
  }

  @Test func seeksAddUpWhileReportsAreLate() {
    var driver = Driver.playing(from: 100)
    let first = driver.state.player.newestSeek
    for expected in [130.0, 160, 190, 220, 250, 280] {
      let before = driver.state.player.newestSeek
      driver.type("<Right>")
      #expect(driver.takeEffects().seeks == [expected])
      for _ in 1...5 { driver.report(100.5, seek: first) }
      driver.report(expected - 30, seek: before)
    }
    driver.report(280.2)
    driver.type("<Left>")
    #expect(driver.takeEffects().seeks == [270.2])
  }

  @Test func seeksStayWithinTheEpisode() {
    var driver = Driver.playing(from: 3500)
    #expect(driver.effects(of: "<S-Right><S-Right>").seeks == [3560, 3600])
    #expect(driver.effects(of: ":seek 5<Enter><S-Left>").seeks == [5, 0])
  }

  @Test(arguments: ["<Left>", "<Right>", ":seek 90<Enter>", ":seek -5<Enter>"]) func seekNeedsPlayback(keys: String) {
    var driver = Driver.listening()
    driver.type(keys)
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == "Nothing is playing")
  }

  @Test func seekInALiveStreamHasNoEnd() {
    var driver = Driver.listening()
    driver.library.episodes[0].duration = nil
    driver.play(Driver.first)
    driver.answerPlay(from: 0)
    driver.state.player.duration = nil
    driver.begin(duration: nil)
    driver.hear(to: 3)
    #expect(driver.effects(of: "<Right>").seeks == [33])
    #expect(driver.state.player.duration == nil)
    #expect(driver.screen.contains("0:33"))
    driver.end(at: 40, atEnd: false)
    #expect(driver.takeEffects().statuses == [.paused])
  }

  static let chapters = [0.0, 100, 200].map { Chapter(start: $0, title: "At \(Int($0))") }

  @Test(arguments: [
    (50.0, ">", 100.0), (100, ">", 200), (150, "<lt>", 100), (102, "<lt>", 0), (103.5, "<lt>", 100), (2, "<lt>", 0),
    (50, "<lt>", 0), (99.97, ">", 200),
  ]) func chapterKeysSeek(place: Double, key: String, target: Double) {
    var driver = Driver.playing(from: place, chapters: Self.chapters)
    driver.type(key)
    #expect(driver.takeEffects().seeks == [target])
  }

  @Test func nextChapterAfterTheLastIsReported() {
    var driver = Driver.playing(from: 250, chapters: Self.chapters)
    #expect(driver.effects(of: ">") == [])
    #expect(driver.state.message?.text == "This is the last chapter")
    driver = .playing()
    #expect(driver.message(after: ">") == "This episode has no chapters")
  }

  @Test func chapterPickerSeeks() {
    var driver = Driver.playing(from: 150, chapters: Self.chapters)
    #expect(driver.screen(after: "c").contains("1:40  At 100"))
    driver.type("j<Enter>")
    #expect(driver.takeEffects().seeks == [200])
    #expect(driver.state.overlays.isEmpty)
  }
}
