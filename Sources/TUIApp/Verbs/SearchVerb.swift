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
      All words must occur in the title, notes, people, chapters or transcript of an episode, or in the title of its \
      podcast. Case and diacritics are ignored. If the title of a podcast has all words, its newest episodes come \
      first. "Several words" in quotes are a phrase. wor* is the beginning of a word, and so is the last word. \
      podcast:NAME searches only podcasts with that in their titles; after:2026-05 and before:2026-05-31 search only \
      episodes of that time.

        earshot search 'podcast:"the daily" climate after:2026'

      For words in a chapter or a transcript, the result shows the time at which they occur.
      """)

  @Argument(help: "Words that must occur in an episode or in the title of its podcast.")
  var words: [String]

  @Option(help: "The maximum number of results.")
  var limit = 50

  @OptionGroup var output: JSONOption

  /// If more episodes are new than this, the progress of indexing them is shown.
  static let manyPending = 2000

  /// Indexes new episodes and shows the progress. Indexing 10,000 takes about a second, or several on a slow machine.
  static func index(_ pending: Int, in library: Library) throws {
    guard pending > manyPending else { return }
    guard !library.isReadOnly else {
      return Report.message("indexing \(pending) episodes, as the library is read-only")
    }
    var batches = 0
    defer { Report.progress("") }
    try library.indexIfPossible {
      Report.progress(
        "indexing \(pending) episodes, once: \(min(99, 100 * batches * Library.indexedPerTransaction / pending)) %")
      batches += 1
      return true
    }
  }

  func validate() throws { try checkLimit(limit) }

  func perform() throws {
    let library = try VerbContext().library
    if Report.isWatched { try Self.index(try library.pendingCount(), in: library) }
    let hits = try library.search(words.joined(separator: " "), limit: limit)
    if output.json {
      return try Report.json(
        hits.map {
          [
            "id": $0.row.id, "podcast": $0.row.podcastTitle, "title": $0.row.title, "snippet": $0.match.snippet,
            // The position of the hit, in seconds.
            "time": $0.match.time, "pubDate": $0.row.pubDate,
          ] as JSONObject
        })
    }
    for hit in hits {
      Report.line("\(String(hit.row.id.rawValue).leftPadded(6))  \(hit.row.podcastTitle): \(hit.row.title)")
      let time = hit.match.time.map { "[\(TimeText.clock($0))] " } ?? ""
      if !hit.match.snippet.isEmpty { Report.line("        \(time)\(hit.match.snippet)") }
    }
    if hits.isEmpty { Report.message("nothing was found") }
  }
}
