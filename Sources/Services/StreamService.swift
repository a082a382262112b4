import Foundation
import HTTP
import Model
import Playback
import Store
import Streams

/// The relay for streams with its cache. The player and the downloader share it.
package struct StreamService: Sendable {
  package let cache: StreamCache?
  private let relay: StreamRelay
  /// Whether the files behind web pages are found and played.
  package let playsPages: Bool

  /// If there is no cache (`stream_cache_mb = 0`), mpv itself fetches streams of podcasts without a password.
  /// - Parameter limit: bytes of all copies together; 0: no cache.
  package init(directory: String, limit: Int64, http: HTTPOptions) {
    cache = limit > 0 ? StreamCache(directory: directory, limit: limit) : nil
    relay = StreamRelay(cache: cache, options: StreamRelay.Options(http: http))
    playsPages = http.pages != nil
  }

  /// Gives the relay what the podcast's requests carry. Called before the address is played.
  package func authorize(_ address: String, of podcast: PodcastID, in library: Library) {
    // If the library cannot be read, the server answers 401, which is reported.
    relay.use((try? library.access(of: podcast)) ?? RequestAccess(), for: address)
    if (try? library.isPage(address, of: podcast)) == true { authorizePage(address) }
  }

  /// Lets the relay find the file behind a web page. Called before the address is played.
  package func authorizePage(_ address: String) {
    if playsPages { relay.usePage(address) }
  }
}

/// What the player asks.
extension StreamService: StreamSource {
  package func address(for address: String) -> String? {
    cache != nil || relay.hasAccess(for: address) || relay.isPage(address) ? relay.address(for: address) : nil
  }

  package func isUnfinished(_ address: String) -> Bool { relay.isUnfinished(address) }

  package func timing(of address: String) -> StreamTiming? { relay.timing(of: address) }

  package func lastFailure(for address: String) -> PlaybackError? {
    switch relay.lastFailure(for: address) {
    case nil, .cancelled: nil
    case .refused(let status): .httpStatus(status, "")
    case .unauthorized: .httpStatus(401, "")
    case .notFound: .httpStatus(404, "")
    case .gone: .httpStatus(410, "")
    case .rateLimited: .httpStatus(429, "")
    case .noConnectivity(.hostNotFound(let host)): .unknownHost(host)
    case .noConnectivity(.connectionRefused): .unreachable("it refuses connections")
    case .noConnectivity(.timedOut): .unreachable("it does not answer")
    case .noConnectivity(.notSecure(_, let reason)): .insecure(reason)
    case .noConnectivity(.cut): .unreachable("the connection was closed")
    case .noConnectivity(.other(_, let reason)): .unreachable(reason)
    case .page(let failure): failure.isConnectivity ? .unreachable(failure.reason) : .other(failure.reason)
    case .some(let error) where error.isCompressed: .other(error.cause)
    case .some(let error): .unreachable(error.cause)
    }
  }
}

extension HTTPError {
  fileprivate var isCompressed: Bool { if case .invalidAnswer(.compressed) = self { true } else { false } }
}
