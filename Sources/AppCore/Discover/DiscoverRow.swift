import Model

/// A row of the Discover screen.
public enum DiscoverRow: Equatable, Sendable {
  /// `reason`: why it is suggested; nil if it was found.
  case podcast(FoundPodcast, reason: String?)
  case episode(FoundEpisode)
  /// Searches for everything with this person.
  case person(String, reason: String)
  /// Shows these charts.
  case charts(DiscoverQuery, title: String, reason: String?)
  /// Offers the charts of every genre, and of other countries.
  case moreCharts

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
    case .podcast(let podcast, let reason): reason ?? podcast.certainty ?? podcast.author
    case .episode(let episode): episode.podcast.title
    case .person(_, let reason): reason
    case .charts(_, _, let reason): reason
    case .moreCharts: nil
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
      let named = suggestion.podcasts.prefix(2).map { "“\($0)”" }.joined(separator: " and ")
      let more = suggestion.podcasts.count > 2 ? " and \(suggestion.podcasts.count - 2) more" : ""
      switch suggestion.target {
      case .podcast(let item): rows.append(.podcast(FoundPodcast(item), reason: "recommended by \(named)\(more)"))
      case .person(let name): rows.append(.person(name, reason: "heard in \(named)\(more)"))
      case .category(let name):
        guard let genre = genres.first(where: { SearchText.fold($0) == SearchText.fold(name) }) else { continue }
        let query = DiscoverQuery(.charts(genre: genre))
        rows.append(.charts(query, title: query.title(country: country), reason: "as \(named)\(more)"))
      }
    }
    let all = DiscoverQuery(.charts(genre: nil))
    return grouped(rows) + [.charts(all, title: all.title(country: country), reason: nil)]
      + (genres.isEmpty ? [] : [.moreCharts])
  }

  /// Rows with the same reason follow each other, in the order of the first ones.
  private static func grouped(_ rows: [DiscoverRow]) -> [DiscoverRow] {
    let places = Dictionary(rows.enumerated().map { ($1.subtitle, $0) }, uniquingKeysWith: { first, _ in first })
    return rows.enumerated().sorted {
      (places[$0.element.subtitle] ?? 0, $0.offset) < (places[$1.element.subtitle] ?? 0, $1.offset)
    }.map(\.element)
  }
}
