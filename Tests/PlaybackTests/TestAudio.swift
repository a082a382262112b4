import ChildProcesses
import Foundation
import TemporaryFiles
import Testing

/// Sound whose samples encode their time: the level is the millisecond, modulo 30,000. Mono, 8000 samples a second.
enum TestAudio {
  static let rate = 8000

  /// A WAVE file of that many seconds.
  static func clock(seconds: Int) -> [UInt8] {
    wave((0..<seconds * rate).map { Int16($0 * 1000 / rate % 30_000) })
  }

  /// A WAVE file in which second n is a tone of 400 + 20 n Hz, which survives a lossy codec.
  static func scale(seconds: Int) -> [UInt8] {
    var phase = 0.0
    return wave(
      (0..<seconds * rate).map { index in
        phase += 2 * .pi * frequency(ofSecond: index / rate) / Double(rate)
        return Int16(sin(phase) * 12_000)
      })
  }

  /// Generated once: it takes a while in a debug build.
  static let minute = scale(seconds: 60)

  static func frequency(ofSecond second: Int) -> Double { 400 + 20 * Double(second) }

  /// The second of `scale` that these samples are from, by the number of upward zero crossings.
  static func second(ofScale samples: [Int16], rate: Int) -> Int {
    let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    let hertz = Double(rises) * Double(rate) / Double(max(1, samples.count))
    return Int(((hertz - 400) / 20).rounded())
  }

  static func wave(_ samples: [Int16]) -> [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
    }
    var file = [UInt8]("RIFF".utf8) + bytes(UInt32(36 + samples.count * 2)) + [UInt8]("WAVEfmt ".utf8)
    file += bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(rate)) + bytes(UInt32(rate * 2))
    file += bytes(UInt16(2)) + bytes(UInt16(16)) + [UInt8]("data".utf8) + bytes(UInt32(samples.count * 2))
    return file + samples.withUnsafeBytes { [UInt8]($0) }
  }
}

/// The samples of a WAVE file as mpv writes it: 16 bits, first channel only.
struct Recording {
  let rate: Int
  let samples: [Int16]
  var seconds: Double { Double(samples.count) / Double(rate) }

  init(ofWave path: String) throws {
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(file[offset + $1]) }
    }
    let channels = number(22, 2)
    let start = (file.firstRange(of: [UInt8]("data".utf8))?.upperBound ?? 40) + 4
    let all = file[start...].withUnsafeBytes { bytes in
      [Int16](unsafeUninitializedCapacity: bytes.count / 2) { buffer, count in
        count = bytes.copyBytes(to: buffer) / 2
      }
    }
    rate = number(24, 4)
    samples = channels == 1 ? all : stride(from: 0, to: all.count, by: channels).map { all[$0] }
  }

  /// The second of `TestAudio.scale` that half a second of the recording is from.
  func second(at start: Double = 0) -> Int {
    let part = samples.dropFirst(Int(start * Double(rate))).prefix(rate / 2)
    return TestAudio.second(ofScale: Array(part), rate: rate)
  }
}

typealias TemporaryDirectory = TemporaryFiles.TemporaryDirectory

/// The ffmpeg program, which makes compressed files. Tests that need it are skipped without it.
enum Encoder {
  static let path = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg", "/opt/homebrew/bin/ffmpeg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static func run(_ arguments: [String]) throws -> Bool {
    guard let path else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-nostdin", "-loglevel", "error", "-y"] + arguments
    return try process.runToEnd() == 0
  }
}

extension TestAudio {
  /// Makes a compressed file.
  /// - Parameter options: ffmpeg's.
  static func compressed(
    _ wave: [UInt8], _ options: [String], as name: String = "a.mp3", in directory: TemporaryDirectory
  ) throws -> String {
    let path = "\(directory.path)/\(name)"
    try #require(try Encoder.run(["-i", directory.write(wave, as: "source.wav")] + options + [path]))
    return path
  }

  /// ffmpeg's options for an mp3 that does not give its duration.
  static let withoutDuration = ["-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"]

  /// An mp3 stream of ten minutes in which second n is a tone of 400 + 20 (n mod 60) Hz. The first 200 s have noise, so
  /// that a variable bit rate varies: a duration estimated from them is half of the real one.
  /// - Parameter options: ffmpeg's options for the bit rate.
  static func tenMinutes(_ options: [String], in directory: TemporaryDirectory) throws -> [UInt8] {
    let tones = "aevalsrc='0.3*sin(2*PI*(400+20*mod(floor(t),60))*t)+0.2*lt(t,200)*(random(0)-0.5)':s=16000:d=600"
    let file = "\(directory.path)/a.mp3"
    try #require(try Encoder.run(["-f", "lavfi", "-i", tones] + options + ["-f", "mp3", file]))
    return try bytes(of: file)
  }

  /// The minute as three Ogg streams behind each other.
  static func chain(_ codec: String, rate: Int = 48_000, in directory: TemporaryDirectory) throws -> [UInt8] {
    let wave = try directory.write(TestAudio.minute, as: "minute.wav")
    return try [0, 20, 40].flatMap { start in
      let path = "\(directory.path)/link\(start).ogg"
      try #require(
        try Encoder.run(["-ss", "\(start)", "-t", "20", "-i", wave, "-ar", "\(rate)", "-c:a", codec, "-f", "ogg", path])
      )
      return try bytes(of: path)
    }
  }

  static func bytes(of path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
}
