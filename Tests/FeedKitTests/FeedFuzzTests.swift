import Foundation
import Model
import Testing

@testable import FeedKit

/// Mutation fuzzing: whatever the bytes, reading ends in a feed or in an error, and the JSON of a feed is valid.
///
/// `EARSHOT_FUZZ_SECONDS` sets how long (`make fuzz`); without it a small fixed number of rounds runs with every test
/// run. `EARSHOT_FUZZ_SEED` repeats a run. A crash or a hang names its document in `EARSHOT_FUZZ_KEEP`, a file.
@Suite struct FeedFuzzTests {
  @Test func mutatedFeedsNeverCrash() throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["EARSHOT_FUZZ_SECONDS"].flatMap(Double.init)
    let seed =
      environment["EARSHOT_FUZZ_SEED"].flatMap(UInt64.init) ?? (seconds == nil ? 1 : UInt64.random(in: 1 ... .max))
    var random = SplitMix(state: seed)
    let corpus = try FeedSample.allFixtures() + Self.sharedCorpus(limit: seconds == nil ? 0 : 2000)
    let end = seconds.map { Date.now.addingTimeInterval($0) }
    var rounds = 0
    while end.map({ Date.now < $0 }) ?? (rounds < 300) {
      rounds += 1
      let document = Self.mutate(corpus, &random)
      if let file = environment["EARSHOT_FUZZ_KEEP"] { try document.write(to: URL(filePath: file)) }
      let pieces = [1 + Int(random.next() % 64), 1024, 1 << 20][Int(random.next() % 3)]
      do {
        let feed = try FeedSample.read(document, pieces: pieces, url: "https://fuzz.example/feed")
        _ = try JSONSerialization.jsonObject(with: FeedJSON.encode(feed))
      } catch is FeedReadError {
        continue
      }
    }
    #expect(rounds > 0, "seed \(seed)")
  }

  /// Feeds of the shared corpora, where that directory is there; nobody needs it.
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

  private static let pieces: [String] = [
    "<", ">", "&", "\"", "'", "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "</", "/>", "<item>", "</item>", "&#",
    "&#x10FFFF;",
    "&amp;", "&lt;", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "xmlns:a=\"b\"", "<podcast:liveItem status=\"live\">", "\u{0}",
    "\u{FEFF}",
    "=", ":", "encoding='utf-16'", "encoding='iso-2022-jp'", "99999999999999999999", "-1", "1e309", "<title>",
    "</channel>",
    "<itunes:image href=", "xml:base='//'", "<content type='xhtml'>", "</feed>", "\u{1B}", "é", "流",
  ]

  private static func mutate(_ corpus: [Data], _ random: inout SplitMix) -> Data {
    var bytes = Array(corpus[random.below(corpus.count)])
    for _ in 0...random.below(12) where !bytes.isEmpty {
      let at = random.below(bytes.count)
      let length = min(bytes.count - at, 1 + random.below(1 << random.below(10)))
      switch random.below(8) {
      case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[at] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeSubrange(at..<at + length)
      case 3: bytes.insert(contentsOf: Array(bytes[at..<at + length]), at: random.below(bytes.count))
      case 4: bytes.insert(contentsOf: Array(pieces[random.below(pieces.count)].utf8), at: at)
      case 5: bytes.removeLast(bytes.count - at)
      case 6:
        let other = corpus[random.below(corpus.count)]
        bytes.replaceSubrange(at..., with: other.dropFirst(random.below(max(1, other.count))))
      default:
        let piece = Array(pieces[random.below(pieces.count)].utf8)
        for _ in 0..<random.below(200) { bytes.insert(contentsOf: piece, at: at) }
      }
    }
    return Data(bytes.prefix(300_000))
  }

  /// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, everywhere.
  private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
  }
}
