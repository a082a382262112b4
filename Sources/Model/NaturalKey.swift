/// A key that sorts numbers inside a text by their value, so that "Part 9" comes before "Part 10".
public enum NaturalKey {
  /// Numbers lose their leading zeros and are preceded by a character for their count of digits, because a longer
  /// number is a larger one.
  public static func key(_ text: some Collection<UInt8>) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(text.count + 8)
    var rest = text[...]
    while let byte = rest.first {
      guard isDigit(byte) else {
        key.append(byte)
        rest = rest.dropFirst()
        continue
      }
      let number = rest.prefix(while: isDigit)
      rest = rest.dropFirst(number.count)
      let digits = number.drop { $0 == UInt8(ascii: "0") }
      // At most `o`. Numbers with 63 or more digits are compared digit by digit.
      key.append(UInt8(ascii: "0") + UInt8(min(digits.count, 63)))
      key += digits
    }
    return key
  }

  public static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
