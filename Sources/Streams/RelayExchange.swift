import Foundation
import HTTP
import Synchronization

/// One request to the server, and the wait for its result. It has its own client and network thread, because its sink
/// blocks until mpv reads.
final class RelayExchange: Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  private let client: HTTPClient
  private let id: HTTPRequestID
  private let state: State

  /// What the completion handler reports to.
  private final class State: Sendable {
    let outcome = Mutex<Outcome?>(nil)
    /// Its reading end becomes readable when the outcome is there.
    let pipe = Pipe()
  }

  init(_ request: HTTPRequest, sink: any HTTPSink, options: HTTPOptions) {
    client = HTTPClient(options: options)
    let state = State()
    self.state = state
    id = client.send(request, sink: sink) { outcome in
      state.outcome.withLock { $0 = outcome }
      try? state.pipe.fileHandleForWriting.close()
    }
  }

  /// Waits for the outcome. The request is cancelled when the other side closes `socket`. It times out if `hasBegun`
  /// is still false after `timeout` seconds.
  func wait(whileOpen socket: Int32, timeout: Double, hasBegun: () -> Bool) -> Outcome {
    let done = state.pipe.fileHandleForReading.fileDescriptor
    let start = ContinuousClock.now
    var watchesSocket = true
    var isLate = false
    while state.outcome.withLock({ $0 == nil }) {
      var entries = [
        pollfd(fd: done, events: Int16(POLLIN), revents: 0),
        // poll(2) ignores negative descriptors.
        pollfd(fd: watchesSocket ? socket : -1, events: Int16(POLLIN), revents: 0),
      ]
      let left = timeout - (ContinuousClock.now - start) / .seconds(1)
      let watchesTime = !isLate && !hasBegun()
      _ = poll(&entries, 2, watchesTime ? Int32(max(1, min(left, 3600) * 1000)) : -1)
      if watchesSocket, entries[1].revents != 0 {
        watchesSocket = false
        client.cancel(id)
      } else if watchesTime, left <= 0, entries[0].revents == 0, !hasBegun() {
        isLate = true
        client.cancel(id)
      }
    }
    let outcome = state.outcome.withLock { $0 } ?? .failure(.cancelled)
    if isLate, case .failure(.cancelled) = outcome { return .failure(.noConnectivity(.timedOut(""))) }
    return outcome
  }
}
