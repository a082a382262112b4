/// The header of an MPEG audio frame of layer III (ISO 11172-3 §2.4.1.3, ISO 13818-3 and MPEG 2.5).
struct MP3Frame: Equatable {
  /// Bits per second.
  var bitRate: Int
  var sampleRate: Int
  /// Samples of each channel.
  var samples: Int
  /// Bytes of the whole frame.
  var size: Int
  /// Bytes between the header and the sound, where the tag of an index begins.
  var sideBytes: Int

  static let headerBytes = 4

  /// Reads four bytes. Nil if they are no header, or the bit rate is free.
  init?(_ bytes: some Collection<UInt8>) {
    let word = bytes.prefix(Self.headerBytes).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let (version, layer) = (word >> 19 & 3, word >> 17 & 3)
    let (rate, frequency) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
    guard bytes.count >= Self.headerBytes, word >> 21 == 0x7ff, version != 1, layer == 1, (1...14).contains(rate),
      frequency != 3
    else { return nil }
    let isFirstVersion = version == 3
    bitRate = (isFirstVersion ? Self.bitRates : Self.lowBitRates)[rate - 1] * 1000
    sampleRate = Self.sampleRates[frequency] >> (isFirstVersion ? 0 : version == 2 ? 1 : 2)
    samples = isFirstVersion ? 1152 : 576
    size = samples / 8 * bitRate / sampleRate + Int(word >> 9 & 1)
    let isMono = word >> 6 & 3 == 3
    sideBytes = isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
  }

  private static let bitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  /// Of MPEG 2 and 2.5.
  private static let lowBitRates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  private static let sampleRates = [44_100, 48_000, 32_000]
}

/// The index in the first frame of an mp3 file: a Xing or Info tag of LAME, or a VBRI tag of Fraunhofer's encoder.
struct MP3Index: Equatable {
  /// The tag says that the bit rate is constant (`Info`).
  var isConstant: Bool
  /// Bytes of the sound with this frame.
  var bytes: Int64?
  /// Frames without this one.
  var frames: Int64?

  /// Nil if the frame has no index.
  init?(in bytes: [UInt8], of frame: MP3Frame) {
    func number(at offset: Int) -> Int64? {
      guard offset + 4 <= min(bytes.count, frame.size) else { return nil }
      return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    func hasTag(_ tag: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: tag.utf8) }
    let xing = MP3Frame.headerBytes + frame.sideBytes
    if hasTag("Info", at: xing) || hasTag("Xing", at: xing), let flags = number(at: xing + 4) {
      isConstant = hasTag("Info", at: xing)
      let hasFrames = flags & 1 != 0
      frames = hasFrames ? number(at: xing + 8) : nil
      self.bytes = flags & 2 != 0 ? number(at: xing + (hasFrames ? 12 : 8)) : nil
    } else if hasTag("VBRI", at: Self.vbri) {
      isConstant = false
      self.bytes = number(at: Self.vbri + 10)
      frames = number(at: Self.vbri + 14)
    } else {
      return nil
    }
  }

  private static let vbri = 36

  /// Whether the index is of the whole file. A server that joins files leaves the index of the first one in front.
  /// - Parameters:
  ///   - size: the bytes of the file from this frame on.
  ///   - first: the frame of the index.
  ///   - next: the frame after it.
  func fits(_ size: Int64, first: MP3Frame, next: MP3Frame) -> Bool {
    let seconds = frames.map { Double($0) * Double(first.samples) / Double(first.sampleRate) }
    let constant = Double(size - Int64(first.size)) * 8 / Double(next.bitRate)
    if isConstant, let seconds, abs(seconds - constant) > Self.tolerance { return false }
    guard let bytes else { return true }
    let surplus = Double(abs(size - bytes)) * 8
    let rate = isConstant ? Double(next.bitRate) : seconds.map { Double(bytes) * 8 / max($0, 1) }
    return surplus <= Self.tolerance * (rate ?? Double(next.bitRate))
  }

  /// Seconds. Tags after the sound are shorter, as a rule.
  private static let tolerance = 0.5
}
