import Foundation

/// Finds out from the bytes of an Ogg file whether it is chained: several streams behind each other (RFC 3533, section
/// 4). FFmpeg says so only if the last stream is longer than the 64 kB that it reads at the end of the file.
public struct OggChain: Sendable, Equatable {
  public private(set) var isChained = false
  /// Where the pages that begin the first streams end. Nil: the file is no Ogg file, or its beginning was not seen.
  private var dataStart: Int64?

  public init() {}

  /// - Parameter offset: of the bytes in the file. Those at 0 come first.
  public mutating func read(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    guard !isChained else { return }
    if offset == 0 { dataStart = Self.endOfFirstPages(bytes) }
    guard let dataStart else { return }
    var start = max(0, Int(clamping: dataStart - offset))
    while start < bytes.count, let found = Self.nextCapital(in: bytes, from: start) {
      if Self.beginsStream(bytes, at: found) { isChained = true }
      start = found + 1
    }
  }

  /// The end of the pages at the beginning that each begin a stream. Nil: there are none.
  private static func endOfFirstPages(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    var start = 0
    while beginsStream(bytes, at: start) {
      let segments = start + headerBytes
      guard segments <= bytes.count, segments + Int(bytes[segments - 1]) <= bytes.count else { break }
      let table = bytes[segments..<segments + Int(bytes[segments - 1])]
      start = table.endIndex + table.reduce(0) { $0 + Int($1) }
    }
    return start > 0 ? Int64(start) : nil
  }

  /// Bytes of a page's header, up to the table of its segments (RFC 3533, section 6).
  private static let headerBytes = 27

  /// Whether a page begins here that begins a stream: version 0, and only the flag for that.
  private static func beginsStream(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    start + 6 <= bytes.count && bytes[start..<start + 4].elementsEqual("OggS".utf8) && bytes[start + 4] == 0
      && bytes[start + 5] == 2
  }

  /// The next `O`, with which pages begin.
  private static func nextCapital(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(UInt8(ascii: "O")), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
