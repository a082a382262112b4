import Foundation
import HTTP
import LoopbackSocket
import Model
import Synchronization

/// One connection from mpv, with one request. The response combines bytes of the cached copy with bytes from the
/// server. It has its own thread, which ends with the connection.
struct RelayConnection {
  let socket: Int32
  /// The lines of the request before the blank line.
  let head: String
  let client: HTTPClient
  /// Seconds within which a server must start to respond.
  let timeout: Double
  /// Looks up the stream of a token and what its requests carry.
  let find: (String) -> (RelayedStream, RequestAccess)?

  private typealias Plan = RelayResponse.Plan

  func serve() {
    guard let request = RelayRequest(head), request.method == "GET" else {
      return send(RelayHead.refusal(400))
    }
    guard let (stream, access) = find(request.token) else { return send(RelayHead.refusal(404)) }
    defer { stream.copy?.saveSoon() }
    if request.start == 0 { stream.startOver() }
    stream.readCopy()
    var plan = plan(for: request, stream)
    while let current = plan {
      if request.start > 0, !current.isAnswered, stream.isReplaced { return refuseReplacement(of: stream) }
      switch fetch(current, stream, access) {
      case .done: plan = nil
      case .moved: stream.redirectedAddress = nil
      case .changed: plan = current.isAnswered ? nil : Plan(request: request, offset: request.start)
      case .stalled(let rest): plan = rest
      case .reached(let offset):
        plan = current.held.flatMap {
          sendCached(Plan(request: request, offset: offset, held: $0, isAnswered: true), stream)
        }
      }
    }
  }

  /// Refuses to continue in the middle of a different file: it would sound wrong or be at another position. mpv gives
  /// up, and the player opens the new file at its position.
  private func refuseReplacement(of stream: RelayedStream) {
    stream.lastError = .invalidAnswer(.inconsistent(reason: "the file on the server is another one now"))
    send(RelayHead.refusal(412))
  }

  /// Shorter runs of cached bytes do not justify another request.
  private static let minimumCachedRun: Int64 = 256 * 1024

  /// Decides what to request from the server. Cached bytes that are known to be current are sent at once. Nil when
  /// they are all that is needed.
  private func plan(for request: RelayRequest, _ stream: RelayedStream) -> Plan? {
    let start = request.start
    let plain = Plan(request: request, offset: start)
    guard request.last == nil, let copy = stream.copy, let held = copy.version else { return plain }
    let count = copy.count(from: start, of: held)
    guard !stream.ignoresRanges || count == held.total - start else { return plain }
    if copy.isCurrent, count > 0 { return sendCachedFile(request, with: held, stream) }
    // The copy is from an earlier run of the program, so the server is asked whether the file is unchanged. A range
    // must not be empty, so at least one byte is requested.
    guard copy.isCurrent || held.validator.ifRange != nil, start < held.total else { return plain }
    var plan = Plan(request: request, offset: min(start + count, held.total - 1), held: held)
    plan.end = copy.next(after: plan.offset, atLeast: Self.minimumCachedRun, of: held)
    return plan.offset > start || plan.end != nil ? plan : plain
  }

  /// Sends a response head like the server's, then the cached bytes. Returns what to request next.
  @discardableResult
  private func sendCachedFile(_ request: RelayRequest, with held: StreamCopy.Version, _ stream: RelayedStream) -> Plan?
  {
    send(RelayHead.file(request, held))
    return sendCached(Plan(request: request, offset: request.start, held: held, isAnswered: true), stream)
  }

  /// Seconds between the end of a longer cached run and the request for the rest. mpv has its bytes until then.
  private static let grace = 0.1

  /// Sends the cached bytes at the plan's offset. Returns what to request next; nil when nothing is missing or mpv
  /// has closed the connection.
  private func sendCached(_ plan: Plan, _ stream: RelayedStream) -> Plan? {
    guard let copy = stream.copy, let held = plan.held else { return nil }
    let end = plan.offset + copy.count(from: plan.offset, of: held)
    var next = plan
    next.offset = copy.send(plan.offset..<end, of: held, to: socket, hiding: stream.falseIndex)
    guard next.offset == end, end < held.total else { return nil }
    // mpv reads some bytes at both ends of a file when it opens it. It is not ready to read on, so the server would be
    // asked in vain.
    if end - plan.offset >= Self.minimumCachedRun, LoopbackSocket.isClosed(socket, within: Self.grace) { return nil }
    next.end = copy.next(after: end, atLeast: Self.minimumCachedRun, of: held)
    return next
  }

  private enum Outcome {
    case done
    /// The redirected address no longer works. The original address is requested again.
    case moved
    /// The server has another version of the file than the copy.
    case changed
    /// The bytes from this offset on are cached.
    case reached(Int64)
    /// The connection is open, but nothing comes any more. The rest is requested on a new one.
    case stalled(Plan)
  }

  /// Sends the request and passes the response on to mpv.
  private func fetch(_ plan: Plan, _ stream: RelayedStream, _ access: RequestAccess) -> Outcome {
    let request = request(for: plan, stream, access)
    let number = stream.beginRequest()
    var response = RelayResponse(stream: stream, socket: socket, plan: plan)
    let result = receive(request, &response, stall: plan.stall)
    response.flush()
    let isCutShort = response.stop == nil && Self.isCancelled(result)
    stream.endRequest(number, isUnfinished: isCutShort || response.stop == .clientClosed)
    let isElsewhere = request.url != stream.address
    switch response.stop {
    case .clientClosed: return .done
    case .changed where stream.isReplaced: return .changed
    case .changed where plan.held == nil:
      stream.lastError = .invalidAnswer(.inconsistent(reason: "it sends another part than the one that was asked for"))
      send(RelayHead.refusal(400))
    case .changed: return .changed
    case .compressed(let coding):
      stream.lastError = .invalidAnswer(.compressed(coding: coding))
      send(RelayHead.refusal(400))
    case .direct:
      let manifest = stream.isPage ? stream.redirectedAddress?.text : nil
      send(RelayHead.redirect(to: manifest ?? stream.original))
    case nil:
      guard let result else {
        return response.version.map { .stalled(plan.rest(from: response.offset, of: $0)) } ?? .done
      }
      if isElsewhere, !response.hasBegun, Self.isRefusal(result) { return .moved }
      return outcome(of: plan, stream, response, result)
    }
    return .done
  }

  /// - Returns: nil if it was stopped, or if no byte has come for `stall` seconds although mpv waits for it.
  private func receive(
    _ request: HTTPRequest, _ response: inout RelayResponse, stall: Double
  ) -> RelayExchange.Outcome? {
    let exchange: RelayExchange
    do throws(POSIXFailure) {
      exchange = try RelayExchange(request, client: client)
    } catch {
      return .failure(.noConnectivity(.other(request.url.host, reason: error.description)))
    }
    defer { exchange.cancel() }
    var hasHead = false
    while response.stop == nil {
      // The rest of a file that is not known cannot be requested again.
      let limit = !hasHead ? timeout : response.version == nil ? .infinity : stall
      switch exchange.next(within: limit, whileOpen: socket) {
      case .head(let head, let url):
        hasHead = true
        response.begin(head, from: url)
      case .bytes(let bytes): response.receive(bytes)
      case .end(let outcome): return outcome
      case .nothing: return hasHead ? nil : .failure(.noConnectivity(.timedOut("")))
      case .clientClosed: response.stop = .clientClosed
      }
    }
    return nil
  }

  private static func isCancelled(_ result: RelayExchange.Outcome?) -> Bool {
    if case .failure(.cancelled) = result { true } else { result == nil }
  }

  private static func isRefusal(_ result: RelayExchange.Outcome) -> Bool {
    switch result {
    case .success(let answer): answer.status >= 400 && answer.status != 416
    case .failure(.cancelled): false
    case .failure: true
    }
  }

  private func outcome(
    of plan: Plan, _ stream: RelayedStream, _ response: RelayResponse, _ result: RelayExchange.Outcome
  ) -> Outcome {
    switch result {
    case .success(let answer) where (200..<300).contains(answer.status):
      // A server may send less than requested, or more.
      if let end = plan.end, response.offset == end { return .reached(end) }
    case .success(let answer):
      // 416: the request was for bytes after the end. FFmpeg does that to find the end.
      stream.lastError = answer.status == 416 ? nil : answer.refusal
      guard !plan.isAnswered else { break }
      if answer.status == 416, plan.held != nil { return .changed }
      send(RelayHead.forwarded(answer.head))
    // An old radio server answers "ICY" instead of "HTTP". FFmpeg understands it, so mpv connects directly.
    case .failure(.invalidAnswer(.notHTTP)) where !plan.isAnswered && !stream.isPage:
      send(RelayHead.redirect(to: stream.original))
    case .failure(.cancelled): break
    case .failure(let failure):
      // Finding the file behind a page may take longer than mpv waits. It asks again.
      let isSearch = stream.isPage && failure == .noConnectivity(.timedOut("")) && !response.hasBegun
      let error = isSearch ? .page(PageFailure("its sound is still being looked for", isConnectivity: true)) : failure
      stream.lastError = error
      if response.hasBegun || plan.isAnswered {
        // mpv knows the length and requests the rest. Without a length, the connection is reset so that mpv notices
        // the failure.
        if response.hasUnknownLength { LoopbackSocket.reset(socket) }
      } else if let held = plan.held, let copy = stream.copy, copy.count(from: plan.request.start, of: held) > 0 {
        // Without a network, the copy of an earlier run is better than nothing. mpv requests the rest when it ends.
        sendCachedFile(plan.request, with: held, stream)
      } else {
        send(RelayHead.refusal(Self.status(of: error)))
      }
    }
    return .done
  }

  private func request(for plan: Plan, _ stream: RelayedStream, _ access: RequestAccess) -> HTTPRequest {
    let isRest = plan.request.start > 0 || plan.isAnswered
    // The file behind a page is found again when its address has expired.
    let known = isRest && !stream.isPage ? stream.redirectedAddress : nil
    var request = HTTPRequest(url: known ?? stream.address)
    request.isPage = stream.isPage
    // The redirect may lead to another server. Each password is sent only to its own server.
    request.credentials = [access.credentials, stream.address.credentials].compactMap { $0 }
    request.userAgent = access.userAgent
    // No compression: byte ranges must refer to the file itself.
    request.encoding = .identity
    request.deadline = .infinity
    if plan.request.first != nil || plan.held != nil {
      let last = plan.request.last ?? plan.end.map { $0 - 1 }
      request.headers.append(("Range", "bytes=\(plan.offset)-" + (last.map { "\($0)" } ?? "")))
    }
    if let validator = plan.held?.validator.ifRange { request.headers.append(("If-Range", validator)) }
    if plan.request.wantsIcyMetadata { request.headers.append(("Icy-MetaData", "1")) }
    return request
  }

  /// Ignores failures, because a closed connection is noticed elsewhere.
  private func send(_ bytes: [UInt8]) { _ = LoopbackSocket.send(socket, bytes[...]) }

  private static func status(of error: HTTPError) -> Int {
    switch error {
    case .rateLimited: 429
    case .noConnectivity(.timedOut): 504
    case .page(let failure) where failure.isConnectivity: 502
    case .noConnectivity, .refused, .cancelled: 502
    // 400 keeps mpv from trying again, because the result would be the same.
    default: 400
    }
  }
}
