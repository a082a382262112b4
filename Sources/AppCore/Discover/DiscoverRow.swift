import Model

/// A row of the Discover screen.
public enum DiscoverRow: Equatable, Sendable {
  /// `reason`: why it is suggested; nil if it was found.
  case podcast(FoundPodcast, reason: Reason?)
  case episode(FoundEpisode)
  /// Searches for everything with this person.
  case person(String, reason: Reason)
  /// Shows these charts.
  case charts(DiscoverQuery, title: String, reason: Reason?)
  /// Offers the charts of these genres, and of other countries.
  case moreCharts([String])

  /// Why a row is suggested.
  public struct Reason: Equatable, Sendable {
    /// Such as `recommended by`, before the names of the podcasts.
    let words: String
    /// The titles of the podcasts of the library that led to it, most played first.
    let podcasts: [String]

    /// In one line, with two names.
    var short: String {
      let named = podcasts.prefix(2).map { "“\($0)”" }.joined(separator: " and ")
      return "\(words) \(named)" + (podcasts.count > 2 ? " and \(podcasts.count - 2) more" : "")
    }
  }

  /// Identifies the row when the list is ranked again.
  var key: String {
    switch self {
    case .podcast(let podcast, _): podcast.key
    case .episode(let episode): episode.key
    case .person(let name, _): "person " + name
    case .charts(_, let title, _): "charts " + title
    case .moreCharts: "more charts"
    }
  }

  var title: String {
    switch self {
    case .podcast(let podcast, _): podcast.title
    case .episode(let episode): episode.title
    case .person(let name, _): "Everything with \(name)"
    case .charts(_, let title, _): title
    case .moreCharts: "Top podcasts by genre or country"
    }
  }

  /// The text after the title.
  var subtitle: String? {
    switch self {
    case .podcast(let podcast, let reason): reason?.short ?? podcast.certainty ?? podcast.author
    case .episode(let episode): episode.podcast.title
    case .person(_, let reason): reason.short
    case .charts(_, _, let reason): reason?.short
    case .moreCharts: nil
    }
  }

  var reason: Reason? {
    switch self {
    case .podcast(_, let reason), .charts(_, _, let reason): reason
    case .person(_, let reason): reason
    case .episode, .moreCharts: nil
    }
  }

  /// Addresses of its pictures. If one cannot be loaded, the next one is used.
  var pictures: [String?] {
    switch self {
    case .podcast(let podcast, _): [podcast.artworkURL, podcast.imageURL]
    case .episode(let episode): [episode.imageURL, episode.podcast.imageURL]
    case .person, .charts, .moreCharts: []
    }
  }

  /// The podcast of the row, or of its episode.
  var podcast: FoundPodcast? {
    switch self {
    case .podcast(let podcast, _): podcast
    case .episode(let episode): episode.podcast
    case .person, .charts, .moreCharts: nil
    }
  }
}

extension DiscoverScreen {
  /// The rows before any search: suggestions and charts. No directory is asked for them until the listener chooses one.
  static func start(_ suggestions: [Suggestion], country: String, genres: [String]) -> [DiscoverRow] {
    var rows: [DiscoverRow] = []
    for suggestion in suggestions {
      func reason(_ words: String) -> DiscoverRow.Reason { .init(words: words, podcasts: suggestion.podcasts) }
      switch suggestion.target {
      case .podcast(let item): rows.append(.podcast(FoundPodcast(item), reason: reason("recommended by")))
      case .person(let name): rows.append(.person(name, reason: reason("heard in")))
      case .category(let name):
        guard let genre = genres.first(where: { TextFolding.fold($0) == TextFolding.fold(name) }) else { continue }
        let query = DiscoverQuery(.charts(genre: genre))
        rows.append(.charts(query, title: query.title(country: country), reason: reason("you follow")))
      }
    }
    // Rows with the same reason follow each other, in the order of the first ones.
    rows = rows.grouped(by: \.subtitle).flatMap(\.elements)
    let all = DiscoverQuery(.charts(genre: nil))
    rows.append(.charts(all, title: all.title(country: country), reason: nil))
    return rows + (genres.isEmpty ? [] : [.moreCharts(genres)])
  }
}
