import Foundation

/// A small HTTP/1.1 server on 127.0.0.1 that misbehaves on demand, for tests.
///
/// One thread accepts connections, and one thread serves each. Handlers run on the connection's thread and may block,
/// on a test's semaphore for instance. The server stops when its last reference is released, or with `stop()`.
///
///     let server = try LoopbackServer(routes: ["/feed": .text("<rss/>", type: "application/rss+xml")])
///     server.route("/moved") { _ in .redirect(301, to: server.url("/feed")) }
public final class LoopbackServer: Sendable {
  public typealias Handler = @Sendable (Request) -> Response

  private let listener: Listener

  /// `handler` answers every request to a path without a route.
  public init(handler: @escaping Handler) throws {
    listener = try Listener(fallback: handler)
    listener.start()
  }

  /// Answers by path (without the query). A path without a route gets a 404.
  public convenience init(routes: [String: Response] = [:]) throws {
    try self.init { _ in .status(404) }
    for (path, response) in routes { route(path, response) }
  }

  /// Answers with one file.
  public convenience init(serving file: Resource, at path: String) throws {
    try self.init(routes: [:])
    route(path, file.answer)
  }

  deinit { listener.stop() }

  public var port: UInt16 { listener.port }
  /// `http://127.0.0.1:PORT`, without a trailing slash.
  public var baseURL: String { "http://127.0.0.1:\(port)" }
  public func url(_ path: String) -> String { baseURL + path }
  /// An address with another name of this host, such as `a.localhost`, which libcurl resolves itself (RFC 6761, section
  /// 6.3). Limits and pauses of one host do not hold for the other name.
  public func url(_ path: String, host: String) -> String { "http://\(host):\(port)\(path)" }

  /// Sets or replaces the answer for a path. May be called while the server runs.
  public func route(_ path: String, _ response: Response) { route(path) { _ in response } }
  public func route(_ path: String, _ handler: @escaping Handler) {
    listener.state.withLock { $0.routes[path] = handler }
  }

  /// All requests so far, in order of arrival.
  public var requests: [Request] { listener.state.withLock { $0.requests } }
  public func requests(to path: String) -> [Request] { requests.filter { $0.path == path } }
  public func forgetRequests() { listener.state.withLock { $0.requests = [] } }
  /// The number of connections accepted so far. With keep-alive it is smaller than the number of requests.
  public var connectionCount: Int { listener.state.withLock { $0.connectionCount } }
  /// The largest number of requests served at the same time.
  public var peakConcurrency: Int { listener.state.withLock { $0.peakConcurrency } }
  /// Bytes sent so far, heads and bodies.
  public var bytesSent: Int { listener.state.withLock { $0.bytesSent } }

  /// Suspends until `count` requests have arrived. False when `seconds` ran out first. There is no call that blocks:
  /// Swift's thread pool has one thread for each core, and the request may need the one that waits.
  public func requestsArrive(_ count: Int, within seconds: Double = 300) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread { [listener] in
        continuation.resume(returning: listener.state.wait(within: seconds) { $0.requests.count >= count })
      }.start()
    }
  }

  /// Blocks until no request is being answered, at most 300 seconds. Not for threads of Swift's pool (see above).
  public func waitUntilAnswered() { _ = listener.state.wait(within: 300) { $0.concurrency == 0 } }

  /// Closes all connections, also in the middle of an answer. Afterwards the port refuses connections. May be called
  /// again.
  public func stop() { listener.stop() }
}
