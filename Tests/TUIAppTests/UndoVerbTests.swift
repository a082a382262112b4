import Foundation
import Model
import Store
import Testing

@testable import TUIApp

/// `earshot undo` in the built program: its questions, and redo.
@Suite(InTurn()) struct UndoVerbTests: ProgramTesting {
  let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  private func count() async throws -> Int { try await earshot("list", "--json").objects().count }

  @Test func undoOfALargeImportAsks() async throws {
    let feeds = (1...12).map { "<outline type='rss' text='P\($0)' xmlUrl='https://\($0).example/feed'/>" }
    let file = try home.file("many.opml", "<opml version='2.0'><body>\(feeds.joined())</body></opml>".utf8)
    #expect(try await earshot("import", file).lines.first == "12 added, 0 known, 0 refused")
    #expect(try await count() == 13)
    let refused = try await earshot("undo")
    #expect(refused.status == 64 && refused.stderr.contains("Unsubscribe from 12 podcasts"), "\(refused.stderr)")
    #expect(refused.stderr.contains("--yes"))
    #expect(try await count() == 13)
    #expect(try await earshot("undo", "--yes").lines == ["Undone: Import from OPML"])
    #expect(try await count() == 1)
    #expect(try await earshot("undo", "--redo", "--list").text.contains("Import from OPML"))
    #expect(try await earshot("undo", "--redo").status == 64)
    #expect(try await earshot("undo", "--redo", "--yes").lines == ["Redone: Import from OPML"])
    #expect(try await count() == 13)
    #expect(try await earshot("undo", "--redo").stderr.contains("nothing to redo"))
  }

  @Test func undoOfSeveralSaysHowManyWereUndone() async throws {
    #expect(try await earshot("list").status == 0)
    try home.library { library in
      let id = try #require(try library.podcasts().first?.id)
      try library.setTags(["old"], of: id, now: Date(timeIntervalSinceNow: -7200))
      try library.setTags(["new"], of: id, now: Date())
    }
    let outcome = try await earshot("undo", "2")
    #expect(outcome.status == 64 && outcome.lines == ["Undone: Tag “Welcome to Earshot”"])
    let message = "only 1 of 2 changes undone. Run “earshot undo 1 --yes” to do the rest."
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  @Test func undoOfAnOldStepAsks() async throws {
    #expect(try await earshot("list").status == 0)
    try home.library { library in
      let id = try #require(try library.podcasts().first?.id)
      try library.setTags(["old"], of: id, now: Date(timeIntervalSinceNow: -7200))
    }
    #expect(try await earshot("undo").status == 64)
    #expect(try await earshot("undo", "-y").lines == ["Undone: Tag “Welcome to Earshot”"])
    // The step keeps its date.
    #expect(try await earshot("undo", "--redo").status == 64)
  }

  /// The verb's exit status for each refused file.
  @Test func restoreRefusesOtherFiles() async throws {
    #expect(try await earshot("list").status == 0)
    let empty = try home.file("empty.db", "".utf8)
    let byte = try home.file("byte.db", "x".utf8)
    for (source, words) in [
      (empty, "it is empty"), (byte, "not an SQLite database"), ("/dev/zero", "it is a device"),
      (home.path, "it is a directory"),
    ] {
      let outcome = try await earshot("restore", source)
      #expect(outcome.status == 65 && outcome.stderr.contains(words), "\(source): \(outcome.status) \(outcome.stderr)")
    }
    let outcome = try await earshot("import", "/dev/zero")
    #expect(outcome.status == 65 && outcome.stderr.contains("a device"), "\(outcome.stderr)")
    #expect(try await count() == 1)
  }
}
