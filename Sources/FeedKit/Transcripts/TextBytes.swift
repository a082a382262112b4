import Foundation

/// Decodes a file of unknown encoding: by byte order mark, UTF-16 by its NUL bytes, UTF-8, or else `CharsetGuess`,
/// which mostly chooses Windows-1252.
enum TextBytes {
  /// How many bytes are used to guess the charset.
  private static let guessed = 65_536

  static func string(_ data: Data) -> String {
    let bytes = [UInt8](data)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), bigEndian: false) }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), bigEndian: true) }
    // In UTF-16, every other byte of ASCII text is NUL.
    let head = bytes.prefix(64)
    if head.count >= 4 {
      let even = stride(from: 0, to: head.count, by: 2).count { head[$0] == 0 }
      let odd = stride(from: 1, to: head.count, by: 2).count { head[$0] == 0 }
      if odd * 4 > head.count, even == 0 { return utf16(bytes[...], bigEndian: false) }
      if even * 4 > head.count, odd == 0 { return utf16(bytes[...], bigEndian: true) }
    }
    return utf8(bytes[...])
  }

  private static func utf8(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    // If there are also valid sequences, a few broken bytes in UTF-8 are more likely than Windows-1252.
    let text = String(decoding: bytes, as: UTF8.self)
    let broken = text.unicodeScalars.count { $0 == "\u{FFFD}" }
    let wide = text.unicodeScalars.count { $0.value > 0x7F } - broken
    guard broken > wide else { return text }
    if let other = bytes.prefix(guessed).withUnsafeBufferPointer({ CharsetGuess($0).charset(language: nil) }) {
      var converted = ByteBuffer(capacity: bytes.count * 2)
      _ = bytes.withUnsafeBufferPointer { other.convert($0, final: true, into: &converted) }
      return String(decoding: converted.bytes, as: UTF8.self)
    }
    return String(String.UnicodeScalarView(bytes.compactMap(CleanText.windows1252)))
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> String {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(bigEndian ? first << 8 | second : second << 8 | first)
      index += 2
    }
    return String(decoding: units, as: UTF16.self)
  }
}
