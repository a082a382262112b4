import FeedKit
import Foundation
import HTTP
import Model
import Services
import Store

/// What verbs work with: the library and the way to the network.
struct VerbContext {
  let configuration: Configuration
  let library: Library
  let refresher: Refresher
  let client: FeedClient
  let resources = Resources()

  /// - Parameter plays: a disk that cannot be written is no reason to fail.
  init(plays: Bool = false) throws {
    configuration = Configuration.load(Directories())
    guard configuration.problems.isEmpty else { throw SetupError.configuration(configuration.problems) }
    let directories = configuration.directories
    let opened = try plays ? LibraryOpening.openForPlaying(directories) : LibraryOpening.open(directories)
    if plays, let warning = opened.warning { Report.message(warning) }
    if let place = opened.setAside, let reason = opened.reason {
      Report.message("\(reason) It was kept as \(place), and a new library begins.")
      if let backup = opened.backup { Report.message("“earshot restore \(backup.path)” brings back the backup.") }
    }
    library = opened.library
    let http = HTTPClient(options: .standard(configuration))
    client = FeedClient(http: http)
    refresher = Refresher(
      library: library, client: client, resources: resources, preferences: configuration.refreshing,
      directories: DirectoryAccess(configuration.discover, http: http))
    if !library.isReadOnly {
      do throws(StoreError) {
        if library.isFirstStart { try refresher.addWelcome() }
        try refresher.applyCatalogueRule()
      } catch {
        guard plays, error.isTransient else { throw error }
        Report.message(error.description)
      }
    }
  }

  /// The subscription that an argument means: its address in any form, its number, or its exact title.
  func podcast(_ text: String) throws -> PodcastRow {
    let podcasts = try library.podcasts()
    if let row = podcasts.first(where: { AddressKey.feed($0.feedURL) == AddressKey.feed(text) }) { return row }
    // As lists show it, without its key.
    let shown = podcasts.filter { ShownAddress($0.feedURL).description == text }
    if shown.count == 1 { return shown[0] }
    if let number = Int64(text), let row = podcasts.first(where: { $0.id == PodcastID(number) }) { return row }
    let named = podcasts.filter {
      $0.title.compare(text, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
    }
    if named.count == 1 { return named[0] }
    throw StoreError.unknown("podcast \(ShownAddress(text))\(Self.suggestion(for: text, among: podcasts))")
  }

  /// The podcasts that may be meant, by titles that have the words: `; it has “Water Stories” (3)`.
  private static func suggestion(for text: String, among podcasts: [PodcastRow]) -> String {
    let words = text.split(separator: " ")
    let near = podcasts.filter { row in
      !words.isEmpty && words.allSatisfy { row.title.localizedStandardContains($0) }
    }
    guard !near.isEmpty else { return "" }
    let named = near.prefix(5).map { "“\($0.title)” (\($0.id))" }.joined(separator: ", ")
    return "; it has \(named)" + (near.count > 5 ? " and \(near.count - 5) more" : "")
  }
}

/// Runs asynchronous work from a verb, whose own thread has nothing else to do than to wait.
enum Blocking {
  private final class Box<Value: Sendable>: @unchecked Sendable {
    // Written once before the semaphore is signalled and read once after it was waited for.
    var value: Value?
  }

  static func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    let box = Box<Value>()
    let done = DispatchSemaphore(value: 0)
    Task {
      box.value = await work()
      done.signal()
    }
    done.wait()
    return box.value!
  }
}
