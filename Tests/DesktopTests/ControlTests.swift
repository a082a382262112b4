import Foundation
import Model
import Synchronization
import Testing

@testable import Desktop

/// The control socket: its rights, its neighbours, and those that are gone.
@Suite struct ControlTests {
  /// A directory that goes with the value; short, since a socket's name may have 108 bytes only.
  final class Place {
    let path: String
    var directory: ControlDirectory { ControlDirectory(path: path + "/run") }
    init() throws {
      path = "/tmp/ear-\(UUID().uuidString.prefix(8))"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// What was obeyed.
  final class Ears: Sendable {
    private let heard = Mutex<[RemoteCommand]>([])
    var all: [RemoteCommand] { heard.withLock { $0 } }
    func hear(_ command: RemoteCommand) { heard.withLock { $0.append(command) } }
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

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func whatWouldDoNothingIsRefusedWithAReason() throws {
    let (place, ears) = (try Place(), Ears())
    let server = try ControlServer(place.directory, status: { NowPlaying() }, onCommand: { ears.hear($0) })
    let client = ControlClient(place.directory)
    #expect(throws: DesktopError.refused("nothing comes next in the queue")) { try client.send(.next) }
    for command in [RemoteCommand.previous, .seek(to: 9), .seekBy(9)] {
      #expect(throws: DesktopError.refused("nothing is playing")) { try client.send(command) }
    }
    try client.send(.play)
    #expect(ears.all == [.play])
    withExtendedLifetime(server) {}
  }

  @Test func commandsArriveAndStatusComesBack() throws {
    let (place, ears) = (try Place(), Ears())
    let server = try ControlServer(place.directory, status: { Self.playing }, onCommand: { ears.hear($0) })
    let client = ControlClient(place.directory)
    let commands: [RemoteCommand] = [
      .play, .pause, .toggle, .stop, .next, .previous, .seek(to: 90.25), .seekBy(-10), .speed(1.5), .volume(80), .quit,
    ]
    for command in commands { try client.send(command) }
    #expect(ears.all == commands)
    let status = try client.status()
    #expect(status == PlayerStatus(Self.playing))
    #expect(status.pid == getpid())
    #expect(client.players().count == 1)
    withExtendedLifetime(server) {}
  }

  @Test func onlyTheOwnerMayEnter() throws {
    let place = try Place()
    let server = try ControlServer(place.directory, status: { NowPlaying() }, onCommand: { _ in })
    #expect(Self.mode(place.directory.path) == 0o700)
    #expect(Self.mode(place.directory.socket(of: getpid())) == 0o600)
    withExtendedLifetime(server) {}
  }

  @Test func anOpenDirectoryIsClosedAndALinkRefused() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.directory.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    try place.directory.prepare()
    #expect(Self.mode(place.directory.path) == 0o700)
    let link = ControlDirectory(path: place.path + "/link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: place.directory.path)
    #expect(throws: DesktopError.unsafeDirectory(link.path)) { try link.prepare() }
  }

  @Test func theSocketGoesWithTheServer() throws {
    let place = try Place()
    var server: ControlServer? = try ControlServer(place.directory, status: { NowPlaying() }, onCommand: { _ in })
    #expect(place.directory.processes() == [getpid()])
    withExtendedLifetime(server) {}
    server = nil
    #expect(place.directory.processes() == [])
    #expect(throws: DesktopError.noPlayer) { try ControlClient(place.directory).status() }
    #expect(throws: DesktopError.noPlayerWithID(1)) { try ControlClient(place.directory).send(.play, to: 1) }
  }

  /// A process that was killed leaves its socket: it is in nobody's way, and goes.
  @Test func aStaleSocketIsPassedOver() throws {
    let place = try Place()
    try place.directory.prepare()
    // Bound once, and never listened on again.
    close(try UnixSocket.listen(place.directory.socket(of: 999_999_999)))
    close(try UnixSocket.listen(place.directory.socket(of: getpid())))
    #expect(place.directory.processes().count == 2)
    #expect(throws: DesktopError.noPlayer) { try ControlClient(place.directory).status() }
    #expect(place.directory.processes() == [])
    close(try UnixSocket.listen(place.directory.socket(of: 999_999_999)))
    close(try UnixSocket.listen(place.directory.socket(of: getpid())))
    let server = try ControlServer(place.directory, status: { Self.playing }, onCommand: { _ in })
    #expect(place.directory.processes() == [getpid()])
    #expect(try ControlClient(place.directory).status().title == "A title")
    withExtendedLifetime(server) {}
  }

  /// A client that says nothing, or rubbish, does not keep others out.
  @Test func rubbishIsAnsweredAndSilenceEnds() throws {
    let place = try Place()
    let server = try ControlServer(place.directory, status: { Self.playing }, onCommand: { _ in })
    let path = place.directory.socket(of: getpid())
    for line in ["rubbish", "{}", "{\"verb\":\"fly\"}", "{\"verb\":\"seek\"}", "{\"verb\":\"seek\",\"value\":\"x\"}"] {
      guard case .open(let descriptor) = UnixSocket.connect(path, timeout: 5) else {
        Issue.record("no connection")
        return
      }
      #expect(UnixSocket.writeLine(descriptor, line.utf8))
      let answer = UnixSocket.readLine(descriptor).map { String(decoding: $0, as: UTF8.self) }
      #expect(answer?.contains("error") == true, "\(line)")
      close(descriptor)
    }
    guard case .open(let silent) = UnixSocket.connect(path, timeout: 5) else {
      Issue.record("no connection")
      return
    }
    #expect(try ControlClient(place.directory, timeout: 20).status().title == "A title")
    close(silent)
    withExtendedLifetime(server) {}
  }

  @Test func aPathThatIsTooLongIsAnErrorNotACrash() throws {
    let place = try Place()
    let long = ControlDirectory(path: place.path + "/" + String(repeating: "x", count: 120))
    #expect(throws: DesktopError.self) {
      try ControlServer(long, status: { NowPlaying() }, onCommand: { _ in })
    }
  }

  @Test func theDirectoryIsTheRuntimeOne() {
    #expect(
      ControlDirectory(state: "/s", environment: ["XDG_RUNTIME_DIR": "/run/user/1"]).path == "/run/user/1/earshot")
    #expect(ControlDirectory(state: "/s", environment: ["XDG_RUNTIME_DIR": "relative"]).path == "/s/run")
    #expect(ControlDirectory(state: "/s", environment: [:]).path == "/s/run")
  }

  @Test(arguments: [
    ("{icon} {title} {position}/{duration}", "▶ A title 1:23/10:00"), ("{status}", "playing"),
    ("{percent} {remaining} {speed} {volume} {queued}", "13 % 8:36 1× 100 % 2"), ("{podcast}: {chapter}", "A show: "),
    ("no fields } {", "no fields } {"), ("", ""),
  ]) func formats(format: String, text: String) throws {
    #expect(try StatusFormat(format).text(PlayerStatus(Self.playing)) == text)
  }

  @Test func aWaitForTheNetworkSaysSinceWhenAndWhy() throws {
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

  @Test func formatsAreCheckedAndSafeForTmux() throws {
    #expect(throws: DesktopError.unknownField("name")) { try StatusFormat("{name}") }
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
