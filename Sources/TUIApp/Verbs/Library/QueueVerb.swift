import ArgumentParser
import Foundation
import Model
import Session
import Store
import TerminalKit

/// `earshot queue`: the queue.
struct QueueVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Show and change what is played next.",
    discussion: """
      An episode is identified by its number in `earshot episodes`, by the address of its media file, or by its guid. \
      Run `earshot undo` to undo changes.
      """,
    subcommands: [Show.self, Add.self, Next.self, Move.self, Sort.self, Remove.self, Clear.self],
    defaultSubcommand: Show.self)

  struct Show: Verb {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the queue and its duration.")
    @OptionGroup var output: JSONOption

    func perform() throws { try QueueVerb.answer(try VerbContext().library, output) }
  }

  struct Add: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add episodes at the end. An episode that is in the queue keeps its place.")
    @Argument(help: "Numbers, addresses or guids of episodes.") var episodes: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try context.library.enqueue(try context.episodes(episodes), now: Date())
      try QueueVerb.answer(context.library, output)
    }
  }

  struct Next: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "next",
      abstract: "Add episodes after the one that was played last, in this order, or at the front if it is not queued.")
    @Argument(help: "Numbers, addresses or guids of episodes.") var episodes: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let library = context.library
      try library.playNext(try context.episodes(episodes), after: library.lastPlayed(), now: Date())
      try QueueVerb.answer(context.library, output)
    }
  }

  struct Move: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "move", abstract: "Move an episode to another place.")
    @Argument(help: "The episode's number, address or guid.") var episode: String
    @Argument(help: "The new number in the list; 1 is the front.") var number: Int
    @OptionGroup var output: JSONOption

    func validate() throws { if number < 1 { throw ValidationError("Numbers begin at 1.") } }

    func perform(_ context: VerbContext) throws {
      try context.library.moveInQueue([try QueueVerb.queued(episode, context)], to: number - 1, now: Date())
      try QueueVerb.answer(context.library, output)
    }
  }

  struct Sort: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "sort", abstract: "Sort or shuffle the queue.")
    @Argument(help: "The order: \(QueueOrder.allCases.map(\.rawValue).joined(separator: ", ")).") var order: QueueOrder
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try context.library.sortQueue(order, now: Date())
      try QueueVerb.answer(context.library, output)
    }
  }

  struct Remove: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove episodes from the queue.")
    @Argument(help: "Numbers, addresses or guids of episodes.") var episodes: [String]
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try context.library.dequeue(try episodes.map { try QueueVerb.queued($0, context) }, now: Date())
      try QueueVerb.answer(context.library, output)
    }
  }

  struct Clear: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "clear", abstract: "Empty the queue.")
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try context.library.clearQueue(now: Date())
      try QueueVerb.answer(context.library, output)
    }
  }

  /// An episode that must be in the queue.
  private static func queued(_ name: String, _ context: VerbContext) throws -> EpisodeID {
    let row = try context.episode(name).row
    guard row.isQueued else { throw StoreError.invalid("“\(row.title)” is not in the queue.") }
    return row.id
  }

  /// Every change prints the new queue.
  static func answer(_ library: Library, _ output: JSONOption) throws {
    let queue = try library.queue()
    // In seconds, as far as durations are known.
    let (total, left) = try library.queueDuration()
    let speed = speed(try library.setting(Setting.speed.rawValue))
    let leftAtSpeed = left / speed
    if output.json {
      let episodes = try queue.compactMap { try library.episode($0).map { EpisodeJSON($0) } }
      return try Report.json(
        ["episodes": episodes, "total": total, "left": left, "speed": speed, "leftAtSpeed": leftAtSpeed] as JSONObject)
    }
    let rows = try library.episodeRows(queue)
    for (index, row) in rows.enumerated() {
      Report.line("\(String(index + 1).leftPadded(3))  \(EpisodeLine.text(row))")
    }
    guard !rows.isEmpty else { return Report.message("the queue is empty") }
    let count = Counted.text(rows.count, "episode")
    guard total > 0 else { return Report.line(count) }
    var line = "\(count), \(TimeText.short(total)), \(TimeText.short(left)) left"
    if speed != 1 { line += ", \(TimeText.short(leftAtSpeed)) at \(PlayerText.speed(speed))" }
    Report.line(line)
  }

  /// The player's last speed; 1 if no valid one is stored.
  private static func speed(_ text: String?) -> Double {
    guard let speed = text.flatMap(Double.init), speed.isFinite, speed > 0 else { return 1 }
    return speed
  }
}

extension QueueOrder: ExpressibleByArgument {}
