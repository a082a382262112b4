import Foundation
import Model
import TerminalKit

/// What a feed says of a podcast beside its summary, and what the library knows of it.
struct PodcastFacts {
  let detail: PodcastDetail
  let layout: DetailText

  func lines(_ width: Int, _ links: inout [NamedLink]) -> [StyledLine] {
    let feed = detail.feed
    var table = FactTable("About", layout: layout, width: width, links: links)
    table.row("Website", nil, link: feed.link)
    for funding in feed.funding { table.row("Support", funding.message ?? "the show", link: funding.url) }
    for trailer in feed.trailers.prefix(5) { table.row("Trailer", trailer.title ?? "listen", link: trailer.url) }
    for item in feed.podroll.prefix(10) {
      table.row("Recommends", item.title ?? ShownAddress(item.feedURL)?.description, link: item.feedURL)
    }
    for live in feed.liveItems.prefix(3) {
      let start = live.start.map { " from \(layout.calendar.isoDay($0))" } ?? ""
      table.row("Live", "\(live.status)\(start): \(live.episode.title ?? "")", link: live.contentLinks.first)
    }
    table.row("Categories", feed.categories.joined(separator: ", "))
    table.row("Published", feed.updateFrequency?.text)
    table.row("Kind", [feed.medium, feed.type].compactMap { $0 }.joined(separator: ", "))
    table.row("Rights", feed.copyright)
    let heard = detail.row.episodes &- detail.row.unplayed
    table.row("Heard", "\(max(0, heard)) of \(detail.row.episodes)")
    table.row("Tags", detail.tags.joined(separator: ", "))
    table.row("Refreshed", detail.lastRefreshed.map { layout.calendar.isoDay($0) })
    table.row("Feed", nil, link: detail.row.feedURL)
    links = table.links
    return table.lines
  }
}
