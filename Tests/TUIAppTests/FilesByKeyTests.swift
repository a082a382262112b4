import Foundation
import Model
import Store
import TerminalKit
import Testing

@testable import TUIApp

/// Import and export of podcasts, and export of clips, with keys in the running program.
@Suite(.withTmux, InTerminal()) struct FilesByKeyTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  @Test func podcastsAreImportedAndExported() async throws {
    let opml = """
      <opml version="2.0"><head/><body><outline text="news"><outline type="rss" text="From a file" \
      xmlUrl="http://127.0.0.1:9/feed"/></outline></body></opml>
      """
    let source = try home.file("in.opml", opml.utf8)
    let session = try await TmuxSession(home)
    try await session.waitFor("Playing and seeking")
    try await session.press("I")
    try await session.type(source)
    try await session.press("Enter", shows: "From a file")
    #expect(try home.library { try $0.podcasts().first { $0.title == "From a file" }?.tags } == ["news"])

    let target = "\(home.path)/out.opml"
    try await session.type(":export ~/out.opml")
    try await session.press("Enter", shows: "1 podcast written to \(target)")
    let written = try String(contentsOfFile: target, encoding: .utf8)
    #expect(written.contains("http://127.0.0.1:9/feed") && written.contains("news"))
    // An existing file is not replaced without a question.
    try await session.type(":export ~/out.opml")
    try await session.press("Enter", shows: "exists already")
    try await session.type(":import ~/nothing.opml")
    try await session.press("Enter", shows: "cannot be read")
    try await session.quit()
  }

  @Test func clipIsExportedAndStatisticsAreShown() async throws {
    // The first start adds the built-in podcast.
    #expect(try await BuiltProgram.run(["list"], in: home).status == 0)
    try home.library { library in
      let podcast = try #require(try library.podcasts().first?.id)
      let episode = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
      let now = Date()
      _ = try library.addClip(of: episode, startTime: 1, endTime: 3, title: "Two seconds", now: now)
      try library.record(
        ListeningEvent(episode: episode, kind: .play(from: 0, to: 120, total: nil), timestamp: now, speed: 2))
      try library.record(SavedTime(.silence, seconds: 7), of: episode, now: now)
    }
    let session = try await TmuxSession(home)
    try await session.waitFor("Playing and seeking")
    // A playing mpv core must not be in the way of the export.
    try await session.press("Enter", "j", "Enter")
    try await session.waitForBar("sound") { $0.phase == .playing }
    try await session.press("5", shows: "My Clips")
    try await session.press("j", "Enter", shows: "Two seconds")
    try await session.press("F", shows: "Two-seconds.mp3")
    try await session.type("~/clip.wav")
    try await session.press("Enter", shows: "The clip is written to")
    let bytes = try #require(FileManager.default.contents(atPath: "\(home.path)/clip.wav"))
    #expect(bytes.prefix(4) == Data("RIFF".utf8))
    try await session.press("F", shows: "Two-seconds.mp3")
    try await session.type("~/clip.doc")
    try await session.press("Enter", shows: "clip.doc: the name must end in one of .mp3")
    try await session.press("H")
    let statistics = try await session.waitFor("Since the beginning")
    #expect(statistics.contains("Saved 1m: 1m by speed, 7s by silence"))
    // Escape is sent separately, because Escape and the next key together would be read as Alt.
    try await session.press("Escape")
    try await session.waitForNo("Since the beginning")
    try await session.quit()
  }
}
