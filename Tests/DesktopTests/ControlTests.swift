import Foundation
import Model
import Synchronization
import Testing

@testable import Desktop

/// The control socket: permissions, several clients, and stale sockets.
@Suite(InTurn()) struct ControlTests {
  /// The directory that clients ask; nil ends them.
  private final class Asked: Sendable {
    private let value: Mutex<ControlDirectory?>
    init(_ directory: ControlDirectory) { value = Mutex(directory) }
    var directory: ControlDirectory? { value.withLock { $0 } }
    func set(_ directory: ControlDirectory?) { value.withLock { $0 = directory } }
  }

  /// A temporary directory, deleted when the value is released. Its path is short, because the path of a socket may
  /// have only 108 bytes.
  final class TemporaryDirectory {
    let path: String
    var directory: ControlDirectory { ControlDirectory(path: path + "/run") }
    init() throws {
      path = "/tmp/ear-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The commands that were carried out.
  final class CommandRecorder: Sendable {
    private let recorded = Mutex<[RemoteCommand]>([])
    var all: [RemoteCommand] { recorded.withLock { $0 } }
    func record(_ command: RemoteCommand) { recorded.withLock { $0.append(command) } }
  }

  @Test(arguments: [RemoteCommand.play, .toggle, .previous, .seekBy(5), .chapter(.next)])
  func commandWithoutEffectIsDone(command: RemoteCommand) {
    let before = NowPlaying()
    var now = before
    #expect(!command.isDone(before: before, now: now))
    now.commands += 1
    #expect(command.isDone(before: before, now: now))
  }

  /// The second of two has no effect. It is not done before the first one is.
  @Test func playTwiceWaitsForThePlayer() {
    var before = Self.playing
    before.status = .paused
    var now = before
    now.commands += 1
    #expect(!RemoteCommand.play.isDone(before: before, now: now))
    now.status = .playing
    #expect(RemoteCommand.play.isDone(before: before, now: now))
  }

  static var playing: NowPlaying {
    var now = NowPlaying()
    now.status = .playing
    now.episode = EpisodeID(7)
    now.title = "A title"
    now.podcast = "A show"
    now.position = 83.5
    now.duration = 600
    now.queued = 2
    now.hasNext = true
    return now
  }

  /// A busy machine may delay the threads of both sides, so both wait long for the other.
  private static func server(
    _ directory: ControlDirectory, status: @escaping @Sendable () -> NowPlaying,
    onCommand: @escaping @Sendable (RemoteCommand) -> Void
  ) throws -> ControlServer {
    try ControlServer(directory, timeout: 60, status: status, onCommand: onCommand)
  }

  /// A cleaner of temporary files may delete the directory of a running player.
  @Test func deletedSocketIsMadeAgain() throws {
    let temporary = try TemporaryDirectory()
    let directory = temporary.directory
    let link = DesktopLink(control: directory, isOnBus: false, environment: [:], onCommand: { _ in }, log: { _ in })
    #expect(directory.processes() == [getpid()])
    try FileManager.default.removeItem(atPath: directory.path)
    link.keepReachable()
    #expect(directory.processes() == [getpid()])
    try FileManager.default.removeItem(atPath: directory.path)
    link.update(Self.playing)
    #expect(directory.processes() == [getpid()])
    link.close()
    link.keepReachable()
    #expect(directory.processes() == [])
  }

  private static func client(_ directory: ControlDirectory) -> ControlClient { ControlClient(directory, timeout: 60) }

  /// The control server of a player in this state, and a client.
  private final class TestPlayer {
    private let temporary: TemporaryDirectory
    private let recorder: CommandRecorder
    private let server: ControlServer
    let client: ControlClient
    var directory: ControlDirectory { temporary.directory }
    /// The commands that were carried out.
    var commands: [RemoteCommand] { recorder.all }

    init(_ now: NowPlaying) throws {
      let (temporary, recorder) = (try TemporaryDirectory(), CommandRecorder())
      (self.temporary, self.recorder) = (temporary, recorder)
      server = try ControlTests.server(
        temporary.directory, status: { now }, onCommand: { recorder.record($0) })
      client = ControlTests.client(temporary.directory)
    }
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func commandsWithoutEffectAreRefusedWithAReason() throws {
    let player = try TestPlayer(NowPlaying())
    #expect(throws: DesktopError.refused("nothing comes next in the queue")) { try player.client.send(.next) }
    for command in [RemoteCommand.previous, .seek(to: 9), .seekBy(9)] {
      #expect(throws: DesktopError.refused("nothing is playing")) { try player.client.send(command) }
    }
    try player.client.send(.play)
    #expect(player.commands == [.play])
  }

  @Test func commandsArriveAndStatusIsReturned() throws {
    let player = try TestPlayer(Self.playing)
    let commands: [RemoteCommand] = [
      .play, .pause, .toggle, .stop, .next, .previous, .seek(to: 90.25), .seekBy(-10), .speed(1.5), .volume(80), .quit,
    ]
    for command in commands { try player.client.send(command) }
    #expect(player.commands == commands)
    let status = try player.client.status()
    #expect(status == PlayerStatus(Self.playing))
    #expect(status.pid == getpid())
    #expect(player.client.players().count == 1)
  }

  /// Clients that connect and send nothing, or only a part of a request.
  @Test func idleClientsDoNotBlockOthers() throws {
    let player = try TestPlayer(Self.playing)
    var idle: [Int32] = []
    defer { idle.forEach { _ = close($0) } }
    for index in 0..<60 {
      guard case .open(let descriptor) = UnixSocket.connect(player.directory.socket(of: getpid()), timeout: 60)
      else {
        Issue.record("client \(index) is not let in")
        return
      }
      idle.append(descriptor)
      if index % 2 == 0 { _ = write(descriptor, "{\"verb\":", 8) }
    }
    #expect(try player.client.status().title == "A title")
    try player.client.send(.pause)
    #expect(player.commands == [.pause])
  }

  /// The player carries out a command on another thread, some time after it was passed on.
  @Test func answerHasTheStateAfterTheCommand() throws {
    let temporary = try TemporaryDirectory()
    let commands = Mutex<[RemoteCommand]>([])
    let recorded = DispatchSemaphore(value: 0)
    let link = DesktopLink(
      control: temporary.directory, isOnBus: false, environment: [:], timeout: 60,
      onCommand: { command in
        commands.withLock { $0.append(command) }
        recorded.signal()
      }, log: { Issue.record("\($0)") })
    link.update(Self.playing)
    Thread.detachNewThread {
      var now = Self.playing
      while recorded.wait(timeout: .now() + 600) == .success {
        switch commands.withLock({ $0.removeFirst() }) {
        case .pause: now.status = .paused
        case .toggle: now.status = now.status == .playing ? .paused : .playing
        case .speed(let speed): now.speed = speed
        case .volume(let percent): now.volume = percent
        case .seek(let second): (now.position, now.seeks) = (second, now.seeks + 1)
        case .next: (now.generation, now.title) = (now.generation + 1, "The next")
        case .stop: now.status = .stopped
        default: return
        }
        link.update(now)
      }
    }
    let client = Self.client(temporary.directory)
    #expect(try client.send(.pause).status == .paused)
    #expect(try client.send(.toggle).status == .playing)
    #expect(try client.send(.speed(1.5)).speed == 1.5)
    #expect(try client.send(.volume(40)).volume == 40)
    #expect(try client.send(.seek(to: 12)).position == 12)
    #expect(try client.send(.next).title == "The next")
    #expect(try client.send(.stop).status == .stopped)
    _ = try client.send(.quit)
    link.close()
  }

  @Test func valuesOutOfRangeAreRefusedWithTheRange() throws {
    let player = try TestPlayer(Self.playing)
    #expect(throws: DesktopError.refused("a speed is 0.5 to 4")) { try player.client.send(.speed(9)) }
    #expect(throws: DesktopError.refused("a volume is 0 to 150")) { try player.client.send(.volume(500)) }
    #expect(throws: DesktopError.refused("the episode ends at 10:00")) { try player.client.send(.seek(to: 7200)) }
    #expect(player.commands.isEmpty)
  }

  @Test func longCommandsAreReadAndTooLongOnesAreReported() throws {
    var now = Self.playing
    now.hasLibrary = true
    let player = try TestPlayer(now)
    // As many as `earshot ctl queue` takes.
    let queue = RemoteCommand.enqueue((1...1000).map { EpisodeID(900_000_000 + $0) }, next: false)
    try player.client.send(queue)
    #expect(throws: DesktopError.tooLong) {
      try player.client.send(.bookmark(title: String(repeating: "x", count: 60_000)))
    }
    #expect(player.commands == [queue])
  }

  @Test func stepsWhileOpeningAreRefusedAndSeeksAreKept() throws {
    var now = Self.playing
    now.status = .loading
    let player = try TestPlayer(now)
    for command in [RemoteCommand.previous, .chapter(.next)] {
      #expect(throws: DesktopError.refused("the episode is still being opened")) { try player.client.send(command) }
    }
    #expect(player.commands.isEmpty)
    // Seeks are accepted, because the player stores them until the episode is open.
    for command in [RemoteCommand.seek(to: 9), .seekBy(9)] { try player.client.send(command) }
    #expect(player.commands == [.seek(to: 9), .seekBy(9)])
  }

  @Test func changesOfAReadOnlyLibraryAreRefused() throws {
    var now = Self.playing
    (now.hasLibrary, now.clipStart, now.unwritable) = (true, 3, "the library cannot be written")
    let player = try TestPlayer(now)
    for command in [RemoteCommand.enqueue([EpisodeID(1)], next: true), .clipStart, .clipEnd(title: nil)] {
      #expect(throws: DesktopError.refused("the library cannot be written")) { try player.client.send(command) }
    }
    #expect(player.commands.isEmpty)
  }

  @Test func clipWithoutLengthIsRefused() throws {
    var now = Self.playing
    (now.hasLibrary, now.clipStart) = (true, now.position)
    let player = try TestPlayer(now)
    #expect(throws: DesktopError.refused("a clip ends after its start, which is 1:23")) {
      try player.client.send(.clipEnd(title: nil))
    }
    #expect(player.commands.isEmpty)
  }

  @Test func directoryIsAccessibleOnlyToTheOwner() throws {
    let temporary = try TemporaryDirectory()
    let server = try Self.server(temporary.directory, status: { NowPlaying() }, onCommand: { _ in })
    #expect(Self.mode(temporary.directory.path) == 0o700)
    #expect(Self.mode(temporary.directory.socket(of: getpid())) == 0o600)
    withExtendedLifetime(server) {}
  }

  @Test func openDirectoryIsRestrictedAndALinkRefused() throws {
    let temporary = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: temporary.directory.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try temporary.directory.prepare()
    #expect(Self.mode(temporary.directory.path) == 0o700)
    let link = ControlDirectory(path: temporary.path + "/link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: temporary.directory.path)
    #expect(throws: DesktopError.unsafeDirectory(link.path)) { try link.prepare() }
  }

  @Test func socketIsRemovedWithTheServer() throws {
    let temporary = try TemporaryDirectory()
    var server: ControlServer? = try Self.server(temporary.directory, status: { NowPlaying() }, onCommand: { _ in })
    #expect(temporary.directory.processes() == [getpid()])
    withExtendedLifetime(server) {}
    server = nil
    #expect(temporary.directory.processes() == [])
    #expect(throws: DesktopError.noPlayer) { try Self.client(temporary.directory).status() }
    #expect(throws: DesktopError.noPlayerWithID(1)) { try Self.client(temporary.directory).send(.play, to: 1) }
  }

  /// A killed process leaves its socket. The socket is skipped and removed.
  @Test func staleSocketIsSkipped() throws {
    let temporary = try TemporaryDirectory()
    try temporary.directory.prepare()
    // The socket was bound once, and nobody listens on it.
    close(try UnixSocket.listen(temporary.directory.socket(of: 999_999_999)))
    close(try UnixSocket.listen(temporary.directory.socket(of: getpid())))
    #expect(temporary.directory.processes().count == 2)
    #expect(throws: DesktopError.noPlayer) { try Self.client(temporary.directory).status() }
    #expect(temporary.directory.processes() == [])
    close(try UnixSocket.listen(temporary.directory.socket(of: 999_999_999)))
    close(try UnixSocket.listen(temporary.directory.socket(of: getpid())))
    let server = try Self.server(temporary.directory, status: { Self.playing }, onCommand: { _ in })
    #expect(temporary.directory.processes() == [getpid()])
    #expect(try Self.client(temporary.directory).status().title == "A title")
    withExtendedLifetime(server) {}
  }

  /// Clients ask while the player starts, as status bars do.
  @Test func clientsDoNotRemoveTheSocketOfAPlayerThatStarts() throws {
    let temporary = try TemporaryDirectory()
    let asked = Asked(temporary.directory)
    for _ in 0..<2 {
      Thread { while let directory = asked.directory { _ = try? Self.client(directory).status(of: getpid()) } }
        .start()
    }
    defer { asked.set(nil) }
    for round in 0..<300 {
      // A client may be late to remove the socket of an earlier round, which had the same process id.
      let directory = ControlDirectory(path: "\(temporary.path)/\(round)")
      try directory.prepare()
      asked.set(directory)
      let server = try Self.server(directory, status: { NowPlaying() }, onCommand: { _ in })
      #expect(directory.processes() == [getpid()])
      withExtendedLifetime(server) {}
    }
  }

  /// A client that sends nothing, or invalid data, does not block others.
  @Test func invalidRequestsAreAnsweredAndSilentClientsClosed() throws {
    let temporary = try TemporaryDirectory()
    let server = try Self.server(temporary.directory, status: { Self.playing }, onCommand: { _ in })
    let path = temporary.directory.socket(of: getpid())
    for line in ["rubbish", "{}", "{\"verb\":\"fly\"}", "{\"verb\":\"seek\"}", "{\"verb\":\"seek\",\"value\":\"x\"}"] {
      guard case .open(let descriptor) = UnixSocket.connect(path, timeout: 60) else {
        Issue.record("no connection")
        return
      }
      #expect(UnixSocket.writeLine(descriptor, line.utf8))
      var buffered: [UInt8] = []
      let answer = UnixSocket.readLine(descriptor, &buffered).map { String(decoding: $0, as: UTF8.self) }
      #expect(answer?.contains("error") == true, "\(line)")
      close(descriptor)
    }
    guard case .open(let silent) = UnixSocket.connect(path, timeout: 60) else {
      Issue.record("no connection")
      return
    }
    #expect(try Self.client(temporary.directory).status().title == "A title")
    close(silent)
    withExtendedLifetime(server) {}
  }

  @Test func pathThatIsTooLongIsAnError() throws {
    let temporary = try TemporaryDirectory()
    let long = ControlDirectory(path: temporary.path + "/" + String(repeating: "x", count: 120))
    #expect(throws: DesktopError.self) {
      try Self.server(long, status: { NowPlaying() }, onCommand: { _ in })
    }
  }

  @Test func directoryIsTheRuntimeDirectory() {
    #expect(
      ControlDirectory(state: "/s", environment: ["XDG_RUNTIME_DIR": "/run/user/1"]).path == "/run/user/1/earshot")
    #expect(ControlDirectory(state: "/s", environment: ["XDG_RUNTIME_DIR": "relative"]).path == "/s/run")
    #expect(ControlDirectory(state: "/s", environment: [:]).path == "/s/run")
  }

  @Test(arguments: [
    ("{icon} {title} {position}/{duration}", "▶ A title 1:23/10:00"), ("{status}", "playing"),
    ("{percent} {remaining} {speed} {volume} {queued}", "13 % 8:36 1× 100 % 2"), ("{podcast}: {chapter}", "A show: "),
    ("no fields } {", "no fields } {"), ("", ""),
  ]) func statusFormats(format: String, text: String) throws {
    #expect(try StatusFormat(format).text(PlayerStatus(Self.playing)) == text)
  }

  @Test func statusOfANetworkWaitHasDurationAndCause() throws {
    var now = Self.playing
    now.isStalled = true
    let format = try StatusFormat("{icon} {position} {waiting}")
    #expect(format.text(PlayerStatus(now)) == "◌ 1:23 buffering")
    now.networkWait = NetworkWait(seconds: 42.7, cause: "the server cannot be reached")
    let status = PlayerStatus(now)
    #expect(format.text(status) == "◌ 1:23 waiting for the network 0:42")
    #expect(status.stalled && status.waiting == NetworkWait(seconds: 42, cause: "the server cannot be reached"))
    #expect(try StatusFormat("{waiting}").text(PlayerStatus(Self.playing)) == "")
    now.networkWait?.seconds = .infinity
    #expect(try JSONEncoder().encode(PlayerStatus(now)).isEmpty == false)
  }

  @Test func pauseIsRefusedWhileTheEpisodeOpens() throws {
    var now = Self.playing
    now.status = .loading
    let player = try TestPlayer(now)
    for command in [RemoteCommand.pause, .toggle] {
      #expect(throws: DesktopError.refused("the episode is still being opened")) { try player.client.send(command) }
    }
    try player.client.send(.stop)
    #expect(player.commands == [.stop])
  }

  @Test func numbersOfTheStatusAreRoundedToThousandths() {
    var now = Self.playing
    now.position = 12.000_000_1
    now.sleep = 899.510_000_01
    let status = PlayerStatus(now)
    #expect(status.position == 12 && status.sleep == 899.51)
  }

  @Test func formatsAreValidatedAndSafeForTmux() throws {
    // A timer that waits for an event has no time.
    for (event, text) in [
      ("episode", "end of episode"), ("chapter", "end of chapter"), ("3 episodes", "after 3 episodes"),
    ] {
      var now = Self.playing
      now.sleepsAfter = event
      #expect(try StatusFormat("{sleep}").text(PlayerStatus(now)) == text)
    }
    let unknown = #expect(throws: DesktopError.self) { try StatusFormat("{name}") }
    #expect(unknown?.description.hasPrefix("there is no {name}; there are {icon} {status} ") == true)
    var now = Self.playing
    now.title = "#(rm -rf ~) #[fg=red]"
    now.duration = nil
    let format = try StatusFormat("#[bold]{title} {duration} {percent}")
    #expect(format.text(PlayerStatus(now), isForTmux: true) == "#[bold]##(rm -rf ~) ##[fg=red] – –")
    now.position = .nan
    now.speed = .infinity
    #expect(try JSONEncoder().encode(PlayerStatus(now)).isEmpty == false)
  }
}
