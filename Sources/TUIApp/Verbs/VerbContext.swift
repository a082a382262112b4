import FeedKit
import Foundation
import Model
import Store

/// What verbs work with: the library and the way to the network.
struct VerbContext {
  let configuration: Configuration
  let library: Library
  let refresher: Refresher
  let client: FeedClient
  let resources = Resources()

  init() throws {
    configuration = Configuration.load(Directories())
    guard configuration.problems.isEmpty else { throw SetupError.configuration(configuration.problems) }
    try configuration.directories.create()
    let opened = try Library.open(
      path: configuration.directories.database, now: Date(), plainText: { HTMLDocument.plainText($0) })
    if let place = opened.setAside, let reason = opened.reason {
      Report.message("\(reason) It was kept as \(place), and a new library begins.")
      if let backup = opened.backup { Report.message("“earshot restore \(backup.path)” brings back the backup.") }
    }
    library = opened.library
    client = FeedClient.standard(configuration)
    refresher = Refresher(
      library: library, client: client, resources: resources, preferences: configuration.refreshing)
    if library.isFirstStart, !library.isReadOnly { try refresher.addWelcome() }
    if !library.isReadOnly { try refresher.applyCatalogueRule() }
  }

  /// The subscription that an argument means: its address in any form, its number, or its exact title.
  func podcast(_ text: String) throws -> PodcastRow {
    let podcasts = try library.podcasts()
    if let row = podcasts.first(where: { AddressKey.feed($0.feedURL) == AddressKey.feed(text) }) { return row }
    if let number = Int64(text), let row = podcasts.first(where: { $0.id == PodcastID(number) }) { return row }
    let named = podcasts.filter {
      $0.title.compare(text, options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
    }
    if named.count == 1 { return named[0] }
    throw StoreError.unknown("podcast \(text)")
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
