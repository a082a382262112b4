import CZlib

/// Decompresses a body that is gzip (RFC 1952) although libcurl did not decode it. Other bodies pass as they are.
///
/// It reads what libcurl refuses: several members, and bytes after the last one. Servers add zeros, or junk.
final class GzipBody {
  /// What happened to the bytes of a call.
  enum Step: Equatable {
    case more
    /// `deliver` returned false.
    case stopped
    case damaged
  }

  private enum Part {
    /// Nothing has arrived, or only the first byte of the mark.
    case start(hasFirstByte: Bool)
    case plain
    case member
    /// A member has ended. Another one may follow.
    case afterMember
    case junk
  }

  private static let mark: (first: UInt8, second: UInt8) = (0x1F, 0x8B)
  private static let bufferSize = 64 << 10

  private var part = Part.start(hasFirstByte: false)
  /// On the heap, because zlib's state has its address. Nil for bodies that are not gzip.
  private var stream: UnsafeMutablePointer<z_stream>?
  private var isFirstMember = true
  /// Whether a body that is not gzip is damaged.
  private let mustBeGzip: Bool

  init(mustBeGzip: Bool) { self.mustBeGzip = mustBeGzip }

  deinit {
    if let stream {
      inflateEnd(stream)
      stream.deallocate()
    }
  }

  /// True if the body ended within a member. Of a later member something must have been read, otherwise it is junk.
  var isCutOff: Bool {
    if case .member = part { isCertain } else { false }
  }

  /// Passes the plain bytes on, in pieces of a limited size, so that a small body cannot fill the memory.
  func decode(_ bytes: UnsafeRawBufferPointer, deliver: (UnsafeRawBufferPointer) -> Bool) -> Step {
    var rest = bytes
    while !rest.isEmpty {
      let step: Step
      switch part {
      case .start(let hasFirstByte): step = begin(&rest, hasFirstByte, deliver)
      case .plain: return deliver(rest) ? .more : .stopped
      case .member: step = inflate(&rest, deliver)
      case .afterMember: step = beginNextMember(rest[rest.startIndex])
      case .junk: return .more
      }
      if step != .more { return step }
    }
    return .more
  }

  /// Looks for the mark of gzip, which may arrive in two pieces.
  private func begin(
    _ rest: inout UnsafeRawBufferPointer, _ hasFirstByte: Bool, _ deliver: (UnsafeRawBufferPointer) -> Bool
  ) -> Step {
    var first = Self.mark.first
    let second = hasFirstByte ? rest.first : rest.dropFirst().first
    if hasFirstByte || rest.first == first {
      guard let second else {
        part = .start(hasFirstByte: true)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        return .more
      }
      if second == Self.mark.second {
        guard open() else { return .damaged }
        part = .member
        guard hasFirstByte else { return .more }
        return withUnsafeBytes(of: &first) { byte in
          var byte = byte
          return inflate(&byte, deliver)
        }
      }
    }
    guard !mustBeGzip else { return .damaged }
    part = .plain
    guard hasFirstByte else { return .more }
    return withUnsafeBytes(of: &first) { deliver($0) } ? .more : .stopped
  }

  private func open() -> Bool {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard earshot_inflate_gzip_init(stream) == Z_OK else {
      stream.deallocate()
      return false
    }
    self.stream = stream
    return true
  }

  private func beginNextMember(_ first: UInt8) -> Step {
    guard first == Self.mark.first, let stream, inflateReset(stream) == Z_OK else {
      part = .junk
      return .more
    }
    isFirstMember = false
    part = .member
    return .more
  }

  /// Reads from `rest` until it is empty or the member ends.
  private func inflate(
    _ rest: inout UnsafeRawBufferPointer, _ deliver: (UnsafeRawBufferPointer) -> Bool
  ) -> Step {
    guard let stream else { return .damaged }
    return withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 1) { buffer in
      var isFull = false
      // A full buffer may mean that zlib has more to give without further input.
      while !rest.isEmpty || isFull {
        let count = min(rest.count, Int(UInt32.max))
        stream.pointee.next_in = UnsafeMutablePointer(mutating: rest.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(count)
        stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(buffer.count)
        let code = CZlib.inflate(stream, Z_NO_FLUSH)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count - Int(stream.pointee.avail_in)))
        let written = buffer.count - Int(stream.pointee.avail_out)
        isFull = written == buffer.count
        if written > 0, !deliver(UnsafeRawBufferPointer(rebasing: buffer[..<written])) { return .stopped }
        switch code {
        case Z_OK: continue
        case Z_STREAM_END:
          part = .afterMember
          return .more
        // Nothing was left to give.
        case Z_BUF_ERROR where rest.isEmpty: return .more
        default:
          guard !isCertain else { return .damaged }
          part = .junk
          return .more
        }
      }
      return .more
    }
  }

  /// Junk can begin like a member. It is one if something was read from it.
  private var isCertain: Bool { isFirstMember || (stream?.pointee.total_out ?? 0) > 0 }
}
