import ArgumentParser
import FeedKit
import Foundation
import Model
import Services
import Store
import TerminalKit

/// `earshot chapters`: prints the chapters of an episode.
struct ChaptersVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "chapters", abstract: "Print the chapters of an episode.",
    discussion: """
      Chapters in the audio file are known after it was played. If nothing else has chapters, the lines of the show \
      notes that begin or end with a time are chapters ("origin": "notes" in the JSON).
      """)

  @Argument(help: "The episode's number, address or guid.") var episode: String
  @Flag(help: "Print the stored chapters, and fetch nothing.") var offline = false
  @OptionGroup var output: JSONOption

  func perform() throws {
    let context = try VerbContext()
    let detail = try context.episode(episode)
    var sources = try context.library.chapterSources(detail.id)
    if !offline {
      let service = ChapterService(
        client: context.client, library: context.library, log: LogFile.logger(context.configuration.directories))
      let result = Blocking.run { () -> Result<(known: ChapterSources, failure: FeedError?), StoreError> in
        do throws(StoreError) { return .success(try await service.sources(of: detail.id)) } catch {
          return .failure(error)
        }
      }
      let found = try result.get()
      sources = found.known
      if let error = found.failure {
        Report.message(error.message(podcast: detail.row.title))
        if sources.merged.isEmpty { throw Report.status(of: error).error }
      }
    }
    let chapters = sources.merged
    if output.json { return try Report.json(chapters) }
    let listed = chapters.filter { !$0.hidden }
    if listed.first?.origin == .notes { Report.message("\(listed.heading):") }
    for (index, chapter) in listed.enumerated() {
      let address = chapter.url.map { "  \($0)" } ?? ""
      Report.line("\(TimeText.clock(chapter.start).leftPadded(8))  \(listed.title(at: index))\(address)")
    }
    if chapters.isEmpty { Report.message("no chapters are known of \(detail.row.title)") }
  }
}

/// `earshot transcript`: prints the transcript of an episode.
struct TranscriptVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "transcript", abstract: "Print the transcript of an episode as text.")

  @Argument(help: "The episode's number, address or guid.") var episode: String
  @Flag(help: "Print the time before each line.") var times = false
  @OptionGroup var output: JSONOption

  func perform() throws {
    let context = try VerbContext()
    let detail = try context.episode(episode)
    let service = TranscriptService(library: context.library, client: context.client, resources: context.resources)
    let result = Blocking.run { () -> Result<Transcript, Failure> in
      do throws(ReportedError) {
        return .success(try await service.transcript(of: detail.id))
      } catch {
        return .failure(Failure(error: error))
      }
    }
    guard case .success(let transcript) = result else {
      guard case .failure(let failure) = result else { throw ExitStatus.invalidData.error }
      Report.message("\(detail.row.title): \(failure.error.text)")
      throw (failure.error.isConnectivity ? ExitStatus.unavailable : .invalidData).error
    }
    if output.json { return try Report.json(transcript.lines) }
    var speaker: String?
    for line in transcript.lines {
      // A speaker is named at the first of their lines.
      let name = line.speaker == speaker ? "" : line.speaker.map { "\($0): " } ?? ""
      speaker = line.speaker
      let time = times ? (line.start.map(TimeText.clock) ?? "").leftPadded(8) + "  " : ""
      Report.line(time + name + line.text)
    }
  }

  private struct Failure: Error { var error: ReportedError }
}
