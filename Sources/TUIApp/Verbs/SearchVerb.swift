import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot search`: full-text search of the library.
struct SearchVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search the library.",
    discussion: """
      All words must occur in title, notes, people, chapters, transcript or the podcast's title; case and diacritics do \
      not count. The newest episodes of a podcast whose title has all of them come first.
      "Several words" in quotes are a phrase; wor* is a beginning, as is the last word. podcast:NAME looks only in
      podcasts with that in their titles; after:2026-05 and before:2026-05-31 only at episodes of those days.

        earshot search 'podcast:"the daily" climate after:2026'

      Where the words are those of a chapter or a transcript, the time is shown from which to play.
      """)

  @Argument(help: "Words that an episode, or the title of its podcast, must have.")
  var words: [String]

  @Option(help: "The most results.")
  var limit = 50

  @OptionGroup var output: JSONOption

  private struct Hit: Encodable {
    var id: Int64
    var podcast: String
    var title: String
    var snippet: String
    /// The position of the hit, in seconds.
    var time: Double?
    var pubDate: Date?
  }

  func perform() throws {
    let library = try VerbContext().library
    // Indexing 10,000 episodes takes about a second.
    let pending = Report.isWatched && !library.isReadOnly ? try library.pendingCount() : 0
    if pending > 10_000 { Report.message("indexing \(pending) episodes, once") }
    let hits = try library.search(words.joined(separator: " "), limit: max(1, limit))
    if output.json {
      return try Report.json(
        hits.map {
          Hit(
            id: $0.episode.rawValue, podcast: $0.podcastTitle, title: $0.title, snippet: $0.snippet, time: $0.time,
            pubDate: $0.pubDate)
        })
    }
    for hit in hits {
      Report.line("\(String(hit.episode.rawValue).leftPadded(6))  \(hit.podcastTitle): \(hit.title)")
      let time = hit.time.map { "[\(TimeText.clock($0))] " } ?? ""
      if !hit.snippet.isEmpty { Report.line("        \(time)\(hit.snippet)") }
    }
    if hits.isEmpty { Report.message("nothing was found") }
  }
}
