import Foundation
import HTTP
import LoopbackSocket
import Synchronization

/// One request to the server, and the wait for its result. It has its own client and network thread, because its sink
/// blocks until mpv reads.
final class RelayExchange: Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  private let client: HTTPClient
  private let id: HTTPRequestID
  private let outcome: SharedOutcome

  /// What the completion handler reports to.
  private final class SharedOutcome: Sendable {
    let value = Mutex<Outcome?>(nil)
    /// Wakes the waiting thread when the outcome is there.
    let pipe: WakePipe

    init() throws(POSIXFailure) { pipe = try WakePipe() }
  }

  init(_ request: HTTPRequest, sink: any HTTPSink, options: HTTPOptions) throws(POSIXFailure) {
    let outcome = try SharedOutcome()
    self.outcome = outcome
    client = HTTPClient(options: options)
    id = client.send(request, sink: sink) { result in
      outcome.value.withLock { $0 = result }
      outcome.pipe.wake()
    }
  }

  /// Waits for the outcome. The request is cancelled when the other side closes `socket`. It times out if `hasBegun`
  /// is still false after `timeout` seconds.
  func wait(whileOpen socket: Int32, timeout: Double, hasBegun: () -> Bool) -> Outcome {
    let done = outcome.pipe.readEnd
    let start = ContinuousClock.now
    var watchesSocket = true
    var isLate = false
    while outcome.value.withLock({ $0 == nil }) {
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
    let result = outcome.value.withLock { $0 } ?? .failure(.cancelled)
    if isLate, case .failure(.cancelled) = result { return .failure(.noConnectivity(.timedOut(""))) }
    return result
  }
}
