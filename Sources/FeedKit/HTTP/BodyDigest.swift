/// Recognises a body that has come before, without keeping it: FNV-1a of 64 bits and the length.
///
/// Not cryptographic, and need not be: who could forge a collision could as well not change the feed.
/// Stored with the subscription, so neither the algorithm nor the text form may change.
struct BodyDigest: Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  private var count: UInt64 = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var hash = hash
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    self.hash = hash
    count &+= UInt64(bytes.count)
  }

  var text: String { String(hash, radix: 16) + "-" + String(count) }
}
