import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Transcripts that the listener has made, on several devices that share a folder.
@Suite struct SyncTranscriptTests {
  private let here: SyncDevice
  private let there: SyncDevice
  private static let origin = TranscriptOrigin(kind: .made, name: "small", date: Samples.now, duration: 60)

  init() throws { (here, there) = try SyncDevice.pair() }

  private func syncAll() async throws {
    for device in [here, there, here, there] { try await device.sync() }
  }

  private static func transcript(lines: Int, _ word: String = "zanzibar") -> Transcript {
    Transcript(
      lines: (0..<lines).map { .init(start: Double($0), end: Double($0) + 0.5, text: "Line \($0) of \(word)") })
  }

  private func save(_ transcript: Transcript, _ origin: TranscriptOrigin = origin) throws {
    try here.library.saveMadeTranscript(transcript, origin, of: here.episode(1), now: here.now)
  }

  @Test func transcriptsTravelIfBothDevicesWantThem() async throws {
    try save(Self.transcript(lines: 2000))
    try await syncAll()
    #expect(try there.library.madeTranscript(there.episode(1)) == nil)
    here.takesTranscripts = true
    try await syncAll()
    #expect(try there.library.madeTranscript(there.episode(1)) == nil, "the other device does not want them")
    // What has arrived is kept until the listener wants it.
    there.takesTranscripts = true
    try there.library.addToTranscribing([there.episode(1)])
    try await here.sync()
    try here.library.enqueue([here.episode(2)], now: here.now)
    try await syncAll()
    let made = try #require(try there.library.madeTranscript(there.episode(1)))
    #expect(made == Transcript(lines: Self.transcript(lines: 2000).lines, origin: Self.origin))
    #expect(try there.library.transcribingList().isEmpty)
    #expect(try there.library.search("zanzibar").map(\.row.id) == [there.episode(1)])
    // Nothing is sent again.
    #expect(try await here.sync().pushed == SyncChanges())
    #expect(try await there.sync().pushed == SyncChanges())
  }

  /// No other register arrives after the feed, so the transcript alone starts the search for what waits.
  @Test func transcriptWaitsForTheFeedOfItsPodcast() async throws {
    let new = try SyncDevice("new", folder: here.folder, podcasts: 0)
    (here.takesTranscripts, new.takesTranscripts) = (true, true)
    try save(Self.transcript(lines: 3))
    try await here.sync()
    try await new.sync()
    try await new.sync()
    try new.subscribe(0)
    #expect(try new.library.madeTranscript(new.episode(1)) == nil)
    #expect(try await new.sync().pulled.registers == 1)
    #expect(try await new.sync().pulled.registers == 0)
    #expect(try new.library.madeTranscript(new.episode(1))?.lines.count == 3)
  }

  @Test func newerTranscriptsAndRemovalsTravel() async throws {
    (here.takesTranscripts, there.takesTranscripts) = (true, true)
    try save(Self.transcript(lines: 1))
    try await syncAll()
    #expect(try there.library.madeTranscript(there.episode(1))?.lines.count == 1)
    var better = Self.origin
    better.name = "large"
    try save(Self.transcript(lines: 3, "timbuktu"), better)
    try await syncAll()
    #expect(try there.library.madeTranscript(there.episode(1))?.origin?.name == "large")
    #expect(try there.library.removeMadeTranscript(there.episode(1)))
    try await syncAll()
    #expect(try here.library.madeTranscript(here.episode(1)) == nil)
    #expect(try here.library.search("timbuktu").isEmpty)
  }

  /// More than fit in one transaction.
  @Test func manyTranscriptsAreSentAtOnce() async throws {
    (here.takesTranscripts, there.takesTranscripts) = (true, true)
    let count = SyncSlice.limit + 100
    for device in [here, there] {
      try device.box.subscribe(SyncDevice.episodes(count, of: 1), url: SyncDevice.url(1))
    }
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(1)))
    let episodes = try here.library.episodeIDs(EpisodeQuery(.podcast(podcast)))
    let (origin, now) = (try JSONCoding.encode(Self.origin), here.now)
    try here.library.write { db in
      for id in episodes {
        try Library.saveMadeTranscript(db, Self.transcript(lines: 1), origin: origin, of: id.rawValue, now: now)
      }
    }
    try await here.sync()
    try await there.sync()
    #expect(try there.box.value(Int.self, "SELECT count(*) FROM madeTranscript") == count)
    try await syncAll()
    #expect(try await here.sync().pushed == SyncChanges())
  }

  /// One device has the new guids of a feed, and the other one not yet.
  @Test(arguments: ["+", "zz"]) func transcriptStaysWhenGuidsChange(prefix: String) async throws {
    (here.takesTranscripts, there.takesTranscripts) = (true, true)
    try save(Self.transcript(lines: 2))
    try await syncAll()
    let (own, other) = (try here.episode(1), try there.episode(1))
    func made() throws -> [Int?] {
      [try here.library.madeTranscript(own)?.lines.count, try there.library.madeTranscript(other)?.lines.count]
    }
    try here.refresh(SyncDevice.episodes(prefix: prefix))
    for _ in 1...2 { try await syncAll() }
    #expect(try made() == [2, 2])
    try there.refresh(SyncDevice.episodes(prefix: prefix))
    try await syncAll()
    #expect(try made() == [2, 2])
    #expect(try there.library.removeMadeTranscript(other))
    for device in [there, here] { try await device.sync() }
    #expect(try made() == [nil, nil])
  }

  /// A transcript that was made here and is not sent yet is not overwritten by an older one, nor by a removal.
  @Test func whatIsNotSentYetIsKept() async throws {
    (here.takesTranscripts, there.takesTranscripts) = (true, true)
    try save(Self.transcript(lines: 1))
    try await here.sync()
    there.now += 600
    var own = Self.origin
    own.name = "own"
    try there.library.saveMadeTranscript(Self.transcript(lines: 4), own, of: there.episode(1), now: there.now)
    try await there.sync()
    #expect(try there.library.madeTranscript(there.episode(1))?.origin?.name == "own")
    try await syncAll()
    #expect(try here.library.madeTranscript(here.episode(1))?.origin?.name == "own")
    #expect(try here.library.removeMadeTranscript(here.episode(1)))
    try await here.sync()
    own.name = "again"
    try there.library.saveMadeTranscript(Self.transcript(lines: 5), own, of: there.episode(1), now: there.now)
    try await syncAll()
    #expect(try here.library.madeTranscript(here.episode(1))?.origin?.name == "again")
  }

  /// Swift takes the two forms of “é” for the same text. SQLite does not, and devices may have either. A publisher may
  /// go from one to the other.
  @Test(arguments: [false, true]) func keysInTwoFormsOfUnicodeAreTwoKeys(isComposed: Bool) throws {
    let (guid, other) = isComposed ? ("\u{E9}", "e\u{301}") : ("e\u{301}", "\u{E9}")
    func key(_ guid: String) -> String { "transcript/feeds.example/0 \(guid)" }
    let (episode, origin) = (try here.episode(1), try JSONCoding.encode(Self.origin))
    try save(Self.transcript(lines: 1))
    try here.library.write { db in
      try db.run("UPDATE episode SET guid = ? WHERE id = ?", [guid, episode.rawValue])
      for (name, stored) in [(guid, origin), (other, "that of an older one")] {
        try db.run(
          "INSERT INTO syncRegister (key, value, time, version, isApplied) VALUES (?, ?, 1, 1, 1)",
          [key(name), JSONValue.object(["origin": .string(stored)]).text])
      }
    }
    let changes = try here.library.read { db in try SyncTranscript(db: db).changes(find: { _ in nil }) }
    #expect(changes.isEmpty, "it would be sent in each sync")
    let isKept = try here.library.read { db in
      try SyncTranscript(db: db).isKept(episode.rawValue, besides: key(other), find: { _ in episode.rawValue })
    }
    #expect(isKept, "only the other name was removed")
  }

  /// A bomb, text that is no Base64, other JSON, no lines, and an unknown origin change nothing.
  @Test func hostileTranscriptsAreLeftAside() async throws {
    here.takesTranscripts = true
    let origin = try JSONCoding.encode(Self.origin)
    let values: [[String: JSONValue]] = [
      ["origin": .string(origin), "packed": .string("KLUv/aABAAAAAAEAAA==")],
      ["origin": .string(origin), "packed": .string("no base64 §")],
      ["origin": .string(origin), "text": .string("[1]")],
      ["origin": .string(origin), "text": .string(#"{"lines":[]}"#)],
      ["origin": .string("{}"), "text": .string(#"{"lines":[{"text":"x"}]}"#)],
      ["origin": .string(origin), "text": .string(#"{"lines":[{"start":9223372036854775808,"text":"x"}]}"#)],
      ["origin": .string(origin), "text": .string(#"{"lines":[{"start":0,"end":1e300,"text":"x"}]}"#)],
    ]
    let lines = values.enumerated().map { index, value in
      var value = value
      value["podcast"] = .string(SyncDevice.url(0))
      value["guid"] = .string("0-1")
      return JSONValue.object([
        "key": .string("transcript/feeds.example/0 0-1"),
        "time": .number(here.now.timeIntervalSince1970 + Double(index)),
        "value": .object(value),
      ])
    }
    for line in lines {
      try SyncDevice.write([line], "collections", to: here.folder.path, device: "other\(UUID().uuidString.prefix(8))")
      try await here.sync()
      #expect(try here.library.madeTranscript(here.episode(1)) == nil)
    }
  }
}
