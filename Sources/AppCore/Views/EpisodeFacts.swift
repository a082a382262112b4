import Foundation
import Model
import TerminalKit

/// What a feed says of an episode beside its notes.
struct EpisodeFacts {
  let detail: EpisodeDetail
  let layout: DetailText

  func lines(_ width: Int, _ links: inout [NamedLink]) -> [StyledLine] {
    let feed = detail.feed
    var table = FactTable("Episode", layout: layout, width: width, links: links)
    table.row("Page", nil, link: feed.link)
    if !feed.chapters.isEmpty || feed.chaptersURL != nil {
      table.row(
        "Chapters",
        (feed.chapters.isEmpty ? "" : "\(feed.chapters.count): ") + "\(layout.keymap.hint(.chapters)) lists them")
    }
    if !feed.transcripts.isEmpty {
      let languages = Set(feed.transcripts.compactMap(\.language)).sorted().joined(separator: ", ")
      table.row(
        "Transcript",
        "\(layout.keymap.hint(.transcript)) shows it" + (languages.isEmpty ? "" : " (\(languages))"))
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
