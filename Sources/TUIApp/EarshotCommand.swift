import ArgumentParser
import Foundation

/// The command line. Without a verb the player opens.
@main
struct EarshotCommand: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "earshot",
    abstract: "A podcast player for the terminal.",
    discussion: """
      Without a verb, the full-screen player opens; ? shows its keys.
      Every verb takes --json. Messages go to stderr, answers to stdout.
      Exit status: 0 done, 64 usage, 65 invalid data, 69 no connectivity or the server refused, 73 and 74 cannot \
      write, 78 bad configuration.
      """,
    version: version,
    subcommands: [
      FeedVerb.self, AddVerb.self, RemoveVerb.self, ListVerb.self, EpisodesVerb.self, RefreshVerb.self,
      ImportVerb.self, ExportVerb.self, SearchVerb.self, QueueVerb.self, PlaylistVerb.self, ClipVerb.self, TagVerb.self,
      UndoVerb.self, DoctorVerb.self, ManualVerb.self,
    ])

  static func main() {
    // Almost every start is the player's, and it wants no parsing.
    if CommandLine.arguments.count == 1 { Foundation.exit(PlayerVerb.run()) }
    main(nil)
  }

  func run() throws {
    let status = PlayerVerb.run()
    guard status == 0 else { throw ExitCode(status) }
  }
}

/// Opens the player and turns what stops it into a line and a status.
enum PlayerVerb {
  static func run() -> Int32 {
    do {
      var program = try PlayerProgram()
      program.run()
      return 0
    } catch {
      return Report.failure(error).rawValue
    }
  }
}
