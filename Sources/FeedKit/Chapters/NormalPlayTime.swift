import Model

/// Parses times as in Podlove simple chapters, SRT, WebVTT and show notes: `37`, `7:48`, `35:12.250`, `01:35:52`,
/// `05:12:03,500`, `npt=12.5` (Normal Play Time, RFC 2326, 3.6).
public enum NormalPlayTime {
  /// Seconds. Nil for any other text, including negative times.
  public static func parse(_ text: String) -> Double? { parse(text.utf8[...]) }

  static func parse(_ text: Substring.UTF8View) -> Double? {
    var bytes = text
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    bytes = bytes.drop(while: isBlank)
    if bytes.starts(with: "npt=".utf8) { bytes = bytes.dropFirst(4) }
    guard let first = bytes.first, isDigit(first) else { return nil }
    var total = 0.0
    var fields = 0
    while true {
      var value = 0.0
      var digits = 0
      while let byte = bytes.first, isDigit(byte) {
        value = value * 10 + Double(byte - 0x30)
        digits += 1
        bytes.removeFirst()
      }
      guard digits > 0, digits <= 9 else { return nil }
      total = total * 60 + value
      fields += 1
      guard bytes.first == UInt8(ascii: ":"), fields < 3 else { break }
      bytes.removeFirst()
    }
    if let mark = bytes.first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") {
      bytes.removeFirst()
      var scale = 0.1
      while let byte = bytes.first, isDigit(byte) {
        total += Double(byte - 0x30) * scale
        scale /= 10
        bytes.removeFirst()
      }
      // Rounds to microseconds, because 0.1 + 0.02 is not exactly 0.12.
      total = (total * 1_000_000).rounded() / 1_000_000
    }
    return bytes.isEmpty && total <= MediaTime.maximum ? total : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
