import Foundation
import Seeded
import Testing

@testable import HTTP

/// Fuzzes compressed bodies (see `Fuzz`).
@Suite struct GzipFuzzTests {
  /// "a", and "b" repeated 600 times, made by `gzip -n`.
  private static let seeds = ["H4sIAAAAAAAAA0sEAEO+t+gBAAAA", "H4sIAAAAAAAAA0tKGgWjgPoAALyKQEVYAgAA"].compactMap {
    Data(base64Encoded: $0)
  }

  private struct Result: Equatable {
    var step = GzipBody.Step.more
    var isCutOff = false
    var bytes: [UInt8] = []
  }

  private static func read(_ body: Data, in size: Int) -> Result {
    let reader = GzipBody(mustBeGzip: false)
    var result = Result()
    var rest = [UInt8](body)[...]
    while !rest.isEmpty, result.step == .more {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      result.step = piece.withUnsafeBytes { bytes in
        reader.decode(bytes) {
          result.bytes += $0
          return true
        }
      }
    }
    result.isCutOff = reader.isCutOff
    return result
  }

  @Test func gzipBodies() async throws {
    #expect(Self.seeds.map { Self.read($0, in: .max).bytes.count } == [1, 600])
    let seeds = Self.seeds + [Self.seeds[1] + Self.seeds[0], Self.seeds[0] + Self.seeds[1] + Data([0, 0])]
    var fuzz = Fuzz(defaultRounds: 400)
    while await fuzz.begins() {
      let body = try fuzz.mutate(seeds)
      let whole = Self.read(body, in: .max)
      // The body means the same, wherever its pieces end.
      for size in [1, 2, 7] { #expect(Self.read(body, in: size) == whole, "\(fuzz.name)") }
    }
  }
}
