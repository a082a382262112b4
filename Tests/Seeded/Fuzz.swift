import Foundation

/// One run of mutation fuzzing: rounds, each with a document changed at random.
///
/// Each round has its own random numbers, derived from the seed and the round's number. So the variables that a
/// failure prints (`EARSHOT_FUZZ_SEED=… EARSHOT_FUZZ_ROUND=…`, see `name`) repeat that round alone. Environment
/// variables:
///
/// - `EARSHOT_FUZZ_SECONDS`: how long each test runs (`make fuzz`, `make test`). Without it a fixed number of rounds.
/// - `EARSHOT_FUZZ_SEED`: the seed. Default: the number of the day, or 1 when the number of rounds is fixed.
/// - `EARSHOT_FUZZ_ROUND`: runs only this round.
/// - `EARSHOT_FUZZ_ROUNDS`: a factor for the fixed number of rounds. Sanitizer runs use a smaller one (0.1).
/// - `EARSHOT_FUZZ_KEEP`: a path prefix. Each test writes its current document to a file of that prefix, where it
///   remains after a crash or a hang.
public struct Fuzz {
  public let isLong: Bool
  /// The random numbers of this round.
  public private(set) var random = SplitMix64(seed: 0)
  private let seed: UInt64
  private let rounds: Int
  private let end: ContinuousClock.Instant?
  private let keep: URL?
  private var round: Int
  private let only: Int?

  public init(defaultRounds: Int, test: String = #function) {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["EARSHOT_FUZZ_SECONDS"].flatMap(Double.init)
    isLong = seconds != nil
    let today = UInt64(Date.now.timeIntervalSince1970 / 86_400)
    seed = environment["EARSHOT_FUZZ_SEED"].flatMap(UInt64.init) ?? (isLong ? today : 1)
    let share = environment["EARSHOT_FUZZ_ROUNDS"].flatMap(Double.init) ?? 1
    rounds = max(1, Int((Double(defaultRounds) * share).rounded()))
    end = seconds.map { ContinuousClock.now + .seconds($0) }
    let file = test.filter(\.isLetter)
    keep = environment["EARSHOT_FUZZ_KEEP"].map { URL(filePath: "\($0)-\(file)") }
    only = environment["EARSHOT_FUZZ_ROUND"].flatMap(Int.init)
    round = only.map { $0 - 1 } ?? 0
  }

  /// The variables that repeat this round.
  public var name: String { "EARSHOT_FUZZ_SEED=\(seed) EARSHOT_FUZZ_ROUND=\(round)" }

  /// Begins the next round; false when the test is finished. Yields, so that other tests get a turn.
  public mutating func begins() async -> Bool {
    await Task.yield()
    round += 1
    random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ UInt64(truncatingIfNeeded: round))
    if let only { return round == only }
    return end.map { ContinuousClock.now < $0 } ?? (round <= rounds)
  }

  /// A random number from 0 to less than `limit`.
  public mutating func below(_ limit: Int) -> Int { random.below(limit) }

  /// A random document of the corpus with a few mutations.
  public mutating func mutate(_ corpus: [Data]) throws -> Data {
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
  fileprivate mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
