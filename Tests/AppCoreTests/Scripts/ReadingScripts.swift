import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The Listening page of an episode without a transcript, and chapters and transcripts of episodes that do not play.
@Suite struct ReadingScripts {
  private static let withTranscript = EpisodeID(1)
  private static let without = EpisodeID(2)

  private static func driver(_ size: Size = Size(80, 24)) -> Driver {
    var library = FakeLibrary.sample
    library.notes[without] = Document(blocks: [.paragraph([.init("Notes of the café.")])])
    for id in [withTranscript, without] {
      library.chapters[id] = [0.0, 100, 4000].map { Chapter(start: $0, title: "Chapter at \(Int($0))") }
    }
    return Driver(size: size, library: library)
  }

  /// Plays the second episode, which has no transcript.
  private static func playing(_ size: Size = Size(80, 24)) -> Driver {
    var driver = driver(size)
    driver.type("<Enter>j")
    driver.startPlaying()
    return driver
  }

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(120, 40), Size(200, 60)])
  func pageWithoutATranscriptShowsTheNotes(size: Size) {
    var driver = Self.playing(size)
    driver.type("p")
    #expect(driver.screen.contains("Notes of the café."))
    #expect(!driver.screen.contains("no transcript"))
    #expect(driver.state.focusedPane == .notes)
    // The transcript is not among the parts of the page.
    var seen: Set<String> = []
    for _ in 0..<6 {
      seen.insert("\(driver.state.focusedPane)")
      driver.type("<Tab>")
    }
    #expect(seen == ["notes", "upNext", "chapters"])
  }

  /// The text at the top stays there when the window changes, and a window that returns to its size shows its former
  /// lines.
  @Test func resizingKeepsThePlaceInTheNotes() throws {
    var library = FakeLibrary.sample
    let words = (1...600).map { "word\($0)" }.joined(separator: " ")
    library.notes[Self.without] = Document(blocks: [.paragraph([.init(words)])])
    var driver = Driver(size: Size(120, 30), library: library)
    driver.type("<Enter>ji<PageDown>")
    func firstWord(_ driver: Driver) throws -> Int {
      let reader = driver.state.screen.detail
      let word = try #require(reader.lines[reader.top].text.split(separator: " ").first)
      return try #require(Int(word.dropFirst(4)))
    }
    let (top, first) = (driver.state.screen.detail.top, try firstWord(driver))
    #expect(first > 100)
    for (width, words) in [(40, 0...5), (60, 0...8), (200, 0...12), (30, 0...4)] {
      driver.send(.input(.resize(Size(width, 20))))
      #expect(words.contains(first - (try firstWord(driver))), "\(width)")
    }
    driver.send(.input(.resize(Size(120, 30))))
    #expect(driver.state.screen.detail.top == top)
    // Also if the first line was empty.
    driver.type("gj")
    while !driver.state.screen.detail.lines[driver.state.screen.detail.top].text.isEmpty { driver.type("j") }
    let empty = driver.state.screen.detail.top
    for width in [40, 120] { driver.send(.input(.resize(Size(width, 30)))) }
    #expect(driver.state.screen.detail.top == empty)
    driver.type("<PageDown>")
    // After scrolling, the new place is kept.
    driver.send(.input(.resize(Size(40, 20))))
    driver.type("j")
    let next = try firstWord(driver)
    driver.send(.input(.resize(Size(30, 20))))
    #expect((0...4).contains(next - (try firstWord(driver))))
  }

  @Test func transcriptKeyReportsAMissingTranscript() {
    var driver = Self.playing()
    #expect(driver.screen(after: "t").contains("Notes of the café."))
    #expect(driver.state.message?.text == "This episode has no transcript.")
    // The transcript is requested again, and shown when it arrives.
    driver.library.transcripts[Self.without] = Transcript(lines: [Transcript.Line(start: 0, text: "There it is.")])
    #expect(driver.screen(after: "t").contains("There it is."))
    #expect(driver.state.focusedPane == .transcript)
  }

  @Test func transcriptOfAnotherEpisodeCanBeReadDuringPlayback() {
    var driver = Self.playing()
    driver.type("gil" + "t")
    #expect(driver.state.listeningEpisode == Self.withTranscript)
    #expect(driver.screen.contains("Line 1 of what is said"))
    #expect(driver.state.player.episode?.id == Self.without)
    _ = driver.takeEffects()
    // The transcript does not follow playback of another episode. Enter plays from the selected line.
    driver.send(.player(.position(generation: driver.state.player.generation, seconds: 331)))
    #expect(driver.state.transcript.spokenLine == nil)
    driver.type("jj<Enter>")
    #expect(driver.takeEffects().plays == [Self.withTranscript])
    #expect(driver.state.player.position == 30)
  }

  /// The player bar does not name the episode whose transcript is read.
  @Test(arguments: [Size(40, 12), Size(80, 24), Size(120, 36)]) func transcriptNamesAnotherEpisode(size: Size) {
    var driver = Self.playing(size)
    #expect(driver.screen(after: "gil" + "t").contains("Transcript of “Ep. 135"))
    driver.type("<Esc><Esc>p")
    driver.library.transcripts[Self.without] = Transcript(lines: [Transcript.Line(start: 0, text: "There it is.")])
    driver.type("t")
    #expect(driver.screen.contains("There it is.") && !driver.screen.contains("Transcript of"))
  }

  private static let longTitle = "Topic one, with a rather long name that says all that is said in it"

  @Test(arguments: [Size(80, 24), Size(120, 36)]) func listOfChaptersIsAsWideAsItsTitles(size: Size) {
    var driver = Self.driver(size)
    driver.library.chapters[Self.withTranscript] = [
      Chapter(start: 0, title: "A"), Chapter(start: 60, title: Self.longTitle),
    ]
    #expect(driver.screen(after: "<Enter>i" + "c").contains("1:00  \(Self.longTitle)"))
  }

  /// A long title does not hide that its chapter is skipped.
  @Test(arguments: [Size(40, 12), Size(80, 24), Size(200, 60)]) func skippedChapterOfALongTitleIsMarked(size: Size) {
    let chapters = [Chapter(start: 0, title: "A"), Chapter(start: 60, title: Self.longTitle + " and more")]
    var driver = Driver.playing(chapters: chapters)
    driver.send(.input(.resize(size)))
    driver.type("cj")
    #expect(!driver.screen.contains("(skipped)"))
    driver.type("x")
    #expect(driver.lines.contains { $0.contains("1:00  Topic one") && $0.contains("(skipped)") })
  }

  @Test func chaptersCanBeChosenBeforePlayback() {
    var driver = Self.driver()
    driver.type("<Enter>i" + "c")
    #expect(driver.screen.contains("1:06:40  Chapter at 4000"))
    #expect(driver.screen.contains("play from there"))
    driver.type("j<Enter>")
    #expect(driver.takeEffects().plays == [Self.withTranscript])
    #expect(driver.state.player.position == 100)
  }

  @Test func chaptersKeyReportsMissingChapters() {
    var driver = Self.driver()
    #expect(driver.message(after: "<Enter>jjic") == "This episode has no chapters")
    #expect(driver.state.overlays.isEmpty)
  }

  @Test(arguments: [Size(80, 24), Size(200, 60)]) func chaptersOfAStoppedEpisodeAreListed(size: Size) throws {
    var driver = Self.driver(size)
    var row = try #require(driver.library.row(Self.withTranscript))
    row.position = 150
    driver.state.offer(row, with: PlaybackSettings())
    driver.type("p")
    #expect(driver.screen.contains("Chapter at 100"))
    #expect(driver.screen.contains("Line 10 of what is said"))
    // The selection is at the stored position.
    #expect(driver.state.listeningChapter == 1)
    #expect(driver.state.transcript.spokenLine == 10)
    driver.type("<Tab>j<Enter>")
    #expect(driver.takeEffects().plays == [Self.withTranscript])
    #expect(driver.state.player.position == 4000)
  }

  @Test func pageFollowsTheEpisodeOnceItPlays() throws {
    var driver = Self.driver()
    driver.type("<Enter>it<Enter>")
    let row = try #require(driver.state.library.rows[Self.withTranscript])
    let generation = driver.state.player.generation
    driver.send(.library(.playing(generation: generation, row, [], from: 0)))
    driver.send(.player(.started(generation: generation, duration: 600, seekable: true)))
    #expect(driver.state.listening?.chosen == nil)
    #expect(driver.state.listeningEpisode == Self.withTranscript)
    driver.type("<Esc>")
    #expect(driver.state.listening == nil)
  }

  @Test func lateAnswerDoesNotCoverAPrompt() {
    var driver = Self.driver()
    driver.type("<Enter>i")
    driver.send { $0.run("help") }
    let request = driver.state.awaited.begin(.chapterPicker(Self.withTranscript))
    driver.send(.answer(request, .chapters([Chapter(start: 0, title: "Late")])))
    #expect(driver.state.overlays.count == 1)
  }
}
