import ArgumentParser
import FeedKit
import Foundation
import Importers
import Model
import Services
import Store

/// `earshot import`: imports subscriptions from OPML, with folders as tags. From another program's own files it also
/// imports the queue, positions and what was played. On a terminal it then fetches the episodes, with a progress bar.
struct ImportVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import subscriptions from OPML, or the library of another program.",
    discussion: """
      Reads OPML, a list of addresses with one on each line, castero.db of castero, data.db of shellcaster and hullcaster, cache.db of newsboat (with its urls and \
      queue), library.json of podliner, Database of gPodder, and the database that AntennaPod exports. It does not \
      change the source. If an episode was played here and there, the later state is kept.
      """)

  @Argument(
    help: "A file, a directory that contains one, or - for OPML or a list on standard input.", completion: .file())
  var file: String

  @OptionGroup var output: JSONOption

  func perform() throws {
    let foreign = try read()
    let context = try VerbContext()
    let outcome = try LibraryImport(library: context.library).adopt(foreign, now: Date())
    for address in outcome.refused { Report.message("\(address): not an address of a feed") }
    try report(outcome)
    if fetches(outcome) { try fetch(context) }
    // Before a temporary library is closed, which deletes its file.
    try context.library.checkChangesAreKept()
    try context.library.close()
    if outcome.result.added.isEmpty, outcome.result.known == 0, !outcome.refused.isEmpty {
      throw ExitStatus.invalidData.error
    }
  }

  private func report(_ outcome: LibraryImport.Outcome) throws {
    let result = outcome.result
    let added = result.added.count
    if output.json {
      return try Report.json(
        [
          "program": outcome.program, "added": added, "known": result.known, "refused": outcome.refused,
          "played": result.played, "begun": result.begun, "deleted": result.deleted, "queued": result.queued,
          // Episodes whose state in this library was kept.
          "tagged": result.tagged, "kept": result.kept, "notes": outcome.notes,
        ] as JSONObject)
    }
    Report.line("\(added) added, \(result.known) known, \(outcome.refused.count) refused")
    if !outcome.states.isEmpty { Report.line("Episodes: \(outcome.states.joined(separator: ", "))") }
    for note in outcome.notes { Report.message(note) }
    if added > 0, !fetches(outcome) { Report.message("Run “earshot refresh” to fetch the episodes.") }
  }

  /// A script decides itself when to fetch.
  private func fetches(_ outcome: LibraryImport.Outcome) -> Bool {
    !outcome.result.added.isEmpty && !output.json && Report.isWatched
  }

  /// Fetches the podcasts that have never been fetched. What fails is fetched again by the next refresh.
  private func fetch(_ context: VerbContext) throws {
    let bar = RefreshBar(isShown: true, isQuiet: false)
    let podcasts = try context.library.podcastsNeverFetched()
    let refresher = context.refresher
    let count = Blocking.run { await refresher.refresh(podcasts) { bar.show($0) } }
    bar.clear()
    try bar.reportFailures(context.library)
    Report.line("\(podcasts.count - count.failed) fetched, \(count.failed) failed")
  }

  private func read() throws -> ForeignLibrary {
    guard file == "-" else { return try LibraryImport.read(file, scratchDirectory: Directories().cache) }
    return try LibraryImport.read(try VerbInput.data(file, limit: 1_000_000_000), file)
  }
}
