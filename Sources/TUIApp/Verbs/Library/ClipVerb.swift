import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot clip`: parts of episodes.
struct ClipVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clip", abstract: "Show, make, change and export clips and bookmarks.",
    discussion: """
      A clip is a part of an episode. A bookmark is a clip without an end. Times are 93, 1:33 or 1:02:03.5.

        earshot clip add 42 12:00 12:45 --title "The best part"
        earshot clip add 42 12:00 --note "Read the book"
        earshot clip export 3 best.mp3
        earshot clip export 3 --text

      Run `earshot undo` to undo changes.
      """,
    subcommands: [List.self, Add.self, Edit.self, Remove.self, Export.self], defaultSubcommand: List.self)

  struct List: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all clips and bookmarks, or those of an episode.")
    @Option(help: "Only those of this episode.") var episode: String?
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let clips = try context.library.clips(of: try episode.map { try context.episode($0).id })
      try ClipJSON.answer(clips, context.library, output, none: "there are no clips")
    }
  }

  struct Add: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Make a clip or a bookmark, and add it to My Clips.")
    @Argument(help: "The episode's number, address or guid.") var episode: String
    @Argument(help: "Where it starts.") var start: Second
    @Argument(help: "Where it ends; without it, it is a bookmark.") var end: Second?
    @Option(help: "The title.") var title: String?
    @Option(help: "A note about it.") var note: String?
    @Option(help: "A tag. This option may be repeated.", completion: VerbCompletion.tag) var tag: [String] = []
    @OptionGroup var output: JSONOption

    func validate() throws { try TagVerb.validate(tag) }

    func perform(_ context: VerbContext) throws {
      let detail = try context.episode(episode)
      try ClipVerb.check(end ?? start, detail)
      let id = try context.library.addClip(
        of: detail.id, startTime: start.seconds, endTime: end?.seconds, title: title, note: note, tags: tag, now: Date()
      )
      try ClipVerb.answer(id, context.library, output)
    }
  }

  struct Edit: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "edit", abstract: "Change a clip.")
    @Argument(help: "The clip's number.") var clip: String
    @Option(help: "Where it starts.") var start: Second?
    @Option(help: "Where it ends.") var end: Second?
    @Option(help: "The title; empty removes it.") var title: String?
    @Option(help: "The note; empty removes it.") var note: String?
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let clip = try context.clip(clip)
      if let end, let detail = try context.library.episode(clip.episode) { try ClipVerb.check(end, detail) }
      // The store trims texts; an empty one is none.
      try context.library.changeClip(clip.id, now: Date()) {
        $0.startTime = start?.seconds ?? $0.startTime
        $0.endTime = end?.seconds ?? $0.endTime
        $0.title = title ?? $0.title
        $0.note = note ?? $0.note
      }
      try ClipVerb.answer(clip.id, context.library, output)
    }
  }

  struct Remove: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Delete a clip, and remove it from its playlists.")
    @Argument(help: "The clip's number.") var clip: String
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let clip = try context.clip(clip)
      let json = ClipJSON(clip, of: try context.library.episode(clip.episode))
      try context.library.deleteClip(clip.id, now: Date())
      if output.json { return try Report.json(json) }
      Report.line("Deleted \(json.line.drop { $0 == " " }). Run “earshot undo” to undo.")
    }
  }

  /// Checks that a clip ends within its episode, if the duration is known. One second more is allowed, because feeds
  /// round it.
  private static func check(_ end: Second, _ detail: EpisodeDetail) throws {
    guard let duration = detail.row.duration, end.seconds > duration + 1 else { return }
    throw StoreError.invalid("The episode is only \(TimeText.clock(duration)) long.")
  }

  static func answer(_ id: ClipID, _ library: Library, _ output: JSONOption) throws {
    guard let clip = try library.clip(id) else { throw StoreError.unknown("clip \(id)") }
    let json = ClipJSON(clip, of: try library.episode(clip.episode))
    if output.json { try Report.json(json) } else { Report.line(json.line) }
  }
}
