import Foundation
import Testing

@testable import TUIApp

/// The exit statuses of the manual, and the verbs help, completion and doctor.
@Suite(InTurn()) struct ExitStatusTests: ProgramTesting {
  let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  @Test(arguments: [
    ["nosuch"], ["feed"], ["add"], ["list", "--nosuch"], ["episodes", "--limit", "many"],
    ["episodes", "--limit", "0"], ["search", "moon", "--limit", "0"], ["history", "--limit", "0"],
    ["notes", "export", "--since", "2026-13-45"], ["backup", "list"],
    ["sync", "login", "/tmp"], ["sync", "login", "./nothing"], ["sync", "login", "~/nothing"],
    ["feed", "http://127.0.0.1:1/", "--url", "http://127.0.0.1:1/"],
    ["feed", "feed://x", "--content-type", "text/xml"],
  ])
  func usageErrorsHaveTheirExitStatus(arguments: [String]) async throws {
    let outcome = try await BuiltProgram.run(arguments, in: home)
    #expect(outcome.status == 64 && outcome.stdout.isEmpty && outcome.stderr.contains("Usage: earshot"))
  }

  /// Also if the error is found after parsing.
  @Test(arguments: [
    (["rule", "add", "new", "--do", "bogus"], "earshot rule add"), (["manual", "nope"], "earshot manual"),
    (["help", "nope"], "earshot help"),
  ])
  func usageErrorsShowTheUsageOfTheirVerb(arguments: [String], verb: String) async throws {
    let outcome = try await BuiltProgram.run(arguments, in: home)
    #expect(outcome.status == 64 && outcome.stdout.isEmpty && outcome.stderr.hasPrefix("Error: "))
    #expect(
      outcome.stderr.contains("\nUsage: \(verb) ") && !outcome.stderr.contains("<subcommand>"), "\(outcome.stderr)")
    #expect(outcome.stderr.hasSuffix("\n  See '\(verb) --help' for more information.\n"), "\(outcome.stderr)")
  }

  /// An argument may come from a feed or a server.
  @Test(arguments: [
    ["add", "--no\u{1B}[31msuch"], ["list", "--limit\u{202E}x"], ["episodes", "--limit", "\u{9B}2J\u{7}"],
    ["no\u{1B}[31msuch\u{202E}x"],
  ])
  func usageErrorsShowNoControlCharacters(arguments: [String]) async throws {
    let outcome = try await BuiltProgram.run(arguments, in: home)
    let bad = outcome.stderr.unicodeScalars.filter {
      $0 != "\n" && ($0.properties.generalCategory == .control || $0.properties.isBidiControl)
    }
    #expect(outcome.status == 64 && bad.isEmpty, "\(outcome.stderr.debugDescription)")
  }

  @Test(arguments: [
    (["epsodes"], "There is no verb “epsodes”; did you mean episodes?"),
    (["mark", "playd", "3"], "There is no verb “mark playd”; did you mean played?"),
    (["nosuch", "3"], "There is no verb “nosuch”. Run “earshot help” to list them."),
  ])
  func unknownVerbsGetASuggestion(arguments: [String], text: String) async throws {
    let outcome = try await BuiltProgram.run(arguments, in: home)
    #expect(outcome.status == 64 && outcome.stderr.contains(text), "\(outcome.stderr)")
  }

  @Test func everyVerbHasHelp() async throws {
    for verb in EarshotCommand.configuration.subcommands {
      let name = try #require(verb.configuration.commandName)
      let outcome = try await earshot(name, "--help")
      #expect(outcome.status == 0 && outcome.stderr.isEmpty)
      #expect(outcome.text.contains("USAGE: earshot \(name)") && outcome.text.contains(verb.configuration.abstract))
    }
    let help = try await earshot("--help")
    #expect(help.status == 0 && help.text.contains("SUBCOMMANDS:") && help.text.contains("doctor"))
    #expect(try await earshot("--version").text == Version.full + "\n")
    #expect(try await earshot("manual").text.hasPrefix(".Dd "))
    #expect(try await earshot("manual", "earshot-filters").text.contains(".Dt EARSHOT-FILTERS 7"))
    #expect(try await earshot("manual", "nothing").status == 64)
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionScriptsArePrinted(shell: String) async throws {
    let outcome = try await earshot("--generate-completion-script", shell)
    #expect(outcome.status == 0 && outcome.stderr.isEmpty)
    #expect(outcome.text.contains("earshot") && outcome.text.contains("episodes") && outcome.text.contains("refresh"))
  }

  @Test func invalidConfigurationReportsFileLineAndKey() async throws {
    try home.configure("# mine\ntheme = \"nord\"\nseek_back = \"far\"\n")
    let file = home.directories.configFile
    for verb in [["list"], ["add", "http://127.0.0.1:1/"], ["refresh"], ["doctor"]] {
      let outcome = try await BuiltProgram.run(verb, in: home)
      #expect(outcome.status == 78, "\(verb)")
      #expect(outcome.stderr.contains("\(file):3: seek_back: must be a number"), "\(verb): \(outcome.stderr)")
    }
    let quiet = try await earshot("refresh", "--quiet")
    #expect(quiet.status == 78 && quiet.stdout.isEmpty && quiet.stderr.isEmpty, "\(quiet.stderr)")
    // Commands that need no configuration work.
    #expect(try await earshot("--help").status == 0)
    #expect(try await BuiltProgram.run(["feed", "-"], in: home, input: Data("<rss><channel/></rss>".utf8)).status == 0)
  }

  @Test(.withTmux) func doctorShowsAnErrorOnceOnATerminal() async throws {
    try home.configure("seek_back = \"far\"\n")
    let session = try await TmuxSession.shell(home)
    try await session.type("earshot doctor; echo status $?")
    try await session.press("Enter")
    let screen = try await session.waitFor("status 78")
    #expect(!screen.contains("earshot: configuration"), "\(screen)")
  }

  /// Root can write everywhere, so the test makes no sense as root.
  @Test(.enabled(if: geteuid() != 0, "runs as root, who may write everywhere"))
  func directoriesThatCannotBeWrittenAreReported()
    async throws
  {
    chmod(home.path + "/data", 0o500)
    let first = try await earshot("list")
    #expect(
      first.status == 73 && first.stdout.isEmpty && first.stderr.contains("cannot create \(home.path)/data/earshot"))
    #expect(try await earshot("doctor").status == 73)
  }

  /// A file in the place of a directory is an error for root, too.
  @Test func fileInPlaceOfADirectoryIsReported() async throws {
    try FileManager.default.removeItem(atPath: home.path + "/data")
    try home.file("data", [])
    for verb in [["list"], ["add", "http://127.0.0.1:1/"]] {
      let outcome = try await BuiltProgram.run(verb, in: home)
      #expect(outcome.status == 73 && outcome.stdout.isEmpty, "\(verb)")
      #expect(outcome.stderr.contains("cannot create \(home.path)/data/earshot"), "\(verb): \(outcome.stderr)")
    }
    #expect(try await earshot("doctor").status == 73)
  }

  @Test func doctorReportsADamagedLibraryAndChangesNothing() async throws {
    #expect(try await earshot("list").status == 0)
    let file = home.directories.database
    #expect(try await earshot("doctor").status == 0)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    for index in 4096..<min(bytes.count, 65_536) { bytes[index] = 0x5A }
    try bytes.write(to: URL(fileURLWithPath: file))
    let outcome = try await earshot("doctor")
    #expect(outcome.status == 65 && outcome.stderr.contains(file) && outcome.text.contains("BROKEN"))
    // The file is unchanged.
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.directories.data).allSatisfy {
        $0.hasPrefix("earshot.db") && !$0.contains("damaged")
      })
    // Another verb sets the file aside, reports that, and makes a new library.
    let listed = try await earshot("list")
    #expect(listed.status == 0 && listed.stderr.contains("It was kept as "))
    let kept = try FileManager.default.contentsOfDirectory(atPath: home.directories.data)
    #expect(
      kept.contains { $0.hasPrefix("earshot.db") && !["earshot.db", "earshot.db-wal", "earshot.db-shm"].contains($0) })
  }

  @Test func doctorPrintsJSON() async throws {
    let outcome = try await earshot("doctor", "--json")
    #expect(outcome.status == 0)
    let checks = try outcome.objects()
    #expect(checks.allSatisfy { $0["verdict"] as? String == "ok" }, "\(checks)")
    let names = checks.compactMap { $0["name"] as? String }
    #expect(
      Set(names).isSuperset(of: ["libcurl", "libxml2", "libmpv", "SQLite", "ncurses", "library", "themes", "terminal"]))
    // What is opened when it is needed: found, wanted, and what is lost without it.
    for name in ["chafa", "FFmpeg", "uchardet"] {
      let detail = checks.first { $0["name"] as? String == name }?["detail"] as? String ?? ""
      #expect(detail.contains("; wanted: ") && detail.contains("; without it: "), "\(name): \(detail)")
    }
  }
}

/// Titles, tags and names of rules come from feeds and other devices.
@Suite(InTurn()) struct CompletionTests {
  /// As the script that ArgumentParser makes for bash does it. A title with `$(…)` ran a command there.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "there is no /bin/bash"),
    arguments: [
      "Zed $(touch pwned) `touch pwned` ${HOME} $((1+1))", #"a'b"c\d"#, "*?[a]{b,c}~ ! # = ^", "; rm x & | < > ( )",
      "Über 日本 🎧", "~", "-n",
    ])
  func namesAreTextForBash(name: String) throws {
    let bash = Process()
    bash.executableURL = URL(filePath: "/bin/bash")
    bash.arguments = ["-c", #"IFS=$'\n' compgen -W "$1" -- ''"#, "bash", VerbCompletion.quotedForBash(name)]
    let output = Pipe()
    bash.standardOutput = output
    try bash.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    bash.waitUntilExit()
    #expect(String(decoding: data, as: UTF8.self) == name + "\n")
  }
}
