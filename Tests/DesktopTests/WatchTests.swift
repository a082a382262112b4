import Foundation
import LoopbackSocket
import Model
import Synchronization
import Testing

@testable import Desktop

/// `earshot ctl watch`: the state first, then each event; a watcher that does not read is cut off.
@Suite(InTurn()) struct WatchTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[WatchEvent]>([])
    private let changed = DispatchSemaphore(value: 0)
    var all: [WatchEvent] { lines.withLock { $0 } }
    func add(_ event: WatchEvent) {
      lines.withLock { $0.append(event) }
      changed.signal()
    }
    func wait(for count: Int) { wait { $0.count >= count } }
    func wait(until test: ([WatchEvent]) -> Bool) {
      while !test(all), changed.wait(timeout: .now() + 300) == .success {}
    }
  }

  private static func link(
    _ directory: ControlDirectory, onEvent: @escaping @Sendable (WatchEvent) -> Void = { _ in }
  ) -> DesktopLink {
    DesktopLink(
      control: directory, isOnBus: false, environment: [:], timeout: timeout, onCommand: { _ in }, onEvent: onEvent,
      log: { _ in })
  }

  /// Seconds for which one side waits for the other.
  private static let timeout = 300.0

  private static func watch(
    _ directory: ControlDirectory, every interval: Double? = nil, _ lines: Lines
  ) -> Thread {
    let thread = Thread {
      try? ControlClient(directory, timeout: timeout).watch(getpid(), every: interval) { event, _ in
        lines.add(event)
        return true
      }
      lines.add(WatchEvent(.quit, status: nil))
    }
    thread.start()
    return thread
  }

  @Test func firstLineIsTheStateAndEventsFollow() throws {
    let temporary = try ControlTests.TemporaryDirectory()
    let (lines, hooked) = (Lines(), Lines())
    let link = Self.link(temporary.directory) { hooked.add($0) }
    link.update(ControlTests.playing)
    let thread = Self.watch(temporary.directory, lines)
    lines.wait(for: 1)
    var now = ControlTests.playing
    now.status = .paused
    link.update(now)
    now.chapter = "Two"
    now.seeks += 1
    now.position = 100
    link.update(now)
    var event = WatchEvent(.downloaded)
    event.episode = .init(id: EpisodeID(3), title: "\u{1b}[2J\nx", podcast: "P")
    link.emit(event)
    link.close()
    lines.wait(for: 7)
    #expect(lines.all.map(\.event) == [.state, .paused, .seek, .chapter, .downloaded, .quit, .quit])
    #expect(lines.all[0].status?.title == "A title" && lines.all[2].from == 83.5)
    #expect(lines.all[4] == event)
    #expect(hooked.all.map(\.event) == [.playing, .queue, .paused, .seek, .chapter, .downloaded, .quit])
    withExtendedLifetime(thread) {}
  }

  /// A line never holds raw control characters, whatever a title contains.
  @Test func linesHaveNoControlCharacters() throws {
    var event = WatchEvent(.finished)
    event.episode = .init(id: EpisodeID(1), title: "a\nb\u{1b}[2J\u{0}\u{85}\u{2028}", podcast: "$(id)")
    let bytes = try JSONFormat().bytes(of: event)
    #expect(!bytes.contains { $0 < 0x20 })
    #expect(try JSONDecoder().decode(WatchEvent.self, from: Data(bytes)) == event)
  }

  @Test func positionsComeOnlyIfAskedFor() throws {
    let temporary = try ControlTests.TemporaryDirectory()
    let lines = Lines()
    let link = Self.link(temporary.directory)
    var now = ControlTests.playing
    link.update(now)
    let thread = Self.watch(temporary.directory, every: 1, lines)
    lines.wait(for: 1)
    // No fixed time: positions are sent until one is due.
    while !lines.all.contains(where: { $0.event == .position }) {
      now.position += 0.25
      link.update(now)
    }
    link.close()
    lines.wait { $0.count { $0.event == .quit } == 2 }
    #expect(lines.all.prefix(2).map(\.event) == [.state, .position])
    // On a busy machine another second may have passed until the first position was read.
    #expect(lines.all.map(\.event).filter { $0 != .position } == [.state, .quit, .quit])
    withExtendedLifetime(thread) {}
  }

  @Test func watcherThatDoesNotReadIsCutOffAndDelaysNobody() throws {
    let temporary = try ControlTests.TemporaryDirectory()
    let link = Self.link(temporary.directory)
    guard case .open(let silent) = UnixSocket.connect(temporary.directory.socket(of: getpid()), timeout: 60) else {
      Issue.record("no connection")
      return
    }
    defer { close(silent) }
    let request = try JSONFormat().bytes(of: ControlRequest(verb: .watch))
    UnixSocket.writeLine(silent, request)
    var buffered: [UInt8] = []
    #expect(UnixSocket.readLine(silent, &buffered) != nil)
    var event = WatchEvent(.newEpisodes)
    event.list(
      (0..<100).map { .init(id: EpisodeID(Int64($0)), title: String(repeating: "x", count: 100), podcast: "") })
    let start = ContinuousClock.now
    for _ in 0..<500 { link.emit(event) }
    // One wait for the watcher would take longer.
    #expect(ContinuousClock.now - start < .seconds(Self.timeout))
    // What fitted into the buffer is read, and then the connection is over.
    var count = 0
    while UnixSocket.readLine(silent, &buffered) != nil { count += 1 }
    #expect(count < 500)
    link.close()
  }

  @Test func cutOffIsAnErrorOfTheWatch() throws {
    let temporary = try ControlTests.TemporaryDirectory()
    let link = Self.link(temporary.directory)
    var event = WatchEvent(.newEpisodes)
    event.list(
      (0..<100).map { .init(id: EpisodeID(Int64($0)), title: String(repeating: "x", count: 600), podcast: "") })
    #expect(throws: DesktopError.cutOff(getpid())) {
      try ControlClient(temporary.directory, timeout: 60).watch(getpid()) { received, _ in
        if received.event == .state { for _ in 0..<50 { link.emit(event) } }
        return true
      }
    }
    link.close()
  }

  @Test func eventListsNoMoreThanASocketTakes() {
    var event = WatchEvent(.newEpisodes)
    event.list(
      (0..<100).map { .init(id: EpisodeID(Int64($0)), title: String(repeating: "x", count: 3000), podcast: "") })
    #expect(event.episodes?.count == 21)
    event.list((0..<200).map { .init(id: EpisodeID(Int64($0)), title: "x", podcast: "") })
    #expect(event.episodes?.count == 100)
  }

  @Test func tooManyWatchersAreRefused() throws {
    let temporary = try ControlTests.TemporaryDirectory()
    let watchers = Watchers()
    var ends: [Int32] = []
    defer { ends.forEach { _ = close($0) } }
    func add() -> Bool {
      var pair: [Int32] = [0, 0]
      #if os(Linux)
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
      #else
        socketpair(AF_UNIX, SOCK_STREAM, 0, &pair)
      #endif
      ends.append(pair[1])
      let isAdded = watchers.add(pair[0], every: nil) { WatchEvent(.state) }
      if !isAdded { close(pair[0]) }
      return isAdded
    }
    for _ in 0..<32 { #expect(add()) }
    #expect(!add())
    // One that has ended makes room.
    close(ends.removeFirst())
    #expect(add())
    watchers.closeAll()
    withExtendedLifetime(temporary) {}
  }

  @Test func changesOfThePlayerAreEvents() {
    let stopped = NowPlaying()
    var playing = ControlTests.playing
    func kinds(_ before: NowPlaying, _ now: NowPlaying) -> [WatchEvent.Kind] {
      WatchEvent.changes(from: before, to: now).map(\.event)
    }
    #expect(kinds(stopped, playing) == [.playing, .queue])
    #expect(kinds(playing, playing) == [])
    var moved = playing
    moved.position += 1
    #expect(kinds(playing, moved) == [])
    var loading = playing
    loading.status = .loading
    loading.generation = 2
    #expect(kinds(playing, loading) == [])
    var next = playing
    next.generation = 2
    #expect(kinds(loading, next) == [.playing])
    #expect(kinds(playing, stopped) == [.stopped, .queue])
    playing.queue = [EpisodeID(1), EpisodeID(2)]
    var moved2 = playing
    moved2.queue = [EpisodeID(2), EpisodeID(1)]
    #expect(kinds(playing, moved2) == [.queue])
  }
}
