import FeedKit
import Foundation
import HTTP
import Model
import Store
import Synchronization
import Testing

@testable import Services
@testable import TUIApp

/// Folders of another program, and the progress while the files of a folder are read.
@Suite(InTurn()) struct FolderImportTests {
  private let home: TemporaryHome
  private let library: Library
  private var folder: String { home.path + "/My books" }

  init() throws {
    home = try TemporaryHome()
    try home.directories.create()
    library = try Library(path: home.directories.database)
    try add("My books/1.wav", "My books/2.wav")
  }

  private func add(_ names: String...) throws {
    for (index, name) in names.enumerated() {
      let file = home.path + "/" + name
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(Broadcast.silence(seconds: index + 1)).write(to: URL(fileURLWithPath: file))
    }
  }

  private func foreign(at paths: [String]) -> ForeignLibrary {
    var folder = ForeignFolder(name: "Podcasts/My books", title: "Books", paths: paths)
    folder.files["1.wav"] = ForeignEpisode(title: "One", guid: "x", link: "1.wav", status: .played)
    folder.files["2.wav"] = ForeignEpisode(title: "Two", guid: "y", link: "2.wav", status: .paused, position: 1)
    folder.files["gone.wav"] = ForeignEpisode(title: "Three", guid: "z", status: .played)
    var library = ForeignLibrary(program: "AntennaPod")
    library.folders = [folder]
    return library
  }

  private func adopt(_ foreign: ForeignLibrary) throws -> LibraryImport.Outcome {
    try LibraryImport(library: library).adopt(foreign, now: Date())
  }

  /// It reads no tags.
  private func refresher(_ progress: Progress = Progress()) -> Refresher {
    Refresher(
      library: library, client: FeedClient(http: HTTPClient(options: HTTPOptions())), resources: Resources(),
      facts: { files, report in
        progress.calls.withLock { $0 += 1 }
        report(0)
        return files.map { _ in nil }
      })
  }

  private final class Progress: Sendable {
    let calls = Mutex(0)
    let texts = Mutex<[String]>([])
  }

  private func expectPlaces() async throws {
    await refresher().refresh(nil) { _ in }
    let podcast = try #require(try library.podcasts().first)
    #expect(podcast.feedURL == FolderAddress.address(of: folder.utf8))
    let ids = try library.episodeIDs(EpisodeQuery(.podcast(podcast.id)))
    let rows = try library.episodeRows(ids).sorted { $0.title < $1.title }
    #expect(rows.map(\.title) == ["1", "2"] && rows.map(\.status) == [.played, .paused], "\(rows)")
    #expect(rows.last?.position == 1)
  }

  @Test func folderComesAlongWhereItIs() async throws {
    let outcome = try adopt(foreign(at: [home.path + "/nowhere", folder]))
    #expect(outcome.result.added.count == 1 && outcome.notes.isEmpty)
    #expect(outcome.result.played == 1 && outcome.result.begun == 1)
    try await expectPlaces()
    try library.undo(now: Date())
    #expect(try library.podcasts().isEmpty)
  }

  @Test func copyInTheHomeDirectoryIsFound() throws {
    let folder = try #require(foreign(at: ["~/My books"]).folders.first)
    let found = try LibraryImport(library: library).podcast(folder, home: home.path)
    #expect(found?.feedURL == FolderAddress.address(of: self.folder.utf8))
  }

  /// The folder has another path, and was added before.
  @Test func folderThatWasAddedGetsItsPlaces() async throws {
    guard case .success = await refresher().add(folder) else { throw CancellationError() }
    let outcome = try adopt(foreign(at: ["/nowhere/My books"]))
    #expect(outcome.result.known == 1 && outcome.result.added.isEmpty && outcome.notes.isEmpty)
    try await expectPlaces()
  }

  @Test func folderThatIsNotHereIsNamed() throws {
    // A folder at its path with other files is another one.
    try add("Podcasts/My books/other.wav")
    let outcome = try adopt(foreign(at: [home.path + "/Podcasts/My books", "~/Podcasts/My books of a test"]))
    #expect(
      outcome.notes == [
        "“Podcasts/My books” is a folder on the phone: copy it to ~/Podcasts/My books of a test. Then import again to "
          + "get its positions."
      ])
    #expect(
      try adopt(foreign(at: [])).notes.first?.contains("copy it, and run “earshot add PATH/My books”. Then") == true)
    #expect(try library.podcasts().isEmpty)
  }

  /// Each folder is read once. One without sound is left out.
  @Test func progressOfFoldersIsReported() async throws {
    try add("Shelf/A/1.wav", "Shelf/A/2.wav", "Shelf/B/1.wav", "Shelf/C/notes.txt")
    let progress = Progress()
    let results = await refresher(progress).addFolders(in: home.path + "/Shelf") { podcast in
      progress.texts.withLock { $0.append("\(podcast.title ?? ""): \(podcast.progress)") }
    }
    #expect(results.count == 2 && progress.calls.withLock { $0 } == 2)
    #expect(progress.texts.withLock { $0 } == ["A: 0 of 2 files read", "B: 0 of 1 file read"])
    let reports = Progress()
    try add("Shelf/A/3.wav")
    await refresher().refresh(nil) { report in
      if case .reading(let title, let files, let total) = report {
        reports.texts.withLock { $0.append("\(title): \(files)/\(total)") }
      }
    }
    #expect(reports.texts.withLock { $0.contains { $0.hasPrefix("A: 0/") } })
  }
}
