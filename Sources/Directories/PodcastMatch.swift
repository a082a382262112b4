import Foundation

/// A candidate for the wanted podcast, with the certainty that it is the right one. Judged by titles only.
public struct PodcastMatch: Sendable, Equatable {
  public var podcast: DirectoryPodcast
  /// 0 to 1.
  public var certainty: Double

  /// The certainty in words, for a question to the listener.
  public var words: String {
    switch certainty {
    case 0.9...: "surely"
    case 0.7..<0.9: "very likely"
    case 0.5..<0.7: "perhaps"
    default: "hardly"
    }
  }

  /// Matches below this certainty are not offered.
  public static let minCertainty = 0.4
}

/// What is known about a podcast that is looked for in other directories.
public struct WantedPodcast: Sendable, Equatable {
  public var title: String
  public var publisher: String?
  /// The titles of its newest episodes.
  public var episodeTitles: [String] = []

  /// The certainty, 0 to 1. The title has the weight 0.7, the publisher 0.2, and the episodes 0.5 if both sides have
  /// some. Information that one side lacks is left out.
  public func certainty(of podcast: DirectoryPodcast, episodeTitles found: [String] = []) -> Double {
    var (score, maximum) = (0.7 * Self.similarity(title, podcast.title), 0.7)
    if let publisher, let author = podcast.author {
      score += 0.2 * Self.similarity(publisher, author)
      maximum += 0.2
    }
    if !episodeTitles.isEmpty, !found.isEmpty {
      let known = Set(found.map(MatchText.normal))
      let shared = episodeTitles.filter { known.contains(MatchText.normal($0)) }.count
      score += 0.5 * Double(shared) / Double(min(episodeTitles.count, found.count))
      maximum += 0.5
    }
    return min(1, score / maximum)
  }

  /// The Dice coefficient of the words: 1 for the same words, 0 for none in common.
  static func similarity(_ one: String, _ other: String) -> Double {
    let (first, second) = (MatchText.normal(one), MatchText.normal(other))
    if first == second { return first.isEmpty ? 0 : 1 }
    let (words, otherWords) = (Set(first.split(separator: " ")), Set(second.split(separator: " ")))
    guard !words.isEmpty, !otherWords.isEmpty else { return 0 }
    return 2 * Double(words.intersection(otherWords).count) / Double(words.count + otherWords.count)
  }
}
