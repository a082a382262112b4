import AppCore
import ArgumentParser
import Foundation
import Model
import Store
import Synchronization
import TerminalKit

/// `earshot refresh`: asks the feeds for what is new. On a terminal a bar shows how far it is; the last line counts.
struct RefreshVerb: Verb {
  static let configuration = CommandConfiguration(commandName: "refresh", abstract: "Ask the feeds for new episodes.")

  @Argument(help: "Addresses, numbers or titles of podcasts; all when there are none.")
  var podcasts: [String] = []

  @Option(help: ArgumentHelp("Fetch all that a podcast's feed has on further pages too.", valueName: "podcast"))
  var archive: String?

  @OptionGroup var output: JSONOption

  private struct ArchiveCounts: Encodable {
    var new: Int
    var pages: Int
    var isBounded: Bool
    var error: String?
  }

  private struct Counts: Encodable {
    var new: Int
    var unchanged: Int
    var failed: Int
    var errors: [String]
  }

  func validate() throws {
    if archive != nil, !podcasts.isEmpty { throw ValidationError("--archive takes one podcast, and no others.") }
  }

  func perform() throws {
    let context = try VerbContext()
    if let archive { return try performArchive(of: archive, context) }
    let ids = try podcasts.isEmpty ? nil : podcasts.map { try context.podcast($0).id }
    let refresher = context.refresher
    let bar = RefreshBar(isShown: !output.json && Report.isWatched)
    let count = Blocking.run { await refresher.refresh(ids) { bar.show($0) } }
    bar.end()
    if output.json {
      try Report.json(
        Counts(new: count.new, unchanged: count.unchanged, failed: count.failed, errors: bar.errors))
    } else {
      Report.line("\(count.new) new, \(count.unchanged) unchanged, \(count.failed) failed")
    }
    try context.library.close()
    guard count.failed > 0 else { return }
    // A damaged feed is the graver news; a library that cannot be written the gravest.
    throw (count.hasStoreFailure ? ExitStatus.cannotWrite : count.hasInvalidData ? .invalidData : .unavailable).error
  }

  private func performArchive(of name: String, _ context: VerbContext) throws {
    let podcast = try context.podcast(name)
    let fetcher = ArchiveFetcher(library: context.library, client: context.client)
    let result: Result<ArchiveFetcher.Outcome, StoreError> = Blocking.run {
      do throws(StoreError) { return .success(try await fetcher.fetch(podcast.id, feedURL: podcast.feedURL)) } catch {
        return .failure(error)
      }
    }
    let outcome = try result.get()
    Blocking.run { await context.refresher.index() }
    if let error = outcome.failure { Report.message(error.message(podcast: podcast.title)) }
    if output.json {
      try Report.json(
        ArchiveCounts(
          new: outcome.new, pages: outcome.pages, isBounded: outcome.isBounded, error: outcome.failure?.cause))
    } else {
      Report.line(
        "\(outcome.new) new, \(outcome.pages) further page\(outcome.pages == 1 ? "" : "s")\(outcome.isBounded ? ", more are there" : "")"
      )
    }
    try context.library.close()
    if let error = outcome.failure { throw Report.status(of: error).error }
  }
}

/// One line on stderr, drawn over itself.
final class RefreshBar: Sendable {
  private let isShown: Bool
  private let collected = Mutex<[String]>([])

  init(isShown: Bool) { self.isShown = isShown }

  var errors: [String] { collected.withLock { $0 } }

  func show(_ report: RefreshReport) {
    switch report {
    case .started, .finished: break
    case .putOff(let podcasts):
      for podcast in podcasts {
        Report.message(
          "\(podcast.title) failed before and is left for later; earshot refresh \(podcast.id) asks it now")
      }
    case .podcast(let title, let done, let total, _): draw(title, done, total)
    case .failed(let title, let error, let done, let total):
      collected.withLock { $0.append(error.text) }
      clear()
      Report.message(error.text)
      draw(title, done, total)
    }
  }

  func end() { clear() }

  private func draw(_ title: String, _ done: Int, _ total: Int) {
    guard isShown, total > 0 else { return }
    let bar = ProgressBar(width: 24, fraction: Double(done) / Double(total)).text
    let name = Clusters.fit(title, columns: 40, ellipsis: "…").clusters.map(\.text).joined()
    Report.progress("[\(bar)] \(done)/\(total) \(name)")
  }

  private func clear() {
    if isShown { Report.progress("") }
  }
}
