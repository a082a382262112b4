import CCurl
import Foundation

/// One request in progress, with its redirects, attempts and received data. Used only on the client's thread.
final class HTTPTransfer {
  /// What to do after libcurl has finished an exchange.
  enum Step {
    case done(Result<HTTPResponse, HTTPError>)
    /// Send again now to `chain.current`: after a redirect, or with other credentials.
    case again
    /// The connection broke, or a 5xx: retry if allowed, otherwise this is the result.
    case retryOrFinish(Result<HTTPResponse, HTTPError>)
    /// The host wants no requests for a while; `until` is its Retry-After, if that is in the future.
    case pauseHost(until: Date?)
  }

  private enum Stop { case sink, tooLarge, headTooLarge, damaged, enough }

  let id: HTTPRequestID
  private(set) var chain: RedirectChain
  var attempts = 0
  private(set) var easy: CurlEasy?
  /// The host for the queue and its limits.
  var host: String { chain.current.hostAndPort }

  /// The page whose file is wanted.
  var page: WebAddress? { request.isPage ? request.url : nil }
  /// The file behind the page.
  private var file: PageFile?
  private var hasFoundAgain = false

  private var request: HTTPRequest
  private let sink: any HTTPSink
  private let completion: @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  private let options: HTTPOptions
  private var headReader: HTTPHeadReader
  /// Bytes of the body, before `gzip` decompresses it and after.
  private var received: Int64 = 0
  private var bytes: Int64 = 0
  private var gzip: GzipBody?
  /// False after libcurl could not decode a body: then `gzip` reads what it can.
  private var curlDecodes: Bool
  private var stop: Stop?
  private var authorization: BasicAuthorization
  /// How many bytes of an error response are read and discarded, to keep the connection open.
  private static let drainLimit: Int64 = 64 * 1024

  init(
    id: HTTPRequestID, request: HTTPRequest, sink: any HTTPSink, options: HTTPOptions,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) {
    self.id = id
    self.request = request
    self.sink = sink
    self.options = options
    self.completion = completion
    chain = RedirectChain(request.url)
    curlDecodes = request.encoding == .compressed
    authorization = BasicAuthorization(request.credentials + [request.url.credentials].compactMap { $0 })
    headReader = HTTPHeadReader(limit: options.maxHeadBytes)
  }

  func complete(_ result: Result<HTTPResponse, HTTPError>) {
    easy = nil
    completion(result)
  }

  /// Creates a handle for the current address. Nil if memory is exhausted.
  func prepare() -> CurlEasy? {
    headReader = HTTPHeadReader(limit: options.maxHeadBytes)
    (received, bytes) = (0, 0)
    gzip = nil
    stop = nil
    guard let easy = CurlEasy() else { return nil }
    let header = authorization.header(for: chain.current)
    var request = request
    request.headers += file?.headers.map { ($0.key, $0.value) } ?? []
    easy.prepare(request, url: chain.current, authorization: header, decodes: curlDecodes, options: options)
    easy.cookies = chain.cookies
    easy.deliver(to: self)
    self.easy = easy
    return easy
  }

  // MARK: Pages

  /// Sends the request to the file behind the page.
  func send(to file: PageFile) {
    self.file = file
    chain = RedirectChain(file.address)
    authorization = BasicAuthorization([])
  }

  /// The file behind a page if its server does not give it away any more, because the address has expired or is for
  /// another client. Once for each request.
  func refusedFile(_ result: Result<HTTPResponse, HTTPError>) -> WebAddress? {
    guard let file, !hasFoundAgain, case .success(let response) = result, [403, 404, 410].contains(response.status)
    else { return nil }
    hasFoundAgain = true
    return file.address
  }

  // MARK: Called by libcurl

  /// What a callback did with bytes.
  enum Taken {
    case all
    /// libcurl keeps them, pauses, and passes them on again later.
    case later
    /// libcurl ends the exchange.
    case stopped
  }

  /// Wraps a C callback. If it returns anything but `size * count`, libcurl pauses or ends the exchange.
  static func take(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ body: (HTTPTransfer, UnsafeRawBufferPointer) -> Taken
  ) -> Int {
    guard let context else { return 0 }
    let length = size * count
    let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    return switch body(transfer, UnsafeRawBufferPointer(start: bytes, count: length)) {
    case .all: length
    case .later: 0x1000_0001  // CURL_WRITEFUNC_PAUSE
    case .stopped: 0xFFFF_FFFF  // CURL_WRITEFUNC_ERROR. Unlike 0, it also stops an empty write.
    }
  }

  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Taken {
    let wasDone = headReader.isDone
    guard headReader.add(line) else { return end(.headTooLarge) }
    guard headReader.isDone, !wasDone, isReceived else { return .all }
    return sink.begin(headReader.head, from: chain.current) ? .all : end(.sink)
  }

  func receiveBody(_ body: UnsafeRawBufferPointer) -> Taken {
    if isReceived, request.encoding == .identity, sink.isFull { return .later }
    received += Int64(body.count)
    guard isReceived else { return received <= Self.drainLimit ? .all : end(.enough) }
    guard received <= request.maxBytes else { return end(.tooLarge) }
    guard request.encoding == .compressed else { return pass(body) ? .all : .stopped }
    let gzip = gzip ?? GzipBody(mustBeGzip: !curlDecodes && headReader.head.isCompressed)
    self.gzip = gzip
    switch gzip.decode(body, deliver: pass) {
    case .more: return .all
    case .stopped: return .stopped
    case .damaged: return end(.damaged)
    }
  }

  private func pass(_ body: UnsafeRawBufferPointer) -> Bool {
    bytes += Int64(body.count)
    stop = bytes > request.maxBytes ? .tooLarge : sink.receive(body) ? nil : .sink
    return stop == nil
  }

  private var isSuccess: Bool { (200..<300).contains(headReader.head.status) }

  /// Whether the sink gets the body.
  private var isReceived: Bool { isSuccess || request.receivesRefusal && headReader.head.status == 400 }

  private func end(_ reason: Stop) -> Taken {
    stop = reason
    return .stopped
  }

  // MARK: After libcurl

  /// Decides what follows. Changes `chain` or `authorization` if the result is `.again`.
  func conclude(_ code: CURLcode) -> Step {
    let failureText = easy?.failureText ?? ""
    if request.followsRedirects, let easy, RedirectChain.isRedirect(headReader.head.status) {
      chain.cookies = easy.cookies
    }
    easy = nil
    switch stop {
    case .tooLarge: return .done(.failure(.tooLarge(limit: request.maxBytes)))
    case .headTooLarge: return .done(.failure(.invalidAnswer(.headTooLarge(limit: options.maxHeadBytes))))
    case .damaged: return .done(.failure(.invalidAnswer(.badCompression)))
    case .sink: return .done(.success(response))
    case .enough: return step(for: headReader.head)
    case nil:
      // An error status counts even if its body broke off.
      if headReader.isDone, !isSuccess { return step(for: headReader.head) }
      if code == CURLE_OK {
        let isCutOff = gzip?.isCutOff ?? false
        return isCutOff ? .done(.failure(.invalidAnswer(.badCompression))) : step(for: headReader.head)
      }
      if curlDecodes, isRetryable, CurlFailure.isDecoderFailure(code) {
        curlDecodes = false
        return .again
      }
      if !headReader.isDone, CurlFailure.isHeadTooLarge(code) {
        return .done(.failure(.invalidAnswer(.headTooLarge(limit: options.maxHeadBytes))))
      }
      let error = CurlFailure.error(code, host: chain.current.host, detail: failureText)
      if case .noConnectivity(.timedOut) = error, !request.retriesTimeouts { return .done(.failure(error)) }
      return CurlFailure.isTransient(error) ? .retryOrFinish(.failure(error)) : .done(.failure(error))
    }
  }

  private func step(for head: HTTPHead) -> Step {
    if request.followsRedirects, RedirectChain.isRedirect(head.status), let location = head["Location"] {
      do {
        try chain.follow(status: head.status, location: location, limit: options.maxRedirects)
      } catch { return .done(.failure(error)) }
      // RFC 9110 §15.4.4: after a 303, the new address is fetched with GET. Browsers also do this after 301 and 302.
      if request.body != nil, head.status < 307 { (request.method, request.body) = ("GET", nil) }
      authorization.reset()
      return .again
    }
    let now = options.now()
    // A time that is over asks for no pause. Otherwise a caller that waits for it would ask again at once, without end.
    let retryAfter = head.retryAfter(now: now).flatMap { $0 > now ? $0 : nil }
    switch head.status {
    case 401 where authorization.trySecondEncoding(for: chain.current): return .again
    case 429: return .pauseHost(until: retryAfter)
    case 503 where retryAfter != nil: return .pauseHost(until: retryAfter)
    case 500...599: return .retryOrFinish(.success(response))
    default: return .done(.success(response))
    }
  }

  private var response: HTTPResponse {
    HTTPResponse(
      head: headReader.head, url: chain.current, isPermanentMove: chain.isPermanent, bytes: bytes)
  }

  /// Only requests that change nothing on the server may be retried.
  var isRetryable: Bool {
    request.body == nil && request.form.isEmpty && (request.method == "GET" || request.method == "HEAD")
  }
}
