/// A 64-bit hash that, unlike `Hasher`, is the same in every run and on every machine. It detects changes of an
/// episode in its feed. It is not cryptographic.
struct StableHash {
  private var state: UInt64

  /// Another seed changes all stored hashes, so that the next refresh writes every episode again.
  init(seed: UInt64 = 1) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// The value as SQLite stores it.
  var value: Int64 {
    var word = state
    word ^= word >> 32
    word = word &* 0xD6E8_FEB8_6659_FD93
    word ^= word >> 29
    return Int64(bitPattern: word)
  }

  private mutating func mix(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    state = high ^ low ^ 0xE703_7ED1_A0B4_28DB
  }

  mutating func combine(_ number: Int64?) { mix(number.map(UInt64.init(bitPattern:)) ?? 0x6E69_6C21) }
  mutating func combine(_ number: Int?) { combine(number.map(Int64.init)) }
  mutating func combine(_ number: Double?) { mix(number?.bitPattern ?? 0x6E69_6C22) }

  /// Nil and empty give different hashes.
  mutating func combine(_ text: String?) {
    guard var text else { return mix(0x6E69_6C23) }
    text.withUTF8 { bytes in
      mix(UInt64(bytes.count) &+ 1)
      let raw = UnsafeRawBufferPointer(bytes)
      var offset = 0
      while offset &+ 8 <= raw.count {
        mix(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
        offset &+= 8
      }
      var tail: UInt64 = 0
      while offset < raw.count {
        tail = tail << 8 | UInt64(raw[offset])
        offset &+= 1
      }
      mix(tail)
    }
  }
}
