/// A growing byte buffer whose append operations cost little more than the copy. It is the hot path of the XML layer.
struct ByteBuffer: ~Copyable {
  // Raw memory, because Array's uniqueness and capacity checks cost more than copying the few bytes of a tag.
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = max(64, capacity)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  var isEmpty: Bool { count == 0 }
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// The last byte, or the one `back` bytes before it. 0 if there is none.
  func last(_ back: Int = 0) -> UInt8 { back < count ? start[count - 1 - back] : 0 }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ from: UnsafePointer<UInt8>, _ length: Int) {
    guard length > 0 else { return }
    if count + length > capacity { grow(by: length) }
    (start + count).update(from: from, count: length)
    count += length
  }

  @inline(__always)
  mutating func append(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

  /// Appends a code point as UTF-8. Invalid code points are ignored.
  mutating func append(scalar value: UInt32) {
    guard let scalar = Unicode.Scalar(value) else { return }
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
  }

  mutating func removeAll() { count = 0 }

  subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

  /// Normalizes line ends in a range to line feeds (XML 1.0 §2.11). Bytes after the returned ones are undefined.
  /// - Parameter pending: the previous text ended in a carriage return.
  mutating func normaliseLines(_ range: Range<Int>, after pending: inout Bool) -> UnsafeBufferPointer<UInt8> {
    let text = self[range]
    guard pending || ByteScan.find(0x0D, start + range.lowerBound, start + range.upperBound) != nil else { return text }
    var kept = range.lowerBound
    var wasReturn = pending
    for index in range {
      let byte = start[index]
      if byte != 0x0A || !wasReturn {
        start[kept] = byte == 0x0D ? 0x0A : byte
        kept += 1
      }
      wasReturn = byte == 0x0D
    }
    pending = wasReturn
    return self[range.lowerBound..<kept]
  }

  /// Removes the first `length` bytes.
  mutating func removeFirst(_ length: Int) {
    guard length > 0 else { return }
    guard length < count else { return removeAll() }
    start.update(from: start + length, count: count - length)
    count -= length
  }

  /// Keeps only the first `length` bytes.
  mutating func truncate(to length: Int) { count = min(count, max(0, length)) }

  private mutating func grow(by length: Int) {
    let larger = max(capacity * 2, count + length)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = larger
  }
}
