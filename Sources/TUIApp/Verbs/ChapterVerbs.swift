import ArgumentParser
import FeedKit
import Foundation
import Model
import Services
import Store
import TerminalKit

/// `earshot chapters`: prints the chapters of an episode.
struct ChaptersVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "chapters", abstract: "Print the chapters of an episode.",
    discussion: """
      Chapters in the audio file are known after it was played. If nothing else has chapters, the lines of the show \
      notes that begin or end with a time are chapters ("origin": "notes" in the JSON).
      """)

  @Argument(help: "The episode's number, address or guid.") var episode: String
  @Flag(help: "Print the stored chapters, and fetch nothing.") var offline = false
  @OptionGroup var output: JSONOption

  var changesLibrary: Bool { false }

  func perform(_ context: VerbContext) throws {
    let detail = try context.episode(episode)
    var sources = try context.library.chapterSources(detail.id)
    if !offline {
      let service = ChapterService(
        client: context.client, library: context.library, log: LogFile.logger(context.configuration.directories))
      let found = try Blocking.run { () async throws(StoreError) in try await service.sources(of: detail.id) }
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
