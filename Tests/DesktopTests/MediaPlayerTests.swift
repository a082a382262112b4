#if canImport(CSDBus)
  import ChildProcesses
  import Foundation
  import Model
  import Synchronization
  import Testing

  @testable import Desktop

  /// The player on a real session bus, checked with `playerctl` and `gdbus`.
  @Suite(.serialized, .enabled(if: SessionBus.isInstalled, "dbus-daemon and playerctl are not installed"))
  struct MediaPlayerTests {
    static var playing: NowPlaying {
      var now = ControlTests.playing
      now.address = "https://example.org/a.mp3"
      now.imageURL = "https://example.org/a.png"
      now.pubDate = Date(timeIntervalSince1970: 1_700_000_000)
      now.generation = 1
      now.hasNext = true
      now.hasPrevious = true
      return now
    }

    @Test func playerctlReadsAllProperties() throws {
      let bus = try SessionBus()
      let start = ContinuousClock.now
      let player = try bus.player(Self.playing)
      #expect(try bus.run("playerctl", "-l") == "earshot")
      #expect(try bus.run("playerctl", "status") == "Playing")
      let format = "{{title}}|{{artist}}|{{album}}|{{mpris:length}}|{{mpris:artUrl}}|{{xesam:url}}|{{mpris:trackid}}"
      let metadata = try bus.run("playerctl", "metadata", "-f", format)
      #expect(
        metadata
          == "A title|A show|A show|600000000|https://example.org/a.png|https://example.org/a.mp3|'/org/earshot/episode/7'"
      )
      #expect(try bus.run("playerctl", "volume") == "1.000000")
      let position = try #require(Double(try bus.run("playerctl", "position")))
      // It advances while the programs run.
      let passed = start.duration(to: .now) / .seconds(1)
      #expect(position >= 83.5 && position <= 83.5 + passed + 0.1)
      let created = try bus.run("playerctl", "metadata", "xesam:contentCreated")
      #expect(created == "2023-11-14T22:13:20Z")
      player.close()
    }

    @Test func playerctlControlsPlayback() throws {
      let bus = try SessionBus()
      let recorder = ControlTests.CommandRecorder()
      let player = try bus.player(Self.playing) { recorder.record($0) }
      for command in ["play", "pause", "play-pause", "stop", "next", "previous"] { try bus.run("playerctl", command) }
      try bus.run("playerctl", "position", "30+")
      try bus.run("playerctl", "position", "120")
      try bus.run("playerctl", "volume", "0.5")
      #expect(
        recorder.all == [
          .play, .pause, .toggle, .stop, .next, .previous, .seekBy(30), .seek(to: 120), .volume(50),
        ])
      player.close()
    }

    @Test func callsThatMPRISForbidsAreIgnored() throws {
      let bus = try SessionBus()
      let recorder = ControlTests.CommandRecorder()
      var now = Self.playing
      now.hasNext = false
      let player = try bus.player(now) { recorder.record($0) }
      try bus.call("SetPosition", "/org/earshot/episode/8", "1000000")
      try bus.call("SetPosition", "/org/earshot/episode/7", "-1")
      try bus.call("SetPosition", "/org/earshot/episode/7", "601000000")
      try bus.call("Next")
      #expect(recorder.all == [])
      // A seek beyond the end without a next episode leads to the end.
      try bus.call("Seek", "9000000000")
      #expect(recorder.all == [.seek(to: 600)])
      try bus.set("Rate", "<1.5>")
      try bus.set("Rate", "<0.0>")
      #expect(recorder.all == [.seek(to: 600), .speed(1.5), .pause])
      #expect(throws: SessionBus.Failure.self) { try bus.set("Metadata", "<1.0>") }
      do {
        try bus.call("OpenUri", "file:///etc/passwd")
        Issue.record("it was opened")
      } catch let failure as SessionBus.Failure {
        #expect(failure.text.contains("org.freedesktop.DBus.Error.NotSupported"), "\(failure.text)")
      }
      player.close()
    }

    @Test func nextUsesTheQueue() throws {
      let bus = try SessionBus()
      var now = Self.playing
      now.hasNext = false
      let player = try bus.player(now)
      #expect(try bus.get("CanGoNext") == "(<false>,)")
      now.hasNext = true
      player.update(now)
      try bus.waits(for: "CanGoNext", toBe: "(<true>,)")
      player.close()
    }

    @Test func changesAndSeeksAreSignalled() throws {
      let bus = try SessionBus()
      var now = Self.playing
      let player = try bus.player(now)
      let monitor = try bus.monitor()
      // `gdbus` reports that it monitors a little before it does.
      repeat {
        now.volume = now.volume == 100 ? 50 : 100
        player.update(now)
      } while monitor.line(within: 0.2, { $0.contains("Volume") }) == nil
      now.status = .paused
      player.update(now)
      #expect(monitor.line { $0.contains("PlaybackStatus") }?.contains("<'Paused'>") == true)
      now.seeks += 1
      now.position = 300
      player.update(now)
      #expect(monitor.line { $0.contains("Seeked") && $0.contains("300000000") } != nil)
      now.title = "Another \u{1B}[31m\u{0}title"
      now.episode = EpisodeID(8)
      now.generation += 1
      now.position = 0
      player.update(now)
      let metadata = monitor.line { $0.contains("Metadata") }
      #expect(metadata?.contains("'Another [31mtitle'") == true)
      #expect(metadata?.contains("/org/earshot/episode/8") == true)
      // The progress of the position is not signalled as a change.
      now.status = .playing
      player.update(now)
      #expect(monitor.line { $0.contains("PlaybackStatus") }?.contains("Position") == false)
      player.close()
    }

    @Test func secondPlayerHasItsProcessInTheName() throws {
      let bus = try SessionBus()
      let first = try bus.player(Self.playing)
      let second = try bus.player(Self.playing, name: MediaPlayerProperties.busName + ".instance\(getpid())")
      #expect(try bus.run("playerctl", "-l").split(separator: "\n").count == 2)
      second.close()
      first.close()
    }

    @Test func stoppedPlayerHasNoTrack() throws {
      let bus = try SessionBus()
      let player = try bus.player(NowPlaying())
      #expect(try bus.run("playerctl", "status") == "Stopped")
      #expect(try bus.get("CanPlay") == "(<false>,)")
      #expect(try bus.get("Metadata").contains(MediaPlayerProperties.noTrack))
      player.close()
    }

    @Test func notificationFollowsTheSpecification() throws {
      let bus = try SessionBus()
      let desktop = try bus.notifications()
      let player = try bus.player(NowPlaying())
      player.notify(title: "2 new episodes", body: "Tom & <Jerry>")
      #expect(desktop.line { $0.contains("member=Notify") } != nil)
      for argument in [
        #"string "2 new episodes""#, #"string "Tom &amp; &lt;Jerry&gt;""#, #"string "urgency""#, "byte 0",
      ] {
        #expect(desktop.line { $0.contains(argument) } != nil, "\(argument)")
      }
      player.close()
    }

    /// A session bus without a notification server, and no session bus.
    @Test func notificationWithoutAServerIsAnError() throws {
      do {
        let bus = try SessionBus()
        let error = try #require(DesktopNotice.post(title: "2 new episodes", body: "News"))
        #expect(error.hasPrefix("no notification: ") && error.contains("org.freedesktop.Notifications"))
        withExtendedLifetime(bus) {}
      }
      setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", 1)
      let error = try #require(DesktopNotice.post(title: "2 new episodes", body: "News"))
      #expect(error.hasPrefix("no notification: no session bus: "))
    }

    @Test func introspectionDescribesTheInterfaces() throws {
      let bus = try SessionBus()
      let player = try bus.player(Self.playing)
      let text = try bus.run(
        "gdbus", "introspect", "--session", "-d", MediaPlayerProperties.busName, "-o", MediaPlayerProperties.path)
      #expect(text.contains("CanGoNext") && text.contains("Seeked") && text.contains("Identity = 'Earshot'"))
      #expect(text.contains("DesktopEntry = 'earshot'"))
      player.close()
    }
  }

  /// A session bus for one test. The process of the tests finds it by `DBUS_SESSION_BUS_ADDRESS`, which all tests
  /// share. So the suite is serialized.
  final class SessionBus {
    struct Failure: Error { var text: String }

    static var isInstalled: Bool {
      ["dbus-daemon", "dbus-monitor", "playerctl", "gdbus", "stdbuf"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
      }
    }

    private let daemon = Process()
    private let address: String

    /// Without the services of this machine: it may have a server of notifications that the bus would start.
    private static let configuration = """
      <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context="default">
      <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """

    init() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-bus-\(UUID().uuidString).conf")
      try Data(Self.configuration.utf8).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
      daemon.arguments = ["--config-file=\(file.path)", "--nofork", "--nopidfile", "--print-address=1"]
      let output = Pipe()
      daemon.standardOutput = output
      try daemon.run()
      var text = Data()
      while !text.contains(10) {
        let piece = output.fileHandleForReading.availableData
        guard !piece.isEmpty else { throw Failure(text: "dbus-daemon said nothing") }
        text += piece
      }
      address = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
    }

    deinit {
      // Not SIGTERM: children of this thread inherit its blocked signals.
      kill(daemon.processIdentifier, SIGKILL)
    }

    /// A player that is already on the bus.
    func player(
      _ now: NowPlaying, name: String = MediaPlayerProperties.busName,
      onCommand: @escaping @Sendable (RemoteCommand) -> Void = { _ in }
    ) throws -> MediaPlayerBus {
      guard let player = MediaPlayerBus(now, onCommand: onCommand, log: { Issue.record("\($0)") }) else {
        throw Failure(text: "no pipe")
      }
      // `gdbus wait` returns when the name is on the bus.
      try run("gdbus", "wait", "--session", "--timeout", "300", name)
      return player
    }

    @discardableResult
    func run(_ program: String, _ arguments: String...) throws -> String { try Self.run(program, arguments) }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = output
      var text = ""
      let status = try process.runToEnd {
        text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      }
      guard status == 0 else { throw Failure(text: text) }
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func call(_ method: String, _ arguments: String...) throws {
      let process = ["call", "--session", "-d", MediaPlayerProperties.busName, "-o", MediaPlayerProperties.path, "-m"]
      try gdbus(process + ["\(MediaPlayerProperties.playerInterface).\(method)", "--"] + arguments)
    }

    func get(_ property: String) throws -> String {
      try properties("Get", [MediaPlayerProperties.playerInterface, property])
    }

    func set(_ property: String, _ value: String) throws {
      try properties("Set", [MediaPlayerProperties.playerInterface, property, value])
    }

    /// Waits until the property has this value, because the player updates the bus on another thread.
    func waits(for property: String, toBe value: String) throws {
      var tries = 0
      while try get(property) != value, tries < 500 { tries += 1 }
      #expect(tries < 500)
    }

    @discardableResult
    private func properties(_ method: String, _ arguments: [String]) throws -> String {
      try gdbus(
        ["call", "--session", "-d", MediaPlayerProperties.busName, "-o", MediaPlayerProperties.path, "-m"]
          + ["org.freedesktop.DBus.Properties.\(method)", "--"] + arguments)
    }

    @discardableResult
    private func gdbus(_ arguments: [String]) throws -> String { try Self.run("gdbus", arguments) }

    /// Starts `gdbus monitor`, which prints one line for each signal of the player. It prints the owner of the name
    /// when it is ready.
    func monitor() throws -> Monitor {
      try Monitor(["gdbus", "monitor", "--session", "-d", MediaPlayerProperties.busName], isReady: "is owned by")
    }

    /// Starts `dbus-monitor`, which prints the calls of the notification service, one line for each argument.
    func notifications() throws -> Monitor {
      try Monitor(["dbus-monitor", "--session", "interface='org.freedesktop.Notifications'"], isReady: "NameLost")
    }

    final class Monitor {
      private let process = Process()
      private let lines = Lines()

      fileprivate init(_ command: [String], isReady sign: String) throws {
        // Without stdbuf, a program that writes to a pipe would buffer many lines.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/stdbuf")
        process.arguments = ["-oL"] + command
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let lines = lines
        Thread {
          while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { return lines.end() }
            lines.add(data)
          }
        }.start()
        _ = line { $0.contains(sign) }
      }

      deinit {
        kill(process.processIdentifier, SIGKILL)
      }

      /// The next line for which `test` is true. Nil if none arrived within `seconds`.
      func line(within seconds: Double = 60, _ test: (String) -> Bool) -> String? { lines.next(within: seconds, test) }
    }

    /// Passes lines from one thread to another.
    private final class Lines: @unchecked Sendable {
      // Only used while `condition` is locked.
      private var text = Data()
      private var isOver = false
      private let condition = NSCondition()

      func add(_ data: Data) {
        condition.lock()
        text += data
        condition.broadcast()
        condition.unlock()
      }

      func end() {
        condition.lock()
        isOver = true
        condition.broadcast()
        condition.unlock()
      }

      func next(within seconds: Double, _ test: (String) -> Bool) -> String? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
          while let end = text.firstIndex(of: 10) {
            let line = String(decoding: text[..<end], as: UTF8.self)
            text = Data(text[text.index(after: end)...])
            if test(line) { return line }
          }
          if isOver || !condition.wait(until: deadline) { return nil }
        }
      }
    }
  }
#endif
