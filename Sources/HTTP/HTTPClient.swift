import CCurl
import Foundation
import Synchronization

/// Fetches over http and https. One thread drives one libcurl multi handle with many concurrent requests.
///
/// No call blocks. Sinks and completions run on the client's thread, so they must be quick. The client handles
/// redirects, Basic authentication, one retry after temporary failures, a request limit per host, and hosts that ask
/// for a pause. Interpreting the status is left to the caller.
public final class HTTPClient: Sendable {
  public typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void

  private let multi = CurlMulti()

  public init(options: HTTPOptions = HTTPOptions()) {
    let thread = Thread { [multi] in HTTPLoop(multi: multi, options: options).run() }
    thread.name = "http"
    thread.start()
  }

  deinit { multi.close() }

  /// Sends a request. `completion` is called exactly once, on the client's thread.
  @discardableResult
  public func send(_ request: HTTPRequest, sink: any HTTPSink, completion: @escaping Completion) -> HTTPRequestID {
    let id = multi.makeID()
    send(id, request, sink: sink, completion: completion)
    return id
  }

  /// Cancels a request, which completes with `.cancelled`. Does nothing if it has already completed.
  public func cancel(_ id: HTTPRequestID) { _ = multi.post(.cancel(id)) }

  /// Continues a transfer that paused because its sink was full.
  public func resume(_ id: HTTPRequestID) { _ = multi.post(.resume(id)) }

  /// Cancels all requests and ends the thread.
  public func shutDown() { multi.close() }

  /// `send` for async callers. Cancelling the task cancels the request.
  public func perform(_ request: HTTPRequest, sink: any HTTPSink) async throws(HTTPError) -> HTTPResponse {
    let id = multi.makeID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        send(id, request, sink: sink) { continuation.resume(returning: $0) }
        // The task was cancelled before the request was sent, so `onCancel` had nothing to cancel.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
    return try result.get()
  }

  private func send(
    _ id: HTTPRequestID, _ request: HTTPRequest, sink: any HTTPSink, completion: @escaping Completion
  ) {
    if !multi.post(.send(id, request, sink, completion)) { completion(.failure(.cancelled)) }
  }
}

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
