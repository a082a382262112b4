import Foundation
import Model

/// The merged and ranked results of all directories that have answered so far, and their errors.
///
/// Each podcast is listed once. Two entries are the same podcast if they share the feed's address, podcast:guid or
/// Apple's id.
public struct DirectoryResults: Sendable, Equatable {
  public let query: DirectoryQuery
  public private(set) var podcasts: [DirectoryPodcast] = []
  public private(set) var episodes: [DirectoryEpisode] = []
  public private(set) var failures: [DirectoryError] = []
  /// The number of entries that have no feed or could not be read.
  public private(set) var skipped = 0
  private var answers: [(name: DirectoryName, answer: DirectoryAnswer)] = []

  public init(_ query: DirectoryQuery) { self.query = query }

  public static func == (one: Self, other: Self) -> Bool {
    one.query == other.query && one.podcasts == other.podcasts && one.episodes == other.episodes
      && one.failures == other.failures && one.skipped == other.skipped
  }

  /// Adds the result of one directory. The order of the results does not depend on which directory answered first.
  public mutating func add(_ outcome: DirectoryOutcome) {
    switch outcome.result {
    case .failure(let error): if !error.isCancelled { failures.append(error) }
    case .success(let answer):
      answers.append((outcome.name, answer))
      answers.sort { $0.name.rank < $1.name.rank }
      skipped += answer.skipped
      podcasts = ranked()
      episodes = mergedEpisodes()
    }
  }

  // MARK: Podcasts

  private func ranked() -> [DirectoryPodcast] {
    var groups: [Group] = []
    var groupOfKey: [String: Int] = [:]
    for (_, answer) in answers {
      for (rank, podcast) in answer.podcasts.enumerated() {
        let keys = podcast.names
        var found = Set(keys.compactMap { groupOfKey[$0] }).sorted()
        let target = found.isEmpty ? groups.count : found.removeFirst()
        if target == groups.count { groups.append(Group()) }
        // An entry can show that two groups are the same podcast.
        for other in found {
          groups[target].merge(groups[other])
          groups[other] = Group()
          for (key, group) in groupOfKey where group == other { groupOfKey[key] = target }
        }
        groups[target].add(podcast, rank: rank)
        for key in keys { groupOfKey[key] = target }
      }
    }
    let isChart = if case .top = query.kind { true } else { false }
    let words = isChart ? "" : query.words
    return groups.compactMap { group in group.podcast.map { ($0, group.score(words)) } }
      .sorted { ($0.1, $1.0.title) > ($1.1, $0.0.title) }
      .map(\.0)
  }

  /// Entries of the same podcast.
  private struct Group {
    var podcast: DirectoryPodcast?
    /// The score by reciprocal rank fusion (Cormack 2009): the sum of 1 / (60 + rank) over the lists.
    var fusion = 0.0

    mutating func add(_ entry: DirectoryPodcast, rank: Int) {
      fusion += 1 / Double(60 + rank)
      podcast = podcast?.filled(from: entry) ?? entry
    }

    mutating func merge(_ other: Group) {
      fusion += other.fusion
      if let entry = other.podcast { podcast = podcast?.filled(from: entry) ?? entry }
    }

    /// An exact title match counts more than any rank. A dead feed counts least.
    func score(_ words: String) -> Double {
      guard let podcast else { return 0 }
      let title = MatchText.normal(podcast.title)
      let wanted = MatchText.normal(words)
      var score = fusion
      if !wanted.isEmpty {
        if title == wanted { score += 1 } else if title.hasPrefix(wanted + " ") { score += 0.02 }
      }
      return podcast.isDead ? score - 2 : score
    }
  }

  // MARK: Episodes

  private func mergedEpisodes() -> [DirectoryEpisode] {
    var seen: Set<String> = []
    return answers.flatMap(\.answer.episodes).filter { episode in
      guard let key = episode.mediaURL ?? episode.guid else { return true }
      return seen.insert(key).inserted
    }
  }
}

extension DirectoryPodcast {
  /// As `FoundPodcast.names`.
  public var names: [String] { FoundPodcast.names(feedURL: feedURL, guid: guid, appleID: appleID) }

  /// This entry, with missing values filled in from another entry of the same podcast.
  func filled(from other: DirectoryPodcast) -> DirectoryPodcast {
    var merged = self
    merged.author = author ?? other.author
    merged.feedURL = feedURL ?? other.feedURL
    merged.guid = guid ?? other.guid
    merged.appleID = appleID ?? other.appleID
    merged.imageURL = imageURL ?? other.imageURL
    merged.appleImageURL = appleImageURL ?? other.appleImageURL
    merged.summary = summary ?? other.summary
    merged.link = link ?? other.link
    merged.language = language ?? other.language
    merged.genres = genres.isEmpty ? other.genres : genres
    merged.episodeCount = episodeCount ?? other.episodeCount
    merged.newest = [newest, other.newest].compactMap { $0 }.max()
    merged.isExplicit = isExplicit ?? other.isExplicit
    merged.isDead = isDead && other.isDead
    merged.medium = medium ?? other.medium
    merged.directories += other.directories.filter { !directories.contains($0) }
    return merged
  }
}

extension DirectoryName {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Normalizes titles for comparison: lower-case letters and digits without diacritics, words separated by one space.
public enum MatchText {
  public static func normal(_ text: String) -> String {
    TextFolding.fold(text)
      .split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }
}
