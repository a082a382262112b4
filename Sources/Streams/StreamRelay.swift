import Foundation
import HTTP
import LoopbackSocket
import Model
import Synchronization

/// Stands between mpv and the servers: mpv asks a port of this machine, the relay fetches with libcurl, passes on what
/// comes, and keeps a copy, so that nothing has to be fetched twice.
///
/// What mpv gets is what it would have got from the server: the same statuses, the same breaks, which it mends in the same
/// way. Only that its requests for bytes that are held are answered from the disk, and that redirects, certificates and
/// passwords are libcurl's matter.
///
/// One thread accepts, begun with the first stream; each connection that asks for something has one of its own.
public final class StreamRelay: Sendable {
  public struct Options: Sendable {
    /// Manners of the network.
    public var http: HTTPOptions
    /// Seconds in which a server must begin to answer. Less than mpv waits for the relay.
    public var patience = 18.0

    public init(http: HTTPOptions) {
      self.http = http
      self.http.stepsBack = false
      // mpv asks again where a stream broke off, and decides when it has taken too long.
      self.http.requestRetry.repeats = 0
      self.http.lowSpeedTime = 0
    }
  }

  private let cache: StreamCache?
  let options: Options
  private let state = Mutex(State())

  private struct State {
    var port: RelayPort?
    /// By their addresses, the one asked for last at the end.
    var streams: [RelayedStream] = []
    /// By addresses.
    var credentials: [String: Credentials] = [:]
    var isOver = false
  }

  /// The playing one, the next, and some of the last ones, whose connections may still be ending.
  private static let mostStreams = 8

  /// - Parameter cache: where copies are kept; nil: nowhere.
  public init(cache: StreamCache?, options: Options) {
    self.cache = cache
    self.options = options
  }

  deinit { shutDown() }

  /// Where mpv finds what is at an address; nil: there, as without a relay. Always the same for the same one.
  public func address(for original: String) -> String? {
    guard let address = try? WebAddress(original), !Self.isManifest(address) else { return nil }
    let isNew = state.withLock { state in !state.streams.contains { $0.original == original } }
    let copy = isNew ? cache?.copy(of: address) : nil
    if isNew { DispatchQueue.global(qos: .utility).async { [cache] in cache?.prune(sparing: address) } }
    return state.withLock { state -> String? in
      guard !state.isOver else { return nil }
      if state.port == nil {
        // Without a port mpv asks the server itself.
        state.port = try? RelayPort { [weak self, options] socket, head in
          RelayConnection(socket: socket, head: head, http: options.http, patience: options.patience) { token in
            self?.stream(token)
          }.serve()
        }
      }
      guard let port = state.port else { return nil }
      let stream: RelayedStream
      if let index = state.streams.firstIndex(where: { $0.original == original }) {
        stream = state.streams.remove(at: index)
      } else {
        stream = RelayedStream(original: original, address: address, copy: copy)
      }
      state.streams.append(stream)
      if state.streams.count > Self.mostStreams { state.streams.removeFirst() }
      return "http://127.0.0.1:\(port.number)\(stream.path)"
    }
  }

  /// What the server of this address asks for; mpv does not get to see it.
  public func use(_ credentials: Credentials?, for original: String) {
    state.withLock { $0.credentials[original] = credentials }
  }

  /// Why nothing came from an address the last time; nil when something did.
  public func trouble(with original: String) -> HTTPError? {
    state.withLock { state in state.streams.first { $0.original == original } }?.trouble
  }

  /// Ends all connections; afterwards no address is relayed any more.
  public func shutDown() {
    let port = state.withLock { state in
      state.isOver = true
      defer { state.port = nil }
      return state.port
    }
    port?.close()
  }

  private func stream(_ token: String) -> (RelayedStream, Credentials?)? {
    state.withLock { state in
      state.streams.first { $0.token == token }.map { ($0, state.credentials[$0.original]) }
    }
  }

  /// Its parts are beside it: mpv has to know where it is.
  private static func isManifest(_ address: WebAddress) -> Bool {
    let path = address.text.prefix { $0 != "?" }.lowercased()
    return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
  }
}
