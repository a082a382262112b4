import Foundation
import HTTP
import Model
import Playback
import Store
import Streams

/// Fetches what is streamed, and keeps it for the downloads: the player's and the downloader's common ground.
package struct StreamService: Sendable {
  package let cache: StreamCache?
  private let relay: StreamRelay?
  package var source: (any StreamSource)? { relay.map(RelayedStreams.init) }

  /// Without copies (`stream_cache_mb = 0`) mpv fetches by itself; behind a proxy too, where FFmpeg would ask the proxy
  /// for this machine.
  /// - Parameter limit: bytes of all copies together; 0: none is kept.
  package init(directory: String, limit: Int64, hasProxy: Bool, http: HTTPOptions) {
    let cache = StreamCache(directory: directory, limit: limit)
    self.cache = limit > 0 ? cache : nil
    relay = limit > 0 && !hasProxy ? StreamRelay(cache: cache, options: StreamRelay.Options(http: http)) : nil
  }

  /// The podcast's user name and password will be sent to where they belong. Before the address is played.
  package func authorize(_ address: String, of podcast: PodcastID, in library: Library) {
    // A library that cannot be read leads to a 401, which is said.
    relay?.use((try? library.credentials(of: podcast)) ?? nil, for: address)
  }
}

/// The relay in the player's words.
private struct RelayedStreams: StreamSource {
  let relay: StreamRelay

  func address(for address: String) -> String? { relay.address(for: address) }

  func lastFailure(for address: String) -> StreamFailure? {
    switch relay.lastFailure(for: address) {
    case nil, .cancelled: nil
    case .refused(let status): .refused(status: status)
    case .unauthorized: .refused(status: 401)
    case .notFound: .refused(status: 404)
    case .gone: .refused(status: 410)
    case .rateLimited: .refused(status: 429)
    case .noConnectivity(.hostNotFound(let host)): .unknownHost(host)
    case .noConnectivity(.connectionRefused): .unreachable("it refuses connections")
    case .noConnectivity(.timedOut): .unreachable("it does not answer")
    case .noConnectivity(.notSecure(_, let reason)): .insecure(reason)
    case .noConnectivity(.cut): .unreachable("the connection was closed")
    case .noConnectivity(.other(_, let reason)): .unreachable(reason)
    case .some(let error): .unreachable(error.cause)
    }
  }
}
