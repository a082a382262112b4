import Foundation
import Testing

@testable import Streams

/// Inserted advertisements, found by equal frames.
@Suite(InTurn()) struct FrameComparisonTests {
  private static let seconds = 1152.0 / 44_100

  /// A frame of MPEG 1, 44,100 Hz, 64 kbit/s, mono. No byte of its body looks like a header.
  private static func frame(_ number: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 | 1
    let body = (0..<144 * 64_000 / 44_100 - 4).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 40) & 0x7f
    }
    return [0xff, 0xfb, 0x50, 0xc0] + body
  }

  private static func frames(_ numbers: Range<Int>) -> [UInt8] { numbers.flatMap(frame) }
  private static let silence = [UInt8](repeating: 0, count: 0) + (0..<40).flatMap { _ in frame(-1) }

  private static func read(_ parts: [[UInt8]]) throws -> AudioFrames { try AudioFrames(Data(parts.flatMap { $0 })) }

  private func compare(_ one: [[UInt8]], _ other: [[UInt8]]) throws -> FrameComparison {
    FrameComparison(try Self.read(one), try Self.read(other))
  }

  @Test func insertedFramesAreFoundToTheFrame() throws {
    let (first, ad, second) = (Self.frames(0..<400), Self.frames(5000..<5300), Self.frames(400..<900))
    let comparison = try compare([first, ad, second], [first, second])
    let part = try #require(comparison.parts.first)
    #expect(comparison.parts.count == 1)
    #expect(abs(part.lowerBound - 400 * Self.seconds) < Self.seconds / 2)
    #expect(abs(part.upperBound - 700 * Self.seconds) < Self.seconds / 2)
  }

  @Test func otherAdvertisementsAtTheSamePlacesAreFound() throws {
    let (first, second) = (Self.frames(0..<400), Self.frames(400..<900))
    let (ad, other) = (Self.frames(5000..<5300), Self.frames(7000..<7500))
    let comparison = try compare(
      [ad, first, Self.silence, ad, Self.silence, second, ad],
      [first, Self.silence, other, Self.silence, second, other])
    #expect(comparison.parts.count == 3)
    for part in comparison.parts { #expect(abs(part.upperBound - part.lowerBound - 300 * Self.seconds) < Self.seconds) }
  }

  @Test func equalFilesHaveNone() throws {
    let file = [Self.silence, Self.frames(0..<500), Self.silence, Self.frames(500..<900)]
    let comparison = try compare(file, file)
    #expect(comparison.parts.isEmpty && comparison.shared > 0.9)
  }

  @Test func filesThatWereEncodedAgainAreNotCompared() throws {
    let comparison = try compare([Self.silence, Self.frames(0..<900)], [Self.silence, Self.frames(9000..<9900)])
    #expect(comparison.parts.isEmpty && !comparison.isSameEpisode)
  }

  @Test func tagsBetweenJoinedPiecesArePassedOver() throws {
    let tag = [UInt8]("ID3".utf8) + [3, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0x55, count: 128)
    let (first, second) = (Self.frames(0..<300), Self.frames(300..<600))
    #expect(try Self.read([tag, first, tag, second]).hashes == Self.read([first, second]).hashes)
    #expect(throws: AudioFrames.Problem.noFrames) { try Self.read([tag, [UInt8]("no sound".utf8)]) }
    #expect(throws: AudioFrames.Problem.self) { try AudioFrames(contentsOf: "/nonexistent") }
  }
}
