import Directories
import Dispatch
import Foundation
import HTTP
import Synchronization

/// The way to the directories, with the keys of the configuration. Commands that print secrets run with the first
/// question, and not before.
package final class DirectoryAccess: Sendable {
  private let readSettings: @Sendable () -> DirectorySettings
  private let transport: HTTPDirectoryTransport
  private let known = Mutex<DirectorySettings?>(nil)

  /// - Parameters:
  ///   - deadline: seconds that one directory has for its answer.
  ///   - settings: may run commands and wait for them; called once, on a thread that may wait.
  package init(http: HTTPClient, deadline: Double = 20, settings: @escaping @Sendable () -> DirectorySettings) {
    readSettings = settings
    transport = HTTPDirectoryTransport(http, deadline: deadline)
  }

  package func settings() async -> DirectorySettings {
    if let settings = known.withLock({ $0 }) { return settings }
    let settings = await withCheckedContinuation { continuation in
      // A command takes as long as it takes: not on a thread of Swift's own.
      DispatchQueue.global().async { continuation.resume(returning: self.readSettings()) }
    }
    known.withLock { $0 = settings }
    return settings
  }

  /// Those that can answer such a question.
  package func directories(for query: DirectoryQuery) async -> [any PodcastDirectory] {
    await settings().directories(transport: transport).filter { $0.supports(query.kind) }
  }

  func resolve(_ link: SharedLink) async throws(DirectoryError) -> ResolvedLink {
    try await settings().resolver(transport: transport).resolve(link)
  }

  /// The feed's address behind a podcast:guid.
  package func feedURL(guid: String) async throws(DirectoryError) -> String {
    let settings = await settings()
    guard let key = settings.podcastIndexKey else {
      throw DirectoryError(
        DirectoryName.podcastindex.title, .key("only it knows this podcast's address, and it needs a key"))
    }
    let directory = PodcastIndexDirectory(base: settings.podcastIndexBase, key: key, transport: transport)
    guard let url = try await directory.podcast(guid: guid)?.feedURL else {
      throw DirectoryError(directory.name.title, .unreadable("it does not know this podcast"))
    }
    return url
  }
}
