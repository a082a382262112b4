import Foundation
import HTTP
import LoopbackSocket
import Synchronization

/// One request to the server. A thread reads the response piece by piece. The transfer pauses while it does not, so
/// the server sends only a little more than is played.
final class RelayExchange: HTTPSink {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  /// What `next` has found.
  enum Arrival {
    case head(HTTPHead, from: WebAddress)
    /// The next bytes of the body.
    case bytes([UInt8])
    case end(Outcome)
    /// Nothing has come in time.
    case nothing
    /// mpv has closed the connection.
    case clientClosed
  }

  /// What has come and was not read yet.
  private struct Inbox {
    var head: (HTTPHead, WebAddress)?
    var bytes: [UInt8] = []
    var outcome: Outcome?
    var isPaused = false
  }

  private let client: HTTPClient
  private let inbox = Mutex(Inbox())
  /// Wakes the reading thread.
  private let pipe: WakePipe
  private let id = Mutex<HTTPRequestID?>(nil)

  /// More than one read of libcurl returns.
  private static let fullAt = 128 * 1024

  init(_ request: HTTPRequest, client: HTTPClient) throws(POSIXFailure) {
    self.client = client
    pipe = try WakePipe()
    let id = client.send(request, sink: self) { [self] result in
      inbox.withLock { $0.outcome = result }
      pipe.wake()
    }
    self.id.withLock { $0 = id }
  }

  /// Does nothing after the end.
  func cancel() {
    if let id = id.withLock({ $0 }) { client.cancel(id) }
  }

  // MARK: The client's thread

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    inbox.withLock { ($0.head, $0.bytes) = ((head, url), []) }
    pipe.wake()
    return true
  }

  var isFull: Bool {
    inbox.withLock {
      $0.isPaused = $0.bytes.count >= Self.fullAt
      return $0.isPaused
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    inbox.withLock { $0.bytes += bytes }
    pipe.wake()
    return true
  }

  // MARK: The reading thread

  /// Waits for what comes next.
  /// - Parameter seconds: the longest wait. May be infinite.
  func next(within seconds: Double, whileOpen socket: Int32) -> Arrival {
    let start = ContinuousClock.now
    while true {
      if let arrival = take() { return arrival }
      let left = seconds - (ContinuousClock.now - start) / .seconds(1)
      guard left > 0 else { return .nothing }
      var entries = [
        pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&entries, 2, left.isFinite ? Int32(clamping: Int(left * 1000) + 1) : -1)
      if entries[0].revents != 0 {
        _ = pipe.drain()
      } else if entries[1].revents != 0 {
        return .clientClosed
      }
    }
  }

  private func take() -> Arrival? {
    let (arrival, wasPaused) = inbox.withLock { inbox -> (Arrival?, Bool) in
      if let (head, url) = inbox.head.take() { return (.head(head, from: url), false) }
      guard inbox.bytes.isEmpty else {
        defer { (inbox.bytes, inbox.isPaused) = ([], false) }
        return (.bytes(inbox.bytes), inbox.isPaused)
      }
      return (inbox.outcome.map { .end($0) }, false)
    }
    if wasPaused, let id = id.withLock({ $0 }) { client.resume(id) }
    return arrival
  }
}
