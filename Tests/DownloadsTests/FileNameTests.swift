import Foundation
import LoopbackServer
import Model
import Seeded
import Store
import Testing

@testable import Downloads

/// Text from a feed becomes a safe file name.
@Suite(InTurn()) struct FileNameTests {
  @Test(arguments: [
    ("Plain title", "Plain title"), ("../../etc/passwd", "etc-passwd"), ("..", "Untitled"), ("", "Untitled"),
    (" . ", "Untitled"), ("a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"), ("-rf", "rf"), ("~root", "root"),
    (".hidden", "hidden"), ("trailing. . ", "trailing"), ("CON", "_CON"), ("nul.txt", "_nul.txt"),
    ("com1 ", "_com1"), ("Concert", "Concert"), ("a\u{0}b\u{1B}[2Jc\u{7F}\u{9B}d", "ab[2Jcd"),
    ("\u{202E}gpj.exe", "gpj.exe"), ("a\n\tb\u{2028}c\u{A0}\u{A0}d", "a b c d"), ("Cafe\u{301}", "Café"),
    ("日本語のタイトル", "日本語のタイトル"), ("\u{FEFF}\u{200B}x", "x"),
  ]) func fileNameIsMadeFromTheTitle(title: String, name: String) {
    #expect(Array(SafeFileName.component(title).unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test(arguments: [
    String(repeating: "x", count: 5000), String(repeating: "流", count: 500), String(repeating: "👨‍👩‍👧", count: 99),
    "e" + String(repeating: "\u{301}", count: 2000), "\u{E000}\u{10FFFF}\u{FFFE}",
  ]) func longAndUnusualTitlesGiveShortFileNames(title: String) {
    let name = SafeFileName.component(title)
    #expect((1...120).contains(name.utf8.count))
    #expect(SafeFileName.component(name) == name, "a name is a name")
  }

  @Test func fileNameOfAnyBytesIsSafe() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let name = SafeFileName.component(String(decoding: bytes, as: UTF8.self))
      #expect(!name.isEmpty && name.utf8.count <= 121 && !name.contains("/") && !name.utf8.contains(0))
      #expect(!name.hasPrefix(".") && !name.hasSuffix(".") && !name.hasSuffix(" "))
    }
  }

  @Test func fileNameTemplates() throws {
    let names = "there are {podcast} {title} {date} {season} {number} {id}"
    #expect(throws: ReportedError("there is no {name}; \(names)")) { try FileNameTemplate("{name}") }
    #expect(throws: ReportedError("a { begins no name; \(names)")) { try FileNameTemplate("{title") }
    #expect(throws: ReportedError("is empty")) { try FileNameTemplate("//") }
    var feed = FeedEpisode()
    feed.season = 2
    feed.episodeNumber = 7
    let row = EpisodeRow(
      id: EpisodeID(9), podcast: PodcastID(1), podcastTitle: "../up", title: "a/../../b",
      pubDate: Date(timeIntervalSince1970: 1_700_000_000))
    let detail = EpisodeDetail(row: row, feed: feed)
    #expect(FileNameTemplate.standard.path(of: detail) == "up/2023-11-14 a-..-..-b")
    #expect(try FileNameTemplate("/{podcast}/s{season}e{number}/{id}").path(of: detail) == "up/s2e7/9")
    #expect(try FileNameTemplate("../../{title}").path(of: detail) == "Untitled/Untitled/a-..-..-b")
    let bare = EpisodeDetail(
      row: EpisodeRow(id: EpisodeID(9), podcast: PodcastID(1), title: "x", pubDate: Date(timeIntervalSince1970: .nan)),
      feed: FeedEpisode())
    #expect(FileNameTemplate.standard.path(of: bare) == "Untitled/x")
  }

  @Test(arguments: [
    ("https://x/a.mp3", nil, "mp3"), ("https://x/a.M4A?b=c.mp3", nil, "m4a"), ("https://x/a", "audio/ogg", "ogg"),
    ("https://x/a.php", "audio/x-m4a; q=1", "m4a"), ("https://x/a.exe", nil, "mp3"), ("https://x.opus/a", nil, "mp3"),
    ("https://x/a.mp3", "audio/ogg", "mp3"),
  ]) func fileExtensions(address: String, type: String?, ending: String) {
    #expect(MediaType.fileExtension(address: address, type: type) == ending)
  }

  @Test func equalTitlesGetDifferentNames() async throws {
    let bench = try Workbench { _, episode in
      episode.title = "Same"
      episode.pubDate = nil
    }
    for number in 1...3 { bench.server.route("/\(number).mp3", .bytes([UInt8(number)], type: "audio/mpeg")) }
    await bench.download(bench.ids)
    #expect(bench.files == ["A Show/Same (2).mp3", "A Show/Same (3).mp3", "A Show/Same.mp3"])
  }

  /// An imported library may hold any file name.
  @Test(arguments: ["../escape.mp3", "/etc/passwd", "a/../../b", "", "a//b", "./x"])
  func storedNameCannotLeaveTheDirectory(name: String) async throws {
    let bench = try Workbench()
    let files = DownloadFiles(directory: bench.directory, library: bench.library)
    #expect(files.path(name) == nil && files.path("a\u{0}b") == nil)
    let outside = bench.root + "/escape.mp3"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: outside))
    bench.server.route("/1.mp3", .bytes([1, 2, 3], type: "audio/mpeg"))
    try bench.library.saveDownload(
      Download(episode: bench.ids[0], fileName: name, downloadComplete: false), now: Workbench.now)
    let downloader = await bench.resume()
    #expect(bench.files == ["A Show/2023-11-15 Part 1.mp3"])
    downloader.drop([bench.ids[0]])
    await downloader.waitUntilIdle()
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "mine")
  }
}
