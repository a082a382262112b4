/// Windows-1252, the usual charset of Western texts that are not UTF-8, whatever they declare.
enum Windows1252 {
  /// 0x80…0x9F. The five undefined bytes keep their Latin-1 meaning, a C1 control.
  private static let middle: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
    0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0x009D, 0x017E, 0x0178,
  ]

  static func scalar(_ byte: UInt8) -> UInt32 {
    byte >= 0x80 && byte < 0xA0 ? UInt32(middle[Int(byte) - 0x80]) : UInt32(byte)
  }

  /// Like `scalar`, with U+FFFD for the five bytes that would be control characters.
  static func printable(_ byte: UInt8) -> UInt32 {
    let value = scalar(byte)
    return (0x80..<0xA0).contains(value) ? 0xFFFD : value
  }
}
