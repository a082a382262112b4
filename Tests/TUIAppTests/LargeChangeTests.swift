import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// Events that must not lose data, in the built program: a feed that changes everything, an import by mistake, a check
/// of the library.
@Suite(InTurn()) struct LargeChangeTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Upheaval")
  }

  enum Change: String, CaseIterable {
    case guids, addresses, dates, guidsAndDates

    /// The feed after the change.
    func feed(_ broadcast: Broadcast) -> String {
      var episodes = Broadcast.threeEpisodes
      for index in episodes.indices {
        if self == .guids || self == .guidsAndDates { episodes[index].guid = "https://new.example/?p=\(index)" }
        if self == .dates || self == .guidsAndDates { episodes[index].day += 15 }
      }
      let media = broadcast.server.baseURL + (self == .addresses ? "/moved" : "")
      return Broadcast.feed(broadcast.title, episodes, media: media)
    }
  }

  /// The listening state of each episode.
  private struct Mine: Equatable {
    var id: EpisodeID
    var status: EpisodeStatus
    var position: Double
    var isQueued: Bool
    var isGone: Bool
  }

  private func mine() throws -> [Mine] {
    try home.library { library in
      let podcast = try #require(try library.podcastID(feedURL: broadcast.feedURL))
      return try library.episodeRows(library.episodeIDs(EpisodeQuery(.podcast(podcast)))).map {
        Mine(
          id: $0.id, status: $0.status, position: $0.position, isQueued: $0.isQueued, isGone: $0.isGoneFromFeed)
      }.sorted { $0.id.rawValue < $1.id.rawValue }
    }
  }

  @Test(arguments: Change.allCases) func feedThatChangesEverythingKeepsTheListeningState(change: Change) async throws {
    _ = try await earshot("add", broadcast.feedURL)
    try home.library { library in
      let podcast = try #require(try library.podcastID(feedURL: broadcast.feedURL))
      let ids = try library.episodeIDs(EpisodeQuery(.podcast(podcast)))
      try library.savePosition(ids[0], seconds: 42.5, total: nil, now: Date())
      try library.setStatus([ids[1]], .played, now: Date())
      try library.enqueue([ids[2]], now: Date())
    }
    let before = try mine()
    #expect(before.count == 3 && Set(before.map(\.status)) == [.playing, .played, .new])
    broadcast.server.route("/feed.xml", .text(change.feed(broadcast), type: "application/rss+xml"))
    #expect(try await earshot("refresh", broadcast.feedURL).lines.last == "0 new, 1 unchanged, 0 failed")
    #expect(try mine() == before)
    // The feed changes back.
    broadcast.publish(Broadcast.threeEpisodes)
    #expect(try await earshot("refresh", broadcast.feedURL).status == 0)
    #expect(try mine() == before)
  }

  @Test func importIsUndoneInOneStep() async throws {
    let file = try home.file(
      "others.opml",
      """
      <opml version="2.0"><body><outline text="News"><outline type="rss" text="One" xmlUrl="https://one.example/feed"/>
      <outline type="rss" text="Two" xmlUrl="https://two.example/feed"/></outline></body></opml>
      """.utf8)
    #expect(try await earshot("import", file).lines.first == "2 added, 0 known, 0 refused")
    #expect(try await earshot("list", "--json").objects().count == 3)
    #expect(try await earshot("undo").lines == ["Undone: Import from OPML"])
    #expect(try await earshot("list", "--json").objects().count == 1)
    #expect(try await earshot("import", file).lines.first == "2 added, 0 known, 0 refused")
  }

  @Test func doctorChangesNothing() async throws {
    #expect(try await earshot("list").status == 0)
    // The state after a player was killed, with a write-ahead log.
    let database = home.directories.database
    let left = try Library(path: database)
    try left.markStarted()
    func content() throws -> [Data] {
      try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: database + $0)) }
    }
    let before = try content()
    #expect(try await earshot("doctor").text.contains("whole; 1 podcast"))
    #expect(try content() == before)
    try left.close()
  }
}
