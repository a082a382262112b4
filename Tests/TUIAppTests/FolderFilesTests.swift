import Foundation
import Model
import Store
import Testing

@testable import Services
@testable import TUIApp

/// Which files of this machine an address may open.
@Suite(InTurn()) struct FolderFilesTests {
  private let home: TemporaryHome
  private let library: Library
  private let resources: Resources
  private var folder: String { home.path + "/Book" }

  init() throws {
    home = try TemporaryHome()
    try home.directories.create()
    library = try Library(path: home.directories.database)
    resources = Resources(library: library, home.directories)
    try FileManager.default.createDirectory(atPath: home.path + "/Book", withIntermediateDirectories: false)
    var feed = Feed()
    feed.podcast.feedURL = FolderAddress.address(of: folder.utf8)
    try library.subscribe(feed: feed, feedURL: FolderAddress.address(of: folder.utf8), now: Date())
    // A feed that names files.
    var episode = FeedEpisode()
    (episode.guid, episode.mediaURL) = ("x", "file:///etc/passwd")
    feed.podcast.feedURL = "https://a.example/feed"
    feed.podcast.link = "file:///etc"
    feed.episodes = [episode]
    try library.subscribe(feed: feed, feedURL: "https://a.example/feed", now: Date())
  }

  @Test func filesOfTheFolderAreFound() {
    #expect(resources.file(of: "file://\(folder)/a%20b.mp3") == folder + "/a b.mp3")
    #expect(Resources().file(of: "file://\(folder)/a%20b.mp3") == nil, "without the library nothing is")
  }

  @Test(arguments: [
    "file:///etc/passwd", "file:///etc", "file://localhost/etc/passwd", "/etc/passwd", "file:///",
  ]) func otherFilesAreNot(address: String) {
    #expect(resources.file(of: address) == nil)
    #expect(resources.folders?.picture(of: address, maxBytes: 1000) == nil)
  }

  @Test func noFileIsReachedFromTheFolder() throws {
    for rest in ["/../x.mp3", "/%2e%2e/x.mp3", "/a%00.mp3", "2/x.mp3"] {
      #expect(resources.file(of: "file://\(folder)\(rest)") == nil, "\(rest)")
    }
    #expect(mkfifo(folder + "/pipe.jpg", 0o600) == 0)
    #expect(resources.folders?.picture(of: "file://\(folder)/pipe.jpg", maxBytes: 1000) == nil)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder + "/cover.jpg"))
    #expect(resources.folders?.picture(of: "file://\(folder)/cover.jpg", maxBytes: 1000) == Data([1, 2, 3]))
    #expect(resources.folders?.picture(of: "file://\(folder)/cover.jpg", maxBytes: 2) == nil)
  }

  #if os(Linux)
    @Test func nameThatIsNotUTF8GetsALink() throws {
      let name: [CChar] = Array("\(folder)/".utf8CString.dropLast()) + [-1] + Array(".mp3".utf8CString)
      let file = open(name, O_CREAT | O_WRONLY, 0o600)
      try #require(file >= 0)
      #expect(write(file, "abc", 3) == 3)
      close(file)
      for _ in 1...2 {
        let path = try #require(resources.file(of: "file://\(folder)/%FF.mp3"))
        #expect(path.hasPrefix(home.directories.cache) && path.hasSuffix(".mp3"))
        #expect(FileManager.default.contents(atPath: path) == Data("abc".utf8))
      }
    }
  #endif
}
