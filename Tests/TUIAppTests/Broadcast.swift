import Foundation
import LoopbackServer
import TerminalKit
import Testing

/// A podcast on the loopback server: a feed that a test can change, and silence to play.
final class Broadcast: Sendable {
  struct Episode: Sendable {
    var title: String
    var guid: String
    var notes = "Nothing to say"
    /// The day of November 2026.
    var day = 1
  }

  let server: LoopbackServer
  let title: String
  var feedURL: String { server.url("/feed.xml") }
  /// The duration of each episode, in seconds.
  static let duration = 300

  init(_ title: String, _ episodes: [Episode] = Broadcast.threeEpisodes) throws {
    self.title = title
    server = try LoopbackServer()
    let sound = LoopbackServer.Resource(Self.silence(seconds: Self.duration), type: "audio/wav", etag: "\"silence\"")
    for number in 1...9 { server.route("/\(number).wav", sound.answer) }
    publish(episodes)
  }

  static let threeEpisodes = [
    Episode(title: "流動的資金盛宴", guid: "one", notes: "<p>Read <a href=\"https://example.org\">more</a> here</p>", day: 9),
    Episode(title: "Second hour", guid: "two", day: 8),
    Episode(title: "Third hour", guid: "three", day: 7),
  ]

  /// From now on the server never sends the second half of the first episode.
  func withholdSecondHalf() {
    let bytes = Self.silence(seconds: Self.duration)
    let sound = LoopbackServer.Resource(bytes, type: "audio/wav", etag: "\"slow\"")
    let half = bytes.count / 2
    server.route("/1.wav") { request in
      let first = request.byteRange?.first ?? 0
      return first < half ? sound.answer(request).cut(afterBytes: half - first) : .never
    }
  }

  /// Replaces the episodes of the feed.
  func publish(_ episodes: [Episode]) {
    let body = Self.feed(title, episodes, media: server.baseURL)
    server.route("/feed.xml", .text(body, type: "application/rss+xml"))
  }

  /// Makes it the only podcast of a new library.
  func subscribeOnly(in home: TemporaryHome) async throws {
    for arguments in [["remove", "1"], ["add", feedURL]] {
      try #require(try await BuiltProgram.run(arguments, in: home).status == 0)
    }
  }

  /// RSS 2.0. Text is escaped, titles included.
  static func feed(_ title: String, _ episodes: [Episode], media: String) -> String {
    let items = episodes.enumerated().map { index, episode in
      """
      <item><title>\(escaped(episode.title))</title><guid isPermaLink="false">\(escaped(episode.guid))</guid>
      <pubDate>\(String(format: "%02d", episode.day)) Nov 2026 08:00:00 +0000</pubDate>
      <description>\(escaped(episode.notes))</description>
      <enclosure url="\(media)/\(index + 1).wav" length="1200044" type="audio/wav"/></item>
      """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0"><channel><title>\(escaped(title))</title><link>https://example.org/</link>
      <description>Made by a test</description>\(items.joined())</channel></rss>
      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// A WAVE file: mono, 4000 samples a second of 8 bits, whose middle is 128.
  static func silence(seconds: Int) -> [UInt8] {
    let rate: UInt32 = 4000
    let count = UInt32(seconds) * rate
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
    }
    var file = [UInt8]("RIFF".utf8) + bytes(36 + count) + [UInt8]("WAVEfmt ".utf8)
    file += bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(rate) + bytes(rate)
    file += bytes(UInt16(1)) + bytes(UInt16(8)) + [UInt8]("data".utf8) + bytes(count)
    return file + [UInt8](repeating: 128, count: Int(count))
  }

  /// MPEG-1 layer III at 32 kbit/s and 44.1 kHz, mono: frames of 104 bytes and 26 ms whose side information is all
  /// zero. The file does not contain its duration.
  static func silentMP3(seconds: Int) -> [UInt8] {
    let frame = [UInt8]([0xFF, 0xFB, 0x10, 0xC0]) + [UInt8](repeating: 0, count: 100)
    return [UInt8](repeatElement(frame, count: seconds * 44_100 / 1152).joined())
  }
}
