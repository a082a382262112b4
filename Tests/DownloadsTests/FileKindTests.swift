import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import Downloads

/// Only media counts as a finished download: not a manifest, and not a web page.
@Suite(InTurn()) struct FileKindTests {
  private static let hls = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:9.9,\n/1.ts\n#EXT-X-ENDLIST\n"

  private static let kinds: [(String, FileKind)] = [
    (hls, .manifest(.hls)), ("\u{FEFF}\r\n" + hls, .manifest(.hls)), (hls.lowercased(), .manifest(.hls)),
    ("#EXTM3U\nhttp://example.com/a.mp3\n", .manifest(.m3u)), ("http://example.com/a.mp3\n", .text),
    ("[playlist]\nFile1=http://example.com/a.mp3\n", .manifest(.pls)),
    ("[Reference]\nRef1=http://example.com/a.asf\n", .manifest(.asx)),
    ("<?xml version='1.0'?>\n<!-- made by x -->\n<MPD xmlns='urn:mpeg:dash:schema:mpd:2011'>", .manifest(.dash)),
    ("<p:MPD>", .manifest(.dash)), ("<SmoothStreamingMedia MajorVersion='2'>", .manifest(.smooth)),
    ("<playlist version='1' xmlns='http://xspf.org/ns/0/'>", .manifest(.xspf)),
    ("<ASX version='3.0'>", .manifest(.asx)), ("<smil>", .manifest(.smil)),
    ("<!-- x --><!DOCTYPE  HTML><title>", .page), ("  <html lang=en>", .page),
    ("<rss version='2.0'>", .text), ("{\"error\":\"gone\"}", .text), ("gone", .text), ("<?xml", .text),
    ("<!-- never closed", .text), ("<", .text), ("Größe " + String(repeating: "ö", count: 3000), .text),
  ]

  @Test(arguments: kinds) func fileKindOfTexts(text: String, kind: FileKind) {
    #expect(FileKind(text.utf8) == kind)
    let units = Array(text.utf16)
    if text.unicodeScalars.allSatisfy(\.isASCII) {
      #expect(FileKind([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == kind)
      #expect(FileKind([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == kind)
    }
  }

  /// A page in an old charset is recognized too.
  @Test func fileKindOfAPageInLatin1() {
    #expect(FileKind([UInt8]("<html><title>Gr".utf8) + [0xFC] + [UInt8](" Gott</title>".utf8)) == .page)
    #expect(FileKind([UInt8]("#EXTM3U\n#EXTINF:1,Gr".utf8) + [0xFC] + [UInt8]("n\na.mp3".utf8)) == .manifest(.m3u))
  }

  /// The first bytes of each format, from the specifications and libavformat's probes.
  @Test func fileKindOfAudioFormats() {
    let beginnings: [[UInt8]] = [
      [UInt8]("ID3".utf8) + [4, 0, 0, 0, 0, 0x21, 0x76], [0xFF, 0xFB, 0x90, 0x64, 0, 0],
      [0xFF, 0xFE, 0x90, 0x64, 0, 0],
      [0xFF, 0xF1, 0x50, 0x80], [UInt8]("OggS".utf8) + [0, 2, 0, 0], [UInt8]("fLaC".utf8) + [0, 0, 0, 0x22],
      [UInt8]("RIFF".utf8) + [0x24, 0, 0, 0] + [UInt8]("WAVEfmt ".utf8), [0, 0, 0, 0x20] + [UInt8]("ftypM4A ".utf8),
      [UInt8]("FORM".utf8) + [0, 0, 1, 0] + [UInt8]("AIFF".utf8), [0x1A, 0x45, 0xDF, 0xA3],
      [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], [UInt8]("#!AMR\n".utf8) + [0x3C, 0x91, 0x17],
      [0x47, 0x40, 0, 0x10, 0], [UInt8]("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3],
      [UInt8](repeating: 0, count: 512),
    ]
    for bytes in beginnings { #expect(FileKind(bytes) == .binary, "\(bytes)") }
  }

  private static let types = ["application/vnd.apple.mpegurl", "audio/mpegurl", "audio/mpeg", "text/plain"]

  @Test(arguments: types) func streamIsNotStored(type: String) async throws {
    let bench = try Workbench()
    bench.server.route("/1.mp3", .bytes([UInt8](Self.hls.utf8), type: type))
    await bench.download()
    let messages = bench.reports.failures
    #expect(messages.count == 1 && messages[0].hasPrefix("Part 1: "), "\(messages)")
    if type != "text/plain" {
      #expect(messages == ["Part 1: this episode is a stream (HLS): it can be played, not downloaded"])
    }
    #expect(try bench.fileName(bench.ids[0]) == nil)
    #expect(!bench.files.contains { !$0.hasSuffix(".part") })
  }

  /// A version before this rule renamed a manifest to the final name and was killed before it updated the library.
  @Test func manifestIsNotAdopted() async throws {
    let bench = try Workbench()
    let bytes = [UInt8](Self.hls.utf8)
    bench.server.route("/1.mp3", .bytes(Workbench.bytes(), type: "audio/mpeg"))
    try bench.leave(part: bytes, etag: nil, total: Int64(bytes.count), ending: "")
    await bench.resume()
    #expect(try bench.contents(bench.ids[0]) == Workbench.bytes(), "\(bench.reports.failures)")
    #expect(try bench.fileName(bench.ids[0]) != "kept.mp3")
  }

  /// A manifest in the stream copy that FFmpeg's demuxer would accept is not taken as media either.
  @Test func manifestInTheStreamCopyIsNotUsed() async throws {
    let bench = try Workbench()
    let part = [UInt8](Self.hls.utf8)
    // All bytes are there, as when the last byte has been copied.
    try bench.leave(part: part, etag: "\"a\"", total: Int64(part.count))
    await bench.resume()
    #expect(bench.reports.failures == ["Part 1: this episode is a stream (HLS): it can be played, not downloaded"])
    #expect(try bench.fileName(bench.ids[0]) == nil)
  }
}
