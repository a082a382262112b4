import Foundation
import Model
import Testing

@testable import FeedKit

/// Chapters from the notes of real feeds, which are not part of this project.
@Suite struct NotesCorpusTests {
  private static let corpora = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/corpora").standardizedFileURL
  private static let isThere = FileManager.default.fileExists(atPath: corpora.path)

  @Test(.enabled(if: isThere, "skipped: ../shared/corpora is not here")) func listsOfRealNotesAreFound() throws {
    var seen: Set<String> = []
    let files = try #require(FileManager.default.enumerator(atPath: Self.corpora.path)).compactMap { $0 as? String }
    for file in files.sorted() where !file.hasPrefix("expected") {
      guard let data = try? Data(contentsOf: Self.corpora.appending(path: file)),
        let feed = try? FeedReader.read(Array(data))
      else { continue }
      for (index, episode) in feed.episodes.enumerated() {
        let notes = [episode.contentHTML, episode.summary].compactMap { $0 }
        guard !notes.isEmpty, seen.insert(notes.joined(separator: "\u{0}")).inserted else { continue }
        let lists = notes.map { NotesChapters.find(in: $0, duration: episode.duration.map(Double.init)) }
        let found = lists.first { !$0.isEmpty } ?? []
        let times = notes.map { NotesLine.lines(of: HTMLDocument.parse($0)).count(where: \.hasTime) }.max() ?? 0
        if !found.isEmpty || times >= 2 { print("CORPUS", file, index, episode.duration ?? -1 as Int, times, found.count, found.prefix(2).map { "\($0.start) \($0.title ?? "-")" }) }
      }
    }
    print("CORPUS total", seen.count)
  }
}
