import ArgumentParser
import Foundation
import Model
import Store

/// `earshot search`: full text over the library.
struct SearchVerb: Verb {
  static let configuration = CommandConfiguration(commandName: "search", abstract: "Search the library.")

  @Argument(help: "Words that an episode's title, notes or people must have.")
  var words: [String]

  @Option(help: "At most so many.")
  var limit = 50

  @OptionGroup var output: JSONOption

  private struct Hit: Encodable {
    var id: Int64
    var podcast: String
    var title: String
    var snippet: String
    var pubDate: Date?
  }

  func perform() throws {
    let library = try VerbContext().library
    let hits = try library.search(words.joined(separator: " "), limit: max(1, limit))
    if output.json {
      return try Report.json(
        hits.map {
          Hit(
            id: $0.episode.rawValue, podcast: $0.podcastTitle, title: $0.title, snippet: $0.snippet, pubDate: $0.pubDate
          )
        })
    }
    for hit in hits {
      Report.line("\(String(hit.episode.rawValue).leftPadded(6))  \(hit.podcastTitle): \(hit.title)")
      if !hit.snippet.isEmpty { Report.line("        \(hit.snippet)") }
    }
    if hits.isEmpty { Report.message("nothing was found") }
  }
}
