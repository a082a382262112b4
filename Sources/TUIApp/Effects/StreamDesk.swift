import FeedKit
import Foundation
import Playback
import Streams

/// Fetches what is streamed, and keeps it for the downloads: the player's and the downloader's common ground.
struct StreamDesk {
  let cache: StreamCache?
  let source: (any StreamSource)?

  /// Without copies (`stream_cache_mb = 0`) mpv fetches by itself; behind a proxy too, where FFmpeg would ask the proxy
  /// for this machine.
  init(_ configuration: Configuration, environment: [String: String] = ProcessInfo.processInfo.environment) {
    let isKept = configuration.streamCacheBytes > 0
    let hasProxy = environment["http_proxy"].map { !$0.isEmpty } ?? false
    let cache = StreamCache(
      directory: configuration.directories.cache + "/streams", limit: configuration.streamCacheBytes)
    self.cache = isKept ? cache : nil
    let options = StreamRelay.Options(http: .standard(configuration))
    source = isKept && !hasProxy ? RelayedStreams(relay: StreamRelay(cache: cache, options: options)) : nil
  }
}

/// The relay in the player's words.
private struct RelayedStreams: StreamSource {
  let relay: StreamRelay

  func address(for address: String) -> String? { relay.address(for: address) }

  func trouble(with address: String) -> StreamTrouble? {
    switch relay.trouble(with: address) {
    case nil, .rateLimited, .refused, .unauthorized, .notFound, .gone, .cancelled: nil
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
