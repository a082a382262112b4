import Foundation
import HTTP
import LoopbackSocket

/// Passes the server's response to mpv and into the copy. Blocks while mpv does not read.
struct RelayResponse {
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

  private let stream: RelayedStream
  private let socket: Int32
  private let plan: Plan

  /// Nil while it goes on.
  var stop: Stop?
  /// A head was sent to mpv, or will be with the first bytes.
  private(set) var hasBegun = false
  /// One past the last byte received.
  private(set) var offset: Int64 = 0
  /// The version of the file that is being received and cached. The rest of it can be requested again.
  private(set) var version: StreamCopy.Version?
  /// The head does not tell the length, so a failure must be signalled by resetting the connection.
  private(set) var hasUnknownLength = false
  /// Bytes before `offset` that mpv has not got yet, because they may be a false index.
  private var heldBack: [UInt8] = []
  /// A head that names a content encoding. It is sent when the first bytes show that they are not compressed.
  private var doubtful: HTTPHead?

  init(stream: RelayedStream, socket: Int32, plan: Plan) {
    self.stream = stream
    self.socket = socket
    self.plan = plan
  }

  mutating func begin(_ head: HTTPHead, from url: WebAddress) {
    let asksForAll = plan.request.last == nil && plan.offset == 0 && plan.held == nil
    let completed = stream.copy?.completed(head) ?? head
    let head = asksForAll ? completed.asWhole : completed
    guard !Self.isManifest(head.contentType) else {
      stream.redirectedAddress = url
      return stop = .direct
    }
    let range = head.status == 206 ? ContentRange(head["Content-Range"]) : nil
    let isPart = head.status == 206
    // A whole file does not continue a stream that broke off in its middle, so the failure counts until the next start.
    if isPart || plan.offset == 0 { stream.lastError = nil }
    let total = isPart ? range?.total : head["Content-Length"].flatMap { Int64($0) }
    guard !isPart || range?.first == plan.offset else { return stop = .changed }
    let same = stream.copy?.version(matching: head, total: total)
    stream.redirectedAddress = url
    recordRanges(head, total: total)
    guard continues(same), plan.held == nil || isPart else { return stop = .changed }
    let isKept = same != nil || Self.isMedia(head)
    version = same ?? (isKept ? total.flatMap { stream.copy?.begin(head, total: $0) } : nil)
    stream.follow(total: total, isAnother: same == nil && plan.offset == 0)
    hasBegun = true
    offset = isPart ? plan.offset : 0
    hasUnknownLength = total == nil
    guard !plan.isAnswered else { return }
    if head.contentCoding != nil { doubtful = head } else { sendStart(head) }
  }

  /// False if the response is for another version of the file than what it must continue. Then the copy is deleted.
  private func continues(_ same: StreamCopy.Version?) -> Bool {
    let isMidway = plan.request.start > 0 || plan.isAnswered
    let isAnother = plan.held.map { $0 != same } ?? (same == nil && isMidway && stream.copy?.isCurrent == true)
    guard isAnother else { return true }
    if isMidway { stream.recordReplacement() }
    stream.copy?.forget()
    return plan.held == nil && !stream.isReplaced
  }

  mutating func receive(_ bytes: [UInt8]) {
    if let head = doubtful.take() {
      if let coding = head.contentCoding, offset == 0, Self.isCompressed(bytes) { return stop = .compressed(coding) }
      sendStart(head)
      guard stop == nil else { return }
    }
    let start = offset
    offset += Int64(bytes.count)
    // mpv first, because the disk may be slow.
    pass(bytes, at: start)
    if let version, bytes.withUnsafeBytes({ stream.copy?.write($0, at: start, of: version) }) != true {
      self.version = nil
    }
  }

  /// Passes bytes of the file to mpv, except for those at the start that are held back for a while.
  private mutating func pass(_ bytes: [UInt8], at offset: Int64) {
    let undecided = bytes.withUnsafeBytes { stream.read($0, at: offset) } ?? .max
    var body = heldBack + bytes
    heldBack = []
    let start = self.offset - Int64(body.count)
    // Bytes behind a gap do not help to decide.
    if undecided >= start, undecided < self.offset {
      heldBack = Array(body[Int(undecided - start)...])
      body.removeLast(heldBack.count)
    }
    if !body.isEmpty { send(body.hiding(stream.falseIndex, from: start)) }
  }

  /// Passes on what was held back, because the response has ended.
  mutating func flush() {
    guard stop == nil else { return }
    // The response has no body.
    if let head = doubtful.take() { sendStart(head) }
    if !heldBack.isEmpty { send(heldBack) }
    heldBack = []
  }

  /// Records whether the server ignores ranges. FFmpeg draws the same conclusions, with one exception: if a server
  /// claims to support ranges and sends no length, FFmpeg seeks past the end of the file to find its length, and fails.
  private func recordRanges(_ head: HTTPHead, total: Int64?) {
    guard head.status == 200, plan.request.first != nil || plan.held != nil else { return }
    let isSure = plan.request.start > 0 || plan.isAnswered
    let claimsRanges = head["Accept-Ranges"]?.lowercased().contains("bytes") == true
    if isSure || total == nil || !claimsRanges { stream.ignoresRanges = true }
  }

  /// Sends the head and the cached bytes before the requested ones.
  private mutating func sendStart(_ head: HTTPHead) {
    guard let held = plan.held, let copy = stream.copy else {
      return send(RelayHead.forwarded(head, hasRanges: !stream.ignoresRanges))
    }
    send(RelayHead.file(plan.request, held))
    guard stop == nil else { return }
    let end = copy.send(plan.request.start..<plan.offset, of: held, to: socket, hiding: stream.falseIndex)
    if end != plan.offset { stop = .clientClosed }
  }

  private mutating func send(_ bytes: [UInt8]) {
    if !LoopbackSocket.send(socket, bytes[...]) { stop = .clientClosed }
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

extension RelayResponse {
  /// Whether these are the first bytes of gzip (RFC 1952 §2.3.1), zlib (RFC 1950 §2.2) or Zstandard (RFC 8878 §3.1.1).
  /// No format of sound begins with them. Brotli has no such mark; its bytes are then no sound.
  private static func isCompressed(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x1f, 0x8b]) || bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
      || bytes.count > 1 && bytes[0] == 0x78 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
  }
}

extension HTTPHead {
  /// The head of a whole file, if this is the head of all of it as a part that does not tell the length: `bytes 0-99/*`
  /// (RFC 9110 §14.4), or no range at all. FFmpeg takes an unknown length for 0.
  fileprivate var asWhole: HTTPHead {
    guard status == 206 else { return self }
    let range = ContentRange(self["Content-Range"])
    guard range == nil || range?.first == 0 && range?.total == nil else { return self }
    return HTTPHead(status: 200, headers: replacing("Content-Range", with: nil).headers)
  }

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
    var offset = range.lowerBound
    while offset < range.upperBound {
      let bytes = read(at: offset, count: Int(min(Self.piece, range.upperBound - offset)), of: version)
      guard !bytes.isEmpty, LoopbackSocket.send(socket, bytes.hiding(hidden, from: offset)[...]) else { break }
      offset += Int64(bytes.count)
    }
    return offset
  }

  private static let piece: Int64 = 64 * 1024
}

extension [UInt8] {
  /// The bytes of a file from `start` on, with those of a range as zeros. FFmpeg skips zeros in front of the sound.
  fileprivate func hiding(_ range: Range<Int64>?, from start: Int64) -> [UInt8] {
    guard let range, range.overlaps(start..<start + Int64(count)) else { return self }
    var bytes = self
    for offset in range.clamped(to: start..<start + Int64(count)) { bytes[Int(offset - start)] = 0 }
    return bytes
  }
}
