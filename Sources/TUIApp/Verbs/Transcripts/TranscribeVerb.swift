import ArgumentParser
import Downloads
import Foundation
import Model
import Services
import Store
import Synchronization
import TerminalKit

/// `earshot transcribe`: makes the transcripts of many episodes, such as at night.
struct TranscribeVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "transcribe", abstract: "Make the transcripts of episodes, one after the other.",
    discussion: """
      Without a filter, it works through the list of transcripts to make. A filter adds the episodes that it finds, if they \
      have no transcript and have not failed before. The table [transcribe] of the configuration names the program or \
      the server. ^C stops after cleaning up, and the rest stays in the list.

        earshot transcribe 'podcast:"The Daily" and age < 7d' --limit 3
      """)

  @Argument(help: "A filter, as for smart playlists. Without it: the list.") var filter: String?
  @Option(help: "The maximum number of transcripts to make.") var limit: Int?
  @OptionGroup var output: JSONOption

  func validate() throws {
    try checkLimit(limit)
    _ = try filter.map(VerbContext.filter)
  }

  func perform(_ context: VerbContext) throws {
    let run = try TranscribingRun(context)
    if let filter { try add(VerbContext.filter(filter), context.library) }
    let outcome = run.run(limit: limit)
    let failures = Dictionary(outcome.failures.map { ($0.item.episode, $0.reason) }) { $1 }
    if output.json {
      try Report.json(
        outcome.done.map {
          [
            "id": $0.episode, "podcast": $0.podcastTitle, "title": $0.title, "error": failures[$0.episode]?.text,
          ] as JSONObject
        })
    }
    if let reason = outcome.waits { Report.message("nothing more is made now: \(reason)") }
    let rest = try context.library.transcribingList().count { $0.failure == nil }
    Report.message(
      "\(Counted.text(outcome.done.count - failures.count, "transcript")) made"
        + (failures.isEmpty ? "" : ", \(failures.count) failed") + (rest > 0 ? ", \(rest) to make" : ""))
    if let failure = outcome.failures.first { throw Report.status(of: failure.reason).error }
    guard outcome.waits == nil else { throw ExitStatus.failed.error }
  }

  private func add(_ filter: EpisodeFilter, _ library: Library) throws {
    var filter = filter
    filter.condition = .all([filter.condition, .not(.has(.transcript)), .has(.media)])
    let failed = Set(try library.transcribingList().filter { $0.failure != nil }.map(\.episode))
    var found = try library.episodeIDs(EpisodeQuery(.matching(filter))).filter { !failed.contains($0) }
    if let limit { found = Array(found.prefix(limit)) }
    try library.addToTranscribing(found)
  }
}

/// Makes transcripts in a command, with a progress line, until they are made or ^C is pressed.
final class TranscribingRun: Sendable {
  struct Outcome: Sendable {
    /// Made or failed.
    var done: [TranscribingItem] = []
    var failures: [(item: TranscribingItem, reason: ReportedError)] = []
    /// Why the rest must wait.
    var waits: String?
  }

  private let transcriber: Transcriber
  private let library: Library
  private let outcome: SharedOutcome

  private final class SharedOutcome: Sendable { let value = Mutex(Outcome()) }

  /// Throws if nothing is configured.
  init(_ context: VerbContext) throws {
    guard context.configuration.transcribing.isConfigured else {
      throw ExitStatus.badConfiguration.error(
        saying:
          "no program makes transcripts yet: set command or url in the table [transcribe] of the configuration, see "
          + "docs/TRANSCRIPTS.md")
    }
    TranscribingDirectory.deleteLeftovers(in: context.configuration.directories.cache)
    let outcome = SharedOutcome()
    (self.outcome, library) = (outcome, context.library)
    transcriber = Transcriber(library: context.library, context.configuration) { report in
      outcome.value.withLock { Self.take(report, &$0) }
    }
  }

  /// Whether ^C was pressed.
  var isStopped: Bool { transcriber.isStopped }

  /// - Parameters:
  ///   - only: makes only the transcript of this episode, before all others.
  ///   - limit: how many are made.
  func run(only: EpisodeID? = nil, limit: Int? = nil) -> Outcome {
    let interruptions = Interruptions { [transcriber] in transcriber.stop() }
    defer {
      interruptions.end()
      Report.progress("")
    }
    var count = 0
    while !transcriber.isStopped, count < limit ?? .max {
      let step = only.map { transcriber.step($0) } ?? transcriber.step()
      guard step == .worked else { break }
      count += 1
      if only != nil { break }
    }
    if transcriber.isStopped { outcome.value.withLock { $0.waits = "it was stopped" } }
    return outcome.value.withLock { $0 }
  }

  private static func take(_ report: TranscribingReport, _ outcome: inout Outcome) {
    switch report {
    case .working(let item, let isReading, let fraction):
      let percent = fraction.map { " \(Int($0 * 100)) %" } ?? ""
      Report.progress((isReading ? "reading the sound" : "transcribing\(percent)") + "  " + Sanitize.line(item.title))
    case .lines: break
    case .finished(let item, _, _): outcome.done.append(item)
    case .failed(let item, let reason):
      outcome.done.append(item)
      outcome.failures.append((item, reason))
      Report.progress("")
      Report.message("\(item.title): \(reason)")
    case .cancelled: outcome.waits = "it was cancelled"
    case .resting(let reason): outcome.waits = reason
    }
  }
}

extension TranscribingJob {
  init(_ configuration: Configuration) {
    self.init(
      preferences: configuration.transcribing, executable: Resources().executable,
      environment: ProcessEnvironment.variables, userAgent: Version.userAgent,
      log: LogFile.logger(configuration.directories))
  }
}

extension Transcriber {
  convenience init(library: Library, _ configuration: Configuration, report: @escaping Report) {
    let resources = Resources(library: library, configuration.directories)
    let files = DownloadFiles(directory: configuration.directories.downloads, library: library)
    self.init(
      library: library, job: TranscribingJob(configuration), cache: configuration.directories.cache,
      file: { detail in
        files.file(of: detail) ?? detail.feed.mediaURL.flatMap { resources.file(of: $0) }
      }, report: report)
  }
}
