import Foundation
import HTTP
import LoopbackSocket
import Model
import Synchronization

/// A relay between mpv and the servers. mpv connects to a local port; the relay fetches with libcurl, passes the
/// response on and keeps a copy, so that nothing is fetched twice.
///
/// mpv gets what the server would have sent, with the same statuses and the same failures, which it handles the same
/// way. The differences: requests for cached bytes are answered from the disk, and libcurl handles redirects,
/// certificates and passwords.
///
/// One thread accepts connections, and one receives from the servers; they start with the first stream. Each connection
/// with a complete request has its own thread, which blocks while mpv does not read.
public final class StreamRelay: Sendable {
  public struct Options: Sendable {
    /// Settings of the HTTP client.
    public var http: HTTPOptions
    /// Seconds within which a server must start to respond. Shorter than mpv's own timeout.
    public var timeout = 18.0

    public init(http: HTTPOptions) {
      self.http = http
      self.http.lowersPriority = false
      // mpv requests the rest of a broken stream itself, and decides when to give up.
      self.http.requestRetry.repeats = 0
      self.http.lowSpeedTime = 0
      self.http.pausesHosts = false
      self.http.reusesConnections = false
      // mpv decides how many there are, and `RelayPort` limits them.
      self.http.requestsPerHost = .max
      self.http.requestsAtOnce = .max
    }
  }

  private let cache: StreamCache?
  let options: Options
  private let state = Mutex(State())

  private struct State {
    var port: RelayPort?
    /// By recency; the last one was requested most recently.
    var streams: [RelayedStream] = []
    /// By original address.
    var access: [String: RequestAccess] = [:]
    /// Original addresses of web pages.
    var pages: Set<String> = []
    var isClosed = false
  }

  /// The current stream, the next one, and some recent ones whose connections may still be ending.
  private static let streamLimit = 8

  /// - Parameter cache: keeps the copies; nil: no copies are kept.
  public init(cache: StreamCache?, options: Options) {
    self.cache = cache
    self.options = options
  }

  deinit { shutDown() }

  /// The local address for mpv, always the same for the same original. Nil: mpv uses the original.
  public func address(for original: String) -> String? {
    guard let address = try? WebAddress(original), !Self.isManifest(address) else { return nil }
    let isNew = state.withLock { state in !state.streams.contains { $0.original == original } }
    let copy = isNew ? cache?.copy(of: address) : nil
    if isNew { DispatchQueue.global(qos: .utility).async { [cache] in cache?.prune(keeping: address) } }
    return state.withLock { state -> String? in
      guard !state.isClosed else { return nil }
      if state.port == nil {
        let client = HTTPClient(options: options.http)
        // Without a port, mpv connects to the server itself.
        state.port = try? RelayPort { [weak self, options] socket, head in
          RelayConnection(socket: socket, head: head, client: client, timeout: options.timeout) { token in
            self?.stream(token)
          }.serve()
        }
      }
      guard let port = state.port else { return nil }
      let stream: RelayedStream
      if let index = state.streams.firstIndex(where: { $0.original == original }) {
        stream = state.streams.remove(at: index)
      } else {
        stream = RelayedStream(
          original: original, address: address, copy: copy, isPage: state.pages.contains(original))
      }
      state.streams.append(stream)
      if state.streams.count > Self.streamLimit { state.streams.removeFirst() }
      return "http://127.0.0.1:\(port.number)\(stream.path)"
    }
  }

  /// Sets what requests for this address carry. mpv never sees credentials.
  public func use(_ access: RequestAccess, for original: String) {
    state.withLock { $0.access[original] = access.isEmpty ? nil : access }
  }

  /// The address is of a web page, and the file behind it is wanted (`HTTPOptions.pages`).
  public func usePage(_ original: String) { state.withLock { _ = $0.pages.insert(original) } }

  public func isPage(_ original: String) -> Bool { state.withLock { $0.pages.contains(original) } }

  /// Whether `use` gave something for this address. Credentials may be for a server that it redirects to.
  public func hasAccess(for original: String) -> Bool {
    state.withLock { $0.access[original] != nil }
  }

  /// Why the last request for an address failed. Nil if it succeeded.
  public func lastFailure(for original: String) -> HTTPError? { stream(of: original)?.lastError }

  /// Whether mpv did not get the whole of the last response for an address.
  public func isUnfinished(_ original: String) -> Bool { stream(of: original)?.isUnfinished ?? false }

  /// What is known about the seconds of an mp3 file at this address. Nil: nothing.
  public func timing(of original: String) -> StreamTiming? { stream(of: original)?.timing }

  private func stream(of original: String) -> RelayedStream? {
    state.withLock { state in state.streams.first { $0.original == original } }
  }

  /// Ends all connections. Afterwards no address is relayed.
  public func shutDown() {
    let port = state.withLock { state in
      state.isClosed = true
      defer { state.port = nil }
      return state.port
    }
    port?.close()
  }

  private func stream(_ token: String) -> (RelayedStream, RequestAccess)? {
    state.withLock { state in
      state.streams.first { $0.token == token }.map { ($0, state.access[$0.original] ?? RequestAccess()) }
    }
  }

  /// mpv must know the real address of a manifest, because its parts are relative to it.
  private static func isManifest(_ address: WebAddress) -> Bool {
    ["m3u8", "m3u"].contains(address.text.addressExtension)
  }
}
