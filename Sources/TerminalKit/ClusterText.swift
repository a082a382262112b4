/// The text of a cluster: at most five Unicode scalars, the base and four combining marks.
///
/// It consists of two integers instead of a `String`, so that copying and comparing thousands of cells needs no
/// reference counts.
public struct ClusterText: Hashable, Sendable, ExpressibleByUnicodeScalarLiteral {
  /// Scalars of 21 bits each, the first one in the lowest bits. 0 is the end: U+0000 never reaches the screen.
  private var first: UInt64 = 0
  private var last: UInt64 = 0

  /// The maximum number of scalars: ncurses' CCHARW_MAX.
  public static let limit = 5
  private static let bits = 21
  private static let perWord = 3
  private static let mask: UInt64 = (1 << bits) - 1

  public init() {}

  public init(_ scalar: Unicode.Scalar) { first = UInt64(scalar.value) }

  public init(unicodeScalarLiteral scalar: Unicode.Scalar) { self.init(scalar) }

  /// The first five scalars of a text.
  public init(_ text: String) {
    for scalar in text.unicodeScalars.prefix(Self.limit) { append(scalar) }
  }

  /// The number of scalars.
  public var count: Int { Self.scalars(in: first) + Self.scalars(in: last) }

  private static func scalars(in word: UInt64) -> Int { (64 - word.leadingZeroBitCount + bits - 1) / bits }

  /// The scalar at an index from 0 to 4. U+0000 after the last one.
  public subscript(index: Int) -> Unicode.Scalar {
    let word = index < Self.perWord ? first >> (Self.bits * index) : last >> (Self.bits * (index - Self.perWord))
    return Unicode.Scalar(UInt32(truncatingIfNeeded: word & Self.mask)) ?? "\u{FFFD}"
  }

  /// Adds a scalar. Without effect if there are five already.
  public mutating func append(_ scalar: Unicode.Scalar) {
    let index = count
    guard index < Self.limit else { return }
    let value = UInt64(scalar.value)
    if index < Self.perWord {
      first |= value << (Self.bits * index)
    } else {
      last |= value << (Self.bits * (index - Self.perWord))
    }
  }

  public var string: String {
    var text = ""
    write(to: &text)
    return text
  }

  public func write(to text: inout String) {
    for index in 0..<count { text.unicodeScalars.append(self[index]) }
  }

  func writeUTF8(to bytes: inout [UInt8]) {
    if last == 0, first > 0, first < 0x80 { return bytes.append(UInt8(first)) }
    for index in 0..<count { bytes.append(contentsOf: UTF8.encode(self[index])!) }
  }
}
