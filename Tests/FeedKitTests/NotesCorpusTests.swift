import Foundation
import Model
import Testing

@testable import FeedKit

/// Chapters from the notes of real feeds, which are not part of this project.
///
/// The truth was decided by reading the notes of all 94 episodes with three times or more: a list of three or more
/// lines with rising times that the episode has. The others are logs, listings of directories, tables of dates, and a
/// transcript.
@Suite struct NotesCorpusTests {
  private static let corpora = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/corpora").standardizedFileURL
  private static let isThere = FileManager.default.fileExists(atPath: corpora.path)

  /// The number of episodes with a list, by feed.
  private static let lists = [
    "feed-master/app/proc/testdata/rss1.xml": 4, "feed-master/app/proc/testdata/rss2.xml": 3,
    "feed-master/app/youtube/feed/testdata/channel.xml": 2, "node-podcast-parser/test/fixtures/design-details.xml": 68,
  ]

  @Test(.enabled(if: isThere, "skipped: ../shared/corpora is not here")) func listsOfRealNotesAreFound() throws {
    var seen: Set<String> = []
    var found: [String: Int] = [:]
    let files = try #require(FileManager.default.enumerator(atPath: Self.corpora.path)).compactMap { $0 as? String }
    for file in files.sorted() where !file.hasPrefix("expected") {
      guard let data = try? Data(contentsOf: Self.corpora.appending(path: file)),
        let feed = try? FeedReader.read(Array(data))
      else { continue }
      for episode in feed.episodes {
        let notes = [episode.contentHTML, episode.summary].compactMap { $0 }
        guard !notes.isEmpty, seen.insert(notes.joined(separator: "\u{0}")).inserted else { continue }
        let hasList = notes.contains {
          !NotesChapters.find(in: $0, duration: episode.duration.map(Double.init)).isEmpty
        }
        if hasList { found[file, default: 0] += 1 }
      }
    }
    #expect(seen.count > 2000)
    #expect(found == Self.lists)
  }
}
