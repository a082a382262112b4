import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Making transcripts on the listener's machine: the commands, and what the screen shows meanwhile.
@Suite struct TranscribingScripts {
  private static let episode = EpisodeID(2)
  private static let item = TranscribingItem(episode: episode, podcastTitle: "P", title: "T")
  private static let line = Transcript.Line(start: 0, end: 5, text: "Spoken words.")
  private static let origin = TranscriptOrigin(kind: .made, name: "small", date: Driver.now, duration: 600)

  /// The second episode is selected. It has no transcript.
  private static func driver(_ size: Size = Size(80, 24), isConfigured: Bool = true) -> Driver {
    var driver = Driver(size: size)
    driver.state.preferences.canTranscribe = isConfigured
    driver.type("<Enter>j")
    _ = driver.takeEffects()
    return driver
  }

  private var key: String { Keymap().hint(.transcribe) }

  @Test func withoutAProgramItSaysWhatIsMissing() {
    var driver = Self.driver(isConfigured: false)
    driver.type("<C-t>")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text.contains("[transcribe]") == true)
    driver.type("i")
    #expect(!driver.screen.contains("to make one"))
  }

  @Test func keyAddsTheEpisodeToTheList() {
    var driver = Self.driver()
    driver.type("<C-t>")
    #expect(driver.takeEffects() == [.write(.transcribe([Self.episode]))])
    #expect(driver.state.message?.text.contains("will be made") == true)
  }

  @Test func detailsOfferToMakeOne() {
    var driver = Self.driver(Size(80, 40))
    #expect(driver.screen(after: "i").contains("Press \(key) to make one"))
  }

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(120, 40)]) func statusLineShowsTheProgress(size: Size) {
    var driver = Self.driver(size)
    driver.send(.transcribing(.working(Self.item, isReading: true, fraction: nil)))
    #expect(driver.screen.contains("reading the sound"))
    driver.send(.transcribing(.working(Self.item, isReading: false, fraction: 0.456)))
    #expect(driver.screen.contains("transcribing 45 %"))
    driver.send(.transcribing(.resting(nil)))
    #expect(!driver.screen.contains("transcribing"))
  }

  @Test func sameKeyCancels() {
    var driver = Self.driver()
    driver.send(.transcribing(.working(Self.item, isReading: false, fraction: nil)))
    driver.type("<C-t>")
    #expect(driver.takeEffects() == [.write(.cancelTranscribing([Self.episode]))])
    #expect(driver.effects(of: ":transcribe-cancel<Enter>") == [.write(.cancelTranscribing([Self.episode]))])
    driver.send(.transcribing(.cancelled(Self.item)))
    #expect(driver.state.message?.text.contains("cancelled") == true)
    driver.type(":transcribe-cancel<Enter>")
    #expect(driver.takeEffects() == [])
  }

  /// The lines can be read while the transcript is being made. The whole transcript then says where it comes from.
  @Test func linesAreShownWhileItWorks() {
    var driver = Self.driver()
    driver.startPlaying()
    #expect(driver.message(after: "pt") == "This episode has no transcript. Press \(key) to make one.")
    driver.send(.transcribing(.working(Self.item, isReading: false, fraction: 0.1)))
    driver.send(.transcribing(.lines(Self.episode, [Self.line])))
    #expect(driver.screen(after: "t").contains("Spoken words."))
    driver.library.transcripts[Self.episode] = Transcript(lines: [Self.line], origin: Self.origin)
    driver.send(.transcribing(.finished(Self.item, Transcript(lines: [Self.line]), replaced: nil)))
    #expect(driver.screen.contains("Spoken words."))
    #expect(driver.screen.contains("made here, 21 Nov 2025"))
  }

  @Test func linesOfAFailedTranscriptGoAway() {
    var driver = Self.driver()
    driver.startPlaying()
    driver.type("p")
    driver.send(.transcribing(.working(Self.item, isReading: false, fraction: 0.1)))
    driver.send(.transcribing(.lines(Self.episode, [Self.line])))
    #expect(driver.screen(after: "t").contains("Spoken words."))
    driver.send(.transcribing(.failed(Self.item, ReportedError("It failed."))))
    #expect(!driver.screen.contains("Spoken words."))
    #expect(driver.state.message?.text.contains("It failed.") == true)
  }

  /// The publisher's transcript stays on the screen.
  @Test func publishersTranscriptIsNotReplaced() {
    var library = FakeLibrary.sample
    library.transcripts[Self.episode] = Transcript(lines: [Transcript.Line(start: 0, text: "The publisher's.")])
    var driver = Driver(library: library)
    driver.type("<Enter>j")
    driver.startPlaying()
    driver.type("t")
    driver.send(.transcribing(.working(Self.item, isReading: false, fraction: 0.1)))
    driver.send(.transcribing(.lines(Self.episode, [Self.line])))
    driver.send(.transcribing(.finished(Self.item, Transcript(lines: [Self.line]), replaced: nil)))
    #expect(driver.screen.contains("The publisher's."))
  }

  /// The hint names a key that shows it.
  @Test func finishedTranscriptOfAnotherEpisodeIsOnlySaid() {
    var driver = Self.driver()
    driver.send(.transcribing(.finished(Self.item, Transcript(lines: [Self.line]), replaced: nil)))
    #expect(driver.state.message?.text == "The transcript of “T” is made.")
  }

  /// The sound was heard with an older transcript, and plays from a copy with a longer advertisement.
  @Test func newTranscriptShowsWhereTheSoundHasMovedTo() throws {
    var driver = Self.driver()
    driver.type("<Enter>")
    let row = try #require(driver.state.library.rows[Self.episode])
    let (generation, length) = (driver.state.player.generation, 1815.0)
    driver.send(.library(.playing(generation: generation, row, [], from: 400)))
    driver.send(.library(.storedDuration(generation: generation, length - 15, feed: nil)))
    driver.send(.player(.started(generation: generation, duration: length, seekable: true)))
    driver.send(.player(.position(generation: generation, seconds: 400)))
    func transcript(_ length: Double, inserted: Double) -> Transcript {
      Transcript(
        lines: (0..<60).map {
          Transcript.Line(start: Double($0 * 10) + inserted, text: "This is what is said in line \($0).")
        }, origin: TranscriptOrigin(kind: .made, name: "small", date: Driver.now, duration: length))
    }
    let old = transcript(length - 15, inserted: 0)
    driver.send(.transcribing(.finished(Self.item, transcript(length, inserted: 15), replaced: old)))
    #expect(driver.state.message?.text.contains("6:55") == true, "\(driver.state.message?.text ?? "")")
    #expect(driver.effects(of: "@").seeks.contains(415))
  }

  @Test func otherCopyIsNotedOnce() {
    var driver = Self.driver()
    driver.library.transcripts[Self.episode] = Transcript(lines: [Self.line], origin: Self.origin)
    driver.startPlaying()
    driver.type("t")
    #expect(driver.state.player.duration != 600)
    #expect(driver.state.message?.text.contains("another copy of the episode, 10:00 long") == true)
    driver.type("<Tab>t")
    #expect(driver.state.message?.text.contains("another copy") != true)
  }

  @Test func listShowsWhatWaitsAndWhatFailed() {
    var driver = Self.driver()
    #expect(driver.message(after: ":transcribing<Enter>")?.contains("No transcripts to make") == true)
    driver.library.transcribing = [
      Self.item, TranscribingItem(episode: EpisodeID(3), podcastTitle: "P", title: "U"),
      TranscribingItem(episode: EpisodeID(4), podcastTitle: "P", title: "V", failure: "no sound"),
    ]
    driver.send(.transcribing(.working(Self.item, isReading: false, fraction: 0.5)))
    driver.type(":transcribing<Enter>")
    #expect(driver.screen.contains("T (P): transcribing 50 %"))
    #expect(driver.screen.contains("U (P): waits"))
    #expect(driver.screen.contains("V (P): failed: no sound"))
    #expect(driver.effects(of: "jj<Enter>") == [.write(.transcribe([EpisodeID(4)]))])
    #expect(driver.effects(of: ":transcribing<Enter>jjx") == [.write(.cancelTranscribing([EpisodeID(4)]))])
  }
}
