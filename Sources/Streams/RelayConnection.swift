import FeedKit
import Foundation
import LoopbackSocket
import Synchronization

/// One connection from mpv: one request, and what is held and what the server sends as its answer. Has a thread of its
/// own, which ends with it.
struct RelayConnection {
  let socket: Int32
  let http: HTTPOptions
  /// Seconds in which a server must begin to answer.
  let patience: Double
  /// The stream of a token, and what its server asks for.
  let find: (String) -> (RelayedStream, Credentials?)?

  private typealias Plan = RelaySink.Plan

  func serve() {
    guard let head = readHead(), let request = RelayRequest(head), request.method == "GET" else {
      return send(RelayHead.refusal(400))
    }
    guard let (stream, credentials) = find(request.token) else { return send(RelayHead.refusal(404)) }
    defer { stream.copy?.saveSoon() }
    guard let plan = begin(request, stream) else { return }
    guard fetch(plan, stream, credentials) == .again else { return }
    // What is held was of another version of the file: from the start of what mpv asked for.
    let whole = Plan(request: request, offset: request.start)
    if fetch(whole, stream, credentials) == .again { send(RelayHead.refusal(502)) }
  }

  /// Sends what is held and known to be current. nil when that is all.
  private func begin(_ request: RelayRequest, _ stream: RelayedStream) -> Plan? {
    let start = request.start
    var plan = Plan(request: request, offset: start)
    guard request.last == nil, let copy = stream.copy, let version = copy.version else { return plan }
    let count = copy.count(from: start)
    guard count > 0 else { return plan }
    guard copy.isCurrent else {
      // Of an earlier run: the server is asked whether it still has that file. For one byte at least, since a range must
      // not be empty.
      if version.validator.ifRange != nil { plan.offset = min(start + count, version.total - 1) }
      return plan
    }
    plan.isAnswered = true
    send(
      RelayHead.file(
        from: start, asPart: request.first != nil, contentType: version.contentType, total: version.total))
    plan.offset = copy.send(start..<start + count, to: socket)
    return plan.offset == start + count && plan.offset < version.total ? plan : nil
  }

  private enum Outcome { case done, again }

  /// Asks the server and passes on what it says.
  private func fetch(_ plan: Plan, _ stream: RelayedStream, _ credentials: Credentials?) -> Outcome {
    let sink = RelaySink(stream: stream, socket: socket, plan: plan)
    var request = request(for: plan, stream)
    request.credentials = credentials
    let exchange = RelayExchange(request, sink: sink, options: http)
    let result = exchange.wait(whileOpen: socket, patience: patience) { sink.hasBegun }
    switch sink.stop {
    case .listenerGone: return .done
    case .changed: return plan.isAnswered ? .done : .again
    case .direct:
      send(RelayHead.redirect(to: stream.original))
      return .done
    case nil: break
    }
    switch result {
    case .success(let response) where (200..<300).contains(response.status): break
    case .success(let response):
      // Asked for what is behind the end: FFmpeg does that, to see where it is.
      stream.trouble = response.status == 416 ? nil : response.refusal
      guard !plan.isAnswered else { break }
      if response.status == 416, plan.joins { return .again }
      send(RelayHead.passedOn(response.head))
    // An old radio server, which says ICY instead of HTTP: FFmpeg understands it.
    case .failure(.invalidData(.notHTTP)) where !plan.isAnswered: send(RelayHead.redirect(to: stream.original))
    case .failure(.cancelled): break
    case .failure(let error):
      stream.trouble = error
      if sink.hasBegun || plan.isAnswered {
        // mpv counts, and asks for the rest; where there is nothing to count, the break must be seen.
        if sink.isEndless { LoopbackSocket.reset(socket) }
      } else if !sendHeld(plan, stream) {
        send(RelayHead.refusal(Self.status(of: error)))
      }
    }
    return .done
  }

  /// Without a network, what an earlier run left is better than nothing. The end of it is a break, after which mpv asks
  /// for the rest.
  private func sendHeld(_ plan: Plan, _ stream: RelayedStream) -> Bool {
    guard plan.joins, let copy = stream.copy, let version = copy.version else { return false }
    send(
      RelayHead.file(
        from: plan.request.start, asPart: plan.request.first != nil, contentType: version.contentType,
        total: version.total))
    _ = copy.send(plan.request.start..<plan.offset, to: socket)
    return true
  }

  private func request(for plan: Plan, _ stream: RelayedStream) -> HTTPRequest {
    var request = HTTPRequest(url: stream.address)
    // Bytes must be those of the file, or a range would mean nothing.
    request.encoding = .identity
    request.deadline = .infinity
    if plan.request.first != nil || plan.joins {
      request.headers.append(("Range", "bytes=\(plan.offset)-" + (plan.request.last.map { "\($0)" } ?? "")))
    }
    if plan.joins, let validator = stream.copy?.version?.validator.ifRange {
      request.headers.append(("If-Range", validator))
    }
    if plan.request.wantsIcyMetadata { request.headers.append(("Icy-MetaData", "1")) }
    return request
  }

  /// The lines before the blank one; nil when mpv has gone, or it is something else that says much.
  private func readHead() -> String? {
    var bytes: [UInt8] = []
    while bytes.count < 64 * 1024 {
      let more = LoopbackSocket.receive(socket)
      guard !more.isEmpty else { return nil }
      bytes += more
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        return String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      }
    }
    return nil
  }

  /// mpv that has gone is noticed elsewhere.
  private func send(_ bytes: [UInt8]) { _ = LoopbackSocket.send(socket, bytes[...]) }

  private static func status(of error: FeedError) -> Int {
    switch error {
    case .rateLimited: 429
    case .noConnectivity(.timedOut): 504
    case .noConnectivity, .refused, .cancelled: 502
    // Another try would bring the same.
    default: 400
    }
  }
}
