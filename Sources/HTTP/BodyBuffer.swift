import Synchronization

/// Keeps a whole body in memory. `HTTPRequest.maxBytes` limits it.
public final class BodyBuffer: HTTPSink {
  private let kept = Mutex<[UInt8]>([])

  public init() {}

  public var bytes: [UInt8] { kept.withLock { $0 } }

  public func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    kept.withLock { $0 = [] }
    return true
  }

  public func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    kept.withLock { $0.append(contentsOf: piece) }
    return true
  }
}
