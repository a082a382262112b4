import HTTP
import LoopbackServer
import Model
import Testing

@testable import Streams

/// What the relay learns from the frames of an mp3 file, and how it hides a false index.
@Suite(InTurn()) struct TimingTests {
  /// Frames of MPEG 1, 44,100 Hz, mono, without padding.
  private static func frames(_ count: Int, kilobits: Int) -> [UInt8] {
    (0..<count).flatMap { frame(kilobits: kilobits, number: $0) }
  }

  private static func frame(kilobits: Int, number: Int = 0) -> [UInt8] {
    let rates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    let rate = rates.firstIndex(of: kilobits)! + 1
    // No byte looks like a header.
    let body = (0..<144 * kilobits * 1000 / 44_100 - 4).map { UInt8(truncatingIfNeeded: number &+ $0) & 0x7f }
    return [0xff, 0xfb, UInt8(rate << 4), 0xc0] + body
  }

  private static func index(_ name: String, frames: Int, bytes: Int, kilobits: Int = 64) -> [UInt8] {
    var frame = frame(kilobits: kilobits)
    func number(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    let tag = [UInt8](name.utf8) + number(3) + number(frames) + number(bytes)
    frame.replaceSubrange(21..<21 + tag.count, with: tag)
    return frame
  }

  private static func tag(_ bytes: Int) -> [UInt8] {
    let size = [21, 14, 7, 0].map { (shift: Int) in UInt8(bytes >> shift & 127) }
    return [UInt8]("ID3".utf8) + [3, 0, 0] + size + [UInt8](repeating: 0xff, count: bytes)
  }

  /// Reads the whole file in pieces of this size.
  private func timing(of file: [UInt8], piece: Int = 1000, upTo end: Int? = nil) -> MP3Timing {
    var timing = MP3Timing(total: Int64(file.count))
    let end = end ?? file.count
    for start in stride(from: 0, to: end, by: piece) {
      let bytes = Array(file[start..<min(start + piece, end)])
      bytes.withUnsafeBytes { timing.read($0, at: Int64(start)) }
    }
    return timing
  }

  @Test(arguments: [1, 7, 1000, 100_000]) func constantRateIsFollowedInPiecesOfAnySize(piece: Int) throws {
    let file = Self.tag(5000) + Self.frames(400, kilobits: 64)
    let timing = timing(of: file, piece: piece)
    let known = try #require(timing.timing)
    let seconds = Double(file.count - 5010) * 8 / 64_000
    #expect(abs(known.proportionalUntil - seconds) < 0.01)
    #expect(abs((known.durationAtConstantRate ?? 0) - seconds) < 0.01)
    #expect(timing.falseIndex == nil && timing.undecided == nil && timing.next == nil)
  }

  @Test func lengthIsUnknownIfATagStandsBetweenJoinedFiles() throws {
    let first = Self.frames(200, kilobits: 128)
    for tag in [Self.tag(1000), [UInt8]("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)] {
      let known = try #require(timing(of: first + tag + Self.frames(400, kilobits: 64)).timing)
      #expect(known.durationAtConstantRate == nil && known.proportionalUntil < 5.3)
      let atEnd = try #require(timing(of: first + tag).timing)
      #expect(atEnd.durationAtConstantRate.map { abs($0 - 5.2) < 0.2 } == true)
    }
  }

  @Test(arguments: [90, 1000, 100_000]) func chainedOggFilesAreRecognized(piece: Int) {
    func page(_ flags: UInt8, _ body: Int) -> [UInt8] {
      [UInt8]("OggS".utf8) + [0, flags] + [UInt8](repeating: 7, count: 20) + [1, UInt8(body)]
        + [UInt8](repeating: UInt8(ascii: "O"), count: body)
    }
    func isChained(_ file: [UInt8]) -> Bool {
      var chain = OggChain()
      for start in stride(from: 0, to: file.count, by: piece) {
        file[start..<min(start + piece, file.count)].withUnsafeBytes { chain.read($0, at: Int64(start)) }
      }
      return chain.isChained
    }
    let stream = page(2, 30) + (0..<50).flatMap { _ in page(0, 251) } + page(4, 251)
    #expect(!isChained(stream) && !isChained(page(2, 20) + page(2, 20) + page(0, 250)) && !isChained([1, 2, 3]))
    // No piece ends within the head of the second stream.
    #expect(isChained(stream + [UInt8](repeating: 0, count: piece - stream.count % piece) + stream))
  }

  /// Only what was read is known. The rest may be of another rate, unless the feed's duration excludes it.
  @Test func unreadRestIsProportionalIfTheFeedSaysSo() throws {
    let file = Self.frames(4000, kilobits: 64)
    let known = try #require(timing(of: file, upTo: file.count / 4).timing)
    let seconds = Double(file.count) * 8 / 64_000
    #expect(known.isProportional(at: seconds / 5, feedDuration: nil))
    #expect(!known.isProportional(at: seconds / 2, feedDuration: nil))
    #expect(known.isProportional(at: seconds / 2, feedDuration: seconds.rounded()))
    #expect(!known.isProportional(at: seconds / 2, feedDuration: seconds + 2))
  }

  @Test func joinedPiecesOfDifferentRatesAreProportionalUpToTheSecond() throws {
    let first = Self.frames(400, kilobits: 64)
    let known = try #require(timing(of: first + Self.frames(400, kilobits: 128)).timing)
    #expect(abs(known.proportionalUntil - Double(first.count) * 8 / 64_000) < 0.01)
    #expect(known.durationAtConstantRate == nil)
  }

  /// A seek has led to a part of the file that has another rate.
  @Test func otherRateBehindAGapIsNoticed() throws {
    let first = Self.frames(400, kilobits: 64)
    let file = first + Self.frames(400, kilobits: 128)
    var timing = timing(of: file, upTo: 10_000)
    #expect(timing.timing?.durationAtConstantRate != nil)
    let start = first.count + 5000
    file[start...].withUnsafeBytes { timing.read($0, at: Int64(start)) }
    #expect(timing.timing?.durationAtConstantRate == nil)
  }

  @Test func tagInTheMiddleEndsWhatIsKnown() throws {
    let first = Self.frames(400, kilobits: 64)
    let file = first + Self.tag(60_000) + Self.frames(400, kilobits: 64)
    let known = try #require(timing(of: file).timing)
    #expect(abs(known.proportionalUntil - Double(first.count) * 8 / 64_000) < 0.01)
  }

  @Test func indexOfTheWholeFileIsBelieved() throws {
    let sound = Self.frames(400, kilobits: 64)
    let index = Self.index("Info", frames: 400, bytes: sound.count + 208)
    for end in [[], [UInt8]("TAG".utf8) + [UInt8](repeating: 0, count: 125)] {
      let timing = timing(of: Self.tag(100) + index + sound + end)
      #expect(timing.falseIndex == nil)
      #expect(timing.timing?.proportionalUntil == .infinity)
    }
  }

  @Test(arguments: ["Info", "Xing"]) func indexOfThePieceInFrontIsFalse(name: String) throws {
    let advertisement = Self.frames(400, kilobits: 64)
    let index = Self.index(name, frames: 400, bytes: advertisement.count + 208)
    let file = Self.tag(100) + index + advertisement + Self.frames(4000, kilobits: 64)
    let timing = timing(of: file)
    #expect(timing.falseIndex == 110..<110 + Int64(index.count))
    let seconds = Double(file.count - 110 - index.count) * 8 / 64_000
    #expect(timing.timing.map { abs($0.proportionalUntil - seconds) < 0.01 } == true)
  }

  /// A piece was cut out of the file after it was encoded.
  @Test func indexOfALongerFileIsFalse() {
    let index = Self.index("Info", frames: 4000, bytes: 4001 * 208)
    #expect(timing(of: index + Self.frames(2000, kilobits: 64)).falseIndex != nil)
  }

  /// FFmpeg seeks with the table of such an index, which is not exact.
  @Test func indexOfAVariableRateIsNoProportion() throws {
    let sound = Self.frames(400, kilobits: 64) + Self.frames(400, kilobits: 96)
    let timing = timing(of: Self.index("Xing", frames: 800, bytes: sound.count + 208) + sound)
    #expect(timing.falseIndex == nil)
    #expect(timing.timing == StreamTiming(proportionalUntil: 0, durationAtConstantRate: nil))
  }

  @Test func otherFilesAreNotFollowed() {
    for file in [[UInt8]("OggS".utf8) + [UInt8](repeating: 9, count: 3000), [0xff, 0xfb, 0x50, 0xc0, 1, 2], []] {
      let timing = timing(of: file)
      #expect(timing.timing == nil && timing.falseIndex == nil)
    }
  }

  // MARK: The relay

  private static let joined: [UInt8] = {
    let advertisement = frames(400, kilobits: 64)
    return tag(3000) + index("Info", frames: 400, bytes: advertisement.count + 208) + advertisement
      + frames(2000, kilobits: 64)
  }()

  private static let hidden: [UInt8] = {
    var file = joined
    file.replaceSubrange(3010..<3010 + 208, with: [UInt8](repeating: 0, count: 208))
    return file
  }()

  @Test(arguments: [1, 500, 100_000]) func falseIndexIsHiddenFromMpvOnly(piece: Int) async throws {
    let bench = try RelayBench()
    let file = Self.joined
    let resource = LoopbackServer.Resource(file, type: "audio/mpeg", etag: "\"1\"")
    let slow = min(file.count, 8000)
    bench.server.route(RelayBench.path) { request in
      piece < 500 && request.byteRange?.first ?? 0 == 0
        ? resource.answer(request).dripping(bytes: piece, everyMilliseconds: 0).cut(afterBytes: slow)
        : resource.answer(request).dripping(bytes: piece, everyMilliseconds: 0)
    }
    if piece < 500 {
      await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
      #expect(bench.received == Array(Self.hidden[..<slow]))
    }
    #expect(try await bench.get("bytes=0-").body == Self.hidden)
    try await bench.copyHas(file.count)
    let copy = try bench.copy
    #expect(copy.read(at: 0, count: file.count, of: try #require(copy.version)) == file)
    // From the copy, as a whole and from the middle of the index.
    #expect(try await bench.get("bytes=0-").body == Self.hidden)
    #expect(try await bench.get("bytes=3100-").body == Array(Self.hidden[3100...]))
    #expect(bench.relay.timing(of: bench.url).map { $0.proportionalUntil > 60 } == true)
  }

  @Test func responseThatEndsInTheFirstFrameIsPassedOn() async throws {
    let bench = try RelayBench()
    let file = Array(Self.joined[..<3100])
    bench.server.route(RelayBench.path, LoopbackServer.Resource(file, type: "audio/mpeg", etag: "\"1\"").answer)
    #expect(try await bench.get("bytes=0-").body == file)
  }

  /// The copy of an earlier run is read before the server is asked.
  @Test func laterRunKnowsTheTimingOfTheCopy() async throws {
    let bench = try RelayBench()
    let resource = LoopbackServer.Resource(Self.joined, type: "audio/mpeg", etag: "\"1\"")
    bench.server.route(RelayBench.path) { resource.answer($0).cut(afterBytes: 300_000) }
    await #expect(throws: HTTPError.self) { try await bench.get("bytes=0-") }
    try await bench.saveCopy(whenItHas: 300_000)
    bench.server.route(RelayBench.path, resource.answer)
    let relay = StreamRelay(
      cache: StreamCache(directory: bench.directory, limit: 1 << 30), options: bench.relay.options)
    defer { relay.shutDown() }
    #expect(try await bench.get("bytes=400000-", through: relay).body == Array(Self.hidden[400_000...]))
    #expect(relay.timing(of: bench.url).map { $0.proportionalUntil > 36 } == true)
  }

  @Test func anotherFileIsFollowedAnew() async throws {
    let bench = try RelayBench()
    bench.server.route(RelayBench.path, LoopbackServer.Resource(Self.joined, type: "audio/mpeg", etag: "\"1\"").answer)
    _ = try await bench.get("bytes=0-")
    // As long as the first, without a false index.
    let other = Self.frames(Self.joined.count / 208 + 1, kilobits: 64).prefix(Self.joined.count)
    let relay = StreamRelay(cache: nil, options: bench.relay.options)
    defer { relay.shutDown() }
    _ = try await bench.get("bytes=0-", through: relay)
    bench.server.route(
      RelayBench.path, LoopbackServer.Resource(Array(other), type: "audio/mpeg", etag: "\"2\"").answer)
    #expect(try await bench.get("bytes=0-", through: relay).body == Array(other))
  }
}
