import Foundation
import Model
import TerminalKit

/// Turns an episode or a podcast into the lines of the reader.
struct DetailText {
  let calendar: CalendarRules
  let ascii: Bool

  func lines(_ content: DetailPane.Content, width: Int) -> [StyledLine] {
    guard width > 0 else { return [] }
    // A measure that can be read: long lines on a wide screen cannot.
    let measure = min(width, 88)
    switch content {
    case .episode(let detail, let document):
      return head(detail, measure) + body(document, measure, else: "This episode has no description.")
    case .podcast(let detail, let document):
      return head(detail, measure) + body(document, measure, else: "This podcast has no description.")
    }
  }

  // MARK: Heads

  private func head(_ detail: EpisodeDetail, _ width: Int) -> [StyledLine] {
    let row = detail.row
    var lines = wrap([.init(Sanitize.line(row.title), .title)], width)
    lines += wrap([.init(Sanitize.line(row.podcastTitle), .accent)], width)
    var facts: [String] = []
    if let date = row.pubDate { facts.append(calendar.isoDay(date)) }
    if let duration = row.duration, duration > 0 { facts.append(TimeText.short(duration)) }
    if let season = detail.feed.season { facts.append("season \(season)") }
    if let number = detail.feed.episodeDisplay ?? detail.feed.episodeNumber.map(String.init) {
      facts.append("episode \(Sanitize.line(number))")
    }
    if let type = detail.feed.episodeType, type != "full" { facts.append(type) }
    if detail.feed.explicit == true { facts.append("explicit") }
    if !facts.isEmpty { lines += wrap([.init(facts.joined(separator: separator), .dim)], width) }
    lines += wrap(state(row), width)
    if !detail.feed.persons.isEmpty {
      let names = detail.feed.persons.map { person in
        Sanitize.line(person.name) + (person.role.map { " (\(Sanitize.line($0)))" } ?? "")
      }
      lines += wrap([.init("With ", .dim), .init(names.joined(separator: ", "))], width)
    }
    return lines + [.empty]
  }

  private func state(_ row: EpisodeRow) -> [StyledLine.Span] {
    var spans: [StyledLine.Span] = []
    switch row.status {
    case .deleted: spans.append(.init("deleted", .played))
    case .played: spans.append(.init("played", .played))
    case .new where row.position < 1: spans.append(.init("new", .new))
    default:
      let total = row.duration.map { " of \(TimeText.clock($0))" } ?? ""
      spans.append(.init("heard to \(TimeText.clock(row.position))\(total)", .progress))
    }
    if row.isQueued { spans.append(.init("\(separator)queued", .queued)) }
    if row.isDownloaded { spans.append(.init("\(separator)downloaded", .downloaded)) }
    if row.isGoneFromFeed { spans.append(.init("\(separator)no longer in the feed", .gone)) }
    if !row.hasMedia { spans.append(.init("\(separator)nothing to play", .warning)) }
    return spans
  }

  private func head(_ detail: PodcastDetail, _ width: Int) -> [StyledLine] {
    var lines = wrap([.init(Sanitize.line(detail.row.title), .title)], width)
    if let author = detail.row.author { lines += wrap([.init(Sanitize.line(author), .accent)], width) }
    var facts = ["\(detail.row.episodes) episodes", "\(detail.row.unplayed) unplayed"]
    if let date = detail.row.lastPubDate { facts.append("newest \(calendar.isoDay(date))") }
    if let language = detail.feed.language { facts.append(Sanitize.line(language)) }
    lines += wrap([.init(facts.joined(separator: separator), .dim)], width)
    lines += wrap([.init(Sanitize.line(detail.row.feedURL), .link)], width)
    switch detail.row.health {
    case .failed(_, let message): lines += wrap([.init(Sanitize.line(message), .error)], width)
    case .gone: lines += wrap([.init("The publisher has ended this feed.", .warning)], width)
    case .good, .unknown: break
    }
    for funding in detail.feed.funding {
      let label = funding.message.map { Sanitize.line($0) + ": " } ?? "Support: "
      lines += wrap([.init(label, .dim), .init(Sanitize.line(funding.url), .link)], width)
    }
    return lines + [.empty]
  }

  private var separator: String { ascii ? " - " : " · " }

  // MARK: Body

  private func body(_ document: Document, _ width: Int, else nothing: String) -> [StyledLine] {
    guard !document.blocks.isEmpty else { return [StyledLine(nothing, .dim)] }
    var lines: [StyledLine] = []
    var previousWasItem = false
    for block in document.blocks {
      let isItem = if case .item = block { true } else { false }
      if !lines.isEmpty, !(isItem && previousWasItem) { lines.append(.empty) }
      lines += self.lines(block, width)
      previousWasItem = isItem
    }
    guard !document.links.isEmpty else { return lines }
    lines += [.empty, StyledLine("Links", .heading)]
    for (index, link) in document.links.enumerated() {
      lines += wrap([.init("[\(index + 1)] ", .key), .init(Sanitize.line(link), .link)], width, restIndent: 4)
    }
    return lines
  }

  private func lines(_ block: Document.Block, _ width: Int) -> [StyledLine] {
    switch block {
    case .heading(_, let spans):
      return wrap(spans.map { .init($0.text, .heading) }, width)
    case .paragraph(let spans):
      return wrap(spans.flatMap { styled($0, .text) }, width)
    case .item(let depth, let ordinal, let spans):
      let indent = min(max(0, depth), 5) * 2
      let mark = ordinal.map { "\($0). " } ?? (ascii ? "* " : "• ")
      let first = StyledLine.Span(String(repeating: " ", count: indent) + mark, .accent)
      return wrap(
        [first] + spans.flatMap { styled($0, .text) }, width, restIndent: min(indent + mark.count, width / 2))
    case .quote(let spans):
      let bar = StyledLine.Span(ascii ? "| " : "▎ ", .border)
      return wrap(spans.flatMap { styled($0, .quote) }, max(1, width - 2)).map { StyledLine([bar] + $0.spans) }
    case .code(let text):
      return text.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledLine("  " + Sanitize.line(String($0)), .code)
      }
    case .image(let alternative, let link):
      let number = link.map { " [\($0 + 1)]" } ?? ""
      return wrap(
        [.init("[picture\(alternative.isEmpty ? "" : ": " + alternative)]", .dim), .init(number, .key)], width)
    case .rule:
      return [StyledLine(String(repeating: ascii ? "-" : "─", count: min(width, 24)), .border)]
    }
  }

  private func styled(_ span: Document.Span, _ role: Role) -> [StyledLine.Span] {
    var attributes: Style.Attributes = []
    if span.style.contains(.bold) { attributes.insert(.bold) }
    if span.style.contains(.italic) { attributes.insert(.italic) }
    if span.style.contains(.underline) { attributes.insert(.underline) }
    let own: Role = span.style.contains(.code) ? .code : span.link != nil || span.time != nil ? .link : role
    let text = StyledLine.Span(span.text, own, attributes)
    guard let link = span.link else { return [text] }
    // The number stands for the address, which the list at the end spells out.
    return [text, .init("[\(link + 1)]", .key)]
  }

  private func wrap(_ spans: [StyledLine.Span], _ width: Int, restIndent: Int = 0) -> [StyledLine] {
    let runs = spans.map { Run($0.text, Tag(role: $0.role, attributes: $0.attributes)) }
    let lines = TextFlow.wrap(runs, width: width, firstIndent: 0, restIndent: restIndent)
    return lines.enumerated().map { index, line in
      let indent = index > 0 && restIndent > 0 ? [StyledLine.Span(String(repeating: " ", count: restIndent))] : []
      return StyledLine(indent + line.map { StyledLine.Span($0.text, $0.tag.role, $0.tag.attributes) })
    }
  }

  private struct Tag: Hashable, Sendable {
    var role: Role
    var attributes: Style.Attributes
  }
}
