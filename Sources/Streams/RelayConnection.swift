import Foundation
import HTTP
import LoopbackSocket
import Model
import Synchronization

/// One connection from mpv: one request, and what is held and what the server sends as its answer. Has a thread of its
/// own, which ends with it.
struct RelayConnection {
  let socket: Int32
  /// The lines of the request before the blank one.
  let head: String
  let http: HTTPOptions
  /// Seconds in which a server must begin to answer.
  let patience: Double
  /// The stream of a token, and what its server asks for.
  let find: (String) -> (RelayedStream, Credentials?)?

  private typealias Plan = RelaySink.Plan

  func serve() {
    guard let request = RelayRequest(head), request.method == "GET" else {
      return send(RelayHead.refusal(400))
    }
    guard let (stream, credentials) = find(request.token) else { return send(RelayHead.refusal(404)) }
    defer { stream.copy?.saveSoon() }
    if request.start == 0 { stream.beginAnew() }
    var plan = plan(for: request, stream)
    while let current = plan {
      if request.start > 0, !current.isAnswered, stream.isReplaced { return refuseReplacement(of: stream) }
      switch fetch(current, stream, credentials) {
      case .done: plan = nil
      case .moved: stream.place = nil
      case .changed: plan = current.isAnswered ? nil : Plan(request: request, offset: request.start)
      case .reached(let offset):
        plan = current.held.flatMap { goOn(Plan(request: request, offset: offset, held: $0, isAnswered: true), stream) }
      }
    }
  }

  /// To go on in the middle of another file would be noise, or another second than the one that is shown: mpv gives up, and
  /// the player opens the new file at its place.
  private func refuseReplacement(of stream: RelayedStream) {
    stream.trouble = .invalidAnswer(.inconsistent(reason: "the file on the server is another one now"))
    send(RelayHead.refusal(412))
  }

  /// A shorter run is not worth asking twice.
  private static let leastHeld: Int64 = 256 * 1024

  /// What is asked of the server first. What is held and known to be current is sent at once; nil when that is all.
  private func plan(for request: RelayRequest, _ stream: RelayedStream) -> Plan? {
    let start = request.start
    let plain = Plan(request: request, offset: start)
    guard request.last == nil, let copy = stream.copy, let held = copy.version else { return plain }
    let count = copy.count(from: start, of: held)
    guard !stream.lacksRanges || count == held.total - start else { return plain }
    if copy.isCurrent, count > 0 { return answer(request, with: held, stream) }
    // Of an earlier run: the server is asked whether it still has that file. For one byte at least, since a range must
    // not be empty.
    guard copy.isCurrent || held.validator.ifRange != nil, start < held.total else { return plain }
    var plan = Plan(request: request, offset: min(start + count, held.total - 1), held: held)
    plan.end = copy.next(after: plan.offset, least: Self.leastHeld, of: held)
    return plan.offset > start || plan.end != nil ? plan : plain
  }

  /// Answers as the server would, and sends what is held of it. What is asked for after that.
  @discardableResult
  private func answer(_ request: RelayRequest, with held: StreamCopy.Version, _ stream: RelayedStream) -> Plan? {
    send(RelayHead.file(request, held))
    return goOn(Plan(request: request, offset: request.start, held: held, isAnswered: true), stream)
  }

  /// Sends what is held at the plan's place. What is asked for after that; nil when nothing is, or mpv has gone.
  private func goOn(_ plan: Plan, _ stream: RelayedStream) -> Plan? {
    guard let copy = stream.copy, let held = plan.held else { return nil }
    let end = plan.offset + copy.count(from: plan.offset, of: held)
    var next = plan
    next.offset = copy.send(plan.offset..<end, of: held, to: socket)
    guard next.offset == end, end < held.total else { return nil }
    next.end = copy.next(after: end, least: Self.leastHeld, of: held)
    return next
  }

  private enum Outcome {
    case done
    /// Where redirects had led to there is nothing any more: to be asked for at the address itself.
    case moved
    /// The file is another version than what is held.
    case changed
    /// From this byte on it is held.
    case reached(Int64)
  }

  /// Asks the server and passes on what it says.
  private func fetch(_ plan: Plan, _ stream: RelayedStream, _ credentials: Credentials?) -> Outcome {
    let sink = RelaySink(stream: stream, socket: socket, plan: plan)
    let request = request(for: plan, stream, credentials)
    let exchange = RelayExchange(request, sink: sink, options: http)
    let result = exchange.wait(whileOpen: socket, patience: patience) { sink.hasBegun }
    let isElsewhere = request.url != stream.address
    switch sink.stop {
    case .listenerGone: return .done
    case .changed where stream.isReplaced: return .changed
    case .changed where plan.held == nil:
      stream.trouble = .invalidAnswer(.inconsistent(reason: "it sends another part than the one that was asked for"))
      send(RelayHead.refusal(400))
    case .changed: return .changed
    case .direct: send(RelayHead.redirect(to: stream.original))
    case nil:
      if isElsewhere, !sink.hasBegun, Self.isRefusal(result) { return .moved }
      return outcome(of: plan, stream, sink, result)
    }
    return .done
  }

  private static func isRefusal(_ result: RelayExchange.Outcome) -> Bool {
    switch result {
    case .success(let response): response.status >= 400 && response.status != 416
    case .failure(.cancelled): false
    case .failure: true
    }
  }

  private func outcome(
    of plan: Plan, _ stream: RelayedStream, _ sink: RelaySink, _ result: RelayExchange.Outcome
  ) -> Outcome {
    switch result {
    case .success(let response) where (200..<300).contains(response.status):
      // A server may send less than was asked for, or all that follows.
      if let end = plan.end, sink.offset == end { return .reached(end) }
    case .success(let response):
      // Asked for what is behind the end: FFmpeg does that, to see where it is.
      stream.trouble = response.status == 416 ? nil : response.refusal
      guard !plan.isAnswered else { break }
      if response.status == 416, plan.held != nil { return .changed }
      send(RelayHead.passedOn(response.head))
    // An old radio server, which says ICY instead of HTTP: FFmpeg understands it.
    case .failure(.invalidAnswer(.notHTTP)) where !plan.isAnswered: send(RelayHead.redirect(to: stream.original))
    case .failure(.cancelled): break
    case .failure(let error):
      stream.trouble = error
      if sink.hasBegun || plan.isAnswered {
        // mpv counts, and asks for the rest; where there is nothing to count, the break must be seen.
        if sink.isEndless { LoopbackSocket.reset(socket) }
      } else if let held = plan.held, let copy = stream.copy, copy.count(from: plan.request.start, of: held) > 0 {
        // Without a network, what an earlier run left is better than nothing. Where it ends mpv asks for the rest.
        answer(plan.request, with: held, stream)
      } else {
        send(RelayHead.refusal(Self.status(of: error)))
      }
    }
    return .done
  }

  private func request(for plan: Plan, _ stream: RelayedStream, _ credentials: Credentials?) -> HTTPRequest {
    let isRest = plan.request.start > 0 || plan.isAnswered
    var request = HTTPRequest(url: isRest ? stream.place ?? stream.address : stream.address)
    // The place may be another server: each password goes to its own.
    request.credentials = [credentials, stream.address.credentials].compactMap { $0 }
    // Bytes must be those of the file, or a range would mean nothing.
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

  /// mpv that has gone is noticed elsewhere.
  private func send(_ bytes: [UInt8]) { _ = LoopbackSocket.send(socket, bytes[...]) }

  private static func status(of error: HTTPError) -> Int {
    switch error {
    case .rateLimited: 429
    case .noConnectivity(.timedOut): 504
    case .noConnectivity, .refused, .cancelled: 502
    // Another try would bring the same.
    default: 400
    }
  }
}
