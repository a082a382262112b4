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

  /// What mpv is waiting for.
  enum Wait: Equatable {
    /// The head of the response.
    case head
    /// Bytes of the body, since this time.
    case bytes(since: ContinuousClock.Instant)
    /// Nothing: mpv has not taken the bytes that are there.
    case nothing
  }

  /// Seconds. `timeout` for the head, `stall` for bytes of the body.
  struct Limits {
    var timeout: Double
    /// Infinite if the rest cannot be requested again.
    var stall: Double
  }

  /// Waits for the outcome. The request is cancelled when the other side closes `socket`. It times out if the head has
  /// not come after `limits.timeout`.
  /// - Returns: nil if no byte of the body has come for `limits.stall` although mpv waits for it.
  func wait(whileOpen socket: Int32, limits: () -> Limits, wait: () -> Wait) -> Outcome? {
    let done = outcome.pipe.readEnd
    let start = ContinuousClock.now
    var watchesSocket = true
    var (isLate, isStalled) = (false, false)
    var pause = Self.shortestPause
    while outcome.value.withLock({ $0 == nil }) {
      var entries = [
        pollfd(fd: done, events: Int16(POLLIN), revents: 0),
        // poll(2) ignores negative descriptors.
        pollfd(fd: watchesSocket ? socket : -1, events: Int16(POLLIN), revents: 0),
      ]
      let limits = limits()
      let left = isLate || isStalled ? .infinity : Self.secondsLeft(limits, wait(), since: start) ?? pause
      pause = left == pause ? min(pause * 2, Self.longestPause) : Self.shortestPause
      // The head may come before its timeout, and then stop.
      _ = poll(&entries, 2, left.isFinite ? Int32(max(1, min(left, pause) * 1000)) : -1)
      if watchesSocket, entries[1].revents != 0 {
        watchesSocket = false
        client.cancel(id)
      } else if left.isFinite, entries[0].revents == 0 {
        let wait = wait()
        guard let left = Self.secondsLeft(limits, wait, since: start), left <= 0 else { continue }
        (isLate, isStalled) = (wait == .head, wait != .head)
        client.cancel(id)
      }
    }
    let result = outcome.value.withLock { $0 } ?? .failure(.cancelled)
    guard watchesSocket, case .failure(.cancelled) = result else { return result }
    return isStalled ? nil : isLate ? .failure(.noConnectivity(.timedOut(""))) : result
  }

  /// Nil if mpv waits for nothing.
  private static func secondsLeft(_ limits: Limits, _ wait: Wait, since start: ContinuousClock.Instant) -> Double? {
    func left(_ limit: Double, _ begin: ContinuousClock.Instant) -> Double {
      limit - (ContinuousClock.now - begin) / .seconds(1)
    }
    return switch wait {
    case .head: left(limits.timeout, start)
    case .bytes(let since): left(limits.stall, since)
    case .nothing: nil
    }
  }

  /// Seconds between two looks at a connection whose bytes mpv does not take. mpv has a full buffer then, for example
  /// during a pause, so a later look is early enough.
  private static let shortestPause = 3.0
  private static let longestPause = 48.0
}
