import ArgumentParser
import Foundation
import Model
import Store

/// `earshot tag`: the listener's tags on podcasts, episodes and clips.
struct TagVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Show and change tags of podcasts, episodes and clips.",
    discussion: """
        earshot tag add news daily --podcast "The Daily Something"
        earshot tag remove later --episode 42
        earshot tag list --clip 3

      Run `earshot undo` to undo changes.
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

  /// The podcast, episode or clip; if none is given, the whole library.
  struct Target: ParsableArguments {
    @Option(help: "A podcast: its address, number or title.", completion: VerbCompletion.podcast) var podcast: String?
    @Option(help: "An episode: its number, address or guid.") var episode: String?
    @Option(help: "A clip: its number.") var clip: String?

    func validate() throws {
      guard [podcast, episode, clip].compactMap({ $0 }).count < 2 else {
        throw ValidationError("Name one podcast, one episode or one clip.")
      }
    }

    func requireOne() throws {
      guard podcast ?? episode ?? clip != nil else {
        throw ValidationError("Say what is meant: --podcast, --episode or --clip.")
      }
    }

    /// What is meant, and its tags. Nil if none is given.
    func owner(_ context: VerbContext) throws -> (id: TagOwner, tags: [String])? {
      if let podcast {
        let row = try context.podcast(podcast)
        return (.podcast(row.id), row.tags)
      }
      if let episode {
        let detail = try context.episode(episode)
        return (.episode(detail.id), detail.tags)
      }
      guard let clip else { return nil }
      let found = try context.clip(clip)
      return (.clip(found.id), found.tags)
    }
  }

  struct List: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the tags of one thing, or of the whole library.")
    @OptionGroup var target: Target
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let tags = try target.owner(context)?.tags ?? context.library.allTags()
      try TagVerb.answer(tags, output)
    }
  }

  struct Add: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add tags.")
    @Argument(help: "Tags, each as one argument.", completion: VerbCompletion.tag) var tags: [String]
    @OptionGroup var target: Target
    @OptionGroup var output: JSONOption

    func validate() throws {
      try target.requireOne()
      try TagVerb.validate(tags)
    }

    func perform(_ context: VerbContext) throws { try TagVerb.change(target, context, output, adding: tags) }
  }

  struct Remove: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove tags.")
    @Argument(help: "Tags, each as one argument.", completion: VerbCompletion.tag) var tags: [String]
    @OptionGroup var target: Target
    @OptionGroup var output: JSONOption

    func validate() throws { try target.requireOne() }

    func perform(_ context: VerbContext) throws { try TagVerb.change(target, context, output, removing: tags) }
  }

  /// Throws if one of the texts is not a tag.
  static func validate(_ tags: [String]) throws {
    guard tags.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
      throw ValidationError("A tag must not be empty.")
    }
    // The player separates tags by commas.
    if let tag = tags.first(where: { $0.contains(",") }) {
      throw ValidationError("“\(tag)” is not one tag: write each tag as one argument, without commas.")
    }
  }

  private static func change(
    _ target: Target, _ context: VerbContext, _ output: JSONOption, adding: [String] = [], removing: [String] = []
  ) throws {
    guard let owner = try target.owner(context) else { return }
    try context.library.changeTags(of: owner.id, adding: adding, removing: removing, now: Date())
    try answer(try target.owner(context)?.tags ?? [], output)
  }

  private static func answer(_ tags: [String], _ output: JSONOption) throws {
    if output.json { return try Report.json(tags) }
    for tag in tags { Report.line(tag) }
  }
}
