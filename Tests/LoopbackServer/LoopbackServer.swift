import Foundation

/// A small HTTP/1.1 server on 127.0.0.1 that misbehaves on demand, for tests.
///
/// One thread accepts, one thread serves each connection. Handlers run on the connection's thread and may block,
/// on a semaphore of the test for instance. The server stops when the last reference goes, or at `stop()`.
///
///     let server = try LoopbackServer(routes: ["/feed": .text("<rss/>", type: "application/rss+xml")])
///     server.route("/moved") { _ in .redirect(301, to: server.url("/feed")) }
public final class LoopbackServer: Sendable {
  public typealias Handler = @Sendable (Request) -> Response

  private let listener: Listener

  /// Every request goes to `handler`, unless a route was set for its path.
  public init(handler: @escaping Handler) throws {
    listener = try Listener(fallback: handler)
    listener.start()
  }

  /// Requests are answered by path (without its query); what has no route gets a 404.
  public convenience init(routes: [String: Response] = [:]) throws {
    try self.init { _ in .status(404) }
    for (path, response) in routes { route(path, response) }
  }

  deinit { listener.stop() }

  public var port: UInt16 { listener.port }
  /// `http://127.0.0.1:PORT`, without a trailing slash.
  public var baseURL: String { "http://127.0.0.1:\(port)" }
  public func url(_ path: String) -> String { baseURL + path }

  /// Sets or replaces the answer for a path; may be called while requests are being served.
  public func route(_ path: String, _ response: Response) { route(path) { _ in response } }
  public func route(_ path: String, _ handler: @escaping Handler) {
    listener.state.withLock { $0.routes[path] = handler }
  }

  /// The requests read so far, in order of arrival.
  public var requests: [Request] { listener.state.withLock { $0.requests } }
  public func requests(to path: String) -> [Request] { requests.filter { $0.path == path } }
  public func forgetRequests() { listener.state.withLock { $0.requests = [] } }
  /// How many connections were ever accepted; with keep-alive fewer than requests.
  public var connectionCount: Int { listener.state.withLock { $0.connectionCount } }
  /// The most requests that were being answered at one moment.
  public var peakConcurrency: Int { listener.state.withLock { $0.peakConcurrency } }
  /// Bytes handed to the kernel so far, heads and bodies.
  public var bytesSent: Int { listener.state.withLock { $0.bytesSent } }

  /// Blocks until that many requests have arrived. False when `seconds` ran out first.
  /// Not for async tests: on two cores two of them would stop all others; they have `requestsArrive`.
  public func waitForRequests(_ count: Int, within seconds: Double = 300) -> Bool {
    listener.state.wait(within: seconds) { $0.requests.count >= count }
  }

  /// Suspends until that many requests have arrived. False when `seconds` ran out first.
  public func requestsArrive(_ count: Int, within seconds: Double = 300) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread { [listener] in
        continuation.resume(returning: listener.state.wait(within: seconds) { $0.requests.count >= count })
      }.start()
    }
  }

  /// Ends all connections, also the ones in the middle of an answer; afterwards the port refuses new ones.
  /// Harmless when repeated.
  public func stop() { listener.stop() }
}
