import ArgumentParser
import Foundation
import Model
import Services
import Store
import Streams
import TerminalKit

/// `earshot skips`: parts of episodes that are always skipped.
struct SkipsVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skips", abstract: "Show, make and find parts of episodes that are always skipped.",
    discussion: """
        earshot skips add 42 12:00 12:45
        earshot skips import 42 parts.json
        earshot skips compare 42 ~/other-download.mp3 --accept 1,3

      Run `earshot undo` to undo changes.
      """,
    subcommands: [List.self, Add.self, Remove.self, Import.self, Compare.self], defaultSubcommand: List.self)

  struct List: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all skipped parts, or those of an episode.")
    @Argument(help: "The episode's number, address or guid.") var episode: String?
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try SkipsVerb.answer(
        context.library.clips(of: try episode.map { try context.episode($0).id }, kind: .skip), context, output)
    }
  }

  struct Add: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Always skip a part of an episode.")
    @Argument(help: "The episode's number, address or guid.") var episode: String
    @Argument(help: "Where it starts.") var start: Second
    @Argument(help: "Where it ends.") var end: Second
    @Option(help: "What it is.") var label: String?
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      try SkipsVerb.add(
        [SkippedPart(start: start.seconds, end: end.seconds, label: label)], to: try context.episode(episode), context,
        output)
    }
  }

  struct Remove: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Stop skipping a part.")
    @Argument(help: "The number that `earshot skips list` shows.") var part: String
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let clip = try context.clip(part, skipped: true)
      let json = ClipJSON(clip, of: try context.library.episode(clip.episode))
      try context.library.deleteClip(clip.id, now: Date())
      if output.json { return try Report.json(json) }
      Report.line("No longer skipped: \(json.line.drop { $0 == " " }). Run “earshot undo” to undo.")
    }
  }

  struct Import: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Skip the parts that a file lists.",
      discussion: """
        The file is JSON ([{"start": 12.5, "end": 40, "label": "Advertisement"}], in seconds), a file of labels of \
        Audacity, or ffmetadata, whose chapters are the parts.
        """)
    @Argument(help: "The episode's number, address or guid.") var episode: String
    @Argument(help: "The file; - reads standard input.", completion: .file()) var file: String
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let detail = try context.episode(episode)
      let data = try VerbInput.data(file, limit: SkipsFile.maxBytes)
      let parts: [SkippedPart]
      do throws(ReportedError) {
        parts = try SkipsFile.parse(data)
      } catch {
        throw StoreError.invalid("\(file): \(error).")
      }
      try SkipsVerb.add(parts, to: detail, context, output)
    }
  }

  struct Compare: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "compare", abstract: "Find inserted advertisements by comparing two downloads of an episode.",
      discussion: """
        What is only in the downloaded file of the episode, and not in the other file, was inserted by the server. The \
        files must be MP3 or AAC and come from the same server: equal frames are compared, so nothing is found in \
        files that were encoded again. Nothing is skipped unless --accept names it.
        """)
    @Argument(help: "The episode's number, address or guid. It must be downloaded.") var episode: String
    @Argument(help: "Another download of the same episode.", completion: .file()) var other: String
    @Option(help: "Skip these parts from now on: numbers such as 1,3, or all.") var accept: String?
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let detail = try context.episode(episode)
      guard let file = context.mediaAddress(of: detail), file.hasPrefix("/") else {
        throw StoreError.invalid("“\(detail.row.title)” is not downloaded. Run “earshot download \(detail.id)” first.")
      }
      let comparison = FrameComparison(try Self.frames(file), try Self.frames(other))
      guard comparison.isSameEpisode else {
        throw StoreError.invalid(
          "The files have too few equal frames: they were encoded again, or are different episodes. Nothing was compared."
        )
      }
      let parts = comparison.parts.map {
        SkippedPart(start: Self.rounded($0.lowerBound), end: Self.rounded($0.upperBound), label: "Inserted")
      }
      let accepted = try accepted(of: parts)
      guard accepted.isEmpty else { return try SkipsVerb.add(accepted, to: detail, context, output) }
      // The share of the file that is in the other file, too, from 0 to 1.
      let shared = Self.rounded(comparison.shared)
      if output.json { return try Report.json(["shared": shared, "parts": parts] as JSONObject) }
      for (index, part) in parts.enumerated() {
        let times = "\(TimeText.clock(part.start))–\(TimeText.clock(part.end))"
        Report.line("\(String(index + 1).leftPadded(3))  \(times)  (\(TimeText.short(part.end - part.start)))")
      }
      Report.message(
        parts.isEmpty
          ? "nothing is only in the downloaded file" : "nothing is skipped yet. Use “--accept all” to skip them.")
    }

    private static func frames(_ file: String) throws -> AudioFrames {
      do throws(AudioFrames.Problem) {
        return try AudioFrames(contentsOf: file)
      } catch {
        throw StoreError.invalid("\(file): \(error).")
      }
    }

    /// To the millisecond.
    private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

    private func accepted(of parts: [SkippedPart]) throws -> [SkippedPart] {
      guard let accept else { return [] }
      if accept == "all" { return parts }
      return try accept.split(separator: ",").map { text in
        guard let number = Int(text.trimmingCharacters(in: .whitespaces)), parts.indices.contains(number - 1) else {
          throw ValidationError("--accept wants numbers from 1 to \(parts.count), or all.")
        }
        return parts[number - 1]
      }
    }
  }

  private static func add(
    _ parts: [SkippedPart], to detail: EpisodeDetail, _ context: VerbContext, _ output: JSONOption
  ) throws {
    let known = Set(detail.marks.filter { $0.kind == .skip }.map { [$0.startTime, $0.endTime ?? 0] })
    let new = parts.filter { !known.contains([$0.start, $0.end]) }
    if let duration = detail.row.duration, let part = new.first(where: { $0.start >= duration }) {
      throw StoreError.invalid(
        "The part at \(TimeText.clock(part.start)) is after the end, which is at \(TimeText.clock(duration)).")
    }
    // The duration is often the feed's, and may differ a little from the file's.
    if let duration = detail.row.duration, let part = new.first(where: { $0.end > duration * 1.1 }) {
      throw StoreError.invalid(
        "The part at \(TimeText.clock(part.start)) ends at \(TimeText.clock(part.end)), long after the end of the "
          + "episode, which is at \(TimeText.clock(duration)).")
    }
    try context.library.addSkips(new, of: detail.id, now: Date())
    try answer(context.library.clips(of: detail.id, kind: .skip), context, output)
  }

  private static func answer(_ clips: [Clip], _ context: VerbContext, _ output: JSONOption) throws {
    let sorted = clips.sorted { ($0.episode.rawValue, $0.startTime) < ($1.episode.rawValue, $1.startTime) }
    try ClipJSON.answer(sorted, context.library, output, none: "no parts are skipped")
  }
}
