import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot playlist`: playlists of episodes and clips, and smart playlists, which a filter fills.
struct PlaylistVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "Show and change playlists.",
    discussion: """
      A playlist is identified by its number, its slug or its title; an episode by its number, address or guid; a clip \
      by clip: and its number. A smart playlist has a filter instead of items:

        earshot playlist create "Short news" --filter 'unplayed and duration < 30m and tag:news'

      Run `earshot undo` to undo changes.
      """,
    subcommands: [
      List.self, Show.self, Create.self, Rename.self, Delete.self, Add.self, Remove.self, Move.self, Share.self,
      Slug.self, Filter.self,
    ], defaultSubcommand: List.self)

  struct List: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all playlists.")
    @OptionGroup var output: JSONOption

    func perform() throws {
      let library = try VerbContext().library
      let playlists = try library.playlists().map { try PlaylistVerb.json($0, library) }
      if output.json { return try Report.json(playlists) }
      for playlist in playlists { Report.line(PlaylistVerb.line(playlist)) }
    }
  }

  struct Show: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "List the items of a playlist.")
    @OptionGroup var target: Target
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let playlist = try context.playlist(target.playlist)
      let json = try PlaylistJSON(playlist, in: context.library, withItems: true)
      if output.json { return try Report.json(json) }
      Report.line(PlaylistVerb.line(json))
      for (index, item) in (json.items ?? []).enumerated() {
        let number = String(index + 1).leftPadded(3)
        switch item {
        case .clip(let clip): Report.line("\(number)  clip:\(clip.line.drop { $0 == " " })")
        case .episode(let episode):
          guard let row = try context.library.episodeRows([EpisodeID(episode.library.id)]).first else { continue }
          Report.line("\(number)  \(EpisodeLine.text(row))")
        }
      }
    }
  }

  struct Create: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Make a playlist.")
    @Argument(help: "The title.") var title: String
    @Option(help: "Make a smart playlist of the episodes that match this filter.", completion: VerbCompletion.filter)
    var filter: String?
    @OptionGroup var output: JSONOption

    func validate() throws { _ = try filter.map(VerbContext.filter) }

    func perform(_ context: VerbContext) throws {
      let filter = try self.filter.map(VerbContext.filter)
      let library = context.library
      let id =
        try filter.map { try library.addSmartPlaylist(title: title, filter: $0, now: Date()) }
        ?? library.addPlaylist(title: title, now: Date())
      try PlaylistVerb.answer(id, library, output)
    }
  }

  struct Rename: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Change the title of a playlist.")
    @OptionGroup var target: Target
    @Argument(help: "The new title.") var title: String
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try PlaylistVerb.change(target, context, output) { $0.title = title }
    }
  }

  struct Share: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "share", abstract: "Set who may see a synced playlist.")
    @OptionGroup var target: Target
    @Argument(help: "public, link or private.") var permission: SharePermission
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try PlaylistVerb.change(target, context, output) { $0.sharePermission = permission }
    }
  }

  struct Slug: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "slug", abstract: "Change the short name of a playlist.")
    @OptionGroup var target: Target
    @Argument(help: "Letters, digits and hyphens, but not digits alone.") var slug: String
    @OptionGroup var output: JSONOption

    func validate() throws {
      let isSlug = slug.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } && slug.contains { $0 != "-" }
      guard isSlug else { throw ValidationError("A slug has letters, digits and hyphens.") }
    }

    func perform(_ context: VerbContext) throws {
      try PlaylistVerb.change(target, context, output) { $0.slug = slug.lowercased() }
    }
  }

  struct Filter: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "filter", abstract: "Change the filter of a smart playlist.")
    @OptionGroup var target: Target
    @Argument(help: "The filter for its episodes.", completion: VerbCompletion.filter) var filter: String
    @OptionGroup var output: JSONOption

    func validate() throws { _ = try VerbContext.filter(filter) }

    func perform(_ context: VerbContext) throws {
      let filter = try VerbContext.filter(filter)
      try PlaylistVerb.change(target, context, output) { playlist throws(StoreError) in
        guard playlist.isSmart else {
          throw StoreError.invalid(
            "“\(playlist.title)” is not a smart playlist. Run “earshot playlist create --filter” to create one.")
        }
        playlist.filter = filter.description
      }
    }
  }

  struct Delete: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a playlist, but not its episodes and clips.")
    @OptionGroup var target: Target
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let playlist = try context.playlist(target.playlist)
      let json = try PlaylistVerb.json(playlist, context.library)
      try context.library.deletePlaylist(playlist.id, now: Date())
      if output.json { return try Report.json(json) }
      Report.line("Deleted “\(playlist.title)”. Run “earshot undo” to undo.")
    }
  }

  struct Add: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add episodes and clips at the end. An item that is in the playlist keeps its place.")
    @OptionGroup var target: Target
    @Argument(help: "Episodes, and clips as clip:NUMBER.") var items: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try PlaylistVerb.edit(target, context, output) { playlist in
        try context.library.addToPlaylist(playlist.id, try items.map { try context.item($0) }, now: Date())
      }
    }
  }

  struct Remove: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove episodes and clips from a playlist.")
    @OptionGroup var target: Target
    @Argument(help: "Episodes, and clips as clip:NUMBER.") var items: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try PlaylistVerb.edit(target, context, output) { playlist in
        let removed = try items.map { try PlaylistVerb.item($0, of: playlist, context) }
        try context.library.removeFromPlaylist(playlist.id, removed, now: Date())
      }
    }
  }

  struct Move: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "move", abstract: "Move an item to another place.")
    @OptionGroup var target: Target
    @Argument(help: "An episode, or a clip as clip:NUMBER.") var item: String
    @Argument(help: "The new number in the list; 1 is the front.") var number: Int
    @OptionGroup var output: JSONOption

    func validate() throws { if number < 1 { throw ValidationError("Numbers begin at 1.") } }

    func perform(_ context: VerbContext) throws {
      try PlaylistVerb.edit(target, context, output) { playlist in
        let item = try PlaylistVerb.item(item, of: playlist, context)
        try context.library.moveInPlaylist(playlist.id, [item], to: number - 1, now: Date())
      }
    }
  }

  /// The playlist argument.
  struct Target: ParsableArguments {
    @Argument(help: "The playlist's number, slug or title.", completion: VerbCompletion.playlist)
    var playlist: String
  }

  // MARK: Common parts

  private static func change(
    _ target: Target, _ context: VerbContext, _ output: JSONOption,
    _ body: (inout Playlist) throws(StoreError) -> Void
  ) throws {
    let playlist = try context.playlist(target.playlist)
    try context.library.changePlaylist(playlist.id, now: Date(), body)
    try answer(playlist.id, context.library, output)
  }

  private static func edit(
    _ target: Target, _ context: VerbContext, _ output: JSONOption, _ body: (Playlist) throws -> Void
  ) throws {
    let playlist = try context.playlist(target.playlist)
    guard !playlist.isSmart else {
      throw StoreError.invalid("“\(playlist.title)” is a smart playlist: its filter says what is in it.")
    }
    try body(playlist)
    try answer(playlist.id, context.library, output)
  }

  /// An item that must be in the playlist.
  private static func item(
    _ name: String, of playlist: Playlist, _ context: VerbContext
  ) throws -> Playlist.Item {
    let item = try context.item(name)
    guard playlist.items.contains(item) else { throw StoreError.invalid("\(name) is not in “\(playlist.title)”.") }
    return item
  }

  /// Every change prints the changed playlist.
  private static func answer(_ id: PlaylistID, _ library: Library, _ output: JSONOption) throws {
    guard let playlist = try library.playlist(id) else { throw StoreError.unknown("playlist \(id)") }
    let json = try PlaylistJSON(playlist, in: library, withItems: output.json)
    if output.json { try Report.json(json) } else { Report.line(line(json)) }
  }

  /// The playlist without its items. If this version cannot read its filter, it is listed as empty, with a message.
  private static func json(_ playlist: Playlist, _ library: Library) throws -> PlaylistJSON {
    do {
      return try PlaylistJSON(playlist, in: library, withItems: false)
    } catch StoreError.invalid(let why) {
      Report.message("\(playlist.title): \(why)")
      var plain = playlist
      plain.filter = nil
      var json = try PlaylistJSON(plain, in: library, withItems: false)
      json.filter = playlist.filter
      return json
    }
  }

  private static func line(_ playlist: PlaylistJSON) -> String {
    let day = (playlist.lastUpdated.map { DayText.text($0) } ?? "").leftPadded(11)
    let kind = playlist.filter.map { "  \($0)" } ?? ""
    let share = playlist.sharePermission == .isPrivate ? "" : "  \(playlist.sharePermission.rawValue)"
    return "\(String(playlist.id).leftPadded(4))  \(String(playlist.count).leftPadded(5))  "
      + "\(day)  \(playlist.title)\(share)\(kind)"
  }
}

extension SharePermission: ExpressibleByArgument {
  /// Also accepts the value without "is".
  public init?(argument: String) {
    let names: [(String, Self)] = [
      ("public", .isPublic), ("sharablewithlink", .isSharableWithLink), ("link", .isSharableWithLink),
      ("private", .isPrivate),
    ]
    let text = argument.lowercased()
    guard let found = names.first(where: { $0.0 == text || "is" + $0.0 == text }) else { return nil }
    self = found.1
  }

  public static var allValueStrings: [String] { ["public", "link", "private"] }
}
