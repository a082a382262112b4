import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Bookmarks, notes and skipped parts, typed as keys.
@Suite struct MarkScripts {
  private static func clip(
    _ id: Int64, _ kind: Clip.Kind = .clip, at start: Double, to end: Double? = nil, title: String? = nil,
    note: String? = nil
  ) -> Clip {
    Clip(
      id: ClipID(id), kind: kind, episode: Driver.first, startTime: start, endTime: end, title: title, note: note,
      dateCreated: Driver.now, userID: "d")
  }

  private func playing(_ marks: [Clip] = [], from start: Double = 100) -> Driver {
    var driver = Driver.listening()
    driver.library.marks = marks
    driver.play(Driver.first)
    driver.answerPlay(from: start, chapters: [])
    driver.begin()
    _ = driver.takeEffects()
    return driver
  }

  @Test func aKeyMarksWhatWasHeard() {
    var driver = playing()
    driver.hear(to: 110)
    _ = driver.takeEffects()
    driver.send(.exactPosition(generation: driver.state.player.generation, seconds: 110.7, seek: .none))
    driver.type("B")
    #expect(driver.takeEffects() == [.write(.addClip(Driver.first, from: 108.7, to: nil))])
    #expect(driver.state.message?.text == "Bookmark at 1:48. Press L to write a note.")
    // A note that follows is about it.
    driver.type("LRemember<Enter>")
    #expect(driver.takeEffects() == [.write(.writeNote(.newBookmark(Driver.first, at: 108.7), "Remember"))])
  }

  /// What lies before the target of a seek was not just heard, and is another chapter.
  @Test func aBookmarkIsNotBeforeWhereTheSoundBegan() {
    var driver = playing()
    #expect(driver.effects(of: "B") == [.write(.addClip(Driver.first, from: 100, to: nil))])
    driver.hear(to: 110)
    driver.type(":seek 1:00<Enter>")
    #expect(driver.effects(of: "B") == [.write(.addClip(Driver.first, from: 60, to: nil))])
    // A stream may begin a little before.
    driver.report(59.7)
    #expect(driver.effects(of: "B") == [.write(.addClip(Driver.first, from: 59.7, to: nil))])
    driver.hear(to: 61)
    #expect(driver.effects(of: "B") == [.write(.addClip(Driver.first, from: 60, to: nil))])
    driver.pause()
    driver.pause(false)
    driver.hear(to: 63)
    #expect(driver.effects(of: "B") == [.write(.addClip(Driver.first, from: 61, to: nil))])
    // The player went elsewhere by itself.
    driver.report(200)
    driver.report(201)
    #expect(driver.effects(of: "B") == [.write(.addClip(Driver.first, from: 200, to: nil))])
  }

  @Test func aBookmarkNeedsAPlayingEpisode() {
    var driver = Driver()
    #expect(driver.effects(of: "B") == [])
    #expect(driver.state.message?.text == "Play an episode to set a bookmark")
  }

  @Test func keysGoToTheNextAndThePreviousOne() {
    var driver = playing([Self.clip(1, at: 50), Self.clip(2, at: 200), Self.clip(3, at: 300, to: 310)])
    driver.type("'")
    #expect(driver.takeEffects().seeks == [200])
    driver.report(200)
    driver.type("'")
    #expect(driver.takeEffects().seeks == [])
    #expect(driver.state.message?.text.hasPrefix("There is no bookmark after this position") == true)
    #expect(driver.effects(of: "\"").seeks == [50])
  }

  @Test func anEndMakesABookmarkAClip() {
    var driver = playing([Self.clip(1, at: 90, title: "Here")])
    driver.type(")")
    #expect(driver.takeEffects() == [.write(.changeClip(ClipID(1), .times(start: nil, end: 100)))])
  }

  @Test func aPartIsAlwaysSkipped() {
    var driver = playing()
    driver.type("(")
    driver.hear(to: 130)
    #expect(driver.effects(of: "$") == [.write(.addClip(Driver.first, kind: .skip, from: 100, to: 130))])
    #expect(driver.state.marks.clip == nil)
    #expect(driver.effects(of: "$") == [])
  }

  @Test func playbackJumpsOverASkippedPart() {
    var driver = playing([Self.clip(1, .skip, at: 105, to: 148)])
    driver.hear(to: 106)
    #expect(driver.takeEffects().seeks == [148])
    #expect(driver.state.message?.text == "Skipped 0:43. Press U to go back.")
    #expect(driver.screen.contains("╱"))
  }

  @Test func theClipEditorSkipsThePart() throws {
    var driver = Driver(library: .sample)
    let clip = try #require(driver.library.entries[PlaylistID(2)]?.compactMap(\.clip).first)
    driver.send { $0.open(ClipEditor(clip, $0)) }
    driver.type("$")
    let end = try #require(clip.endTime)
    #expect(driver.takeEffects() == [.write(.changeClip(clip.id, .skip(start: clip.startTime, end: end)))])
  }

  /// A bookmark is offered half a minute, or what the episode has after it, but at least half a second.
  @Test(arguments: [(60.0, 90.0), (590, 600), (599.75, 600.25)])
  func theOfferedEndIsWithinTheEpisode(start: Double, end: Double) {
    var driver = Driver(library: .sample)
    driver.library.entries[PlaylistID(2)] = [PlaylistEntry(episode: Driver.first, clip: Self.clip(1, at: start))]
    driver.type("5j<Enter>C<Enter>")
    #expect(driver.takeEffects() == [.write(.changeClip(ClipID(1), .times(start: nil, end: end)))])
  }

  @Test func anEpisodeHasANote() {
    var driver = Driver(library: .sample)
    #expect(driver.screen(after: "2L").contains("Note about the episode:"))
    driver.type("Twice<Enter>")
    guard case .write(.writeNote(.episode(_), "Twice"))? = driver.takeEffects().last else {
      Issue.record("no note was written")
      return
    }
  }

  /// The effect has the clip, because it may be deleted while the note is written.
  @Test func theNoteOfAClipCarriesTheClip() throws {
    var driver = Driver()
    let clip = try #require(driver.library.entries[PlaylistID(2)]?.first?.clip)
    driver.type("5j<Enter>LTwice<Enter>")
    #expect(driver.takeEffects() == [.write(.writeNote(.clip(clip), "Twice"))])
  }

  @Test func textOfANoteThatIsNotStoredIsKept() throws {
    var driver = Driver()
    driver.type("2")
    let id = try #require(driver.state.selectedEpisode)
    let error = ReportedError("The library has no episode 1.")
    driver.type("LTwice<Enter>")
    _ = driver.takeEffects()
    driver.fail(storing: "Twice", error)
    #expect(
      driver.state.message?.text
        == "The note is not stored (press L to get its text back): The library has no episode 1.")
    // Closing the prompt without Enter loses nothing.
    #expect(driver.screen(after: "L<Esc>L").contains("Note about the episode: Twice"))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.write(.writeNote(.episode(id), "Twice"))])
    driver.type("L")
    #expect(!driver.screen.contains("Note about the episode: Twice"), "it is stored now")
    driver.type("<Esc>")
    driver.fail(storing: "One\ntwo", error)
    _ = driver.takeEffects()
    driver.type("L")
    let draft = NoteDraft(owner: .episode(id), before: "", unstored: ["One\ntwo"])
    #expect(driver.takeEffects() == [.terminal(.edit(draft))])
    #expect(draft.text == "One\ntwo")
  }

  /// The write fails while another note is open.
  @Test func textOfANoteThatFailsMeanwhileIsKept() throws {
    var driver = Driver()
    driver.type("2")
    let id = try #require(driver.state.selectedEpisode)
    driver.fail(storing: "Once", ReportedError("The disk is full."))
    driver.type("L")
    driver.fail(storing: "Twice", ReportedError("The disk is full."))
    #expect(driver.effects(of: "<Enter>") == [.write(.writeNote(.episode(id), "Once"))])
    #expect(driver.state.marks.unstoredNotes == ["Twice"])
    let draft = NoteDraft(owner: .episode(id), before: "", unstored: ["Twice"])
    driver.fail(storing: "Thrice", ReportedError("The disk is full."))
    driver.send(.noteEdited(draft, .success("Twice and more\n")))
    #expect(driver.takeEffects() == [.write(.writeNote(.episode(id), "Twice and more"))])
    #expect(driver.state.marks.unstoredNotes == ["Thrice"])
  }

  /// The text was written about another episode, so it is not stored before the listener has accepted it.
  @Test func editorThatIsLeftWithoutAChangeStoresNothing() throws {
    var driver = Driver()
    driver.fail(storing: "Other", ReportedError("The disk is full."))
    driver.type("2")
    let id = try #require(driver.state.selectedEpisode)
    let draft = NoteDraft(owner: .episode(id), before: "Mine", unstored: ["Other"])
    _ = driver.takeEffects()
    driver.send(.noteEdited(draft, .success("Mine\nOther\n")))
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == "The note is unchanged. Press L to get the text that is not stored.")
    #expect(driver.state.marks.unstoredNotes == ["Other"])
    // The listener has removed it.
    driver.send(.noteEdited(draft, .success("Mine\n")))
    #expect(driver.takeEffects() == [])
    #expect(driver.state.marks.unstoredNotes.isEmpty)
  }

  @Test func theListOfNotesPlaysFromThere() {
    var library = FakeLibrary.sample
    library.marks = [Self.clip(1, at: 50, title: "Here", note: "A note"), Self.clip(2, .skip, at: 1, to: 2)]
    var driver = Driver(library: library)
    driver.type(":notes<Enter>")
    #expect(driver.screen.contains("0:50  Here · A note"))
    #expect(driver.screen.contains("Notes and bookmarks"))
    driver.type("<Enter>")
    #expect(driver.takeEffects().contains { $0.isPlay(Driver.first, from: 50) })
  }

  /// The key for the next row must not reach the screen below.
  @Test func deletingANoteKeepsTheListOpen() {
    var library = FakeLibrary.sample
    library.marks = [Self.clip(1, at: 50, title: "Here"), Self.clip(2, at: 60, title: "There")]
    var driver = Driver(library: library)
    #expect(driver.effects(of: ":notes<Enter>x") == [.write(.deleteClips([ClipID(1)]))])
    #expect(driver.state.overlays.count == 1 && driver.screen.contains("There") && !driver.screen.contains("Here"))
    #expect(driver.effects(of: "x") == [.write(.deleteClips([ClipID(2)]))])
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func suspendAndRedrawWorkInOverlays() {
    var driver = Driver(library: .sample)
    driver.type("?")
    #expect(driver.effects(of: "<C-z><C-l>") == [.suspend, .terminal(.redraw)])
    #expect(driver.state.overlays.count == 1)
  }

  @Test func detailsShowMarksAndNotes() {
    var library = FakeLibrary.sample
    library.marks = [
      Self.clip(1, .note, at: 0, note: "About all"), Self.clip(2, at: 50, title: "Here", note: "Small"),
      Self.clip(3, .skip, at: 60, to: 90),
    ]
    var driver = Driver(size: Size(120, 40), library: library)
    driver.send { state in
      state.library.rows[Driver.first] = nil
      return []
    }
    driver.type("2")
    for text in ["Your notes", "About all", "0:50  Here", "Small", "1:00–1:30  skipped"] {
      #expect(driver.screen.contains(text), "\(text)")
    }
  }

  @Test func theEditorsTextIsKept() {
    var driver = Driver(library: .sample)
    let draft = NoteDraft(owner: .episode(Driver.first), before: "")
    driver.send(.noteEdited(draft, .success("Line one\nline two\n")))
    #expect(driver.takeEffects() == [.write(.writeNote(.episode(Driver.first), "Line one\nline two"))])
    driver.send(.noteEdited(NoteDraft(owner: draft.owner, before: "Same"), .success("Same\n")))
    #expect(driver.takeEffects() == [])
    driver.send(.noteEdited(draft, .failure(ReportedError("It crashed"))))
    #expect(driver.state.message?.text == "It crashed")
  }
}

extension Driver {
  /// Reports that a note could not be stored.
  fileprivate mutating func fail(storing note: String, _ error: ReportedError) {
    send(.library(.failed(error, of: .writeNote(.episode(Self.first), note))))
  }
}
