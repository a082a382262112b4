import Foundation
import LoopbackServer
import Model
import Seeded
import Store
import Testing

@testable import TUIApp

/// Faults of the machine: a killed process, a damaged file, a full disk.
@Suite(InTerminal()) struct DamageTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Faulty", Self.episodes(40))
  }

  private static func episodes(_ count: Int) -> [Broadcast.Episode] {
    (1...count).map {
      Broadcast.Episode(
        title: "Episode \($0)", guid: "guid-\($0)", notes: String(repeating: "word\($0) ", count: 60), day: $0 % 28 + 1)
    }
  }

  /// Episodes whose notes are random words, which cannot be compressed much.
  private static func largeEpisodes(_ count: Int) -> [Broadcast.Episode] {
    var random = SplitMix64(seed: 1)
    return (1...count).map { number in
      let words = (0..<250).map { _ in String(random.next(), radix: 36) }
      return Broadcast.Episode(title: "Large \(number)", guid: "large-\(number)", notes: words.joined(separator: " "))
    }
  }

  /// A refresh that brings twenty new episodes is killed at random moments. The file is valid, nothing is lost, the
  /// listening state is kept, and the next refresh brings the rest.
  @Test func killDuringARefreshLosesNothing() async throws {
    #expect(try await earshot("add", broadcast.feedURL).status == 0)
    let podcast = try home.library { library in
      let podcast = try #require(try library.podcasts().first { $0.title == "Faulty" }?.id)
      let ids = try library.episodeIDs(EpisodeQuery(.podcast(podcast)))
      try library.setStatus([ids[0]], .played, now: Date())
      try library.savePosition(ids[1], seconds: 93, total: nil, now: Date())
      return podcast
    }
    var moments = SplitMix64(seed: 4)
    var known = 40
    for round in 1...12 {
      broadcast.publish(Self.episodes(40 + round * 20))
      let child = try ChildProcess(
        BuiltProgram.path(), ["refresh"], environment: home.environment, input: "/dev/null", output: "/dev/null",
        errors: "/dev/null")
      try await Task.sleep(for: .milliseconds(Int.random(in: 5..<250, using: &moments)))
      kill(child.id, SIGKILL)
      _ = try await child.status()
      try home.library { library in
        #expect(try library.integrityCheck().isEmpty, "round \(round)")
        let ids = try library.episodeIDs(EpisodeQuery(.podcast(podcast)))
        #expect(ids.count >= known && ids.count <= 40 + round * 20 && ids.count % 20 == 0, "round \(round)")
        known = ids.count
        let rows = try library.episodeRows(ids)
        #expect(rows.filter { $0.status == .played }.count == 1 && rows.filter { $0.position == 93 }.count == 1)
      }
    }
    let last = try await earshot("refresh")
    #expect(last.status == 0, "\(last.stderr)")
    #expect(try home.library { try $0.episodeIDs(EpisodeQuery(.podcast(podcast))) }.count == 280)
  }

  /// Bits are flipped, or the end is cut off. No verb crashes or hangs. The damaged file is still read, or is kept
  /// under another name. It is never overwritten.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func damagedLibraryIsKept(seed: UInt64) async throws {
    #expect(try await earshot("add", broadcast.feedURL).status == 0)
    #expect(try await earshot("refresh").status == 0)
    let file = URL(fileURLWithPath: home.directories.database)
    let whole = try Data(contentsOf: file)
    var places = SplitMix64(seed: seed)
    for round in 1...6 {
      for name in try FileManager.default.contentsOfDirectory(atPath: home.directories.data)
      where name.hasPrefix("earshot.db") {
        try FileManager.default.removeItem(atPath: "\(home.directories.data)/\(name)")
      }
      var damaged = whole
      if round % 3 == 0 {
        damaged = damaged.prefix(Int.random(in: 1..<damaged.count, using: &places))
      } else {
        for _ in 0..<(round * 40) {
          let place = Int.random(in: 0..<damaged.count, using: &places)
          damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &places)
        }
      }
      try damaged.write(to: file)
      for verb in [["episodes"], ["refresh"], ["search", "word7"], ["doctor"]] {
        let outcome = try await BuiltProgram.run(verb, in: home)
        #expect([0, 65, 69, 73, 74].contains(outcome.status), "round \(round), \(verb): \(outcome.status)")
        #expect(outcome.status == 0 || !outcome.stderr.isEmpty)
      }
      // The file is set aside unchanged, so that it can still be repaired.
      let kept = try FileManager.default.contentsOfDirectory(atPath: home.directories.data)
        .filter { $0.hasPrefix("earshot.db.damaged") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      if round % 3 == 0 { #expect(kept.count == 1, "seed \(seed), round \(round): \(kept)") }
    }
  }

  /// With a damaged library the player starts, reports the damage, and names the place of the old file.
  @Test(.withTmux) func playerStartsOnADamagedLibrary() async throws {
    #expect(try await earshot("list").status == 0)
    let file = URL(fileURLWithPath: home.directories.database)
    let whole = try Data(contentsOf: file)
    try whole.prefix(whole.count / 2).write(to: file)
    let session = try await TmuxSession(home, size: .init(200, 24))
    let screen = try await session.waitFor("is damaged")
    // The message takes several lines.
    #expect(screen.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("It was kept as "))
    try await session.waitFor("Nothing playing")
    try await session.quit()
    #expect(try await earshot("doctor").status == 0)
  }

  /// A timer opens the damaged library first. The player still says what happened, until there is a subscription.
  @Test(.withTmux) func playerReportsALossThatATimerHasNoticed() async throws {
    #expect(try await earshot("add", broadcast.feedURL).status == 0)
    let backup = try #require(try await earshot("backup", "--json").object()["path"] as? String)
    let file = URL(fileURLWithPath: home.directories.database)
    try Data(try Data(contentsOf: file).prefix(5000)).write(to: file)
    let timer = try await earshot("refresh", "--due", "--quiet")
    #expect(timer.stderr.contains("“earshot restore \(backup)”") && timer.stderr.contains("It was kept as "))
    let session = try await TmuxSession(home)
    try await session.waitFor("A new library was made")
    let library = try Library(path: home.directories.database)
    #expect(try LibraryLoss.recorded(in: library) != nil)
    try await session.quit()
    #expect(try String(contentsOfFile: home.directories.logFile, encoding: .utf8).contains("It was kept as "))
    #expect(try await earshot("backup").status == 0)
    #expect(Library.newestGoodBackup(of: home.directories.database, now: Date())?.path == backup)
    _ = try library.subscribe(feed: Feed(), feedURL: "https://feeds.example/a", now: Date())
    #expect(try LibraryLoss.recorded(in: library) == nil)
  }

  #if os(Linux)
    /// A file system of 3.2 MB, three times the size of an empty library, whose log is twice as large while it is
    /// made. A change that does not fit gives a message and an exit status, and the old data is kept.
    @Test(.enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"))
    func fullDiskIsReportedAndLosesNothing() async throws {
      let disk = try SmallDisk(at: "\(home.path)/data", kilobytes: 3200)
      #expect(try await earshot("list").status == 0)
      #expect(try await earshot("add", broadcast.feedURL).status == 0)
      let before = try await earshot("episodes", "--json").objects().count
      // These episodes do not fit into the free space.
      broadcast.publish(Self.episodes(40) + Self.largeEpisodes(1500))
      let outcome = try await earshot("refresh")
      #expect([73, 74].contains(outcome.status), "\(outcome.status): \(outcome.stderr)")
      #expect(outcome.stderr.contains("full"), "\(outcome.stderr)")
      #expect(try await earshot("episodes", "--json").objects().count == before)
      // No space is left, not even for a position.
      try disk.fill()
      if TmuxSession.isAvailable {
        let session = try await TmuxSession(home)
        try await session.waitFor("Welcome to Earshot")
        try await session.waitUntil("a word about the disk") { $0.contains("full") }
        try await session.press("Q")
        _ = try await session.exitStatus()
      }
      try disk.empty()
      #expect(try home.library { try $0.integrityCheck() }.isEmpty)
      #expect(try await earshot("refresh").status != 65)
      disk.remove()
    }
  #endif
}

#if os(Linux)
  /// A small tmpfs for tests of a full disk.
  final class SmallDisk {
    /// In a container, even root may not be allowed to mount.
    static let canBeMade: Bool = {
      let place = "/tmp/earshot-disk-\(getpid())"
      guard mkdir(place, 0o700) == 0 else { return false }
      defer { rmdir(place) }
      guard mount("tmpfs", place, "tmpfs", 0, "size=64k") == 0 else { return false }
      return umount2(place, 0) == 0
    }()

    private let path: String
    private var isMounted = true

    init(at path: String, kilobytes: Int) throws {
      self.path = path
      try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0, "mount: \(errno)")
    }

    // 2 is MNT_DETACH (umount2(2)), which Glibc's module has in another type.
    deinit { if isMounted { umount2(path, 2) } }

    /// Fills the file system.
    func fill() throws {
      let file = open("\(path)/ballast", O_WRONLY | O_CREAT, 0o600)
      let block = [UInt8](repeating: 0, count: 4096)
      while write(file, block, block.count) > 0 {}
      close(file)
    }

    func remount(readOnly: Bool) throws {
      let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
      try #require(Self.whileBusy { mount("tmpfs", path, "tmpfs", flags, nil) } == 0, "mount: \(errno)")
    }

    func empty() throws { try FileManager.default.removeItem(atPath: "\(path)/ballast") }

    func remove() {
      isMounted = false
      #expect(Self.whileBusy { umount2(path, 0) } == 0, "umount: \(errno)")
    }

    /// Repeats a call that fails with EBUSY, for at most 100 s. Between fork and exec, a process that another test
    /// starts has this process's files open, so the disk may be busy for a moment.
    private static func whileBusy(_ call: () -> Int32) -> Int32 {
      var result = call()
      for _ in 0..<10_000 where result != 0 && errno == EBUSY {
        usleep(10_000)
        result = call()
      }
      return result
    }
  }
#endif
