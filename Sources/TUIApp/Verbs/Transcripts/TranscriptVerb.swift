import ArgumentParser
import FeedKit
import Foundation
import Model
import Services
import Store
import TerminalKit

/// `earshot transcript`: prints the transcript of an episode, makes one, imports one, or removes one.
struct TranscriptVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "transcript", abstract: "Print, make, import or remove the transcript of an episode.",
    discussion: """
      --make uses the program or the server in the table [transcribe] of the configuration. --import and --remove change \
      only the transcript that you have made or imported. The publisher's is never replaced, and is shown if there is one.
      """)

  @Argument(help: "The episode's number, address or guid.") var episode: String
  @Flag(help: "Print the time before each line.") var times = false
  @Flag(help: "Make a transcript from the sound.") var make = false
  @Option(name: .customLong("import"), help: "Import a file: WebVTT, SubRip, JSON or TSV.", completion: .file())
  var file: String?
  @Flag(help: "Remove the transcript that was made or imported.") var remove = false
  @Option(help: "How it is printed: text, vtt, srt or json. By default text.") var format: Format?
  @OptionGroup var output: JSONOption

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, vtt, srt, json }

  var changesLibrary: Bool { make || remove || file != nil }

  func validate() throws {
    let count = [make, remove, file != nil].count { $0 }
    guard count < 2 else { throw ValidationError("--make, --import and --remove exclude each other.") }
    guard !output.json || format == nil || format == .json else {
      throw ValidationError("--json and --format \(format?.rawValue ?? "") exclude each other.")
    }
  }

  func perform(_ context: VerbContext) throws {
    let detail = try context.episode(episode)
    if remove { return try remove(detail, context) }
    if let file { return try importFile(file, detail, context) }
    if make {
      let transcriber = try TranscribingRun(context)
      let before = try context.library.transcribingList().first { $0.episode == detail.id }
      try context.library.addToTranscribing([detail.id])
      let outcome = transcriber.run(only: detail.id)
      if let reason = outcome.waits {
        // The listener has stopped it, so the list is again as it was.
        if transcriber.isStopped {
          if before == nil { try context.library.removeFromTranscribing([detail.id]) }
          if let failure = before?.failure { try context.library.failTranscribing(detail.id, failure) }
        }
        throw ReportedError("\(detail.row.title): \(reason)")
      }
      // The reason is printed already.
      if let failure = outcome.failures.first { throw Report.status(of: failure.reason).error }
      // The publisher's is shown if there is one.
      guard let transcript = try context.library.madeTranscript(detail.id) else { throw ExitStatus.failed.error }
      return try show(transcript)
    }
    let service = TranscriptService(library: context.library, client: context.client, resources: context.resources)
    let transcript: Transcript
    do throws(ReportedError) {
      transcript = try Blocking.run { () async throws(ReportedError) in try await service.transcript(of: detail.id) }
    } catch {
      throw (error.cause == .connectivity ? ExitStatus.unavailable : .invalidData).error(
        saying: "\(detail.row.title): \(error.text)")
    }
    try show(transcript)
  }

  private func remove(_ detail: EpisodeDetail, _ context: VerbContext) throws {
    try context.library.removeFromTranscribing([detail.id])
    let isRemoved = try context.library.removeMadeTranscript(detail.id)
    if output.json { return try Report.json(["removed": isRemoved]) }
    Report.message(isRemoved ? "removed" : "there was none that was made or imported")
  }

  private func importFile(_ file: String, _ detail: EpisodeDetail, _ context: VerbContext) throws {
    let data = try VerbInput.data(file, limit: RecognizedText.maxBytes)
    let ending = (file as NSString).pathExtension.lowercased()
    let transcript: Transcript
    do throws(RecognizedTextError) {
      guard RecognizedText.endings.contains(ending) else { throw .notATranscript }
      transcript = try RecognizedText.read(data, ending: ending, duration: nil)
    } catch {
      throw ExitStatus.invalidData.error(saying: "\(file): \(error.description)")
    }
    let origin = TranscriptOrigin(
      kind: .imported, name: Sanitize.line((file as NSString).lastPathComponent), date: Date())
    try context.library.saveMadeTranscript(transcript, origin, of: detail.id, now: Date())
    if output.json { return try Report.json(["lines": transcript.lines.count]) }
    let isHidden = TranscriptReader.preferred(detail.feed.transcripts) != nil
    Report.message(
      "\(Counted.text(transcript.lines.count, "line")) imported"
        + (isHidden ? "; the publisher has a transcript, too, and that one is shown" : ""))
  }

  private func show(_ transcript: Transcript) throws {
    if let origin = transcript.origin { Report.message(origin.text { DayText.text($0) }) }
    switch output.json ? .json : format ?? .text {
    case .json: try Report.json(transcript.lines)
    case .vtt: TranscriptWriter.webVTT(transcript).forEach(Report.line)
    case .srt: TranscriptWriter.subRip(transcript).forEach(Report.line)
    case .text: showText(transcript)
    }
  }

  private func showText(_ transcript: Transcript) {
    var speaker: String?
    for line in transcript.lines {
      // A speaker is named at the first of their lines.
      let name = line.speaker == speaker ? "" : line.speaker.map { "\($0): " } ?? ""
      speaker = line.speaker
      let time = times ? (line.start.map(TimeText.clock) ?? "").leftPadded(8) + "  " : ""
      Report.line(time + name + line.text)
    }
  }
}
