import FeedKit
import Foundation
import Model
import Testing

/// Tags as taggers write them (ID3v2.3, ID3v2.4, ID3v2 Chapter Frame Addendum).
@Suite struct ID3ChapterTests {
  private enum Version: UInt8, CaseIterable { case three = 3, four = 4 }

  private func syncsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }
  private func plain(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }

  private func frame(_ name: String, _ body: [UInt8], _ version: Version) -> [UInt8] {
    Array(name.utf8) + (version == .four ? syncsafe(body.count) : plain(body.count)) + [0, 0] + body
  }

  private func chapter(
    _ id: String, _ start: Double, _ title: String?, _ version: Version, end: Double = 0, frames: [[UInt8]] = []
  ) -> [UInt8] {
    var body: [UInt8] = Array(id.utf8) + [0]
    body += plain(Int(start * 1000)) + plain(Int(end * 1000))
    body += [UInt8](repeating: 0xFF, count: 8)
    if let title { body += frame("TIT2", [3] + Array(title.utf8), version) }
    body += frames.flatMap(\.self)
    return frame("CHAP", body, version)
  }

  private func contents(_ id: String, isTop: Bool, _ children: [String], _ version: Version) -> [UInt8] {
    var body: [UInt8] = Array(id.utf8)
    body += [0, isTop ? 3 : 1, UInt8(children.count)]
    for child in children { body += Array(child.utf8) + [0] }
    return frame("CTOC", body, version)
  }

  private func tag(_ frames: [[UInt8]], _ version: Version, flags: UInt8 = 0) -> [UInt8] {
    var body: [UInt8] = frames.flatMap(\.self)
    if flags & 0x80 != 0 {
      let next: [UInt8] = body.dropFirst() + [0]
      body = zip(body, next).flatMap { (byte: UInt8, next: UInt8) -> [UInt8] in
        byte == 0xFF && (next >= 0xE0 || next == 0) ? [byte, 0] : [byte]
      }
    }
    let head: [UInt8] = Array("ID3".utf8) + [version.rawValue, 0, flags]
    return head + syncsafe(body.count) + body
  }

  private func read(_ bytes: [UInt8]) -> ID3Chapters? {
    ID3Chapters { Array(bytes.dropFirst($0).prefix($1)) }
  }

  /// As FFmpeg lists them: a chapter without a title has its id.
  private let found = [
    Chapter(start: 0.02, title: "x-1"), Chapter(start: 20.02, title: "Topic"), Chapter(start: 40.02, title: "x-3"),
  ]

  @Test(arguments: [Version.three, .four]) private func idsAreNoTitles(version: Version) throws {
    let frames: [[UInt8]] = [
      frame("APIC", [UInt8](repeating: 7, count: 3000), version), chapter("x-1", 0, nil, version),
      chapter("x-2", 20, "Topic", version), chapter("x-3", 40, "", version),
    ]
    let tag = tag(frames, version)
    #expect(try #require(read(tag)).corrected(found).map(\.title) == [nil, "Topic", nil])
  }

  @Test func titleThatIsTheIDIsKept() throws {
    let tag = tag([chapter("Topic", 20, "Topic", .four)], .four)
    #expect(try #require(read(tag)).corrected([found[1]]) == [found[1]])
  }

  @Test(arguments: [Version.three, .four]) private func contentsLeaveOutChapters(version: Version) throws {
    let chapters: [[UInt8]] = [
      chapter("x-1", 0, "A", version), chapter("x-2", 20, "Topic", version), chapter("x-3", 40, "C", version),
    ]
    let flat = tag([contents("toc", isTop: true, ["x-1", "x-3"], version)] + chapters, version)
    #expect(try #require(read(flat)).corrected(found).map(\.start) == [0.02, 40.02])
    let nested = tag(
      chapters + [
        contents("toc", isTop: true, ["part", "toc"], version), contents("part", isTop: false, ["x-2"], version),
      ], version)
    #expect(try #require(read(nested)).corrected(found).map(\.start) == [20.02])
    let useless = tag(chapters + [contents("toc", isTop: true, ["other"], version)], version)
    #expect(try #require(read(useless)).corrected(found).count == 3)
  }

  @Test(arguments: [Version.three, .four]) private func linksPicturesAndEnds(version: Version) throws {
    func link(_ head: [UInt8], _ address: String) -> [UInt8] { frame("WXXX", head + Array(address.utf8), version) }
    func picture(_ mime: String, _ rest: [UInt8], _ address: String) -> [UInt8] {
      var body: [UInt8] = [rest[0]]
      body += mime.utf8
      body += [0]
      body += rest.dropFirst()
      body += address.utf8
      return frame("APIC", body, version)
    }
    let wide: [UInt8] = [1, 0xFF, 0xFE, 0x61, 0, 0, 0x61, 0, 0]
    let frames: [[UInt8]] = [
      chapter(
        "x-1", 0, "A", version, end: 20,
        frames: [
          link([3, 0], "javascript:alert(1)"), link([3, 0x61, 0], "https://e.org/1\0more"),
          picture("image/png", [0, 0, 0], "https://e.org/none"),
          picture("-->", [0, 3, 0x61, 0], "https://e.org/1.png"),
        ]),
      chapter(
        "x-2", 20, "Topic", version, end: 19.99,
        frames: [link(wide, "http://e.org/2"), picture("-->", [1, 3] + wide.dropFirst(), "http://e.org/2.png")]),
      chapter(
        "x-3", 40, "C", version, end: 59.96,
        frames: [link([0], "no zero"), link([2, 0, 0], "mailto:a@e.org"), link([], ""), picture("-->", [0], "")]),
    ]
    let corrected = try #require(read(tag(frames, version))).corrected(found)
    #expect(corrected.map(\.url) == ["https://e.org/1", "http://e.org/2", nil])
    #expect(corrected.map(\.image) == ["https://e.org/1.png", "http://e.org/2.png", nil])
    #expect(corrected.map(\.end) == [20, nil, 60])
  }

  @Test func unsynchronizedTagIsRead() throws {
    let tag = tag([chapter("x-1", 0, nil, .three), chapter("x-2", 20, "Topic", .three)], .three, flags: 0x80)
    #expect(try #require(read(tag)).corrected(Array(found.prefix(2))).map(\.title) == [nil, "Topic"])
  }

  @Test func damagedTagIsIgnored() {
    let whole = tag([chapter("x-1", 0, "A", .four), contents("toc", isTop: true, ["x-1"], .four)], .four)
    for length in 0..<whole.count {
      // Nothing is left out because of a tag that breaks off.
      let corrected = read(Array(whole.prefix(length)))?.corrected(found) ?? found
      #expect(corrected.count == 3)
    }
    for index in whole.indices {
      var bytes = whole
      bytes[index] = 0xFF
      _ = read(bytes)?.corrected(found)
    }
    #expect(read(Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 0]) == nil && read([]) == nil)
  }
}
