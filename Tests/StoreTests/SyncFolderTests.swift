import Foundation
import Model
import Sync
import SyncBackends
import TemporaryFiles
import Testing

@testable import Store

/// Folders whose files another program has deleted or truncated.
@Suite struct SyncFolderTests {
  @Test func emptiedFolderIsFilledAgain() async throws {
    let (here, there) = try SyncDevice.pair()
    try here.library.setStatus([here.episode(1)], .played, now: here.now)
    try await here.sync()
    let own = here.folder.path + "/earshot-sync/here"
    for file in try FileManager.default.contentsOfDirectory(atPath: own) where file.hasSuffix(".jsonl") {
      try FileManager.default.removeItem(atPath: own + "/" + file)
    }
    for device in [here, there] { try await device.sync() }
    let state = try there.state(1)
    #expect(state == "played 0.0")
    // A change that was repeated is sent only once.
    let quiet = try await here.sync()
    #expect(quiet.pushed == SyncChanges())
  }

  @Test func folderWithMissingPartsIsFilledAgain() async throws {
    let (here, there) = try SyncDevice.pair()
    try here.library.enqueue([here.episode(1)], now: here.now)
    try here.library.setStatus([here.episode(2)], .played, now: here.now)
    try await here.sync()
    let own = here.folder.path + "/earshot-sync/here"
    // First the whole directory of a device is deleted, then the tail of a file.
    try FileManager.default.removeItem(atPath: own)
    for device in [here, there] { try await device.sync() }
    #expect(try there.queue() == ["0-1"])
    #expect(try there.state(2) == "played 0.0")
    try here.library.setStatus([here.episode(3)], .played, now: here.now)
    try await here.sync()
    let file = own + "/episodes.000001.jsonl"
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: handle.seekToEnd() - 20)
    try handle.close()
    for device in [here, there] { try await device.sync() }
    #expect(try there.state(3) == "played 0.0")
  }

  /// One such line made the whole library unreadable.
  @Test(arguments: [
    (#"{"show":{"speed":1.5}}"#, 1), (#"{"show":5}"#, 0), (#"{"show":{"speed":"fast"}}"#, 0), (#"{"show":[]}"#, 0),
    (#"{"show":{"speed":1e300}}"#, 0), (#"{"show":{"gain":-1e300}}"#, 0), (#"{"show":{"intro":-5}}"#, 0),
    (#"{"autoDownload":"x"}"#, 0), (#"{"autoDownload":99999999999999999999}"#, 0), (#"{"keepDownloads":-3}"#, 0),
  ])
  func settingsOfOthersAreChecked(settings: String, count: Int) async throws {
    let here = try SyncDevice("here")
    let line: JSONValue = .object([
      "key": .string("settings/" + AddressKey.feed(SyncDevice.url(0))),
      "time": .number(here.now.timeIntervalSince1970),
      "value": .object(["podcast": .string(SyncDevice.url(0)), "settings": try #require(JSONValue(settings))]),
    ])
    try SyncDevice.write([line], "collections", to: here.folder.path)
    try await here.sync()
    #expect(try here.library.podcastSettings().count == count)
  }

  /// Other programs and damaged files bring any numbers. The episode is 1,800 s long, as its feed says.
  @Test(arguments: [
    (#"{"position":60,"total":9000}"#, "paused 60.0"), (#"{"position":60,"total":5}"#, "paused 60.0"),
    (#"{"position":60,"total":1e308}"#, "paused 60.0"), (#"{"position":60,"started":-1e300}"#, "paused 60.0"),
    (#"{"position":1e17}"#, "new 0.0"), (#"{"position":1e17,"total":1e18}"#, "new 0.0"),
    (#"{"position":2000,"total":100}"#, "played 0.0"),
  ])
  func numbersOfOthersAreChecked(numbers: String, state: String) async throws {
    let here = try SyncDevice("here")
    guard case .object(var mark)? = JSONValue(numbers) else { throw CocoaError(.coderInvalidValue) }
    mark["podcast"] = .string(SyncDevice.url(0))
    mark["guid"] = .string("0-1")
    mark["status"] = .string("paused")
    mark["time"] = .number(here.now.timeIntervalSince1970)
    try SyncDevice.write([.object(mark)], "episodes", to: here.folder.path)
    try await here.sync()
    #expect(try here.state(1) == state)
    #expect(try here.library.episode(here.episode(1))?.row.duration == 1800)
    let heard = try #require(try here.box.value(Double.self, "SELECT total(toTime - fromTime) FROM event"))
    #expect(heard <= 60)
  }

  /// Such clips ended the program where it showed their dates, or exported them.
  @Test(arguments: [
    (#"{"start":5,"end":9}"#, 1), (#"{"start":5,"end":9,"created":1e300}"#, 1), (#"{"start":5,"created":-1e300}"#, 1),
    (#"{"start":5,"created":"nan"}"#, 1), (#"{"start":"nan"}"#, 0), (#"{"start":9223372036854775808}"#, 0),
    (#"{"start":1e300}"#, 0), (#"{"start":5,"end":1e300}"#, 0), (#"{"start":-1}"#, 0), (#"{"start":9,"end":5}"#, 0),
    (#"{"start":5,"kind":"skip"}"#, 0),
  ])
  func clipsOfOthersAreChecked(clip: String, count: Int) async throws {
    let here = try SyncDevice("here")
    guard case .object(var value)? = JSONValue(clip) else { throw CocoaError(.coderInvalidValue) }
    value["podcast"] = .string(SyncDevice.url(0))
    value["guid"] = .string("0-1")
    let line: JSONValue = .object([
      "key": .string("clip/other-1"), "time": .number(here.now.timeIntervalSince1970), "value": .object(value),
    ])
    try SyncDevice.write([line], "collections", to: here.folder.path)
    try await here.sync()
    let clips = try here.library.clips()
    #expect(clips.count == count)
    #expect(clips.allSatisfy { (0...1e11).contains($0.dateCreated.timeIntervalSince1970) })
  }

  /// A register that a table refuses waits, and the others are applied: here, a second clip has the id of the first.
  @Test func refusedRegisterDoesNotBlockTheOthers() async throws {
    let here = try SyncDevice("here")
    try await here.library.pool.write { db in
      try db.execute(
        sql: """
          CREATE TEMP TRIGGER refuse BEFORE INSERT ON clip WHEN new.title = 'refused'
          BEGIN SELECT raise(ABORT, 'refused'); END
          """)
    }
    let lines = ["a", "refused", "z"].map { title in
      JSONValue.object([
        "key": .string("clip/" + title), "time": .number(here.now.timeIntervalSince1970),
        "value": .object([
          "podcast": .string(SyncDevice.url(0)), "guid": .string("0-1"), "start": .number(5), "title": .string(title),
        ]),
      ])
    }
    try SyncDevice.write(lines, "collections", to: here.folder.path)
    try await here.sync()
    #expect(Set(try here.library.clips().map(\.title)) == ["a", "z"])
    _ = try here.library.undo(now: here.now)
    #expect(try here.library.clips().isEmpty)
  }

  /// Whoever can write to the folder must not choose where this device reads and writes.
  @Test func directoriesOfDevicesThatAreLinksAreNotUsed() async throws {
    let (here, there) = (try SyncDevice("here"), try SyncDevice("there"))
    let elsewhere = there.folder.path
    try there.library.setStatus([there.episode(3)], .played, now: there.now)
    try await there.sync()
    let root = here.folder.path + "/earshot-sync/"
    symlink(elsewhere + "/earshot-sync/there", root + "there")
    try await here.sync()
    #expect(try here.state(3) == "new 0.0")
    try FileManager.default.moveItem(atPath: root + "here", toPath: elsewhere + "/here")
    symlink(elsewhere + "/here", root + "here")
    let files = try FileManager.default.subpathsOfDirectory(atPath: elsewhere)
    try here.library.setStatus([here.episode(4)], .played, now: here.now)
    let backend = FolderBackend(path: here.folder.path, device: "here", name: "here", library: here.library.deviceID)
    await #expect(throws: SyncError.self) { try await backend.claimDevice() }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: elsewhere) == files)
  }

  /// Whatever lies in the directory of another device, its valid files are read.
  @Test func strangeFilesOfOthersAreNotRead() async throws {
    let here = try SyncDevice("here")
    let mark: JSONValue = .object([
      "podcast": .string(SyncDevice.url(0)), "guid": .string("0-1"), "status": .string("played"),
      "time": .number(here.now.timeIntervalSince1970),
    ])
    let long = JSONValue.object(["key": .string("x"), "value": .string(String(repeating: "x", count: 600_000))])
    try SyncDevice.write([long, mark], "episodes", to: here.folder.path)
    let other = here.folder.path + "/earshot-sync/other"
    try Self.makeSparse(other + "/device.json", bytes: 1 << 30)
    try Self.makeSparse(other + "/episodes.000002.jsonl", bytes: 1 << 30)
    #expect(mkfifo(other + "/episodes.000003.jsonl", 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: other + "/episodes.000004.jsonl", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: other + "/episodes.000005.jsonl", withDestinationPath: "/dev/zero")
    #expect(mkfifo(here.folder.path + "/earshot-sync/pipe", 0o600) == 0)
    let report = try await here.sync(hasProblems: true)
    #expect(try here.state(1) == "played 0.0")
    #expect(report.problems.contains { $0.contains("episodes.000002.jsonl: it is not read, because it is larger") })
    #expect(report.problems.contains { $0.contains("episodes.000001.jsonl: lines longer than") })
    #expect(report.problems.count == 2)
  }

  private static func makeSparse(_ path: String, bytes: off_t) throws {
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(truncate(path, bytes) == 0)
  }

  /// Names that look like this device's own files must not keep it from sending.
  @Test func foreignNamesInTheOwnDirectoryDoNotStopSending() async throws {
    let (here, there) = try SyncDevice.pair()
    let own = here.folder.path + "/earshot-sync/here"
    let target = here.folder.path + "/target"
    try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
    try Data("not ours\n".utf8).write(to: URL(fileURLWithPath: own + "/episodes.999999.jsonl"))
    try FileManager.default.createDirectory(atPath: own + "/episodes.000001.jsonl", withIntermediateDirectories: false)
    #expect(mkfifo(own + "/episodes.000002.jsonl", 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: own + "/episodes.000003.jsonl", withDestinationPath: target)
    for number in 1...3 {
      try here.library.setStatus([here.episode(number)], .played, now: here.now)
      for device in [here, there] { try await device.sync() }
      #expect(try there.state(number) == "played 0.0")
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
  }

  /// More changes than one pull returns.
  @Test func longFilesAreReadInPieces() async throws {
    let here = try SyncDevice("here")
    let time = here.now.timeIntervalSince1970
    let count = 21_000
    try SyncDevice.write(
      (1...count).map { number in
        .object([
          "podcast": .string("https://feeds.example/none"), "guid": .string("\(number)"), "status": .string("played"),
          "time": .number(time),
        ])
      }, "episodes", to: here.folder.path)
    try await here.sync()
    #expect(try here.library.syncBacklog().waiting == count)
    // Nothing is read twice.
    let cursor = try LibrarySync(library: here.library, server: "").cursor(.episodes)
    let again = try await FolderBackend(path: here.folder.path, device: "here", name: "", library: "").pull(
      .episodes, since: cursor)
    #expect(again.episodes == [] && !again.hasMore)
  }

  /// Eight files are packed into one, which has the newest line about each thing.
  @Test func packedFilesLoseNoLine() async throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let backend = FolderBackend(path: folder.path, device: "here", name: "Here", library: "a")
    try await backend.login()
    let padding = String(repeating: "x", count: 1000)
    for round in 0..<10 {
      var batch = SyncBatch()
      batch.registers = (0..<300).map { number in
        RegisterChange(
          key: "tag/\(round % 2 == 0 ? number : number + 1000)",
          value: "{\"padding\":\"\(padding)\",\"round\":\(round)}",
          time: 1_700_000_000 + Double(round))
      }
      _ = try await backend.push(batch)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/earshot-sync/here")
    #expect(names.count { $0.hasPrefix("collections.") } < 8)
    var rounds: [String: Double] = [:]
    for change in try await backend.pull(.collections, since: nil).registers {
      let round = try #require(change.value.flatMap { JSONValue($0) }?["round"]?.number)
      rounds[change.key] = max(rounds[change.key] ?? 0, round)
    }
    #expect(rounds.count == 600)
    #expect(rounds.allSatisfy { key, round in round == (key.dropFirst(4).count > 3 ? 9 : 8) })
  }

  /// A batch is split over several files, and packing leaves out a file that is too large.
  @Test func filesStaySmallEnoughToBeRead() async throws {
    let folder = try TemporaryDirectory()
    defer { withExtendedLifetime(folder) {} }
    let backend = FolderBackend(path: folder.path, device: "here", name: "Here", library: "a")
    try await backend.login()
    func push(_ numbers: Range<Int>, bytes: Int) async throws {
      var batch = SyncBatch()
      let value = "{\"padding\":\"\(String(repeating: "x", count: bytes))\"}"
      batch.registers = numbers.map { RegisterChange(key: "tag/\($0)", value: value, time: 1_700_000_000) }
      _ = try await backend.push(batch)
    }
    let own = folder.path + "/earshot-sync/here/"
    let tooLarge = "collections.000001.jsonl"
    try await push(0..<1, bytes: 10)
    #expect(truncate(own + tooLarge, 65_000_000) == 0)
    try await push(100..<145, bytes: 200_000)
    for number in 1...10 { try await push(2 * number..<2 * number + 2, bytes: 130_000) }

    let names = try FileManager.default.contentsOfDirectory(atPath: own).filter { $0.hasPrefix("collections.") }
    #expect(names.count < 8 && names.allSatisfy { $0.hasSuffix(".jsonl") }, "\(names)")
    #expect(names.contains(tooLarge))
    #expect(names.contains("collections.000002.jsonl"), "a full file with new lines only is not copied")
    for name in names where name != tooLarge {
      let size = try FileManager.default.attributesOfItem(atPath: own + name)[.size] as? Int
      #expect(size.map { $0 < 9_000_000 } == true, "\(name)")
    }
    let pull = try await FolderBackend(path: folder.path, device: "there", name: "", library: "b").pull(
      .collections, since: nil)
    #expect(Set(pull.registers.map(\.key)) == Set([2..<22, 100..<145].joined().map { "tag/\($0)" }))
    #expect(pull.problems.count == 1)
  }

  /// One device has the new guids of a feed, and the other one not yet.
  @Test(arguments: ["+", "zz"]) func tagsStayWhenGuidsChange(prefix: String) async throws {
    let (here, there) = try SyncDevice.pair()
    try here.library.setTags(["later"], of: here.episode(1))
    for device in [here, there, here] { try await device.sync() }
    let (own, other) = (try here.episode(1), try there.episode(1))
    let others = try [here.episode(2), there.episode(2)]
    let episodes = SyncDevice.episodes(prefix: prefix)
    try here.refresh(episodes)
    // A change of any tag records the new names.
    try here.library.setTags(["one"], of: others[0])
    for device in [here, there, here, there] { try await device.sync() }
    #expect(try here.library.episode(own)?.tags == ["later"] && there.library.episode(other)?.tags == ["later"])
    try there.refresh(episodes)
    try there.library.setTags(["two"], of: others[1])
    for device in [there, here, there] { try await device.sync() }
    #expect(try here.library.episode(own)?.tags == ["later"] && there.library.episode(other)?.tags == ["later"])
    // A tag that the listener removes goes everywhere.
    try there.library.setTags([], of: other)
    for device in [there, here] { try await device.sync() }
    #expect(try here.library.episode(own)?.tags == [])
  }

  /// Two devices write the same things differently: with another address of the feed, and with addresses of the files
  /// that change at each fetch. None of them says that it has changed something.
  @Test func otherSpellingsAreNoChanges() async throws {
    let here = try SyncDevice("here")
    let there = try SyncDevice("there", folder: here.folder, podcasts: 0)
    var episodes = SyncDevice.episodes()
    for index in episodes.indices { episodes[index].mediaURL? += "?token=other" }
    try there.box.subscribe(episodes, url: SyncDevice.url(0) + "/")
    try here.library.setNote("first", of: here.episode(1), now: here.now)
    try here.library.setTags(["later"], of: here.episode(2))
    try here.library.enqueue([here.episode(1), here.episode(2), here.episode(3)], now: here.now)
    for device in [here, there, here, there] { try await device.sync() }
    for device in [here, there] { #expect(try await device.sync().pushed == SyncChanges()) }

    try here.library.setNote("second", of: here.episode(1), now: here.now)
    try here.library.dequeue([here.episode(2)], now: here.now)
    for device in [there, here, there, here] { try await device.sync() }
    for device in [here, there] {
      #expect(try device.library.marks(of: device.episode(1)).map(\.note) == ["second"])
      #expect(try device.queue() == ["0-1", "0-3"])
      #expect(try device.library.episode(device.episode(2))?.tags == ["later"])
    }
  }

  /// What this version does not understand is not replaced by what it has.
  @Test func valuesOfANewerVersionStay() async throws {
    let here = try SyncDevice("here")
    let podcast = try #require(try here.library.podcastID(feedURL: SyncDevice.url(0)))
    try here.library.change(.order(.oldest), of: podcast, now: here.now)
    try here.library.setTags(["t"], of: podcast)
    try await here.sync()
    let name = "feeds.example/0"
    let values: [String: [String: JSONValue]] = [
      "order/\(name)": ["order": .string("rating")], "tag/\(name) t": ["tag": .string("t"), "colour": .string("red")],
      "source/\(name)": ["source": .string("fyyd"), "id": .string("7")],
      "settings/\(name)": ["settings": .object(["keepDownloads": .number(3), "colour": .string("red")])],
    ]
    let lines = values.map { key, value in
      let value = value.merging(["podcast": .string(SyncDevice.url(0))]) { $1 }
      return JSONValue.object([
        "key": .string(key), "time": .number(here.now.timeIntervalSince1970 + 30), "value": .object(value),
      ])
    }
    try SyncDevice.write(lines, "collections", to: here.folder.path)
    for _ in 1...2 { #expect(try await here.sync().pushed == SyncChanges()) }
    #expect(try here.library.podcastSettings()[podcast]?.order == .oldest)
    let red = try here.box.value(Int.self, "SELECT count(*) FROM syncRegister WHERE instr(value, 'red')")
    #expect(try red == 2 && here.library.podcastSettings()[podcast]?.keepDownloads == 3)
    // What the listener does now is later.
    try here.library.change(.order(.newest), of: podcast, now: here.now)
    #expect(try await here.sync().pushed.registers == 1)
    let order = try here.box.value(String.self, "SELECT value FROM syncRegister WHERE key LIKE 'order/%'")
    #expect(order?.contains("newest") == true)
  }
}
