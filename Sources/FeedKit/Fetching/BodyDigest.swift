/// Recognises a body that has come before, without keeping it: a 64-bit multiply-and-fold hash and the length.
///
/// Not cryptographic, and need not be: who could forge a collision could as well not change the feed. It takes
/// eight bytes a step, since it runs over every byte of every refresh (FNV-1a, byte by byte, cost more than
/// libcurl did). Stored with the subscription, so neither the algorithm nor the text form may change.
struct BodyDigest: Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private var count: UInt64 = 0
  /// Bytes that do not fill a word yet, the first lowest: pieces may end anywhere.
  private var pending: UInt64 = 0
  private var pendingBits: UInt64 = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var index = 0
    while pendingBits != 0, index < bytes.count {
      take(bytes[index])
      index += 1
    }
    var hash = hash
    while index + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      hash = Self.mixed(hash, word)
      index += 8
    }
    self.hash = hash
    for byte in bytes[index...] { take(byte) }
  }

  var text: String { String(Self.mixed(Self.mixed(hash, pending), count), radix: 16) + "-" + String(count) }

  private mutating func take(_ byte: UInt8) {
    pending |= UInt64(byte) << pendingBits
    pendingBits += 8
    guard pendingBits == 64 else { return }
    hash = Self.mixed(hash, pending)
    (pending, pendingBits) = (0, 0)
  }

  /// Multiplying carries differences up, folding brings them down again; both are reversible, so that no single
  /// changed word can go unseen.
  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 32)
  }
}
