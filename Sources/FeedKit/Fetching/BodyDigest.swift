/// A digest to recognise an unchanged body without storing it: a 64-bit multiply-and-fold hash and the length.
///
/// It is not cryptographic: whoever could forge a collision could just as well leave the feed unchanged. It processes
/// eight bytes per step, because it covers every byte of every refresh (FNV-1a, byte by byte, took longer than
/// libcurl). It is stored with the subscription, so neither the algorithm nor the text form may change.
struct BodyDigest: Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private var count: UInt64 = 0
  /// Bytes that do not fill a word yet, lowest first, because chunks can end anywhere.
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

  /// Multiplication moves differences up, folding moves them down. Both are reversible, so a change of a single word
  /// always changes the hash.
  private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 32)
  }
}
