import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot mark`: marks episodes as played, new or deleted, or sets their position.
struct MarkVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark", abstract: "Mark episodes as played, new or deleted, or set their position.",
    discussion: """
      An episode is identified by its number in `earshot episodes`, by the address of its media file, or by its guid.

        earshot mark played 42 43
        earshot mark at 42 12:30

      Run `earshot undo` to undo changes.
      """,
    subcommands: [Played.self, New.self, Deleted.self, At.self, All.self])

  struct Played: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "played",
      abstract: "Mark as played. The episode leaves the queue, and starts at its beginning when played again.")
    @Argument(help: "Numbers, addresses or guids of episodes.") var episodes: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws { try MarkVerb.mark(episodes, .played, context, output) }
  }

  struct New: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "new", abstract: "Mark as not played. This restores deleted episodes.", aliases: ["unplayed"])
    @Argument(help: "Numbers, addresses or guids of episodes.") var episodes: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws { try MarkVerb.mark(episodes, .new, context, output) }
  }

  struct Deleted: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "deleted", abstract: "Hide from all lists but playlists, and delete the downloaded file.")
    @Argument(help: "Numbers, addresses or guids of episodes.") var episodes: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws { try MarkVerb.mark(episodes, .deleted, context, output) }
  }

  struct At: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "at", abstract: "Set the position at which playing resumes.")
    @Argument(help: "The episode's number, address or guid.") var episode: String
    @Argument(help: "The position: 93, 1:33 or 1:02:03.5.") var position: Second
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let detail = try context.episode(episode)
      if let duration = detail.row.duration, position.seconds > duration {
        throw StoreError.invalid("“\(detail.row.title)” is only \(TimeText.clock(duration)) long.")
      }
      try context.refuseOpenEpisode { $0.id == detail.id }
      try context.library.setPosition(detail.id, seconds: position.seconds, now: Date())
      try MarkVerb.answer([detail.id], context.library, output)
    }
  }

  struct All: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "all", abstract: "Mark all episodes of a podcast as played.")
    @Argument(help: "The podcast's number, address or title.", completion: VerbCompletion.podcast)
    var podcast: String
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let row = try context.podcast(podcast)
      try context.refuseOpenEpisode { $0.podcastID == row.id }
      let count = try context.library.markAllPlayed(row.id, now: Date())
      context.applyDownloadRules()
      if output.json { return try Report.json(["played": count]) }
      Report.line("\(count) of \(row.title) marked as played")
    }
  }

  private static func mark(
    _ names: [String], _ status: EpisodeStatus, _ context: VerbContext, _ output: JSONOption
  ) throws {
    let episodes = try context.episodes(names, withDeleted: true)
    try context.refuseOpenEpisode { episodes.contains($0.id) }
    try context.library.setStatus(episodes, status, now: Date())
    // Deleting an episode also deletes its download, as in the player. So does playing it, if the rules say so.
    if status == .deleted { context.dropDownloads(episodes) }
    if status == .played { context.applyDownloadRules() }
    try answer(episodes, context.library, output)
  }

  /// Every change prints the episodes as they are now.
  private static func answer(_ episodes: [EpisodeID], _ library: Library, _ output: JSONOption) throws {
    if output.json { return try Report.json(episodes.compactMap { try library.episode($0).map { EpisodeJSON($0) } }) }
    for row in try library.episodeRows(episodes) { Report.line(EpisodeLine.text(row)) }
  }
}
