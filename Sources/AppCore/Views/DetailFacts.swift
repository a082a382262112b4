import Foundation
import Model
import TerminalKit

/// What the foot of a page lists: a word at the left, what it says beside it. Addresses get a number and join the
/// page's links.
struct FactTable {
  let layout: DetailText
  let width: Int
  private(set) var lines: [StyledLine] = []
  private(set) var links: [String]

  init(_ title: String, layout: DetailText, width: Int, links: [String]) {
    self.layout = layout
    self.width = width
    self.links = links
    self.title = title
  }

  private let title: String
  private static let labelWidth = 12

  mutating func row(_ label: String, _ text: String?, link: String? = nil) {
    let text = text.map { Sanitize.line($0) } ?? ""
    guard !text.isEmpty || link != nil else { return }
    if lines.isEmpty { lines.append(StyledLine(title, .heading)) }
    let padded = label + String(repeating: " ", count: max(1, Self.labelWidth - Clusters.width(label)))
    var spans: [StyledLine.Span] = [.init(padded, .dim)]
    let target = link.map { LinkTarget.address($0) }
    if !text.isEmpty { spans.append(.init(text, link == nil ? .text : .link, target: target)) }
    if let link {
      let known = links.firstIndex(of: link)
      if known == nil { links.append(link) }
      spans.append(.init((text.isEmpty ? "" : " ") + "[\((known ?? links.count - 1) + 1)]", .key, target: target))
    }
    lines += layout.wrap(spans, width, restIndent: min(Self.labelWidth, width / 3))
  }
}

/// What a feed says of an episode beside its notes.
struct EpisodeFacts {
  let detail: EpisodeDetail
  let layout: DetailText

  func lines(_ width: Int, _ links: inout [String]) -> [StyledLine] {
    let feed = detail.feed
    var table = FactTable("Episode", layout: layout, width: width, links: links)
    table.row("Page", nil, link: feed.link)
    if !feed.chapters.isEmpty || feed.chaptersURL != nil {
      table.row("Chapters", feed.chapters.isEmpty ? "c lists them while it plays" : "\(feed.chapters.count)")
    }
    if !feed.transcripts.isEmpty {
      let languages = Set(feed.transcripts.compactMap(\.language)).sorted().joined(separator: ", ")
      table.row("Transcript", "t shows it while it plays" + (languages.isEmpty ? "" : " (\(languages))"))
    }
    for bite in feed.soundbites.prefix(10) {
      table.row("Soundbite", "\(TimeText.clock(bite.startTime)) \(bite.title ?? "")")
    }
    for funding in feed.funding { table.row("Support", funding.message ?? "the show", link: funding.url) }
    if let bytes = feed.mediaBytes, bytes > 0 {
      table.row("File", "\(SizeText.bytes(bytes))\(feed.mediaType.map { ", \($0)" } ?? "")")
    }
    table.row("Tags", detail.tags.joined(separator: ", "))
    links = table.links
    return table.lines
  }
}

/// What a feed says of a podcast beside its summary, and what the library knows of it.
struct PodcastFacts {
  let detail: PodcastDetail
  let layout: DetailText

  func lines(_ width: Int, _ links: inout [String]) -> [StyledLine] {
    let feed = detail.feed
    var table = FactTable("About", layout: layout, width: width, links: links)
    table.row("Website", nil, link: feed.link)
    for funding in feed.funding { table.row("Support", funding.message ?? "the show", link: funding.url) }
    for trailer in feed.trailers.prefix(5) { table.row("Trailer", trailer.title ?? "listen", link: trailer.url) }
    for item in feed.podroll.prefix(10) { table.row("Recommends", item.title ?? item.feedURL, link: item.feedURL) }
    for live in feed.liveItems.prefix(3) {
      let start = live.start.map { " from \(layout.calendar.isoDay($0))" } ?? ""
      table.row("Live", "\(live.status)\(start): \(live.episode.title ?? "")", link: live.contentLinks.first)
    }
    table.row("Categories", feed.categories.joined(separator: ", "))
    table.row("Published", feed.updateFrequency?.text)
    table.row("Kind", [feed.medium, feed.type].compactMap { $0 }.joined(separator: ", "))
    table.row("Rights", feed.copyright)
    let heard = detail.row.episodes - detail.row.unplayed
    table.row("Heard", "\(max(0, heard)) of \(detail.row.episodes)")
    table.row("Tags", detail.tags.joined(separator: ", "))
    table.row("Refreshed", detail.lastRefreshed.map { layout.calendar.isoDay($0) })
    table.row("Feed", nil, link: detail.row.feedURL)
    links = table.links
    return table.lines
  }
}

/// Sizes as people read them.
enum SizeText {
  /// `812 B`, `4.2 MB`, `1.3 GB`; powers of ten, as shops and file managers count.
  static func bytes(_ count: Int64) -> String {
    guard count >= 1000 else { return "\(max(0, count)) B" }
    var value = Double(count)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB"]
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
  }
}
