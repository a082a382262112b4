import FeedKit
import Foundation
import HTTP
import Model
import Programs
import Synchronization

/// A server that speaks OpenAI's call `POST /v1/audio/transcriptions`, on this machine or another: the sound goes
/// there as a form, and JSON with segments comes back (platform.openai.com/docs/api-reference/audio).
struct TranscribingServer {
  let url: String
  let model: String?
  let key: String?
  let userAgent: String

  /// Sends the file and waits for the answer. The thread is blocked.
  /// - Parameters:
  ///   - language: two or three letters, or nil.
  ///   - timeLimit: seconds.
  func transcribe(
    _ file: String, language: String?, duration: Double?, timeLimit: Double,
    _ cancellation: ProgramCancellation
  ) throws(ReportedError) -> Transcript {
    let address: WebAddress
    do { address = try WebAddress(url) } catch { throw ReportedError("\(url) is not an address", .configuration) }
    var request = HTTPRequest(url: address)
    request.method = "POST"
    request.form = [.file("file", path: file, type: "audio/wav"), .text("response_format", "verbose_json")]
    // OpenAI requires the model, and other servers have one of their own.
    request.form.append(.text("model", model ?? "whisper-1"))
    if let language { request.form.append(.text("language", language)) }
    request.bearer = key
    // With a key, a redirect would take it elsewhere.
    request.followsRedirects = false
    request.maxBytes = Int64(RecognizedText.maxBytes)
    request.deadline = timeLimit
    request.retriesTimeouts = false
    let body = BodyBuffer()
    var options = HTTPOptions()
    options.userAgent = userAgent
    // The server is silent while it works.
    options.lowSpeedTime = 0
    options.requestRetry.repeats = 0
    let client = HTTPClient(options: options)
    defer { client.shutDown() }
    let answer = Mutex<Result<HTTPResponse, HTTPError>>(.failure(.cancelled))
    let done = DispatchSemaphore(value: 0)
    let id = client.send(request, sink: body) { result in
      answer.withLock { $0 = result }
      done.signal()
    }
    cancellation.onCancel { client.cancel(id) }
    done.wait()
    cancellation.onCancel(nil)
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try answer.withLock { $0 }.get()
    } catch {
      throw ReportedError(Self.text(of: error, address.host), error.isConnectivity ? .connectivity : .data)
    }
    guard (200..<300).contains(response.status) else {
      throw ReportedError(text(of: response.status, address.host), Self.cause(of: response.status))
    }
    do throws(RecognizedTextError) {
      return try RecognizedText.read(Data(body.bytes), ending: "json", duration: duration)
    } catch {
      throw ReportedError("The answer of \(address.host) is refused: \(error.description).", .data)
    }
  }

  private static func text(of error: HTTPError, _ host: String) -> String {
    // Its cause names the host.
    if case .noConnectivity = error { return "\(error.cause)." }
    return "\(host): \(error.cause)."
  }

  private static func cause(of status: Int) -> ReportedError.Cause {
    switch status {
    case 300..<400, 401, 403: .configuration
    case 408, 429: .connectivity
    case 400..<500: .data
    default: .connectivity
    }
  }

  private func text(of status: Int, _ host: String) -> String {
    switch status {
    case 401, 403:
      "\(host) refuses the key (\(status)). Check key_command in the table [transcribe] of the configuration."
    case 413: "\(host) takes no file of this size (413)."
    case 429: "\(host) has too many requests (429)."
    case 300..<400: "\(host) redirects (\(status)). Set url to the address that it names."
    case 404, 405: "\(host) has no transcriptions at this address (\(status))."
    default: "\(host) failed with status \(status)."
    }
  }
}
