import Foundation
import Model
import Seeded
import Testing

@testable import FeedKit

/// Mutation fuzzing (see `Fuzz`): for any bytes the reader returns a feed or throws, and the JSON of a feed is valid.
@Suite struct FeedFuzzTests {
  @Test func mutatedFeedsNeverCrash() async throws {
    var fuzz = Fuzz(defaultRounds: 300)
    let corpus = try FeedSample.allFixtures() + Self.sharedCorpus(limit: fuzz.isLong ? 2000 : 0)
    while await fuzz.begins() {
      let document = try fuzz.mutate(corpus)
      let pieces = [1 + fuzz.below(64), 1024, 1 << 20][fuzz.below(3)]
      do {
        let feed = try FeedSample.read(document, pieces: pieces, url: "https://fuzz.example/feed")
        _ = try JSONSerialization.jsonObject(with: Data(JSONFormat.feed.bytes(of: feed)))
      } catch is FeedReadError {
        continue
      } catch {
        Issue.record("\(fuzz.name): \(error)")
      }
    }
  }

  /// Feeds of the shared corpora, where that directory exists; optional.
  private static func sharedCorpus(limit: Int) -> [Data] {
    guard limit > 0 else { return [] }
    let folder = URL(filePath: #filePath).appending(path: "../../../../shared/corpora").standardizedFileURL
    guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
    var found: [Data] = []
    for case let file as URL in files where ["xml", "rss", "atom"].contains(file.pathExtension) {
      guard let data = try? Data(contentsOf: file), data.count < 100_000 else { continue }
      found.append(data)
      if found.count >= limit { break }
    }
    return found
  }
}
