import Foundation
import Model
import TerminalKit

/// The facts about a podcast from its feed and from the library, except the summary.
struct PodcastFacts {
  let detail: PodcastDetail
  let layout: DetailText

  func lines(_ width: Int, _ page: inout DetailText.Page) -> [StyledLine] {
    let feed = detail.feed
    var table = FactTable("About", layout: layout, width: width, page: page)
    table.row("Website", nil, link: feed.link)
    for funding in feed.funding { table.row("Support", funding.message ?? "the podcast", link: funding.url) }
    for (index, live) in feed.liveItems.enumerated().prefix(5) {
      let start = live.start.map { " from \(layout.calendar.isoDay($0)) \(layout.calendar.timeOfDay($0))" } ?? ""
      let status = live.isOnAir ? "on air now" : live.isAnnounced ? "announced" : "over"
      table.row("Live", "\(status)\(start): \(live.episode.title ?? "")", target: .live(index))
      if let link = live.contentLinks.first { table.row("", "on the web", link: link) }
    }
    for (index, trailer) in feed.trailers.enumerated().prefix(5) {
      table.row("Trailer", trailer.title ?? "listen", target: .trailer(index))
    }
    for person in feed.persons.prefix(12) { table.row("Person", person.name, target: .person(person.name)) }
    for item in feed.podroll.prefix(20) { table.row("Recommends", FoundPodcast(item).title, target: .podcast(item)) }
    for item in feed.listed.prefix(50) { table.row("Lists", FoundPodcast(item).title, target: .podcast(item)) }
    if let publisher = feed.publisher {
      table.row("Publisher", FoundPodcast(publisher).title, target: .podcast(publisher))
    }
    table.row("Categories", feed.categories.joined(separator: ", "))
    table.row("Schedule", feed.updateFrequency?.text)
    table.row("Kind", [feed.medium, feed.type].compactMap { $0 }.joined(separator: ", "))
    table.places(feed.location, feed.license, feed.chats)
    table.row("Rights", feed.copyright)
    let heard = detail.row.episodes &- detail.row.unplayed
    table.row("Heard", "\(max(0, heard)) of \(detail.row.episodes)")
    table.row("Tags", detail.tags.joined(separator: ", "))
    table.row("Refreshed", detail.lastRefreshed.map { layout.calendar.isoDay($0) })
    table.row("Feed", nil, link: detail.row.feedURL)
    page = table.page
    return table.lines
  }
}
