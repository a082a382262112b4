import FeedKit
import Foundation
import HTTP
import Model
import Programs
import Services
import Store
import Synchronization

/// What commands and the full-screen player need: configuration, library and network.
struct VerbContext {
  let configuration: Configuration
  let library: Library
  let refresher: Refresher
  let client: FeedClient
  let resources: Resources
  let podcastDirectories: DirectoryAccess

  /// With a library that is open.
  init(_ configuration: Configuration, _ library: Library) {
    (self.configuration, self.library) = (configuration, library)
    resources = Resources(library: library, configuration.directories)
    let http = HTTPClient(options: .standard(configuration))
    client = FeedClient(http: http)
    podcastDirectories = DirectoryAccess(configuration.discover, http: http)
    refresher = Refresher(
      library: library, client: client, resources: resources, preferences: configuration.refreshing,
      directories: podcastDirectories, sites: configuration.sites,
      facts: MediaFactsProcess(executable: resources.executable).read)
  }

  /// Opens the library.
  /// - Parameters:
  ///   - plays: the command plays, so a disk that cannot be written is no error.
  ///   - isSilent: does not print that it waits. The loss of a library is printed all the same.
  init(plays: Bool = false, isSilent: Bool = false) throws {
    let configuration = try Configuration.loadForCommand()
    let directories = configuration.directories
    if !isSilent {
      Library.onWait.withLock { $0 = { Report.message("Waiting for another program that writes to the library…") } }
    }
    let opened = try plays ? LibraryOpening.openForPlaying(directories) : LibraryOpening.open(directories)
    if plays, let warning = opened.warning { Report.message(warning) }
    if let loss = LibraryLoss(opened) {
      loss.record(in: opened.library, LogFile.logger(directories))
      Report.message(loss.text)
    }
    self.init(configuration, opened.library)
    do throws(StoreError) { try prepareLibrary() } catch {
      guard plays, error.isTransient else { throw error }
      Report.message(error.description)
    }
  }

  /// Adds the welcome podcast at the first start, and applies the rule for back catalogues if it has changed.
  func prepareLibrary() throws(StoreError) {
    guard !library.isReadOnly else { return }
    if library.isFirstStart { try refresher.addWelcome() }
    try refresher.applyCatalogueRule()
  }

  /// Finds a subscription by its address in any form, its number, its exact title, or a link to another player's site.
  /// - Parameter withFormer: finds a former subscription if no subscription is meant.
  func podcast(_ text: String, withFormer: Bool = false) throws -> PodcastRow {
    let podcasts = try library.podcasts()
    if let row = try podcast(named: text, among: podcasts) { return row }
    if withFormer, let row = try podcast(named: text, among: library.podcasts(withFormer: true)) { return row }
    if let row = try podcast(behind: text, among: podcasts) { return row }
    throw StoreError.unknown("podcast \(ShownAddress(text))\(Self.suggestion(for: text, among: podcasts))")
  }

  private func podcast(named text: String, among podcasts: [PodcastRow]) throws -> PodcastRow? {
    if let path = AddVerb.folder(text) {
      let absolute = HomePath.expanding(path)
      let address = FolderAddress.address(of: absolute.utf8)
      if let row = podcasts.first(where: { $0.feedURL == address }) { return row }
    }
    if let row = podcasts.first(where: { AddressKey.feed($0.feedURL) == AddressKey.feed(text) }) { return row }
    // The address as lists show it, without its key.
    let shown = podcasts.filter { ShownAddress($0.feedURL).description == text }
    if shown.count == 1 { return shown[0] }
    if let number = Int64(text), let row = podcasts.first(where: { $0.id == PodcastID(number) }) { return row }
    let named = podcasts.filter {
      TextFolding.fold($0.title) == TextFolding.fold(text)
    }
    guard named.count < 2 else {
      let list = named.map { "\($0.id) (\(ShownAddress($0.feedURL)))" }.joined(separator: ", ")
      throw StoreError.invalid("\(named.count) podcasts are named \(text): \(list).")
    }
    return named.first
  }

  /// Suggests podcasts whose titles contain the words, such as `; it has “Water Stories” (3)`.
  private static func suggestion(for text: String, among podcasts: [PodcastRow]) -> String {
    let words = text.split(separator: " ")
    let near = podcasts.filter { row in
      !words.isEmpty && words.allSatisfy { row.title.localizedStandardContains($0) }
    }
    guard !near.isEmpty else { return "" }
    return "; it has " + near.map { "“\($0.title)” (\($0.id))" }.listed(5)
  }
}

/// Runs asynchronous work from a command and waits for it.
enum Blocking {
  static func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = Mutex<Result<Value, Failure>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task {
      do throws(Failure) {
        let value = try await work()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    return try result.withLock { $0! }.get()
  }
}
