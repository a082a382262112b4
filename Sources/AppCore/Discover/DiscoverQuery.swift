import Foundation
import Model
import TerminalKit

extension DiscoverQuery {
  /// The prefixes of searches that are not for podcasts.
  static let prefixes = ["episodes: ", "people: ", "charts: "]

  /// Parses a line: `moon`, `episodes: moon`, `people: Ada Lovelace`, `charts: arts de`. Nil if there is too little to
  /// search for.
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

  /// Parses the words after `charts:`: a genre or its beginning, a country, both or neither, such as `arts de`. An
  /// unknown genre is kept, and the directories answer with an error.
  init(charts text: String, genres: [String]) {
    var words = text.split(separator: " ").map(String.init)
    var country: String?
    if let last = words.last, last.count == 2, last.allSatisfy({ $0.isASCII && $0.isLetter }) {
      country = words.removeLast().uppercased()
    }
    let wanted = words.joined(separator: " ")
    let genre = genres.first { TextFolding.fold($0).hasPrefix(TextFolding.fold(wanted)) } ?? wanted
    self.init(.charts(genre: wanted.isEmpty ? nil : genre), country: country)
  }

  /// Whether to search while the line is still being typed. Two letters are too few, but two ideographs may be a word.
  var canSearchWhileTyping: Bool {
    switch kind {
    case .charts: false
    // The line may become an address.
    case .podcasts where Self.schemes.contains(where: { $0.hasPrefix(words.lowercased()) }): false
    case .podcasts, .episodes, .people: words.count >= 3 || words.unicodeScalars.contains { $0.value > 0x2E80 }
    }
  }

  private static let schemes = ["https://", "http://", "spotify:show:", "spotify:episode:"]

  /// The title of the list of results.
  func title(country own: String) -> String {
    switch kind {
    case .podcasts: "“\(words)”"
    case .episodes: "Episodes: “\(words)”"
    case .people: "With “\(words)”"
    case .charts(let genre): "Top podcasts, \(country ?? own)" + (genre.map { ", \($0)" } ?? "")
    }
  }
}

/// Recognises a line that is an address instead of words to search for.
enum PastedAddress {
  static func isAddress(_ line: String) -> Bool {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { return false }
    if text.contains("://") || text.wholeMatch(of: /spotify:(show|episode):\w+/) != nil { return true }
    // Such as `feed:example.org/rss` or `example.org/feed`.
    return text.wholeMatch(of: /(?:(?:feed|pcast|itpc|itms|podcast|rss):)?[\w-]+(?:\.[\w-]+)+(?::\d+)?\/.*/) != nil
  }
}
