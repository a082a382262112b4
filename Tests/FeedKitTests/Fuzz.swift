import Foundation
import Seeded

@testable import FeedKit

/// One run of mutation fuzzing: how long it goes on, and the random changes.
///
/// `EARSHOT_FUZZ_SECONDS` sets how long (`make fuzz`); without it a small fixed number of rounds runs with every test
/// run. `EARSHOT_FUZZ_SEED` repeats a run. A crash or a hang leaves its document in `EARSHOT_FUZZ_KEEP`, a file.
struct Fuzz {
  let seed: UInt64
  let isLong: Bool
  var random: SplitMix64
  private let rounds: Int
  private let end: Date?
  private let keep: URL?
  private var round = 0

  init(defaultRounds: Int) {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["EARSHOT_FUZZ_SECONDS"].flatMap(Double.init)
    isLong = seconds != nil
    seed = environment["EARSHOT_FUZZ_SEED"].flatMap(UInt64.init) ?? (isLong ? UInt64.random(in: 1 ... .max) : 1)
    random = SplitMix64(seed: seed)
    rounds = defaultRounds
    end = seconds.map { Date.now.addingTimeInterval($0) }
    keep = environment["EARSHOT_FUZZ_KEEP"].map { URL(filePath: $0) }
  }

  /// Counts a round; false when it is enough.
  var goesOn: Bool {
    mutating get {
      round += 1
      return end.map { Date.now < $0 } ?? (round <= rounds)
    }
  }

  /// A document of the corpus with a few changes.
  mutating func mutate(_ corpus: [Data]) throws -> Data {
    let document = changed(corpus)
    if let keep { try document.write(to: keep) }
    return document
  }

  private static let pieces: [String] = [
    "<", ">", "&", "\"", "'", "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "</", "/>", "<item>", "</item>", "&#",
    "&#x10FFFF;",
    "&amp;", "&lt;", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "xmlns:a=\"b\"", "<podcast:liveItem status=\"live\">", "\u{0}",
    "\u{FEFF}",
    "=", ":", "encoding='utf-16'", "encoding='iso-2022-jp'", "99999999999999999999", "-1", "1e309", "<title>",
    "</channel>",
    "<itunes:image href=", "xml:base='//'", "<content type='xhtml'>", "</feed>", "\u{1B}[", "é", "流", "{", "}", "[",
    "]", ",", ":", ";", "-->", "1e999", "null", "http://", "<script>", "<pre>", "<li>",
    "\u{202E}", "\n", "\r",
  ]

  private mutating func changed(_ corpus: [Data]) -> Data {
    var bytes = Array(corpus[random.below(corpus.count)])
    for _ in 0...random.below(12) where !bytes.isEmpty {
      let at = random.below(bytes.count)
      let length = min(bytes.count - at, 1 + random.below(1 << random.below(10)))
      switch random.below(8) {
      case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes[at] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeSubrange(at..<at + length)
      case 3: bytes.insert(contentsOf: Array(bytes[at..<at + length]), at: random.below(bytes.count))
      case 4: bytes.insert(contentsOf: Array(Self.pieces[random.below(Self.pieces.count)].utf8), at: at)
      case 5: bytes.removeLast(bytes.count - at)
      case 6:
        let other = corpus[random.below(corpus.count)]
        bytes.replaceSubrange(at..., with: other.dropFirst(random.below(max(1, other.count))))
      default:
        let piece = Array(Self.pieces[random.below(Self.pieces.count)].utf8)
        for _ in 0..<random.below(200) { bytes.insert(contentsOf: piece, at: at) }
      }
    }
    return Data(bytes.prefix(300_000))
  }
}

extension SplitMix64 {
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
