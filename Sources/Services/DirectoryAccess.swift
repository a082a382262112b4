import Directories
import Dispatch
import Foundation
import HTTP
import Synchronization

/// The directories with the keys of the configuration. Commands that print secrets only run before the first request.
package final class DirectoryAccess: Sendable {
  private let readSettings: @Sendable () -> DirectorySettings
  private let transport: HTTPDirectoryTransport
  private let known = Mutex<DirectorySettings?>(nil)

  /// - Parameters:
  ///   - deadline: seconds that a directory may take to answer.
  ///   - settings: called once, on a thread that may block, because it may run commands.
  package init(http: HTTPClient, deadline: Double = 20, settings: @escaping @Sendable () -> DirectorySettings) {
    readSettings = settings
    transport = HTTPDirectoryTransport(http, deadline: deadline)
  }

  package func settings() async -> DirectorySettings {
    if let settings = known.withLock({ $0 }) { return settings }
    let settings = await withCheckedContinuation { continuation in
      // A command may take long, so it does not run on a thread of Swift concurrency.
      DispatchQueue.global().async { continuation.resume(returning: self.readSettings()) }
    }
    known.withLock { $0 = settings }
    return settings
  }

  /// The directories that support this kind of query.
  package func directories(for query: DirectoryQuery) async -> [any PodcastDirectory] {
    await settings().directories(transport: transport).filter { $0.supports(query.kind) }
  }

  func resolve(_ link: SharedLink) async throws(DirectoryError) -> ResolvedLink {
    try await settings().resolver(transport: transport).resolve(link)
  }

  /// The address of the feed with this podcast:guid.
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
