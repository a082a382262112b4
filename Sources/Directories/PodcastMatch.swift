import Foundation

/// How sure it is that a podcast of a directory is the one that was meant, judged by titles alone.
public struct PodcastMatch: Sendable, Equatable {
  public var podcast: DirectoryPodcast
  /// 0 to 1.
  public var certainty: Double

  public init(podcast: DirectoryPodcast, certainty: Double) {
    self.podcast = podcast
    self.certainty = certainty
  }

  /// In words, for a question.
  public var words: String {
    switch certainty {
    case 0.9...: "surely"
    case 0.7..<0.9: "very likely"
    case 0.5..<0.7: "perhaps"
    default: "hardly"
    }
  }

  /// Below this a match is not offered.
  public static let least = 0.4
}

/// What is known of a podcast that is to be found in other directories.
public struct WantedPodcast: Sendable, Equatable {
  public var title: String
  public var publisher: String?
  /// Of its newest episodes.
  public var episodeTitles: [String]

  public init(title: String, publisher: String? = nil, episodeTitles: [String] = []) {
    self.title = title
    self.publisher = publisher
    self.episodeTitles = episodeTitles
  }

  /// The title counts for 0.7, the publisher for 0.2, the episodes for 0.5 where both sides have some; of what one side
  /// does not say nothing is concluded.
  public func certainty(of podcast: DirectoryPodcast, episodeTitles found: [String] = []) -> Double {
    var (score, most) = (0.7 * Self.likeness(title, podcast.title), 0.7)
    if let publisher, let author = podcast.author {
      score += 0.2 * Self.likeness(publisher, author)
      most += 0.2
    }
    if !episodeTitles.isEmpty, !found.isEmpty {
      let known = Set(found.map(MatchText.normal))
      let shared = episodeTitles.filter { known.contains(MatchText.normal($0)) }.count
      score += 0.5 * Double(shared) / Double(min(episodeTitles.count, found.count))
      most += 0.5
    }
    return min(1, score / most)
  }

  /// 1 for the same words, 0 for none in common (the Dice coefficient of the words).
  static func likeness(_ one: String, _ other: String) -> Double {
    let (first, second) = (MatchText.normal(one), MatchText.normal(other))
    if first == second { return first.isEmpty ? 0 : 1 }
    let (words, otherWords) = (Set(first.split(separator: " ")), Set(second.split(separator: " ")))
    guard !words.isEmpty, !otherWords.isEmpty else { return 0 }
    return 2 * Double(words.intersection(otherWords).count) / Double(words.count + otherWords.count)
  }
}
