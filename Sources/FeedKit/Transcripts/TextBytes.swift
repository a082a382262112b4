import Foundation

/// Decodes a file of unknown encoding, as `TextDecoder` decodes a document that declares none.
enum TextBytes {
  /// With so many bytes, the decoder knows whether there is a byte order mark, and need not hold back the rest.
  private static let headBytes = 1024

  static func string(_ data: Data) -> String {
    let decoder = TextDecoder(charset: nil)
    var text: [UInt8] = []
    text.reserveCapacity(data.count)
    data.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      decoder.decode(UnsafeBufferPointer(rebasing: bytes.prefix(headBytes)), final: false) { text += $0 }
      decoder.decode(UnsafeBufferPointer(rebasing: bytes.dropFirst(headBytes)), final: true) { text += $0 }
    }
    // Bytes that are not UTF-8 are replaced.
    return String(decoding: text, as: UTF8.self)
  }
}
