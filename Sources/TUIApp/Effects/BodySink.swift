import FeedKit
import Foundation
import Synchronization

/// Keeps the body of an answer, which the request has bounded.
final class BodySink: HTTPSink {
  private let body = Mutex(Data())

  var data: Data { body.withLock { $0 } }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    // A broken attempt before this one has left something.
    body.withLock { $0 = Data() }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    body.withLock { $0.append(contentsOf: bytes) }
    return true
  }
}
