import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// Playback continues when the disk fails. Messages say what is not saved, and when it is saved again.
@Suite(.serialized) struct FailingDiskTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Streamed")
  }

  private func sound(seconds: Int = 300) throws -> String {
    try home.file("sound.wav", Broadcast.silence(seconds: seconds))
  }

  private func waitForWord(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    var text = ""
    let isSaid = try await Eventually.until {
      text = try String(contentsOfFile: "\(home.path)/err", encoding: .utf8)
      return text.contains(words)
    }
    #expect(isSaid, "\(words): \(text)", sourceLocation: sourceLocation)
  }

  /// Subscribes to the broadcast only, and returns the id of its first episode. The episodes of the welcome podcast are
  /// so short that a busy machine may reach their end before the disk is mended.
  @discardableResult
  private func subscribed() async throws -> EpisodeID {
    try await broadcast.subscribeOnly(in: home)
    return try home.library { library in
      let podcast = try #require(try library.podcasts().first)
      return try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast.id))).first)
    }
  }

  private func endPlaying(_ child: ChildProcess) async throws {
    kill(child.id, SIGTERM)
    #expect(try await child.status() == 128 + SIGTERM)
  }

  /// Puts a file in the place of a directory, so that not even root can make the directory.
  private func block(_ directory: String) throws {
    try FileManager.default.removeItem(atPath: "\(home.path)/\(directory)")
    try home.file(directory, "in the way".utf8)
  }

  @Test func missingStateDirectoryOnlyDisablesTheLog() async throws {
    try block("state")
    let outcome = try await earshot("play", try sound(seconds: 1))
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let doctor = try await earshot("doctor")
    #expect(doctor.text.contains("there is no log"), "\(doctor.text)")
    #expect(doctor.status == 0, "\(doctor.stderr)")
  }

  @Test func missingCacheDirectoryStillStreams() async throws {
    let short = LoopbackServer.Resource(Broadcast.silence(seconds: 1), type: "audio/wav", etag: "\"s\"")
    broadcast.server.route("/1.wav", short.answer)
    #expect(try await earshot("add", broadcast.feedURL).status == 0)
    let id = try #require(try await earshot("episodes", broadcast.feedURL, "--json").objects().first?["id"] as? Int)
    try block("cache")
    let outcome = try await earshot("play", "\(id)")
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try home.library { try $0.episode(EpisodeID(Int64(id)))?.row.status } == .played)
    #expect(try await earshot("doctor").status == 0)
  }

  /// No library can be made. Files play, and a message says that nothing is saved.
  @Test func missingDataDirectoryStillPlaysFiles() async throws {
    try block("data")
    let outcome = try await earshot("play", try sound(seconds: 1))
    #expect(outcome.status == 0 && outcome.stderr.contains("Nothing is saved"), "\(outcome.stderr)")
    // Commands that must save something are refused.
    #expect(try await earshot("add", "https://example.invalid/feed").status == 73)
  }

  @Test(arguments: ["cannot create /x: the disk is full", "The library /x is in use by another process."])
  func reasonOfATemporaryLibraryEndsWithOneFullStop(reason: String) throws {
    let outcome = try Library.openTemporary(reason: reason, notes: NotesReader())
    defer { try? outcome.library.close() }
    let warning = try #require(outcome.warning)
    #expect(warning.hasPrefix(reason) && warning.contains(". Nothing is saved") && !warning.contains(".."))
  }

  @Test func deletedDataDirectoryIsWrittenAgain() async throws {
    let id = try await subscribed()
    let child = try await playing("\(id)")
    try FileManager.default.removeItem(atPath: home.directories.data)
    try await waitForWord("It was written again")
    try await reaches(child) { ($0["position"] as? Double ?? 0) > 1 }
    try await endPlaying(child)
    let row = try home.library { try $0.episodeRows([id]).first }
    #expect((row?.position ?? 0) > 1 && row?.status == .paused)
  }

  #if os(Linux)
    /// The disk is full, or read-only.
    @Test(.enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"), arguments: [true, false])
    func failingDiskPlaysAndSavesThePositionLater(isFull: Bool) async throws {
      let disk = try SmallDisk(at: "\(home.path)/data", kilobytes: isFull ? 4000 : 8000)
      let id = try await subscribed()
      if isFull { try disk.fill() } else { try disk.remount(readOnly: true) }
      let child = try await playing("\(id)")
      try await waitForWord(isFull ? "disk is full" : "read-only")
      try await reaches(child) { ($0["position"] as? Double ?? 0) > 2 }
      if isFull { try disk.empty() } else { try disk.remount(readOnly: false) }
      try await waitForWord("can be written again")
      try await endPlaying(child)
      #expect((try home.library { try $0.episodeRows([id]).first?.position } ?? 0) > 2)
      disk.remove()
    }

    /// The disk stays full until the end. The episode plays, and the exit status says that the position is lost.
    @Test(.enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"))
    func unsavedPositionIsReportedAtTheEnd() async throws {
      let disk = try SmallDisk(at: "\(home.path)/data", kilobytes: 4000)
      #expect(try await earshot("list").status == 0)
      try disk.fill()
      let outcome = try await earshot("play", try sound(seconds: 1))
      #expect(outcome.status == 74 && outcome.stderr.contains("disk is full"), "\(outcome.status) \(outcome.stderr)")
      disk.remove()
    }

    @Test(.enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"), .withTmux)
    func fullScreenPlayerPlaysOnAFullDisk() async throws {
      let disk = try SmallDisk(at: "\(home.path)/data", kilobytes: 4000)
      try await subscribed()
      try disk.fill()
      let session = try await TmuxSession(home)
      try await session.waitFor("Third hour")
      // The message is shown at the start, before anything can be lost.
      try await session.waitUntil("a message about the disk") { $0.contains("disk is full") }
      try await session.press("Enter")
      try await session.press("Enter")
      try await session.waitForBar("playing") { $0.phase == .playing && $0.elapsed >= 2 }
      try disk.empty()
      try await session.waitUntil("the position is saved") { $0.contains("can be written again") }
      try await session.quit()
      let position = try home.library { library in
        try library.lastPlayed().flatMap { try library.episodeRows([$0]).first?.position }
      }
      #expect((position ?? 0) >= 2)
      disk.remove()
    }
  #endif
}
