import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Bookmarks, skipped parts and notes.
@Suite struct MarkTests {
  private let box: TemporaryLibrary
  private let ids: [EpisodeID]
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    ids = try box.episodes(box.subscribe(Samples.episodes(1...5)))
  }

  private func bookmark(_ second: Double, title: String? = nil, now: Date = Samples.now) throws -> ClipID {
    try library.addClip(of: ids[0], startTime: second, endTime: nil, title: title, now: now)
  }

  @Test func aBookmarkIsAClipWithoutAnEnd() throws {
    let id = try bookmark(30, title: "Here")
    let clip = try #require(try library.clips().first)
    #expect(clip.id == id && clip.isBookmark && clip.endTime == nil && clip.duration == nil)
    #expect(try library.playlists().first { $0.isMyClips }?.items == [.clip(id)])
    #expect(try library.undo(now: Samples.now)?.label == "Make the bookmark “Here”")
    #expect(try library.clips().isEmpty)
    #expect(try library.undo(.forward, now: Samples.now)?.label == "Make the bookmark “Here”")
    #expect(try library.clips() == [clip])
    try box.reopen()
    #expect(try library.clips() == [clip])
  }

  @Test func aBookmarkGetsAnEndLater() throws {
    _ = try bookmark(30)
    let id = try #require(try library.clips().first).id
    try library.changeClip(id, now: Samples.now) { $0.endTime = 45 }
    #expect(try library.clips().first?.isBookmark == false)
    _ = try library.undo(now: Samples.now)
    #expect(try library.clips().first?.isBookmark == true)
    #expect(throws: StoreError.self) { try library.changeClip(id, now: Samples.now) { $0.endTime = 20 } }
  }

  @Test func whatIsSaidThereIsTheTitle() throws {
    try library.saveChapters(
      [Chapter(start: 0, title: "Start"), Chapter(start: 60, title: "The topic")], from: .file, of: ids[0],
      now: Samples.now)
    _ = try bookmark(70)
    #expect(try library.clips().first?.title == "The topic")
    let lines = [
      Transcript.Line(start: 60, end: 64, text: "This is not it."), .init(start: 64, end: 69, text: "It begins here,"),
      .init(start: 69, end: 73, text: "and ends here."), .init(start: 73, end: 80, text: "Not this."),
    ]
    try library.saveTranscript(
      Transcript(lines: lines), of: ids[0], now: Samples.now)
    _ = try bookmark(70)
    #expect(try library.clips().first?.title == "It begins here, and ends here.")
  }

  @Test func skippedPartsAreInNoList() throws {
    let id = try library.addClip(of: ids[0], kind: .skip, startTime: 10, endTime: 20, now: Samples.now)
    #expect(try library.clips().isEmpty && library.clips(kind: .skip).map(\.id) == [id])
    #expect(try library.marks(of: ids[0]).skippedRanges == [10...20])
    #expect(try library.playlists().first { $0.isMyClips }?.items == [])
    #expect(try library.notedEpisodes().isEmpty)
    #expect(throws: StoreError.self) {
      try library.addClip(of: ids[0], kind: .skip, startTime: 10, endTime: nil, now: Samples.now)
    }
  }

  @Test func importedPartsAreUndoneTogether() throws {
    try library.addSkips(
      [SkippedPart(start: 1, end: 2), SkippedPart(start: 5, end: 9, label: "Ad")], of: ids[0], now: Samples.now)
    try library.enqueue([ids[2]], now: Samples.now)
    _ = try library.undo(now: Samples.now)
    #expect(try library.marks(of: ids[0]).count == 2)
    #expect(try library.undo(now: Samples.now)?.label == "Skip 2 parts")
    #expect(try library.marks(of: ids[0]).isEmpty)
    _ = try library.undo(.forward, now: Samples.now)
    #expect(try library.marks(of: ids[0]).skippedRanges == [1...2, 5...9])
  }

  @Test func anEpisodeHasANote() throws {
    #expect(try library.setNote(" Twice worth\nhearing ", of: ids[1], now: Samples.now))
    #expect(try library.episode(ids[1])?.marks.episodeNote == "Twice worth\nhearing")
    #expect(try !library.setNote("Twice worth\nhearing", of: ids[1], now: Samples.now))
    #expect(try library.setNote("Changed", of: ids[1], now: Samples.now))
    #expect(try library.marks(of: ids[1]).episodeNote == "Changed")
    #expect(try library.undo(now: Samples.now)?.label == "Change a note")
    #expect(try library.marks(of: ids[1]).episodeNote == "Twice worth\nhearing")
    #expect(try library.setNote(nil, of: ids[1], now: Samples.now))
    #expect(try library.marks(of: ids[1]).isEmpty)
    _ = try library.undo(now: Samples.now)
    #expect(try library.marks(of: ids[1]).episodeNote == "Twice worth\nhearing")
  }

  /// Another process deletes the clip while its note is written.
  @Test func theNoteOfADeletedClipIsKept() throws {
    let id = try library.addClip(of: ids[0], startTime: 1, endTime: 2, title: "Mine", tags: ["fun"], now: Samples.now)
    let clip = try #require(try library.clip(id))
    try library.changeClip(id, now: Samples.now) { $0.endTime = 5 }
    try library.setNote("First", of: clip, now: Samples.now)
    #expect(try library.clip(id)?.note == "First")
    #expect(try library.clip(id)?.endTime == 5, "only the note is changed")
    try library.deleteClip(id, now: Samples.now)
    try library.setNote("Second", of: clip, now: Samples.now)
    let made = try #require(try library.clips().first)
    #expect(made.note == "Second" && made.title == "Mine" && made.endTime == 2 && made.tags == ["fun"])
    // There is nothing to delete.
    try library.deleteClip(made.id, now: Samples.now)
    #expect(throws: StoreError.self) { try library.setNote(" ", of: made, now: Samples.now) }
    #expect(try library.clips().isEmpty)
  }

  @Test func notesAreListedByTheNewest() throws {
    try library.setNote("Old", of: ids[1], now: Samples.later(10))
    _ = try bookmark(5, now: Samples.later(20))
    #expect(try library.notedEpisodes().map(\.id) == [ids[0], ids[1]])
    #expect(try library.notedEpisodes(since: Samples.later(15)).map(\.id) == [ids[0]])
  }

  @Test func notesAreSearchedAndFiltered() throws {
    try library.setNote("An Élan of the moment", of: ids[1], now: Samples.now)
    #expect(try library.search("note:elan").map(\.row.id) == [ids[1]])
    #expect(try library.search("note:elan note:moment").map(\.row.id) == [ids[1]])
    #expect(try library.search("note:\"other words\"").isEmpty)
    let title = try #require(try library.episode(ids[1])?.row.title)
    #expect(try library.search("note:elan \"\(title)\"").map(\.row.id) == [ids[1]])
    let filter = try EpisodeFilter(parsing: "has:note")
    #expect(try library.episodeIDs(EpisodeQuery(.matching(filter))) == [ids[1]])
    _ = try library.addClip(of: ids[2], kind: .skip, startTime: 1, endTime: 2, now: Samples.now)
    let clips = try EpisodeFilter(parsing: "has:clips")
    #expect(try library.episodeIDs(EpisodeQuery(.matching(clips))).isEmpty)
  }

  @Test func idsOfDeletedClipsAreNotGivenAgain() throws {
    let first = try bookmark(1)
    try library.deleteClip(first, now: Samples.now)
    #expect(try bookmark(2) != first)
  }
}

/// Marks on several devices.
@Suite struct MarkSyncTests {
  @Test func bookmarksNotesAndSkipsAreSynced() async throws {
    let (here, there) = try SyncDevice.pair()
    let bookmark = try here.library.addClip(
      of: here.episode(1), startTime: 5, endTime: nil, title: "Here", note: "A note", now: here.now)
    _ = try here.library.addClip(of: here.episode(1), kind: .skip, startTime: 50, endTime: 60, now: here.now)
    try here.library.setNote("About all", of: here.episode(2), now: here.now)
    for device in [here, there] { try await device.sync() }
    let marks = try there.library.marks(of: there.episode(1))
    #expect(marks.map(\.isBookmark) == [true, false] && marks.first?.note == "A note")
    #expect(marks.skippedRanges == [50...60])
    #expect(try there.library.marks(of: there.episode(2)).episodeNote == "About all")
    try here.library.changeClip(bookmark, now: here.now.addingTimeInterval(60)) { ($0.endTime, $0.note) = (9, nil) }
    for device in [here, there] { try await device.sync() }
    #expect(try there.library.clips().map(\.endTime) == [9])
    #expect(try there.library.clips().first?.note == nil)
    let quiet = try await there.sync()
    #expect(quiet.pulled == SyncChanges() && quiet.pushed == SyncChanges())
  }

  /// Two devices bookmark the same second: both bookmarks are kept, each once.
  @Test func theSameSecondOnTwoDevices() async throws {
    let (here, there) = try SyncDevice.pair()
    for device in [here, there] {
      _ = try device.library.addClip(of: device.episode(1), startTime: 5, endTime: nil, now: here.now)
      try device.library.setNote("From \(device.name)", of: device.episode(2), now: here.now)
    }
    for device in [here, there, here, there] { try await device.sync() }
    for device in [here, there] {
      #expect(try device.library.clips().map(\.startTime) == [5, 5])
      let note = try #require(try device.library.marks(of: device.episode(2)).episodeNote)
      #expect(note.contains("From here") && note.contains("From there"))
    }
  }
}
