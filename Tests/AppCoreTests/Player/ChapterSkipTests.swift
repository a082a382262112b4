import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore
@testable import Session

/// Skipped chapters, and files that have changed.
@Suite struct ChapterSkipTests {
  private static let chapters = [
    Chapter(start: 0, title: "Start"), Chapter(start: 100, title: "SPONSOR: Mattresses"),
    Chapter(start: 160, title: "Sponsored too"), Chapter(start: 200, title: "The topic"),
    Chapter(start: 300, title: "Sponsor"),
  ]

  private func playing(words: [String]?) -> Driver {
    var driver = Driver.listening()
    driver.play(Driver.first)
    var settings = PlaybackSettings()
    settings.skippedWords = words
    driver.send(.library(.playbackSettings(PodcastID(1), settings)))
    driver.answerPlay(from: 90, chapters: Self.chapters)
    driver.begin()
    _ = driver.takeEffects()
    return driver
  }

  @Test func skippedWordsSkipConsecutiveChapters() {
    var driver = playing(words: ["sponsor"])
    driver.hear(to: 101)
    #expect(driver.takeEffects().seeks == [200])
    #expect(driver.state.message?.text == "Skipped 2 chapters")
    driver.report(200)
    driver.hear(to: 301)
    // The last chapter is skipped to the end of the episode.
    #expect(driver.takeEffects().seeks == [3600])
  }

  /// The timer pauses at the end of the chapter. The sponsor's chapter after it is still skipped.
  @Test func sleepTimerPausesBeforeASkippedChapter() {
    var driver = playing(words: ["sponsor"])
    driver.send {
      $0.setSleep(.endOfChapter)
      return []
    }
    driver.hear(to: 101)
    let effects = driver.takeEffects()
    #expect(effects.pauses == [true] && effects.seeks == [200])
    #expect(driver.state.message?.text.hasPrefix("The sleep timer paused playback") == true)
  }

  @Test func chaptersAreNotSkippedWithoutWords() {
    var driver = playing(words: nil)
    driver.hear(to: 250)
    #expect(driver.takeEffects().seeks == [])
  }

  @Test func seekIntoASkippedChapterPlaysIt() {
    var driver = playing(words: ["sponsor"])
    driver.type(">")
    #expect(driver.takeEffects().seeks == [100])
    driver.report(100)
    driver.hear(to: 150)
    #expect(driver.takeEffects().seeks == [])
  }

  @Test func chapterPickerTogglesSkips() {
    var driver = playing(words: ["sponsor"])
    #expect(driver.screen(after: "c").contains("SPONSOR: Mattresses  (skipped)"))
    #expect(driver.screen(after: "jxjjx").contains("The topic  (skipped)"))
    driver.type("<Esc>")
    driver.hear(to: 161)
    // The first sponsor's chapter is played again. The second one, the topic and the last sponsor's chapter are
    // skipped.
    #expect(driver.takeEffects().seeks == [3600])
  }

  @Test func mergedChaptersReplaceTheOthers() {
    var driver = playing(words: nil)
    driver.send(.library(.chapters(generation: driver.generation, [Chapter(start: 5, title: "One")])))
    #expect(driver.state.player.chapters.map(\.title) == ["One"])
    driver.send(.library(.chapters(generation: driver.generation - 1, [Chapter(start: 5, title: "Old")])))
    driver.send(.library(.chapters(generation: driver.generation, [])))
    #expect(driver.state.player.chapters.map(\.title) == ["One"])
  }

  @Test func fileChaptersAreMergedOutsideUpdate() {
    var driver = playing(words: nil)
    driver.send(.player(.chapters(generation: driver.generation, [Chapter(start: 7, title: "File")])))
    #expect(driver.takeEffects() == [.player(.mergeChapters(driver.generation, [Chapter(start: 7, title: "File")]))])
  }

  // MARK: Files that have changed

  private func resumed(at position: Double, left total: Double?, now duration: Double) -> Driver {
    var driver = Driver.listening()
    driver.play(Driver.first)
    driver.send(.library(.storedDuration(generation: driver.generation, total, feed: nil)))
    driver.answerPlay(from: position, chapters: Self.chapters)
    driver.begin(duration: duration)
    return driver
  }

  @Test func changedDurationIsReported() {
    #expect(
      resumed(at: 250, left: 3600, now: 3631).state.message?.text
        == "The file is 0:31 longer than when you left it. Your position may be wrong.")
    #expect(resumed(at: 250, left: 3600, now: 3614.98).state.message?.text.contains("is 0:15 longer") == true)
    #expect(resumed(at: 250, left: 3600, now: 3601).state.message?.text.contains("The file") != true)
    #expect(resumed(at: 10, left: 3600, now: 3700).state.message?.text.contains("The file") != true)
    #expect(resumed(at: 250, left: nil, now: 3700).state.message?.text.contains("The file") != true)
  }

  @Test func chaptersShowTheShiftedPosition() {
    var driver = resumed(at: 250, left: 3600, now: 3631)
    let moved = Self.chapters.map { Chapter(start: $0.start == 0 ? 0 : $0.start + 31, title: $0.title) }
    driver.send(.library(.chapters(generation: driver.generation, moved)))
    #expect(
      driver.state.message?.text.contains("its chapters show that your position is now 4:41. Press @ to go there.")
        == true)
    driver.report(252)
    #expect(driver.effects(of: "@").seeks == [283])
    #expect(driver.effects(of: "@").seeks == [])
  }

  @Test func unknownShiftIsNotReported() {
    func said(_ driver: Driver) -> String {
      var driver = driver
      driver.type("@")
      #expect(driver.takeEffects().seeks == [])
      return driver.state.message?.text ?? ""
    }
    #expect(
      said(resumed(at: 250, left: 3600, now: 3615))
        == "The file is 0:15 longer than when you left it, and no chapters show where. Your position may be up to 0:15 later."
    )
    #expect(said(resumed(at: 250, left: 3600, now: 3614.98)).hasSuffix("up to 0:15 later."))
    #expect(said(resumed(at: 250, left: 3600, now: 3570)).hasSuffix("up to 0:30 earlier."))
    #expect(said(resumed(at: 250, left: nil, now: 3600)).hasSuffix("so a change cannot be detected"))
    #expect(
      said(resumed(at: 250, left: 3600, now: 3600))
        == "The file is as long as when you left it, so your position should be right")
    // Chapters that moved after the position show the shift.
    var driver = resumed(at: 250, left: 3600, now: 3615)
    var moved = Self.chapters
    moved[moved.count - 1].start += 15
    driver.send(.library(.chapters(generation: driver.generation, moved)))
    #expect(said(driver) == "The chapters show that your position is still right")
    #expect(said(Driver.listening()) == "Nothing is playing")
  }

  @Test func repeatedChapterTitlesAreNoEvidence() {
    let old = [Chapter(start: 0, title: "A"), Chapter(start: 50, title: "Break"), Chapter(start: 90, title: "Break")]
    let new = [Chapter(start: 0, title: "A"), Chapter(start: 80, title: "Break")]
    #expect(FileChange.shift(at: 60, from: old, to: new) == nil)
    #expect(FileChange.shift(at: 10, from: old, to: new) == 0)
    #expect(FileChange.shift(at: 95, from: old, to: old.map { Chapter(start: $0.start + 7, title: $0.title) }) == 7)
    #expect(FileChange.shift(at: 60, from: [], to: new) == nil)
    #expect(FileChange.shift(at: 60, from: [Chapter(start: 0)], to: new) == nil)
  }
}
