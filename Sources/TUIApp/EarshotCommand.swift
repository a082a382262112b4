import ArgumentParser
import Foundation

/// The command line. Without a command the full-screen player opens.
@main
struct EarshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "earshot",
    abstract: "A podcast player for the terminal.",
    discussion: """
      Without a verb, the full-screen player opens; ? shows its keys.
      Every verb takes --json. Messages go to stderr, answers to stdout.
      Exit status: 0 done, 1 stopped or another failure, 64 usage, 65 invalid data, 69 no connection, refused by the \
      server, or no terminal, 73 or 74 cannot write, 77 wrong password for sync, 78 invalid configuration.
      """,
    version: Version.full,
    subcommands: [
      FeedVerb.self, AddVerb.self, RemoveVerb.self, ListVerb.self, EpisodesVerb.self, RefreshVerb.self,
      ImportVerb.self, ExportVerb.self, SearchVerb.self, FindVerb.self, SettingsVerb.self, ChaptersVerb.self,
      TranscriptVerb.self, TranscribeVerb.self, SpeechSoundVerb.self, MediaFactsVerb.self, MarkVerb.self,
      QueueVerb.self, PlaylistVerb.self, ClipVerb.self, NotesVerb.self, SkipsVerb.self, TagVerb.self, RuleVerb.self,
      HistoryVerb.self, StatsVerb.self, UndoVerb.self, BackupVerb.self, RestoreVerb.self, DownloadVerb.self,
      DownloadsVerb.self, SyncVerb.self, PlayVerb.self, CtlVerb.self, DoctorVerb.self, ManualVerb.self,
    ])

  @Flag(
    help: """
      Open the player for a screen reader or a braille display: one pane, one entry a line, words instead of symbols, \
      and changes only after a command.
      """) var linear = false

  static func main() {
    DescriptorOutput.reserveStandardStreams()
    FileMask.restrict()
    CrashGuard.arm(log: Directories().logFile)
    let arguments = ArgumentMemory.mask()
    // With these signals ignored, a closed pipe and a file size limit are error codes of a write (`Answers`).
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    MallocArenas.limit(to: 4)
    ProxyBypass.addLoopback()
    // The most frequent start has no arguments, and needs no parser.
    if arguments.count == 1 {
      let status = PlayerVerb.run()
      fflush(nil)
      // `exit` would run destructors of objects that other threads still use.
      _exit(status)
    }
    Foundation.exit(Answers.status(after: runVerb(Array(arguments.dropFirst()))))
  }

  private static func runVerb(_ words: [String]) -> Int32 {
    // The parser has a `help` command of its own, which knows no topics and cannot be replaced everywhere.
    words.first == "help" ? run(HelpVerb.self, Array(words.dropFirst())) : run(Self.self, words)
  }

  /// Does what ArgumentParser's `main` does. That one prints without checking for errors.
  private static func run<Root: ParsableCommand>(_ root: Root.Type, _ words: [String]) -> Int32 {
    do {
      if root == Self.self, let unknown = HelpVerb.unknownVerb(in: words) { throw unknown }
      var verb = try root.parseAsRoot(words)
      do { try verb.run() } catch let error as ValidationError {
        // The parser does not know any more which verb it was, and would show the usage of `earshot`.
        Report.usage("Error: \(error.message)\n" + usage(root.usageString(for: type(of: verb))))
        return ExitStatus.usage.rawValue
      }
      return 0
    } catch {
      let text = root.fullMessage(for: error)
      let code = root.exitCode(for: error)
      if !text.isEmpty { code.isSuccess ? Answers.write(text + "\n") : Report.usage(text) }
      return code.rawValue
    }
  }

  /// The lines that the parser writes below an error.
  private static func usage(_ usage: String) -> String {
    let name = usage.split(separator: " ").prefix { !"<[-".contains($0.first ?? " ") }.joined(separator: " ")
    return "Usage: \(usage)\n  See '\(name) --help' for more information."
  }

  func run() throws {
    let status = PlayerVerb.run(isLinear: linear)
    guard status == 0 else { throw ExitCode(status) }
  }
}

/// Opens the player. An error becomes a message and an exit status.
enum PlayerVerb {
  static func run(isLinear: Bool = false) -> Int32 {
    MallocArenas.limit(to: 1)
    do {
      var program = try PlayerProgram(isLinear: isLinear)
      program.run()
      guard let exitMessage = program.exitMessage else { return 0 }
      Report.message(exitMessage)
      return ExitStatus.cannotWrite.rawValue
    } catch {
      return Report.failure(error).rawValue
    }
  }
}
