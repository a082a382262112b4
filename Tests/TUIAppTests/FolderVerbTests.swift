import Foundation
import Model
import Store
import Testing

@testable import TUIApp

/// Folders as podcasts, with the built program: adding, refreshing, playing.
@Suite(InTurn()) struct FolderVerbTests: ProgramTesting {
  let home: TemporaryHome
  private let books: String
  private var dune: String { books + "/Dune" }

  init() throws {
    home = try TemporaryHome()
    books = home.path + "/Books"
    for (seconds, name) in ["Dune/Part 9.wav", "Dune/Part 10.wav", "Emma/1.wav"].enumerated() {
      try add(name, seconds: seconds + 1)
    }
    try FileManager.default.createDirectory(atPath: books + "/Notes", withIntermediateDirectories: true)
  }

  private func add(_ name: String, seconds: Int) throws {
    let file = books + "/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(Broadcast.silence(seconds: seconds)).write(to: URL(fileURLWithPath: file))
  }

  private func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: books + "/" + name, toPath: books + "/" + other)
  }

  private func episodes(of podcast: String) async throws -> [[String: Any]] {
    try await earshot("episodes", podcast, "--json").objects()
  }

  @Test func folderBecomesAPodcast() async throws {
    let added = try await earshot("add", dune, "--json")
    #expect(added.status == 0, "\(added.stderr)")
    #expect(try added.objects().first?["title"] as? String == "Dune")
    let episodes = try await episodes(of: dune)
    #expect(episodes.map { $0["title"] as? String } == ["Part 9", "Part 10"])
    #expect(episodes.map { $0["duration"] as? Int } == [1, 2])
    #expect(episodes[0]["mediaURL"] as? String == "file://\(dune)/Part%209.wav")
    #expect(try await earshot("add", dune).text == "Known already: Dune (2 episodes)\n")
    // It is no feed for others, and nothing is downloaded.
    #expect(try await earshot("export", "--json").objects().isEmpty)
    let id = try #require(episodes[0]["id"] as? Int)
    let download = try await earshot("download", "\(id)")
    #expect(download.status != 0 && download.stderr.contains("it is a file in a folder of yours"), "\(download.stderr)")
  }

  @Test func episodePlaysFromItsFile() async throws {
    _ = try await earshot("add", dune)
    let id = try #require(try await episodes(of: dune).first?["id"] as? Int)
    let outcome = try await earshot("play", "\(id)")
    #expect(outcome.status == 0 && outcome.stdout.isEmpty, "\(outcome.stderr)")
    #expect(try await episodes(of: dune).first?["status"] as? String == "played")
    #expect(FileManager.default.fileExists(atPath: dune + "/Part 9.wav"))
  }

  #if os(Linux)
    /// A `String` cannot have the name of the file.
    @Test func fileWithAnyNamePlays() async throws {
      let name: [CChar] = Array("\(books)/Emma/".utf8CString.dropLast()) + [-1] + Array(".wav".utf8CString)
      #expect(rename(books + "/Emma/1.wav", name) == 0)
      _ = try await earshot("add", books + "/Emma")
      let episode = try #require(try await episodes(of: books + "/Emma").first)
      #expect(episode["title"] as? String == "\u{FFFD}" && episode["duration"] as? Int == 3)
      let id = try #require(episode["id"] as? Int)
      let outcome = try await earshot("play", "\(id)")
      #expect(outcome.status == 0, "\(outcome.stderr)")
    }
  #endif

  @Test func refreshFindsWhatHasChanged() async throws {
    _ = try await earshot("add", dune)
    let first = try await episodes(of: dune)
    let id = try #require(first[0]["id"] as? Int)
    #expect(try await earshot("mark", "played", "\(id)").status == 0)
    try move("Dune/Part 9.wav", to: "Dune/Part 1.wav")
    try add("Dune/Part 2.wav", seconds: 5)
    #expect(try await earshot("refresh", dune).status == 0)
    let second = try await episodes(of: dune)
    #expect(second.map { $0["title"] as? String } == ["Part 1", "Part 2", "Part 10"])
    #expect(second[0]["id"] as? Int == id && second[0]["status"] as? String == "played")
    try FileManager.default.removeItem(atPath: dune + "/Part 10.wav")
    #expect(try await earshot("refresh", dune).status == 0)
    let third = try await episodes(of: dune)
    #expect(third.map { $0["goneFromFeed"] as? Bool ?? false } == [false, false, true], "\(third)")
  }

  /// The disk is not mounted: nothing is removed, and the listener is told.
  @Test func missingFolderRemovesNothing() async throws {
    _ = try await earshot("add", dune)
    try move("Dune", to: "Elsewhere")
    let missing = try await earshot("refresh")
    #expect(missing.status != 0)
    #expect(
      missing.stderr.contains("Dune: \(dune) cannot be read: there is no such folder; nothing is removed"),
      "\(missing.stderr)")
    try FileManager.default.createDirectory(atPath: dune, withIntermediateDirectories: true)
    let empty = try await earshot("refresh", dune)
    #expect(empty.stderr.contains("it has no files that can be played; nothing is removed"), "\(empty.stderr)")
    #expect(try await episodes(of: dune).count == 2)
    try FileManager.default.removeItem(atPath: dune)
    try move("Elsewhere", to: "Dune")
    #expect(try await earshot("refresh", dune).status == 0)
    #expect(try await earshot("list", "--json").objects().count == 2)
  }

  #if os(Linux)
    /// One folder in it cannot be read: the others are, and nothing of it is removed. Root may read everything, but no
    /// path that is longer than the system allows.
    @Test func unreadableFolderIsNamed() async throws {
      let deep = Array(repeating: String(repeating: "d", count: 250), count: 15).joined(separator: "/")
      try add("x/1.wav", seconds: 1)
      try add("x/\(deep)/2.wav", seconds: 2)
      let (link, long) = (books + "/Long", String(repeating: "x", count: 240))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "x")
      #expect(try await earshot("add", link).text == "Added Long (2 episodes)\n")
      try FileManager.default.createDirectory(atPath: "\(books)/\(long)", withIntermediateDirectories: false)
      try move("x", to: "\(long)/\(long)")
      defer { try? move("\(long)/\(long)", to: "x") }
      try FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(long)/\(long)")
      try add("\(long)/\(long)/3.wav", seconds: 3)
      // The text is cut, because the path is longer than a message.
      let unreadable = ": \(books)/\(long)/xxx"
      let refreshed = try await earshot("refresh", link)
      #expect(refreshed.status == 0 && refreshed.stderr.contains("Long" + unreadable), "\(refreshed.stderr)")
      #expect(refreshed.stderr.contains("; nothing is removed"), "\(refreshed.stderr)")
      let episodes = try await episodes(of: link)
      #expect(Set(episodes.map { $0["title"] as? String }) == ["1", "2", "3"])
      #expect(episodes.allSatisfy { $0["goneFromFeed"] as? Bool != true }, "\(episodes)")
      let listed = try await earshot("list", "--json").objects()
      #expect(listed.contains { ($0["error"] as? String)?.hasPrefix("Long" + unreadable) == true })
      // A folder that is added now says so, too.
      let added = try await earshot("add", "\(books)/\(long)/\(long)", "--json")
      #expect(added.status == 0 && added.stderr.contains(unreadable), "\(added.stderr)")
      #expect(try (added.objects().first?["error"] as? String)?.hasPrefix("\(books)/\(long)") == true)
    }
  #endif

  @Test func eachFolderBecomesAPodcast() async throws {
    let added = try await earshot("add", "--each", books)
    #expect(added.status == 0, "\(added.stderr)")
    #expect(added.text == "Added Dune (2 episodes)\nAdded Emma (1 episode)\n")
    #expect(try await earshot("undo").status == 0)
    let left = try await earshot("list", "--json").objects()
    #expect(!left.contains { ($0["feedURL"] as? String)?.hasPrefix("file:") == true })
    #expect(try await earshot("add", "--each", "https://example.org/feed").status == 64)
    let none = try await earshot("add", "--each", books + "/Notes")
    #expect(none.status == 65 && none.stderr.contains("it has no files that can be played"), "\(none.stderr)")
  }

  /// Only a path that the listener types is a folder. What others write is refused.
  @Test func addressesOfFilesAreRefused() async throws {
    for address in ["file://\(dune)", "feed:file://\(dune)", "podcast:file://\(dune)"] {
      #expect(try await earshot("add", address).status != 0, "\(address)")
    }
    let opml = try home.file(
      "x.opml",
      Data("<opml><body><outline type='rss' text='Dune' xmlUrl='file://\(dune)'/></body></opml>".utf8))
    let imported = try await earshot("import", opml)
    #expect(imported.stderr.contains("not an address of a feed"), "\(imported.stderr)")
    #expect(try await !earshot("list", "--all").text.contains("Dune"))
  }

  private static let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg", "/opt/homebrew/bin/ffmpeg"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: ffmpeg != nil, "needs ffmpeg")) func tagsAndChaptersAreRead() async throws {
    let program = try #require(Self.ffmpeg)
    try FileManager.default.createDirectory(atPath: books + "/Tagged", withIntermediateDirectories: true)
    let chapters = try home.file(
      "chapters.txt",
      Data(
        """
        ;FFMETADATA1
        title=The first part
        album=A Book
        artist=An Author
        track=1/2
        date=1965
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=1000
        title=One
        [CHAPTER]
        TIMEBASE=1/1000
        START=1000
        END=3000
        title=Two
        """.utf8))
    let made = try await BuiltProgram.run(
      program,
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=d=3", "-f", "lavfi", "-i", "testsrc=s=64x64:d=0.04", "-i", chapters,
        "-map", "0", "-map", "1", "-map_metadata", "2", "-frames:v", "1", "-c:a", "aac", "-c:v", "mjpeg",
        "-disposition:v", "attached_pic", books + "/Tagged/b.m4b",
      ], in: home)
    try #require(made.status == 0, "\(made.stderr)")
    try Data("no sound at all".utf8).write(to: URL(fileURLWithPath: books + "/Tagged/broken.mp3"))
    let added = try await earshot("add", books + "/Tagged")
    #expect(added.text == "Added Tagged (2 episodes)\n", "half of the files have no album \(added.stderr)")
    let episodes = try await episodes(of: books + "/Tagged")
    let book = try #require(episodes.first)
    #expect(book["title"] as? String == "The first part" && book["episodeNumber"] as? Int == 1)
    #expect((book["chapters"] as? [[String: Any]])?.map { $0["title"] as? String } == ["One", "Two"])
    #expect(book["imageURL"] as? String == "file://\(books)/Tagged/b.m4b")
    #expect(episodes.last?["title"] as? String == "broken" && episodes.last?["duration"] as? Int == nil)
    let picture = home.path + "/picture.jpg"
    let written = try await BuiltProgram.run(
      ["media-facts", "--picture", picture], in: home, input: Data("file://\(books)/Tagged/b.m4b\n".utf8))
    #expect(written.status == 0, "\(written.stderr)")
    #expect(FileManager.default.contents(atPath: picture)?.starts(with: [0xFF, 0xD8, 0xFF]) == true)
  }
}
