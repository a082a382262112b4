import Foundation
import Testing

@testable import TUIApp

/// Output that cannot be written gives exit status 74 and a message. A closed reader of a pipe is not an error.
@Suite(InTurn()) struct OutputTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  /// Arguments with which each verb writes to stdout. `outputOfEveryVerbIsTested` finds missing verbs.
  private static let answers: [[String]] = [
    ["feed", "feed.xml"], ["feed", "feed.xml", "--json"], ["add", "http://127.0.0.1:1/f", "--json"],
    ["remove", "1", "--json"], ["remove", "1"], ["list"], ["list", "--json"], ["episodes"], ["episodes", "--json"],
    ["refresh"], ["refresh", "--json"], ["import", "subscriptions.opml"], ["import", "subscriptions.opml", "--json"],
    ["export"], ["export", "-"], ["export", "--json"], ["search", "welcome"], ["search", "welcome", "--json"],
    ["mark", "played", "1"], ["mark", "played", "1", "--json"], ["queue", "add", "1"], ["queue", "list", "--json"],
    ["playlist", "list", "--json"], ["clip", "list", "--json"], ["tag", "list", "--json"], ["history", "--json"],
    ["rule", "list", "--json"], ["notes", "--json"], ["skips", "list", "1", "--json"],
    ["stats", "--json"], ["sync", "status", "--json"], ["undo", "--list", "--json"], ["backup"], ["backup", "--json"],
    ["backup", "--list", "--json"], ["restore", "saved.db"], ["restore", "saved.db", "--json"],
    ["download", "1", "--json"], ["downloads", "--json"], ["play", "sound.wav", "--json"], ["doctor"],
    ["doctor", "--json"], ["settings", "1"], ["settings", "1", "--json"], ["chapters", "1", "--offline", "--json"],
    ["manual"], ["help"], ["--help"], ["--version"], ["help", "list"], ["list", "--help"],
    ["--generate-completion-script", "bash"],
  ]

  /// Verbs without output in this test: no player runs for `ctl`, no directory can be asked, no transcript was
  /// fetched, none can be made, sound is written to a file, and there are no files to print facts of.
  private static let silent: Set<String> = [
    "ctl", "find", "transcript", "transcribe", "speech-sound", "media-facts",
  ]

  @Test func outputOfEveryVerbIsTested() {
    let verbs = EarshotCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    #expect(Set(verbs).subtracting(Self.silent).isSubset(of: Self.answers.map { $0[0] }))
  }

  @Test(arguments: answers) func fullDiskIsReported(arguments: [String]) async throws {
    try home.file("feed.xml", "<rss><channel><title>A</title></channel></rss>".utf8)
    try home.file(
      "subscriptions.opml", "<opml><body><outline xmlUrl='http://127.0.0.1:1/g'/></body></opml>".utf8)
    try home.file("sound.wav", Broadcast.silence(seconds: 1))
    if arguments[0] == "restore" {
      #expect(try await BuiltProgram.run(["backup", home.path + "/saved.db"], in: home).status == 0)
    }
    let files = ["feed.xml", "subscriptions.opml", "sound.wav", "saved.db"]
    let words = arguments.map { files.contains($0) ? home.path + "/" + $0 : $0 }
    let outcome = try await BuiltProgram.run(words, in: home, output: "/dev/full")
    #expect(outcome.status == 74, "\(outcome.stderr)")
    let said = outcome.stderr.split(separator: "\n").filter {
      $0 == "earshot: standard output cannot be written: No space left on device"
    }
    #expect(said.count == 1, "\(outcome.stderr)")
  }

  /// The verb starts after the reader of its output has ended.
  private func withoutReader(_ arguments: String) async throws -> BuiltProgram.Outcome {
    let script = """
      mkfifo go || exit 99
      { read word < go; "$EARSHOT" \(arguments); echo $? > status; } | { exec 0<&-; echo > go; }
      exit $(cat status)
      """
    return try await BuiltProgram.run(
      "/bin/sh", ["-c", "cd \"$HOME\" && \(script)"], in: home, environment: ["EARSHOT": try BuiltProgram.path()])
  }

  @Test(arguments: ["export", "list --json", "manual", "--help", "refresh", "play sound.wav --json"])
  func closedReaderIsNotAnError(arguments: String) async throws {
    try home.file("sound.wav", Broadcast.silence(seconds: 300))
    let outcome = try await withoutReader(arguments)
    #expect(outcome.status == 128 + SIGPIPE && outcome.stderr.isEmpty, "\(outcome)")
  }

  /// Files that are opened later must not get the number of a closed stream.
  @Test func closedStreamIsAnError() async throws {
    let path = try BuiltProgram.path()
    for verb in ["list", "export", "backup"] {
      let outcome = try await BuiltProgram.run(
        "/bin/sh", ["-c", "exec \"$0\" \(verb) 0<&- 1>&-", path], in: home)
      #expect(outcome.status == 74 && outcome.stderr.contains("standard output cannot be written"), "\(outcome)")
    }
    #expect(try await BuiltProgram.run(["doctor"], in: home).status == 0)
  }

  @Test func samplesThatCannotBeWrittenAreAnError() async throws {
    let sound = try home.file("sound.wav", Broadcast.silence(seconds: 300))
    let outcome = try await BuiltProgram.run(["play", sound, "--pcm", "/dev/full"], in: home)
    #expect(outcome.status == 74 && outcome.stderr == "earshot: /dev/full cannot be written: No space left on device\n")
    let none = try await BuiltProgram.run(["play", sound, "--pcm", "\(home.path)/none/raw"], in: home)
    #expect(none.status == 73 && none.stderr.contains("none/raw cannot be created: No such file"), "\(none.stderr)")
    // A limit for the size of files simulates a full disk. An empty library needs 1 MB, and the samples 50 MB.
    let limited = try await BuiltProgram.run(
      "/bin/sh", ["-c", "cd; ulimit -f 3000; exec \"$0\" play \(sound) --pcm raw", try BuiltProgram.path()], in: home)
    #expect(limited.status == 74 && limited.stderr.contains("raw cannot be written: File too large"), "\(limited)")
  }

  @Test func clipThatCannotBeWrittenIsAnError() async throws {
    let episode = try #require(try await BuiltProgram.run(["episodes", "--json"], in: home).objects().first?["id"])
    #expect(try await BuiltProgram.run(["clip", "add", "\(episode)", "0", "0:50"], in: home).status == 0)
    for name in ["clip.wav", "clip.flac"] {
      let outcome = try await BuiltProgram.run(
        "/bin/sh", ["-c", "cd; ulimit -f 2000; exec \"$0\" clip export 1 \(name)", try BuiltProgram.path()], in: home)
      #expect(outcome.status == 74 && outcome.stderr.contains("\(name) cannot be written: "), "\(outcome)")
    }
  }

  @Test func filesThatCannotBeWrittenAreErrors() async throws {
    for file in ["/dev/null/x", "/nosuch/x"] {
      let outcome = try await BuiltProgram.run(["export", file], in: home)
      #expect(outcome.status == 73 && outcome.stderr.contains("\(file) cannot be created: "), "\(outcome)")
    }
  }
}
