import Model
import TerminalKit

/// The page of a Discover row: the directory's data about a podcast or an episode, or a description of what the row
/// does.
struct FoundText {
  let row: DiscoverRow
  let layout: DetailText

  var document: Document {
    switch row {
    case .podcast(let podcast, _): podcast.summary
    case .episode(let episode): episode.summary
    case .moreCharts(let genres):
      Document(
        blocks: [.paragraph([.init(nothing)])] + genres.map { .item(depth: 0, ordinal: nil, [.init($0)]) })
    case .person, .charts: Document()
    }
  }

  /// The text if there is no description.
  var nothing: String {
    let press = layout.keymap.press(.open)
    return switch row {
    case .podcast: "\(press) to look at its episodes, \(layout.keymap.hint(.subscribe)) to subscribe."
    case .episode: "\(press) to look at it and to play it. Its podcast's feed is fetched."
    case .person: "\(press) to ask the directories. Nothing is sent before that."
    case .moreCharts: "\(press) to list the genres."
    case .charts: "\(press) to ask the directories for these charts. Nothing is sent before that."
    }
  }

  func head(_ width: Int) -> [StyledLine] {
    var lines = layout.wrap([.init(Sanitize.line(row.title), .title)], width)
    var facts: [String] = []
    switch row {
    case .podcast(let podcast, _):
      if let author = podcast.author { lines += layout.wrap([.init(Sanitize.line(author), .accent)], width) }
      if let certainty = podcast.certainty { lines += layout.wrap([.init(Sanitize.line(certainty), .warning)], width) }
      if let count = podcast.episodeCount { facts.append(Counted.text(count, "episode")) }
      if let newest = podcast.newest { facts.append("newest \(layout.calendar.day(newest))") }
      if let language = podcast.language { facts.append(Sanitize.line(language)) }
      if podcast.isExplicit { facts.append("explicit") }
      if let medium = podcast.medium, medium != "podcast" { facts.append(Sanitize.line(medium)) }
    case .episode(let episode):
      lines += layout.wrap([.init(Sanitize.line(episode.podcast.title), .accent)], width)
      if let date = episode.pubDate { facts.append(layout.calendar.day(date)) }
      if let duration = episode.duration { facts.append(TimeText.clock(duration)) }
    case .person, .moreCharts, .charts: break
    }
    if let reason = row.reason, reason.podcasts.count <= Self.podcastsInHead {
      lines += layout.wrap([.init(Sanitize.line(reason.short), .dim)], width)
    }
    if !facts.isEmpty { lines += layout.wrap([.init(facts.joined(separator: layout.glyphs.separator), .dim)], width) }
    if row.podcast?.isDead == true {
      lines += layout.wrap([.init("The directory could not read its feed any more.", .warning)], width)
    }
    return lines
  }

  /// So many podcasts are named below the title. Of more, each one has a line at the end of the page.
  private static let podcastsInHead = 2

  /// The podcasts that led to a suggestion.
  private func podcasts(_ width: Int) -> [StyledLine] {
    guard let reason = row.reason, reason.podcasts.count > Self.podcastsInHead else { return [] }
    let heading = StyledLine(reason.words.prefix(1).uppercased() + reason.words.dropFirst(), .heading)
    return [heading]
      + reason.podcasts.flatMap {
        layout.wrap([.init(layout.ascii ? "* " : "• ", .accent), .init(Sanitize.line($0))], width, restIndent: 2)
      }
  }

  func footer(_ width: Int, _ page: inout DetailText.Page) -> [StyledLine] {
    let reason = podcasts(width)
    guard let podcast = row.podcast else { return reason }
    let persons = if case .episode(let episode) = row { episode.persons.joined(separator: ", ") } else { "" }
    let rows = [
      ("With", FactLine(persons)), ("Website", FactLine(nil, link: podcast.link)),
      ("Categories", FactLine(podcast.genres.joined(separator: ", "))),
      ("Listed by", FactLine(podcast.directories.joined(separator: ", "))),
      ("Feed", FactLine(nil, link: podcast.feedURL)),
    ]
    let table = layout.table("About", rows, width, &page)
    return reason + (reason.isEmpty || table.isEmpty ? [] : [.empty]) + table
  }
}
