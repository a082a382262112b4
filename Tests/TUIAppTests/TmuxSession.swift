import Foundation
import TerminalKit
import Testing

@testable import TUIApp

/// The built program in a real terminal: a separate tmux server with one pane. It is killed when the value is released.
///
/// The program is the pane's only process. The pane stays after its end, so that the last screen and the exit status
/// can be read. `shell` starts sh instead, for tests of the terminal after the program.
final class TmuxSession {
  static let executable = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
    .first(where: FileManager.default.isExecutableFile)
  static var isAvailable: Bool { executable != nil }

  private let home: TemporaryHome
  private let socket: String
  private let program: String
  /// tmux's server, and the process that it started in the pane.
  private let processes: [pid_t]

  /// Starts Earshot. `variables` are added to those of the home. An empty value removes a variable.
  convenience init(_ home: TemporaryHome, size: Size = Size(80, 24), variables: [String: String] = [:]) async throws {
    try await self.init(home, running: [try BuiltProgram.path()], size, variables)
  }

  /// A shell in which `earshot` is the built program.
  static func shell(_ home: TemporaryHome, variables: [String: String] = [:]) async throws -> TmuxSession {
    let directory = (try BuiltProgram.path() as NSString).deletingLastPathComponent
    let path = directory + ":" + (home.environment["PATH"] ?? "")
    let session = try await TmuxSession(
      home, running: ["/bin/sh", "-i"], Size(80, 24),
      variables.merging(["PATH": path, "PS1": "ready> "]) { $1 })
    try await session.waitFor("ready>")
    return session
  }

  private init(
    _ home: TemporaryHome, running command: [String], _ size: Size, _ variables: [String: String]
  ) async throws {
    self.home = home
    program = try #require(Self.executable)
    // Each session has another socket, so that two can use one home.
    socket = "\(home.path)/tmux-\(UUID().uuidString.prefix(4))"
    let settings = try home.file(
      "tmux.conf",
      "set -g status off\nset -g remain-on-exit on\nset -g escape-time 0\n".utf8)
    let environment = home.environment.merging(variables) { $1 }.filter { !$0.value.isEmpty }
    // Several arguments, so that tmux runs them as they are, without a shell.
    let assignments = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let outcome = try await BuiltProgram.run(
      program,
      [
        "-u", "-S", socket, "-f", settings, "new-session", "-d", "-x", "\(size.width)", "-y", "\(size.height)", "-c",
        home.path,
        "-P", "-F", "#{pid} #{pane_pid}", "/usr/bin/env", "-i",
      ] + assignments + command, in: home)
    processes = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    try #require(outcome.status == 0 && processes.count == 2, "tmux: \(outcome.text)\(outcome.stderr)")
  }

  /// Kills all processes, so that none writes into the home any more. A process that has ended is a zombie of tmux
  /// until then, so no other process has its id.
  deinit {
    for process in processes.reversed() { kill(process, SIGKILL) }
    // They are not children of this process, so the init process must reap them.
    for _ in 0..<2000 where processes.contains(where: { kill($0, 0) == 0 }) { usleep(1000) }
  }

  @discardableResult
  private func tmux(_ arguments: String...) async throws -> String {
    try await BuiltProgram.run(program, ["-u", "-S", socket] + arguments, in: home).text
  }

  // MARK: Keys

  /// Sends keys at once: tmux's names (`Enter`, `Space`, `Left`, `C-z`) or single characters. Waits until the screen
  /// shows the text, if there is one.
  func press(
    _ keys: String..., shows text: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    _ = try await BuiltProgram.run(program, ["-u", "-S", socket, "send-keys", "--"] + keys, in: home)
    if let text { try await waitFor(text, sourceLocation: sourceLocation) }
  }

  /// Sends literal text.
  func type(_ text: String) async throws { try await tmux("send-keys", "-l", "--", text) }

  /// Pastes text. tmux adds the brackets if the program has turned on bracketed paste.
  func paste(_ text: String) async throws {
    let file = try home.file("clipboard", text.utf8)
    try await tmux("load-buffer", file)
    try await tmux("paste-buffer", "-p", "-d")
  }

  func resize(_ size: Size) async throws {
    try await tmux("resize-window", "-x", "\(size.width)", "-y", "\(size.height)")
  }

  // MARK: The screen

  /// The rows, without trailing spaces.
  func lines() async throws -> [String] {
    try await tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  func screen() async throws -> String { try await tmux("capture-pane", "-p") }

  /// The screen with the escape sequences of its styles (SGR).
  func styledScreen() async throws -> String { try await tmux("capture-pane", "-p", "-e") }

  /// Waits until the screen passes the test, and returns it. The screen must pass twice and be the same, because it may
  /// be read while it is drawn. Only what advances while an episode plays may differ: on a busy machine more than a
  /// second passes from one reading to the next.
  @discardableResult
  func waitUntil(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: (String) -> Bool
  ) async throws -> String {
    var screen = ""
    // The rest of the previous screen; nil if that did not pass.
    var passed: String?
    let held = try await Eventually.until {
      screen = try await self.screen()
      let rest = condition(screen) ? Self.withoutProgress(screen) : nil
      defer { passed = rest }
      return rest != nil && rest == passed
    }
    try #require(held, "waited for \(what); the screen is\n\(screen)", sourceLocation: sourceLocation)
    return screen
  }

  /// The screen with the same text for all times, and without the player's progress bar. The bar's spaces are left out,
  /// too, because tmux leaves out those at the end of a row.
  private static func withoutProgress(_ screen: String) -> String {
    screen.replacing(/[0-9]+(?::[0-9][0-9])+/, with: "0:00").replacing(/[█▉▊▋▌▍▎▏░][█▉▊▋▌▍▎▏░ ]*/, with: "")
  }

  @discardableResult
  func waitFor(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    try await waitUntil("“\(text)”", sourceLocation: sourceLocation) { $0.contains(text) }
  }

  @discardableResult
  func waitFor(_ regex: some RegexComponent, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
    try await waitUntil("a match", sourceLocation: sourceLocation) { $0.firstMatch(of: regex) != nil }
  }

  func waitForNo(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await waitUntil("no “\(text)”", sourceLocation: sourceLocation) { !$0.contains(text) }
  }

  // MARK: The pane

  /// One of tmux's format variables, such as `cursor_flag`.
  func variable(_ name: String) async throws -> String {
    try await tmux("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .newlines)
  }

  /// The pane's process: Earshot or the shell. env(1) is replaced by the program that it starts.
  func processID() async throws -> pid_t { try #require(pid_t(try await variable("pane_pid"))) }

  /// Waits until the program has ended. Returns its exit status, or the negative number of the signal that ended it.
  func exitStatus(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int32 {
    // A pane is dead when its terminal is closed. The exit status is known a little later.
    var ending: [Substring] = []
    let ended = try await Eventually.until {
      ending = try await variable("pane_dead} #{pane_dead_status} #{pane_dead_signal").split(
        separator: " ", omittingEmptySubsequences: false)
      if ending.dropFirst().contains(where: { !$0.isEmpty }) { return true }
      // tmux 3.3a misses one SIGCHLD in a hundred while it serves a client. This signal replaces the missed one.
      if ending.first == "1", let server = processes.first { kill(server, SIGCHLD) }
      return false
    }
    let last = try await screen()
    try #require(ended, "it goes on:\n\(last)", sourceLocation: sourceLocation)
    if let status = ending.dropFirst().first.flatMap({ Int32($0) }) { return status }
    return -(try #require(ending.last.flatMap { Int32($0) }))
  }

  /// Quits with the key.
  func quit(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await press("Q")
    let status = try await exitStatus(sourceLocation: sourceLocation)
    #expect(status == 0, sourceLocation: sourceLocation)
  }
}
