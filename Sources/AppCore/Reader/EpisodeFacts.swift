import Foundation
import Model
import TerminalKit

/// The facts about an episode from its feed, except the notes.
struct EpisodeFacts {
  let detail: EpisodeDetail
  let layout: DetailText

  func lines(_ width: Int, _ page: inout DetailText.Page) -> [StyledLine] {
    let feed = detail.feed
    var table = FactTable("Episode", layout: layout, width: width, page: page)
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
    for (index, bite) in feed.soundbites.prefix(10).enumerated() {
      table.row("Soundbite", "\(TimeText.clock(bite.startTime)) \(bite.title ?? "")", target: .soundbite(index))
    }
    for person in feed.persons.prefix(12) { table.row("Person", person.name, target: .person(person.name)) }
    for thread in feed.comments.prefix(3) { table.row("Comments", thread.kind, link: thread.url) }
    for funding in feed.funding { table.row("Support", funding.message ?? "the podcast", link: funding.url) }
    if let bytes = feed.mediaBytes, bytes > 0 {
      table.row("File", "\(SizeText.bytes(bytes))\(feed.mediaType.map { ", \($0)" } ?? "")")
    }
    let others = feed.alternateEnclosures.prefix(6).map { file in
      [file.title, file.type, file.length.map(SizeText.bytes)].compactMap { $0 }.joined(separator: ", ")
    }
    if !others.isEmpty { table.row("Also as", others.joined(separator: "; ") + ". “:show media” chooses") }
    table.places(feed.location, feed.license, feed.chats)
    table.row("Tags", detail.tags.joined(separator: ", "))
    page = table.page
    return table.lines
  }
}
