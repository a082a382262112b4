import ArgumentParser
import Directories
import Foundation
import HTTP
import Model
import Services
import Store
import TerminalKit

/// `earshot find`: searches directories of podcasts.
struct FindVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Search directories of podcasts, or show their charts.",
    discussion: """
      Searches Apple Podcasts, fyyd, gpodder and, with a key in the configuration, Podcast Index at the same time.

        earshot find history of rome
        earshot find --top technology --country DE
        earshot find --people 'Ada Lovelace' --in podcastindex

      Use the address of a result with `earshot add`.
      """)

  @Argument(help: "Words to search for; with --top the name of a genre, or nothing for all genres.")
  var words: [String] = []

  @Option(
    name: .customLong("in"), parsing: .upToNextOption,
    help: ArgumentHelp("Ask only this directory: apple, fyyd, podcastindex or gpodder.", valueName: "name"),
    completion: .list(DirectoryName.allCases.map(\.rawValue)))
  var directories: [String] = []

  @Flag(help: "Search for episodes.")
  var episodes = false

  @Flag(help: "Search for people: the episodes with them.")
  var people = false

  @Flag(help: "Show the charts.")
  var top = false

  @Option(help: ArgumentHelp("The country, two letters; by default that of the locale.", valueName: "cc"))
  var country: String?

  @Option(help: "The maximum number of results from each directory.")
  var limit = 20

  @OptionGroup var output: JSONOption

  /// The words after `--in NAME`, if there are no others: `find --in apple moon`.
  private var searched: (names: [String], words: [String]) {
    guard words.isEmpty else { return (directories, words) }
    let names = directories.prefix { text in
      text.split(separator: ",").allSatisfy { DirectoryName(rawValue: $0.lowercased()) != nil }
    }
    return names.isEmpty ? (directories, words) : (Array(names), Array(directories.dropFirst(names.count)))
  }

  func validate() throws {
    if [episodes, people, top].filter({ $0 }).count > 1 {
      throw ValidationError("--episodes, --people and --top exclude one another.")
    }
    if !top, searched.words.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
      throw ValidationError("Say what to look for, or ask for the charts with --top.")
    }
    guard (1...200).contains(limit) else { throw ValidationError("--limit must be from 1 to 200.") }
    if let country, country.wholeMatch(of: /[A-Za-z]{2}/) == nil {
      throw ValidationError("--country takes two letters, such as DE.")
    }
    _ = try names()
    _ = try kind()
  }

  func perform(_ context: VerbContext) throws {
    let settings = context.configuration.discover.resolved()
    let transport = HTTPDirectoryTransport(HTTPClient(options: .standard(context.configuration)))
    let query = DirectoryQuery(
      top ? "" : searched.words.joined(separator: " "), kind: try kind(),
      country: country?.uppercased() ?? settings.country,
      limit: limit)
    let asked = settings.directories(try names(), transport: transport).filter { $0.supports(query.kind) }
    guard !asked.isEmpty else {
      throw ExitStatus.unavailable.error(
        saying: "no directory that is asked can answer this; Podcast Index, which knows people, needs a key")
    }
    if try names()?.contains(.gpodder) == true, let account = try context.library.syncAccount(),
      let note = context.configuration.discover.note(onSyncWith: account.server, kind: account.kind)
    {
      Report.message(note)
    }
    let results = Blocking.run { await DirectorySearch(asked).results(query) }
    let subscribed = Set(try context.library.subscriptionNames().keys)
    if output.json {
      let podcasts = results.podcasts.map { FoundJSON(podcast: $0, isSubscribed: $0.isSubscribed(subscribed)) }
      let failures = results.failures.map { ["directory": $0.directory, "message": $0.description] }
      // Values that no directory has are null. What was skipped are entries without a feed.
      try Report.json(
        [
          "podcasts": podcasts, "episodes": results.episodes, "failures": failures, "skipped": results.skipped,
        ] as JSONObject, hasAllKeys: true)
    } else {
      show(results, subscribed, asked: asked.count)
    }
    for failure in results.failures { Report.message(failure.description) }
    if results.failures.count == asked.count {
      throw ExitStatus.unavailable.error(saying: "no directory could answer")
    }
  }

  private func show(_ results: DirectoryResults, _ subscribed: Set<String>, asked: Int) {
    for podcast in results.podcasts {
      let isSubscribed = podcast.isSubscribed(subscribed)
      let author = podcast.author.map { ", \($0)" } ?? ""
      let marks = [
        podcast.episodeCount.map { Counted.text($0, "episode") }, isSubscribed ? "subscribed" : nil,
        podcast.isDead ? "its feed cannot be read any more" : nil,
      ].compactMap { $0 }
      Report.line("\(podcast.title)\(author)\(marks.isEmpty ? "" : "  (\(marks.joined(separator: ", ")))")")
      if let feed = podcast.feedURL { Report.line("    \(feed)") }
    }
    for episode in results.episodes {
      let day = (episode.pubDate.map { DayText.text($0) } ?? "").leftPadded(11)
      let duration = episode.duration.map { TimeText.clock($0) } ?? ""
      Report.line("\(day)  \(duration.leftPadded(8))  \(episode.podcastTitle): \(episode.title)")
      if let feed = episode.feedURL { Report.line("    \(feed)") }
    }
    if results.podcasts.isEmpty, results.episodes.isEmpty, results.failures.count < asked {
      Report.message("nothing was found" + (results.failures.isEmpty ? "" : " by the directories that answered"))
    }
    if results.skipped > 0 {
      Report.message("\(results.skipped) without a feed \(results.skipped == 1 ? "was" : "were") left out")
    }
  }

  private func names() throws -> [DirectoryName]? {
    guard !directories.isEmpty else { return nil }
    return try searched.names.flatMap { $0.split(separator: ",") }.map { text in
      guard let name = DirectoryName(rawValue: text.lowercased()) else {
        let all = DirectoryName.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("There is no directory “\(text)”; there are \(all).")
      }
      return name
    }
  }

  private func kind() throws -> DirectoryQuery.Kind {
    if episodes { return .episodes }
    if people { return .people }
    guard top else { return .podcasts }
    guard !searched.words.isEmpty else { return .top(genre: nil) }
    guard let genre = Genre(named: searched.words.joined(separator: " ")) else {
      throw ValidationError("There is no such genre; there are \(Genre.all.map(\.name).joined(separator: ", ")).")
    }
    return .top(genre: genre)
  }
}

extension DirectoryPodcast {
  /// - Parameter names: those of all subscriptions (`Library.subscriptionNames`).
  fileprivate func isSubscribed(_ names: Set<String>) -> Bool {
    self.names.contains(where: names.contains)
  }
}

/// A podcast as JSON.
private struct FoundJSON: Encodable {
  var podcast: DirectoryPodcast
  var isSubscribed: Bool

  func encode(to encoder: any Encoder) throws {
    try podcast.encode(to: encoder)
    try (["subscribed": isSubscribed] as JSONObject).encode(to: encoder)
  }
}
