import Foundation

/// Rewrites a WAVE file of mpv with the plain head of 44 bytes. mpv writes WAVE_FORMAT_EXTENSIBLE (`ao_pcm.c`), which
/// PocketSphinx and Python's `wave` refuse.
enum PlainWave {
  /// Throws with the reason. The target may be incomplete then.
  static func write(_ source: String, to target: String) throws {
    // Mapped, because an hour of speech has 115 MB.
    let data = try Data(contentsOf: URL(fileURLWithPath: source), options: .alwaysMapped)
    guard let start = samples(in: data) else { throw CocoaError(.fileReadCorruptFile) }
    let count = data.count - start
    guard FileManager.default.createFile(atPath: target, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
    defer { try? file.close() }
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    // The channels, the rate and the size of a sample are at the same offset in both kinds of head.
    var head = Data("RIFF".utf8)
    head += word(36 + count)
    head += Data("WAVEfmt ".utf8)
    head += word(16)
    head += [1, 0]
    head += data[22..<36]
    head += Data("data".utf8)
    head += word(count)
    try file.write(contentsOf: head)
    for offset in stride(from: start, to: data.count, by: 1 << 20) {
      try file.write(contentsOf: data[offset..<min(offset + (1 << 20), data.count)])
    }
  }

  /// Where the samples begin. Nil if this is no such file.
  private static func samples(in data: Data) -> Int? {
    guard data.count > 44, data.starts(with: Array("RIFF".utf8)) else { return nil }
    var offset = 12
    while offset + 8 <= data.count {
      if data[offset..<offset + 4].elementsEqual("data".utf8) { return offset + 8 }
      let size = (0..<4).reduce(0) { $0 | Int(data[offset + 4 + $1]) << (8 * $1) }
      offset += 8 + size + size % 2
    }
    return nil
  }
}
