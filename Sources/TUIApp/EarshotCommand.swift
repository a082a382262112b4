import ArgumentParser
import Foundation

/// The command line. Without a verb the player opens.
@main
struct EarshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "earshot",
    abstract: "A podcast player for the terminal.",
    discussion: """
      Without a verb, the full-screen player opens; ? shows its keys.
      Every verb takes --json. Messages go to stderr, answers to stdout.
      Exit status: 0 done, 64 usage, 65 invalid data, 69 no connectivity or the server refused, 73 and 74 cannot \
      write, 77 a wrong password, 78 bad configuration.
      """,
    version: Version.full,
    subcommands: [
      FeedVerb.self, AddVerb.self, RemoveVerb.self, ListVerb.self, EpisodesVerb.self, RefreshVerb.self,
      ImportVerb.self, ExportVerb.self, SearchVerb.self, FindVerb.self, SettingsVerb.self, ChaptersVerb.self,
      TranscriptVerb.self, MarkVerb.self, QueueVerb.self, PlaylistVerb.self,
      ClipVerb.self, TagVerb.self,
      HistoryVerb.self, StatsVerb.self, UndoVerb.self, BackupVerb.self, RestoreVerb.self, DownloadVerb.self,
      DownloadsVerb.self, SyncVerb.self, PlayVerb.self, CtlVerb.self, DoctorVerb.self, ManualVerb.self,
    ])

  @Flag(
    help: """
      Open the player for a screen reader or a braille display: a pane and an entry a line, in words, with nothing \
      written that was not asked for.
      """) var linear = false

  static func main() {
    DescriptorOutput.occupyStandardStreams()
    FileMask.close()
    let arguments = ArgumentMemory.mask()
    // A reader that is gone, and a limit that a file has reached, are error codes of a write (`Answers`).
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    MemoryTuning.limitArenas()
    // Almost every start is the player's, and it wants no parsing.
    if arguments.count == 1 {
      let status = PlayerVerb.run()
      fflush(nil)
      // Not `exit`: its destructors would take what they need from threads that are still fetching.
      _exit(status)
    }
    Foundation.exit(Answers.status(after: runVerb(Array(arguments.dropFirst()))))
  }

  private static func runVerb(_ words: [String]) -> Int32 {
    // The parser has a `help` of its own, which knows no topics, and which no subcommand can replace everywhere.
    words.first == "help" ? run(HelpVerb.self, Array(words.dropFirst())) : run(Self.self, words)
  }

  /// Does what ArgumentParser's `main` does, but for its `print`, which does not look whether it could.
  private static func run<Root: ParsableCommand>(_ root: Root.Type, _ words: [String]) -> Int32 {
    do {
      var verb = try root.parseAsRoot(words)
      try verb.run()
      return 0
    } catch {
      let text = root.fullMessage(for: error)
      let code = root.exitCode(for: error)
      if !text.isEmpty { code.isSuccess ? Answers.write(text + "\n") : Report.usage(text) }
      return code.rawValue
    }
  }

  func run() throws {
    let status = PlayerVerb.run(isLinear: linear)
    guard status == 0 else { throw ExitCode(status) }
  }
}

/// Opens the player and turns what stops it into a line and a status.
enum PlayerVerb {
  static func run(isLinear: Bool = false) -> Int32 {
    do {
      var program = try PlayerProgram(isLinear: isLinear)
      program.run()
      guard let farewell = program.farewell else { return 0 }
      Report.message(farewell)
      return ExitStatus.cannotWrite.rawValue
    } catch {
      return Report.failure(error).rawValue
    }
  }
}
