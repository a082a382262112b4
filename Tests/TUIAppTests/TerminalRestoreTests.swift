import Foundation
import LoopbackServer
import TerminalKit
import Testing

@testable import TUIApp

/// However the program ends, the terminal is restored for the shell.
@Suite(.withTmux, InTerminal()) struct TerminalRestoreTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  /// A shell that has printed its terminal's modes, with the player running in the foreground.
  private func playerInShell() async throws -> TmuxSession {
    let session = try await TmuxSession.shell(home)
    try await session.type("stty -a | sed 1d > before; clear; earshot")
    try await session.press("Enter", shows: "Nothing playing")
    return session
  }

  /// The id of the player's process, from its lock.
  private func processID() throws -> pid_t {
    let text = try String(contentsOfFile: home.directories.database + ".lock", encoding: .utf8)
    return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Expects that the terminal modes are as before (the first line of stty's output is the size), keys are echoed, the
  /// cursor is visible, and no mode of the player is left.
  private func expectSane(_ session: TmuxSession, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await session.waitFor("ready>", sourceLocation: sourceLocation)
    // Text that is typed before the shell reads is echoed, too. The word is unique, because older output is still on
    // the screen.
    let word = UUID().uuidString.prefix(8)
    try await session.type("stty -a | sed 1d > after; echo all' '\(word)")
    try await session.waitFor("echo all' '\(word)", sourceLocation: sourceLocation)
    try await session.press("Enter")
    try await session.waitFor("all \(word)", sourceLocation: sourceLocation)
    let modes = try ["before", "after"].map { try String(contentsOfFile: "\(home.path)/\($0)", encoding: .utf8) }
    #expect(modes[0] == modes[1] && modes[0].contains("icanon"), sourceLocation: sourceLocation)
    let flags = try await session.variable(
      "cursor_flag}#{alternate_on}#{mouse_any_flag}#{mouse_sgr_flag}#{keypad_flag}#{keypad_cursor_flag}#{insert_flag")
    #expect(flags == "1000000", sourceLocation: sourceLocation)
  }

  @Test(arguments: ["q", "C-c", "Q"]) func quitRestoresTheTerminal(key: String) async throws {
    let session = try await playerInShell()
    try await session.press(key)
    try await expectSane(session)
    // No output of the player or of a library is left.
    let rows = try await session.lines().filter { !$0.isEmpty }
    #expect(rows.allSatisfy { $0.hasPrefix("ready>") || $0.hasPrefix("all ") }, "\(rows)")
  }

  /// Every signal that ends a process but SIGKILL (signal(7)).
  private static let deadly: [Int32] = {
    var signals = [
      SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGUSR1, SIGUSR2,
      SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
    ]
    #if os(Linux)
      signals += [SIGPOLL, __libc_current_sigrtmin(), __libc_current_sigrtmax()]
    #endif
    return signals
  }()

  private static let faults = [SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS]

  @Test(arguments: deadly) func signalsRestoreTheTerminal(
    signal: Int32
  ) async throws {
    let session = try await playerInShell()
    try await session.press("Enter", "Enter")
    try await session.waitForBar("playing") { $0.phase == .playing }
    #expect(kill(try processID(), signal) == 0)
    if Self.faults.contains(signal) {
      try await session.waitFor("earshot crashed. Its log: ")
      #if os(Linux)
        let log = try String(contentsOfFile: home.directories.logFile, encoding: .utf8)
        #expect(log.contains("crashed, signal \(signal)\n"))
        #expect(log.contains("static TUIApp.EarshotCommand.main()"), "the stack, with names")
      #endif
    }
    try await expectSane(session)
    #expect(try await BuiltProgram.run(["doctor"], in: home).status == 0)
  }

  @Test func suspendRestoresAndResumes() async throws {
    let session = try await playerInShell()
    let before = try await session.screen()
    try await session.press("C-z", shows: "ready>")
    try await expectSane(session)
    try await session.type("fg")
    try await session.press("Enter")
    #expect(try await session.waitFor("Nothing playing") == before)
    #expect(try await session.variable("alternate_on") == "1")
    try await session.press("j", "Enter", shows: "i read")
    // Suspends again, with a signal from outside, and changes the size meanwhile.
    #expect(kill(try processID(), SIGTSTP) == 0)
    try await session.waitFor("ready>")
    try await session.resize(Size(100, 30))
    try await session.type("fg")
    try await session.press("Enter", shows: "i read")
    try await session.waitUntil("the whole width") {
      $0.split(separator: "\n").first?.trimmingCharacters(in: .whitespaces).hasSuffix("Earshot") == true
    }
    try await session.press("Q")
    try await expectSane(session)
  }

  @Test func resizeIsFollowed() async throws {
    let session = try await TmuxSession(home, size: Size(80, 24))
    try await session.waitFor("Playing and seeking")
    try await session.press("Enter")
    let before = try await session.waitFor("i read")

    try await session.resize(Size(200, 60))
    try await session.waitUntil("three panes") { $0.contains("Details") && $0.contains("Podcasts") }
    #expect(try await session.lines().prefix(60).filter { $0.contains("│") }.count >= 50)
    try await session.resize(Size(40, 12))
    let small = try await session.waitUntil("one pane") { !$0.contains("│") && $0.contains("Playing and seeking") }
    #expect(small.split(separator: "\n").allSatisfy { Clusters.width(String($0)) <= 40 })
    try await session.resize(Size(19, 5))
    try await session.waitUntil("a line that says so") { $0.hasPrefix("Earshot needs 20x6") }
    try await session.press("j")
    try await session.resize(Size(80, 24))
    // Waits for the complete screen, because it may be read while it is drawn.
    try await session.waitUntil("the screen from before, one row on") { $0 == before.replacing("1/4", with: "2/4") }
    try await session.quit()
  }

  @Test func manyResizesAreHandled() async throws {
    let session = try await TmuxSession(home, size: Size(80, 24))
    let before = try await session.waitFor("Nothing playing")
    for step in 0..<60 { try await session.resize(Size(20 + step * 37 % 180, 5 + step * 11 % 55)) }
    try await session.resize(Size(80, 24))
    try await session.waitUntil("the screen from before") { $0 == before }
    try await session.quit()
  }

  /// Text that is pasted into a list is treated as an address. As keys it would delete, unsubscribe and quit.
  @Test func longPasteIsNotReadAsKeys() async throws {
    let session = try await TmuxSession(home)
    let before = try await session.waitFor("Nothing playing")
    for text in [String(repeating: "xDyQ qQ\n", count: 25_000), String(repeating: "long/", count: 40_000)] {
      try await session.paste("https://example.org/" + text)
      try await session.waitFor("Address:")
      try await session.press("Escape")
      try await session.waitUntil("the screen from before") { $0 == before }
    }
    try await session.quit()
    #expect(try home.library { try $0.podcasts() }.map(\.unplayed) == [4])
  }

  @Test func libraryOutputDoesNotReachTheScreen() async throws {
    // A file for which the decoders print errors.
    let noise = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let broadcast = try Broadcast("Noise")
    for number in 1...9 { broadcast.server.route("/\(number).wav", .bytes([0xFF, 0xFB] + noise, type: "audio/mpeg")) }
    try await broadcast.subscribeOnly(in: home)
    let session = try await TmuxSession(home)
    try await session.waitFor("Third hour")
    #if os(Linux)
      // Both streams are redirected to the log while the player uses the screen.
      for descriptor in 1...2 {
        let file = "/proc/\(try await session.processID())/fd/\(descriptor)"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == home.directories.logFile)
      }
    #endif
    try await session.press("Enter")
    let before = try await session.waitFor("i read").split(separator: "\n").prefix(21)
    try await session.press("Enter")
    try await session.waitUntil("the end of it") {
      $0.contains("Cannot play") || $0.contains("Played to the end") || $0.contains("■")
    }
    let after = try await session.screen().split(separator: "\n").prefix(21)
    #expect(after.dropFirst(3) == before.dropFirst(3))
    try await session.quit()
  }

  #if os(Linux)
    @Test func startWithoutATerminalIsRefused() async throws {
      // A new session has no controlling terminal (setsid(1) of util-linux).
      let outcome = try await BuiltProgram.run("/usr/bin/env", ["setsid", "-w", BuiltProgram.path()], in: home)
      #expect(outcome.status == 69 && outcome.stdout.isEmpty)
      #expect(outcome.stderr.contains("no terminal"))
    }
  #endif
}
