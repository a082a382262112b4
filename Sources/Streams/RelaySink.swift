import Foundation
import HTTP
import LoopbackSocket
import Synchronization

/// Passes the server's response to mpv and into the copy. It runs on the network thread of its connection and blocks
/// while mpv does not read, so the server sends only a little more than is played.
final class RelaySink: HTTPSink {
  /// Why the response was stopped.
  enum Stop: Equatable {
    /// mpv has closed the connection, for example after a seek.
    case clientClosed
    /// The response does not continue the copy: the file has changed.
    case changed
    /// mpv must connect directly, because a manifest contains addresses relative to its own.
    case direct
    /// The response is compressed, although that was not asked for.
    case compressed(String)
  }

  /// What is requested from the server, and what mpv has already got.
  struct Plan {
    var request: RelayRequest
    /// The first byte requested from the server. The bytes before it, from the start of mpv's request, are cached.
    var offset: Int64
    /// One past the last byte requested from the server; the bytes from there on are cached. Nil: to the end.
    var end: Int64?
    /// The cached version of the file. Nil: nothing cached is useful for this request.
    var held: StreamCopy.Version?
    /// mpv has already got a head and the bytes up to `offset`.
    var isAnswered = false
    /// Seconds without a byte after which the rest is requested again.
    var stall = Plan.firstStall

    static let firstStall = 3.0
    private static let longestStall = 12.0

    /// The plan for the rest after a connection that has stopped sending.
    /// - Parameter version: of the file whose bytes mpv has got.
    func rest(from offset: Int64, of version: StreamCopy.Version) -> Plan {
      var rest = self
      rest.offset = offset
      rest.held = version
      rest.isAnswered = true
      // A server that sends nothing on new connections, either, is not asked again and again.
      rest.stall = offset > self.offset ? Self.firstStall : min(stall * 2, Self.longestStall)
      return rest
    }
  }

  private struct Status {
    var stop: Stop?
    var hasBegun = false
    var offset: Int64 = 0
    var version: StreamCopy.Version?
    var hasUnknownLength = false
    /// Bytes before `offset` that mpv has not got yet, because they may be a false index.
    var heldBack: [UInt8] = []
    var wait = RelayExchange.Wait.head
    /// A head that names a content encoding. It is sent when the first bytes show that they are not compressed.
    var doubtful: HTTPHead?
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
  /// Whether a head was sent to mpv.
  var hasBegun: Bool { status.withLock { $0.hasBegun } }
  /// One past the last byte received.
  var offset: Int64 { status.withLock { $0.offset } }
  var wait: RelayExchange.Wait { status.withLock { $0.wait } }
  /// The version of the file that is being received and cached. The rest of it can be requested again.
  var version: StreamCopy.Version? { status.withLock { $0.version } }
  /// The head does not tell the length, so a failure must be signalled by resetting the connection.
  var hasUnknownLength: Bool { status.withLock { $0.hasUnknownLength } }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    guard !Self.isManifest(head.contentType) else {
      stream.redirectedAddress = url
      return end(.direct)
    }
    let range = head.status == 206 ? ContentRange(head["Content-Range"]) : nil
    let isPart = head.status == 206
    // A whole file does not continue a stream that broke off in its middle, so the failure counts until the next start.
    if isPart || plan.offset == 0 { stream.lastError = nil }
    let total = isPart ? range?.total : head["Content-Length"].flatMap { Int64($0) }
    guard !isPart || range?.first == plan.offset else { return end(.changed) }
    let same = stream.copy?.version(matching: head, total: total)
    stream.redirectedAddress = url
    noteRanges(head, total: total)
    guard continues(same), plan.held == nil || isPart else { return end(.changed) }
    let isKept = same != nil || Self.isMedia(head)
    let version = same ?? (isKept ? total.flatMap { stream.copy?.begin(head, total: $0) } : nil)
    stream.follow(total: total, isAnother: same == nil && plan.offset == 0)
    status.withLock {
      $0.hasBegun = true
      $0.wait = .nothing
      $0.offset = isPart ? plan.offset : 0
      $0.version = version
      $0.hasUnknownLength = total == nil
    }
    defer { noteWait(.bytes(since: .now)) }
    if head.contentCoding != nil, !plan.isAnswered {
      status.withLock { $0.doubtful = head }
      return true
    }
    return plan.isAnswered || sendStart(head) || end(.clientClosed)
  }

  /// False if the response is for another version of the file than what it must continue. Then the copy is deleted.
  private func continues(_ same: StreamCopy.Version?) -> Bool {
    let isMidway = plan.request.start > 0 || plan.isAnswered
    let isAnother = plan.held.map { $0 != same } ?? (same == nil && isMidway && stream.copy?.isCurrent == true)
    guard isAnother else { return true }
    if isMidway { stream.noteReplacement() }
    stream.copy?.forget()
    return plan.held == nil && !stream.isReplaced
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    noteWait(.nothing)
    if let head = status.withLock({ $0.doubtful.take() }) {
      if let coding = head.contentCoding, offset == 0, Self.isCompressed(bytes) { return end(.compressed(coding)) }
      guard sendStart(head) else { return end(.clientClosed) }
    }
    defer { noteWait(.bytes(since: .now)) }
    let (offset, version) = status.withLock { status in
      defer { status.offset += Int64(bytes.count) }
      return (status.offset, status.version)
    }
    // mpv first, because the disk may be slow.
    let isTaken = pass(bytes, at: offset)
    if let version, stream.copy?.write(bytes, at: offset, of: version) != true { status.withLock { $0.version = nil } }
    return isTaken || end(.clientClosed)
  }

  private func noteWait(_ wait: RelayExchange.Wait) { status.withLock { $0.wait = wait } }

  /// Passes bytes of the file to mpv, except for those at the start that are held back for a while.
  private func pass(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    let undecided = stream.read(bytes, at: offset) ?? .max
    var body = status.withLock { status in
      defer { status.heldBack = [] }
      return status.heldBack + bytes
    }
    let start = offset + Int64(bytes.count) - Int64(body.count)
    // Bytes behind a gap do not help to decide.
    if undecided >= start, undecided < start + Int64(body.count) {
      let kept = Array(body[Int(undecided - start)...])
      status.withLock { $0.heldBack = kept }
      body.removeLast(kept.count)
    }
    return body.isEmpty || send(body.hiding(stream.falseIndex, from: start)[...])
  }

  /// Passes on what was held back, because the response has ended.
  func flush() {
    let rest = status.withLock { status in
      defer { status.heldBack = [] }
      return status.heldBack
    }
    guard stop == nil else { return }
    // The response has no body.
    if let head = status.withLock({ $0.doubtful.take() }) { _ = sendStart(head) }
    if !rest.isEmpty { _ = send(rest[...]) }
  }

  /// Notes whether the server ignores ranges. FFmpeg draws the same conclusions, with one exception: if a server claims
  /// to support ranges and sends no length, FFmpeg seeks past the end of the file to find its length, and fails.
  private func noteRanges(_ head: HTTPHead, total: Int64?) {
    guard head.status == 200, plan.request.first != nil || plan.held != nil else { return }
    let isSure = plan.request.start > 0 || plan.isAnswered
    let claimsRanges = head["Accept-Ranges"]?.lowercased().contains("bytes") == true
    if isSure || total == nil || !claimsRanges { stream.ignoresRanges = true }
  }

  /// Sends the head and the cached bytes before the requested ones.
  private func sendStart(_ head: HTTPHead) -> Bool {
    guard let held = plan.held, let copy = stream.copy else {
      return send(RelayHead.forwarded(head, hasRanges: !stream.ignoresRanges)[...])
    }
    return send(RelayHead.file(plan.request, held)[...])
      && copy.send(plan.request.start..<plan.offset, of: held, to: socket, hiding: stream.falseIndex) == plan.offset
  }

  private func send(_ bytes: ArraySlice<UInt8>) -> Bool { LoopbackSocket.send(socket, bytes) }

  private func end(_ reason: Stop) -> Bool {
    status.withLock { $0.stop = reason }
    return false
  }

  /// HLS (RFC 8216 §4) and older playlist formats.
  private static func isManifest(_ contentType: String?) -> Bool {
    contentType?.lowercased().contains("mpegurl") ?? false
  }

  /// Whether the response can be media: it is not a text, such as a login page, and not compressed.
  private static func isMedia(_ head: HTTPHead) -> Bool {
    let type = head.contentType?.lowercased() ?? ""
    return head.contentCoding == nil && !type.hasPrefix("text/") && !type.contains("html")
  }
}

extension RelaySink {
  /// Whether these are the first bytes of gzip (RFC 1952 §2.3.1), zlib (RFC 1950 §2.2) or Zstandard (RFC 8878 §3.1.1).
  /// No format of sound begins with them. Brotli has no such mark; its bytes are then no sound.
  private static func isCompressed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x1f, 0x8b]) || bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
      || bytes.count > 1 && bytes[0] == 0x78 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
  }
}

extension HTTPHead {
  /// The content encoding if the server names one. Limited, because it is shown.
  fileprivate var contentCoding: String? {
    let coding = self["Content-Encoding"]?.lowercased() ?? ""
    return coding.isEmpty || coding == "identity" ? nil : String(coding.prefix(20))
  }
}

extension StreamCopy {
  /// Sends cached bytes. Returns where it stopped: at the end of the range, at a gap, or when the other side closed.
  /// - Parameter hidden: bytes of the file that are sent as zeros.
  func send(_ range: Range<Int64>, of version: Version, to socket: Int32, hiding hidden: Range<Int64>?) -> Int64 {
    var place = range.lowerBound
    while place < range.upperBound {
      let bytes = read(at: place, count: Int(min(Self.piece, range.upperBound - place)), of: version)
      guard !bytes.isEmpty, LoopbackSocket.send(socket, bytes.hiding(hidden, from: place)[...]) else { break }
      place += Int64(bytes.count)
    }
    return place
  }

  private static let piece: Int64 = 64 * 1024
}

extension [UInt8] {
  /// The bytes of a file from `start` on, with those of a range as zeros. FFmpeg skips zeros in front of the sound.
  fileprivate func hiding(_ range: Range<Int64>?, from start: Int64) -> [UInt8] {
    guard let range, range.overlaps(start..<start + Int64(count)) else { return self }
    var bytes = self
    for place in range.clamped(to: start..<start + Int64(count)) { bytes[Int(place - start)] = 0 }
    return bytes
  }
}
