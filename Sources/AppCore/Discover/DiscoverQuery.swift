import Foundation
import TerminalKit

/// What is looked for on the Discover screen.
public struct DiscoverQuery: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case podcasts, episodes
    /// Everything in which a person takes part.
    case people
    /// The charts of a country, of all genres or of one.
    case charts(genre: String?)
  }

  public var kind: Kind
  public var words: String
  /// Two letters; nil: the listener's own.
  public var country: String?

  public init(_ kind: Kind, _ words: String = "", country: String? = nil) {
    self.kind = kind
    self.words = words
    self.country = country
  }

  /// Words that stand before what is looked for, where that is no podcast.
  static let prefixes = ["episodes: ", "people: ", "charts: "]

  /// What a line means: `moon`, `episodes: moon`, `people: Ada Lovelace`, `charts: arts de`. nil: too little to look for.
  public init?(_ line: String, genres: [String]) {
    let text = line.trimmingCharacters(in: .whitespaces)
    let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    let rest = parts.count > 1 ? parts[1] : ""
    switch parts.first?.lowercased() {
    case "episodes" where text.contains(":"), "episode" where text.contains(":"): self.init(.episodes, rest)
    case "people" where text.contains(":"), "person" where text.contains(":"): self.init(.people, rest)
    case "charts" where text.contains(":"), "top" where text.contains(":"):
      self.init(charts: rest, genres: genres)
      return
    default: self.init(.podcasts, text)
    }
    if words.isEmpty { return nil }
  }

  /// A genre or the beginning of one, a country, both or neither: `arts de`. A genre that there is not is looked for as it
  /// is, and the directories say so.
  init(charts text: String, genres: [String]) {
    var words = text.split(separator: " ").map(String.init)
    var country: String?
    if let last = words.last, last.count == 2, last.allSatisfy({ $0.isASCII && $0.isLetter }) {
      country = words.removeLast().uppercased()
    }
    let wanted = words.joined(separator: " ")
    let genre = genres.first { SearchText.fold($0).hasPrefix(SearchText.fold(wanted)) } ?? wanted
    self.init(.charts(genre: wanted.isEmpty ? nil : genre), country: country)
  }

  /// Whether it is worth asking while the line is still being typed: two letters are the beginning of anything, two
  /// ideographs are a word.
  var isWorthAsking: Bool {
    switch kind {
    case .charts: false
    // The beginning of an address.
    case .podcasts where Self.schemes.contains(where: { $0.hasPrefix(words.lowercased()) }): false
    case .podcasts, .episodes, .people: words.count >= 3 || words.unicodeScalars.contains { $0.value > 0x2E80 }
    }
  }

  private static let schemes = ["https://", "http://", "spotify:show:", "spotify:episode:"]

  /// As the title of the list names it.
  func title(country own: String) -> String {
    switch kind {
    case .podcasts: "“\(words)”"
    case .episodes: "Episodes: “\(words)”"
    case .people: "With “\(words)”"
    case .charts(let genre): "Top podcasts, \(country ?? own)" + (genre.map { ", \($0)" } ?? "")
    }
  }
}

/// Whether a line is an address and no words to look for.
enum PastedAddress {
  static func isOne(_ line: String) -> Bool {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { return false }
    if text.contains("://") || text.wholeMatch(of: /spotify:(show|episode):\w+/) != nil { return true }
    // `feed:example.org/rss`, `example.org/feed`
    return text.wholeMatch(of: /(?:(?:feed|pcast|itpc|itms|podcast|rss):)?[\w-]+(?:\.[\w-]+)+(?::\d+)?\/.*/) != nil
  }
}
