import Foundation
import HTTP
import LoopbackSocket
import Synchronization

/// The server's answer on its way to mpv, and into the copy. Runs on the network thread of its own connection, which waits
/// where mpv does not read: so the server is not asked for more than is heard, and a little.
final class RelaySink: HTTPSink {
  /// Why no more was wanted.
  enum Stop: Equatable {
    /// mpv has closed the connection: another place, another episode.
    case listenerGone
    /// It does not continue what is held: the file is another one now.
    case changed
    /// mpv has to ask by itself: a manifest names addresses that are relative to its own.
    case direct
  }

  /// What is asked of the server, and what mpv has had by then.
  struct Plan {
    var request: RelayRequest
    /// The first byte that is asked of the server. Those before it, from the request's start on, are held.
    var offset: Int64
    /// Behind the last byte that is asked of the server: from there on bytes are held. nil: all that follow.
    var end: Int64?
    /// What is held; nil: nothing that this request meets.
    var held: StreamCopy.Version?
    /// mpv has been answered, up to `offset`.
    var isAnswered = false
  }

  private struct Status {
    var stop: Stop?
    var hasBegun = false
    var offset: Int64 = 0
    var version: StreamCopy.Version?
    var isEndless = false
  }

  private let stream: RelayedStream
  private let socket: Int32
  private let plan: Plan
  private let status = Mutex(Status())

  init(stream: RelayedStream, socket: Int32, plan: Plan) {
    self.stream = stream
    self.socket = socket
    self.plan = plan
  }

  var stop: Stop? { status.withLock { $0.stop } }
  /// mpv has been sent a head.
  var hasBegun: Bool { status.withLock { $0.hasBegun } }
  /// Behind the last byte that came.
  var offset: Int64 { status.withLock { $0.offset } }
  /// Nothing in the head says where the body ends, so that a break must be told in another way.
  var isEndless: Bool { status.withLock { $0.isEndless } }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    stream.trouble = nil
    guard !Self.isManifest(head.contentType) else { return end(.direct) }
    let range = head.status == 206 ? ContentRange(head["Content-Range"]) : nil
    let isPart = head.status == 206
    let total = isPart ? range?.total : head["Content-Length"].flatMap { Int64($0) }
    guard !isPart || range?.first == plan.offset else { return end(.changed) }
    let same = stream.copy?.version(meeting: head, total: total)
    stream.place = url
    noteRanges(head)
    guard continues(same), plan.held == nil || isPart else { return end(.changed) }
    let isKept = same != nil || Self.isMedia(head)
    let version = same ?? (isKept ? total.flatMap { stream.copy?.begin(head, total: $0) } : nil)
    status.withLock {
      $0.hasBegun = true
      $0.offset = isPart ? plan.offset : 0
      $0.version = version
      $0.isEndless = total == nil
    }
    return plan.isAnswered || sendStart(head) || end(.listenerGone)
  }

  /// False when the answer is about another version of the file than what it has to go on with; what is held of that is
  /// of no use any more.
  private func continues(_ same: StreamCopy.Version?) -> Bool {
    let isMidway = plan.request.start > 0 || plan.isAnswered
    let isAnother = plan.held.map { $0 != same } ?? (same == nil && isMidway && stream.copy?.isCurrent == true)
    guard isAnother else { return true }
    if isMidway { stream.noteReplacement() }
    stream.copy?.forget()
    return plan.held == nil && !stream.isReplaced
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let (offset, version) = status.withLock { status in
      defer { status.offset += Int64(bytes.count) }
      return (status.offset, status.version)
    }
    // mpv first: a disk may be slow.
    let isTaken = send([UInt8](bytes)[...])
    if let version, stream.copy?.write(bytes, at: offset, of: version) != true { status.withLock { $0.version = nil } }
    return isTaken || end(.listenerGone)
  }

  /// FFmpeg reads the same out of it.
  private func noteRanges(_ head: HTTPHead) {
    guard head.status == 200, plan.request.first != nil || plan.held != nil else { return }
    let isSure = plan.request.start > 0 || plan.isAnswered
    if isSure || head["Accept-Ranges"]?.lowercased().contains("bytes") != true { stream.lacksRanges = true }
  }

  /// The head, and what lies before the bytes that were asked of the server.
  private func sendStart(_ head: HTTPHead) -> Bool {
    guard let held = plan.held, let copy = stream.copy else { return send(RelayHead.passedOn(head)[...]) }
    return send(RelayHead.file(plan.request, held)[...])
      && copy.send(plan.request.start..<plan.offset, of: held, to: socket) == plan.offset
  }

  private func send(_ bytes: ArraySlice<UInt8>) -> Bool { LoopbackSocket.send(socket, bytes) }

  private func end(_ reason: Stop) -> Bool {
    status.withLock { $0.stop = reason }
    return false
  }

  /// HLS (RFC 8216 §4) and its older relatives.
  private static func isManifest(_ contentType: String?) -> Bool {
    contentType?.lowercased().contains("mpegurl") ?? false
  }

  /// Not a page to log in at, nor anything that is encoded on the way.
  private static func isMedia(_ head: HTTPHead) -> Bool {
    let type = head.contentType?.lowercased() ?? ""
    let coding = head["Content-Encoding"]?.lowercased() ?? "identity"
    return coding == "identity" && !type.hasPrefix("text/") && !type.contains("html")
  }
}

extension StreamCopy {
  /// Sends bytes that are held. Returns where it stopped: at the end of the range, at a hole, or where the other side
  /// wanted no more.
  func send(_ range: Range<Int64>, of version: Version, to socket: Int32) -> Int64 {
    var place = range.lowerBound
    while place < range.upperBound {
      let bytes = read(at: place, count: Int(min(Self.piece, range.upperBound - place)), of: version)
      guard !bytes.isEmpty, LoopbackSocket.send(socket, bytes[...]) else { break }
      place += Int64(bytes.count)
    }
    return place
  }

  private static let piece: Int64 = 64 * 1024
}
