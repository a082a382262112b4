import CCurl
import Foundation

/// Fetches over http and https: one thread drives one libcurl multi handle, for many requests at once.
///
/// No call blocks. Sinks and completions run on the client's thread, so they must be quick. Redirects, Basic
/// credentials, one repeat of what failed in passing, a limit for each host and the rest a host asks for are
/// dealt with here; what a status means is left to the caller.
public final class HTTPClient: Sendable {
  public typealias Completion = @Sendable (Result<HTTPResponse, HTTPError>) -> Void

  private let multi = CurlMulti()

  public init(options: HTTPOptions = HTTPOptions()) {
    let thread = Thread { [multi] in HTTPLoop(multi: multi, options: options).run() }
    thread.name = "http"
    thread.start()
  }

  deinit { multi.close() }

  /// Sends a request; `completion` is called exactly once, from the client's thread.
  @discardableResult
  public func send(_ request: HTTPRequest, sink: any HTTPSink, completion: @escaping Completion) -> HTTPRequestID {
    let id = multi.makeID()
    send(id, request, sink: sink, completion: completion)
    return id
  }

  /// Ends a request, which then completes with `.cancelled`. Harmless when it has completed already.
  public func cancel(_ id: HTTPRequestID) { _ = multi.post(.cancel(id)) }

  /// Cancels all requests and ends the thread.
  public func shutDown() { multi.close() }

  /// `send` for async callers; cancelling the task cancels the request.
  public func perform(_ request: HTTPRequest, sink: any HTTPSink) async throws(HTTPError) -> HTTPResponse {
    let id = multi.makeID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        send(id, request, sink: sink) { continuation.resume(returning: $0) }
        // A cancellation from before the request was known found nothing to cancel.
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
