import ArgumentParser
import FeedKit
import Foundation
import Importers
import Model
import Store

/// `earshot import`: subscriptions from OPML, folders as tags; from another program's own files also what was played,
/// where the listener is, and the queue. The episodes come with the next refresh.
struct ImportVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take over subscriptions from OPML, or another program's library.",
    discussion: """
      Beside OPML: castero.db of castero, data.db of shellcaster and hullcaster, cache.db of newsboat (with its urls and
      queue), library.json of podliner, Database of gPodder, and the database that AntennaPod exports. The source is
      only read. What you did here is kept, unless it was done earlier than there.
      """)

  @Argument(help: "A file, a directory that holds one, or - for OPML on standard input.", completion: .file())
  var file: String

  @OptionGroup var output: JSONOption

  /// What came and what could not.
  private struct Counts: Encodable {
    var program: String
    var added = 0
    var known = 0
    var refused: [String] = []
    var played = 0
    var begun = 0
    var deleted = 0
    var queued = 0
    var tagged = 0
    /// Episodes that stay as they are here.
    var kept = 0
    var notes: [String] = []
  }

  func perform() throws {
    var foreign = try read()
    var counts = Counts(program: foreign.program, notes: foreign.notes)
    var passwords: [String: Credentials] = [:]
    foreign.podcasts = foreign.podcasts.compactMap { podcast in
      guard let address = try? FeedAddress.parse(podcast.feedURL), case .urls(let urls) = address.target,
        let url = urls.first
      else {
        counts.refused.append(ShownAddress(podcast.feedURL).description)
        Report.message("\(ShownAddress(podcast.feedURL)): not an address of a feed")
        return nil
      }
      var podcast = podcast
      podcast.feedURL = url
      let named = podcast.user.flatMap { user in
        (try? WebAddress(url)).map { Credentials(user: user, password: podcast.password ?? "", for: $0) }
      }
      if let credentials = address.credentials ?? named { passwords[url] = credentials }
      return podcast
    }
    let context = try VerbContext()
    let result = try context.library.adopt(foreign, now: Date())
    // What the listener gave here stays.
    for (url, credentials) in passwords {
      guard let id = try context.library.podcastID(feedURL: url) else { continue }
      try context.library.addCredentials(credentials, of: id)
    }
    (counts.added, counts.known) = (result.added.count, result.known)
    (counts.played, counts.begun, counts.deleted) = (result.played, result.begun, result.deleted)
    (counts.queued, counts.tagged, counts.kept) = (result.queued, result.tagged, result.kept)
    try report(counts)
    try context.library.close()
    if counts.added + counts.known == 0, !counts.refused.isEmpty { throw ExitStatus.invalidData.error }
  }

  private func report(_ counts: Counts) throws {
    if output.json { return try Report.json(counts) }
    Report.line("\(counts.added) added, \(counts.known) known, \(counts.refused.count) refused")
    let states = [
      (counts.played, "played"), (counts.begun, "begun"), (counts.deleted, "deleted"), (counts.queued, "queued"),
      (counts.tagged, "tagged"), (counts.kept, "kept as they are here"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if !states.isEmpty { Report.line("Episodes: \(states.joined(separator: ", "))") }
    for note in counts.notes { Report.message(note) }
    if counts.added > 0, file != "-" { Report.message("earshot refresh fetches the episodes") }
  }

  // MARK: Reading

  private func read() throws -> ForeignLibrary {
    if file != "-" {
      let importer = Importer(scratchDirectory: Directories().cache)
      do throws(ImportError) {
        if let library = try importer.read(file) { return library }
      } catch {
        Report.message(error.description)
        throw (error.isUsage ? ExitStatus.usage : .invalidData).error
      }
    }
    let data = try VerbInput.data(file)
    do {
      return Self.library(try OPML.read(data))
    } catch {
      Report.message("\(file): invalid data: \(error)")
      throw ExitStatus.invalidData.error
    }
  }

  private static func library(_ entries: [OPMLEntry]) -> ForeignLibrary {
    ForeignLibrary(
      program: "OPML",
      podcasts: entries.map { entry in
        ForeignPodcast(
          feedURL: entry.url, title: entry.title, link: entry.htmlURL, tags: entry.tags,
          episodes: entry.progress.map { progress in
            let position = progress.position ?? 0
            let status: EpisodeStatus =
              progress.isDeleted ? .deleted : progress.isPlayed ? .played : position > 0 ? .paused : .new
            return ForeignEpisode(
              title: progress.title, mediaURL: progress.mediaURL, status: status,
              position: status == .paused ? position : 0)
          }.filter(\.isTouched))
      })
  }
}

extension ImportError {
  /// The file cannot even be read.
  fileprivate var isUsage: Bool { if case .unreadable = self { true } else { false } }
}
