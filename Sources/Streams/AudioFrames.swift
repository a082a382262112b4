import Foundation
import Model

/// The frames of an MP3 or AAC (ADTS) file: a hash of the bytes of each, and where it begins in time.
public struct AudioFrames: Sendable {
  /// Why a file has no frames to compare.
  public enum Problem: Error, Equatable, CustomStringConvertible {
    case unreadable(String)
    case noFrames

    public var description: String {
      switch self {
      case .unreadable(let cause): "the file cannot be read: \(cause)"
      case .noFrames: "this is neither an MP3 nor an AAC file, whose frames can be compared"
      }
    }
  }

  /// Of each frame, in order.
  public private(set) var hashes: [UInt64] = []
  /// Where each frame begins, in seconds, and at last where the file ends.
  public private(set) var times: [Double] = [0]

  public init(contentsOf path: String) throws(Problem) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch {
      throw .unreadable(FileFailure.text(error))
    }
    try self.init(data)
  }

  /// Bytes that are no frame, such as tags where files were joined, are passed over.
  public init(_ data: Data) throws(Problem) {
    data.withUnsafeBytes { bytes in
      var offset = Self.tagSize(bytes)
      while offset + Frame.headerBytes <= bytes.count {
        // A header within other bytes is no frame, so another one must follow it.
        guard let frame = Frame(bytes, at: offset), offset + frame.size <= bytes.count,
          offset + frame.size + Frame.headerBytes > bytes.count || Frame(bytes, at: offset + frame.size) != nil
            || Self.isTag(bytes, at: offset + frame.size)
        else {
          offset += max(1, Self.tagSize(bytes, at: offset))
          continue
        }
        add(frame, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + frame.size]))
        offset += frame.size
      }
    }
    guard hashes.count >= Self.minimum else { throw .noFrames }
  }

  /// Fewer frames are found by chance in any file.
  private static let minimum = 10

  private mutating func add(_ frame: Frame, _ bytes: UnsafeRawBufferPointer) {
    // An index (Xing, Info, VBRI) has no sound.
    if frame.isMP3, let header = MP3Frame(bytes.prefix(MP3Frame.headerBytes)),
      MP3Index(in: [UInt8](bytes.prefix(200)), of: header) != nil
    {
      return
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hashes.append(hash)
    times.append((times.last ?? 0) + frame.seconds)
  }

  /// The header of a frame of either kind.
  private struct Frame {
    static let headerBytes = 7
    var size: Int
    var seconds: Double
    var isMP3: Bool

    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      guard offset + Self.headerBytes <= bytes.count, bytes[offset] == 0xFF else { return nil }
      let head = bytes[offset..<offset + Self.headerBytes]
      if let frame = MP3Frame(head.prefix(MP3Frame.headerBytes)) {
        size = frame.size
        seconds = Double(frame.samples) / Double(frame.sampleRate)
        isMP3 = true
        guard size > MP3Frame.headerBytes else { return nil }
        return
      }
      // ADTS (ISO 14496-3, 1.A.2.2): twelve bits of sync, and layer 0.
      guard bytes[offset + 1] & 0xF6 == 0xF0 else { return nil }
      let frequency = Int(bytes[offset + 2] >> 2 & 15)
      guard Self.sampleRates.indices.contains(frequency) else { return nil }
      size = Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5]) >> 5
      seconds = Double(1024 * (Int(bytes[offset + 6] & 3) + 1)) / Double(Self.sampleRates[frequency])
      isMP3 = false
      guard size > Self.headerBytes else { return nil }
    }

    private static let sampleRates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
  }

  private static func isTag(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    offset + 3 <= bytes.count
      && (bytes[offset..<offset + 3].elementsEqual("ID3".utf8) || bytes[offset..<offset + 3].elementsEqual("TAG".utf8))
  }

  /// The bytes of an ID3v2 tag (id3.org, ID3v2.4 §3.1). 0 if there is none.
  private static func tagSize(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) -> Int {
    guard offset + 10 <= bytes.count, bytes[offset..<offset + 3].elementsEqual("ID3".utf8) else { return 0 }
    let size = bytes[offset + 6..<offset + 10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    let footer = bytes[offset + 5] & 0x10 != 0 ? 10 : 0
    return min(10 + size + footer, bytes.count - offset)
  }
}
