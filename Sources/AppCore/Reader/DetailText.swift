import Foundation
import Model
import TerminalKit

/// Formats an episode or a podcast as lines of the reader.
struct DetailText {
  let calendar: CalendarRules
  let keymap: Keymap
  /// What the player does with the episode. Nil if it is not loaded.
  let playback: Playback?
  /// The selected clip. It is described if the page is about its episode.
  let clip: Clip?
  let ascii: Bool
  /// A program or a server of the listener makes transcripts.
  var canTranscribe = false
  /// What has failed with the episode.
  var problem: String?

  /// The lines of the reader and its links.
  struct Page: Equatable, Sendable {
    var lines: [StyledLine] = []
    var links: [NamedLink] = []
    var times: [TimeMention] = []
    /// Targets that are not addresses.
    var actions: [PageAction] = []
    var cover: Cover?
  }

  /// The area of the picture: beside the head, or where a short text leaves room below it.
  struct Cover: Equatable, Sendable {
    var size: Size
    /// The line of the page where it begins.
    var line = 0
  }

  /// The maximum line width in columns. Longer lines are hard to read.
  static let measure = 88

  /// - Parameter height: of the pane, for a picture below a short text.
  func page(_ content: ReaderState.Content, width: Int, height: Int, hasCover: Bool) -> Page {
    guard width > 0 else { return Page() }
    let width = min(width, Self.measure)
    let cover = hasCover ? Self.coverBesideHead(in: width) : nil
    let headWidth = width - (cover.map { $0.width + 2 } ?? 0)
    var page = Page(cover: cover.map { Cover(size: $0) })
    let head: [StyledLine]
    var own: [StyledLine] = []
    let foot: [StyledLine]
    let document: Document
    let nothing: String
    switch content {
    case .episode(let detail, let text):
      (document, nothing) = (text, "This episode has no description.")
      page.links = NamedLink.all(in: document)
      head = self.head(detail, headWidth)
      page.actions = actions(detail.persons)
      own = marks(detail, width)
      foot = table("Episode", Fact<EpisodeDetail>.all, of: detail, width, &page)
    case .podcast(let detail, let text):
      (document, nothing) = (text, "This podcast has no description.")
      page.links = NamedLink.all(in: document)
      head = self.head(detail, headWidth)
      page.actions = actions(detail.feed.persons)
      foot = table("About", Fact<PodcastDetail>.all, of: detail, width, &page)
    case .found(let row):
      let found = FoundText(row: row, layout: self)
      (document, nothing) = (found.document, found.nothing)
      page.links = NamedLink.all(in: document)
      head = found.head(headWidth)
      foot = found.footer(width, &page)
    }
    page.times = TimeMention.all(in: document)
    // The addresses of facts are beside them.
    let linksOfText = NamedLink.all(in: document).count
    page.lines = beside(cover, head) + own + body(document, width, else: nothing)
    if !foot.isEmpty { page.lines += [.empty] + foot }
    page.lines += linkList(Array(page.links.prefix(linksOfText)), width)
    if hasCover, cover == nil { page.cover = Self.cover(below: page.lines.count, in: Size(width, height)) }
    return page
  }

  /// The least width of a text with a picture beside the title, in columns.
  static let leastWithCoverBeside = 48

  /// The area of the picture at the bottom of the pane; nil if the text leaves too little room. There are few sizes,
  /// so that few pictures are drawn.
  private static func cover(below lines: Int, in pane: Size) -> Cover? {
    let height = [12, 9, 6].first { $0 * 2 <= pane.width && lines + 1 + $0 <= pane.height }
    return height.map { Cover(size: Size($0 * 2, $0), line: pane.height - $0) }
  }

  /// The size of the picture; nil if the title would have too little room.
  private static func coverBesideHead(in width: Int) -> Size? {
    guard width >= leastWithCoverBeside else { return nil }
    let height = min(12, width / 6)
    return Size(height * 2, height)
  }

  /// Moves the head to the right of the picture, and pads it to the picture's height.
  private func beside(_ cover: Size?, _ head: [StyledLine]) -> [StyledLine] {
    guard let cover else { return head + [.empty] }
    let indent = StyledLine.Span(String(repeating: " ", count: cover.width + 2))
    let padded = head + Array(repeating: .empty, count: max(0, cover.height - head.count))
    return padded.map { StyledLine([indent] + $0.spans) } + [.empty]
  }

  // MARK: Head

  private func head(_ detail: EpisodeDetail, _ width: Int) -> [StyledLine] {
    let row = detail.row
    var lines = wrap([.init(Sanitize.line(row.title), .title)], width)
    lines += wrap([.init(Sanitize.line(row.podcastTitle), .accent)], width)
    if let clip, clip.episode == detail.id { lines += describe(clip, width) }
    if let date = row.pubDate { lines += fact("Date", calendar.day(date), width) }
    if let duration = row.duration, duration > 0 { lines += fact("Length", TimeText.clock(duration), width) }
    let seasons: [String?] = [detail.feed.season.map(String.init), detail.feed.seasonName.map { Sanitize.line($0) }]
    let seasonText = seasons.compactMap { $0 }.joined(separator: ": ")
    let season = seasonText.isEmpty ? nil : "season \(seasonText)"
    let number = (detail.feed.episodeDisplay ?? detail.feed.episodeNumber.map(String.init)).map {
      season == nil ? Sanitize.line($0) : "episode \(Sanitize.line($0))"
    }
    let type = detail.feed.episodeType.flatMap { $0 == "full" ? nil : Sanitize.line($0) }
    let kind = [season, number, type, detail.feed.explicit == true ? "explicit" : nil].compactMap { $0 }
    lines += fact("Episode", kind.joined(separator: ", "), width)
    var state = state(row)
    if let device = detail.otherDevice { state.append(.init(", on \(Sanitize.line(device))", .dim)) }
    lines += fact("State", state, width)
    if let problem { lines += wrap([.init(problem, .error)], width) }
    if !detail.persons.isEmpty { lines += fact("With", people(detail.persons), width) }
    return lines
  }

  /// What the listener has marked and written in the episode.
  private func marks(_ detail: EpisodeDetail, _ width: Int) -> [StyledLine] {
    guard !detail.marks.isEmpty else { return [] }
    var lines = [StyledLine("Your notes", .heading)]
    if let note = detail.marks.episodeNote { lines += self.note(note, width, indent: 0) }
    for clip in detail.marks where clip.kind != .note {
      let target = LinkTarget.time(clip.startTime)
      let times = StyledLine.Span(clip.times(glyphs.range), .link, target: target)
      let kind = clip.kind == .skip ? "  skipped" : ""
      let title = clip.title.map { "  \(Sanitize.line($0))" } ?? ""
      lines += wrap([times, .init(kind, .dim), .init(title)], width, restIndent: min(2, width / 2))
      if let note = clip.note { lines += self.note(note, width, indent: 2) }
    }
    return lines + [.empty]
  }

  private func note(_ text: String, _ width: Int, indent: Int) -> [StyledLine] {
    let indent = width > 20 ? indent : 0
    let blank = StyledLine.Span(String(repeating: " ", count: indent))
    return text.allLines.filter { !$0.isEmpty }.flatMap { line in
      wrap([.init(Sanitize.line(String(line)), .text)], max(1, width - indent)).map { StyledLine([blank] + $0.spans) }
    }
  }

  private func describe(_ clip: Clip, _ width: Int) -> [StyledLine] {
    let times = (clip.isBookmark ? "Bookmark " : "Clip ") + clip.times(glyphs.range)
    let tags = clip.tags.isEmpty ? nil : "tags: " + clip.tags.joined(separator: ", ")
    let texts = [times, clip.title, tags].compactMap { $0.map { Sanitize.line($0) } }
    return wrap([.init(texts.joined(separator: glyphs.separator), .text)], width)
  }

  enum Playback { case playing, paused }

  /// A target that is not an address, with its text for the picker.
  struct PageAction: Equatable, Sendable {
    var target: LinkTarget
    var words: String
  }

  private func people(_ persons: [Person]) -> [StyledLine.Span] {
    let names = persons.enumerated().flatMap { index, person -> [StyledLine.Span] in
      let role = person.role.map { " (\(Sanitize.line($0)))" } ?? ""
      return [
        .init((index > 0 ? ", " : "")), .init(Sanitize.line(person.name), .link, target: .person(person.name)),
        .init(role),
      ]
    }
    return names
  }

  private func actions(_ persons: [Person]) -> [PageAction] {
    persons.prefix(12).map { .init(target: .person($0.name), words: "Person: \(Sanitize.line($0.name))") }
  }

  private func state(_ row: EpisodeRow) -> [StyledLine.Span] {
    var spans: [StyledLine.Span] = []
    switch row.status {
    case _ where playback != nil: spans.append(.init(playback == .paused ? "paused" : "plays now", .progress))
    case .deleted: spans.append(.init("deleted", .played))
    case .played: spans.append(.init("played", .played))
    case .new where row.position < 1: spans.append(.init("new", .new))
    default:
      let total = row.duration.map { " of \(TimeText.clock($0))" } ?? ""
      spans.append(.init("heard to \(TimeText.clock(row.position))\(total)", .progress))
    }
    if row.isQueued { spans.append(.init(", queued", .queued)) }
    if row.isDownloaded { spans.append(.init(", downloaded", .downloaded)) }
    if row.isGoneFromFeed { spans.append(.init(", no longer in the feed", .gone)) }
    if !row.hasMedia { spans.append(.init(", nothing to play", .warning)) }
    return spans
  }

  private func head(_ detail: PodcastDetail, _ width: Int) -> [StyledLine] {
    var lines = wrap([.init(Sanitize.line(detail.row.title), .title)], width)
    if let author = detail.row.author { lines += wrap([.init(Sanitize.line(author), .accent)], width) }
    lines += fact(
      "Episodes", "\(detail.row.episodes), \(Totals.words(new: detail.row.new, unplayed: detail.row.unplayed))", width)
    if let date = detail.row.lastPubDate { lines += fact("Newest", calendar.day(date), width) }
    lines += fact("Language", Sanitize.line(detail.feed.language ?? ""), width)
    switch detail.row.health {
    case .failed(_, let message): lines += wrap([.init(Sanitize.line(message), .error)], width)
    case .gone: lines += wrap([.init("The publisher has ended this feed.", .warning)], width)
    case .good, .unknown: break
    }
    if !detail.isSubscribed { lines += wrap([.init("Not subscribed.", .warning)], width) }
    if !detail.feed.persons.isEmpty { lines += fact("With", people(detail.feed.persons), width) }
    return lines
  }

  /// A row of the block below the title: a label, and a value that wraps beside it. Nothing for an empty value.
  func fact(_ label: String, _ value: String, _ width: Int) -> [StyledLine] {
    value.isEmpty ? [] : fact(label, [.init(value, .text)], width)
  }

  private func fact(_ label: String, _ value: [StyledLine.Span], _ width: Int) -> [StyledLine] {
    wrap(
      [.init(label.rightPadded(Self.labelWidth), .dim)] + value, width,
      restIndent: Self.restIndent(in: width))
  }

  var glyphs: Glyphs { Glyphs(ascii: ascii) }

  // MARK: Body

  private func body(_ document: Document, _ width: Int, else nothing: String) -> [StyledLine] {
    guard !document.blocks.isEmpty else { return wrap([.init(nothing, .dim)], width) }
    var lines: [StyledLine] = []
    var previousWasItem = false
    for block in document.blocks {
      let isItem = if case .item = block { true } else { false }
      if !lines.isEmpty, !(isItem && previousWasItem) { lines.append(.empty) }
      lines += self.lines(block, document.links, width)
      previousWasItem = isItem
    }
    return lines
  }

  private func linkList(_ links: [NamedLink], _ width: Int) -> [StyledLine] {
    guard !links.isEmpty else { return [] }
    var lines: [StyledLine] = [.empty, StyledLine("Links", .heading)]
    for (index, link) in links.enumerated() {
      let target = LinkTarget.address(link.address)
      let name = link.name.map { [StyledLine.Span("\($0): ", .text, target: target)] } ?? []
      let address = StyledLine.Span(Sanitize.line(ShownAddress(link.address).description), .link, target: target)
      let number = StyledLine.Span("[\(index + 1)] ", .key, target: target)
      lines += wrap([number] + name + [address], width, restIndent: 4)
    }
    return lines
  }

  private func lines(_ block: Document.Block, _ links: [String], _ width: Int) -> [StyledLine] {
    switch block {
    case .heading(_, let spans):
      return wrap(spans.map { .init($0.text, .heading) }, width)
    case .paragraph(let spans):
      return wrap(spans.flatMap { styled($0, links, .text) }, width)
    case .item(let depth, let ordinal, let spans):
      let indent = min(max(0, depth), 5) * 2
      let mark = ordinal.map { "\($0). " } ?? (ascii ? "* " : "• ")
      let first = StyledLine.Span(String(repeating: " ", count: indent) + mark, .accent)
      return wrap(
        [first] + spans.flatMap { styled($0, links, .text) }, width, restIndent: min(indent + mark.count, width / 2))
    case .quote(let spans):
      let bar = StyledLine.Span(ascii ? "> " : "▎ ", .border)
      return wrap(spans.flatMap { styled($0, links, .quote) }, max(1, width - 2)).map { StyledLine([bar] + $0.spans) }
    case .code(let text):
      return text.split(separator: "\n", omittingEmptySubsequences: false).map {
        StyledLine("  " + Sanitize.line(String($0)), .code)
      }
    case .image(let alternative, let link):
      let number = link.map { " [\($0 + 1)]" } ?? ""
      let target = link.flatMap { links[safe: $0] }.map { LinkTarget.address($0) }
      return wrap(
        [
          .init("[picture\(alternative.isEmpty ? "" : ": " + alternative)]", .dim, target: target),
          .init(number, .key, target: target),
        ], width)
    case .rule:
      return [StyledLine(String(repeating: glyphs.horizontal, count: min(width, 24)), .border)]
    }
  }

  private func styled(_ span: Document.Span, _ links: [String], _ role: Role) -> [StyledLine.Span] {
    var attributes: Style.Attributes = []
    if span.style.contains(.bold) { attributes.insert(.bold) }
    if span.style.contains(.italic) { attributes.insert(.italic) }
    if span.style.contains(.underline) { attributes.insert(.underline) }
    let own: Role = span.style.contains(.code) ? .code : span.link != nil || span.time != nil ? .link : role
    let address = span.link.flatMap { links[safe: $0] }.map { LinkTarget.address($0) }
    let target = address ?? span.time.map { LinkTarget.time($0) }
    let text = StyledLine.Span(span.text, own, attributes, target: target)
    guard let link = span.link else { return [text] }
    // The list of links at the end has the address of each number.
    return [text, .init("[\(link + 1)]", .key, target: target)]
  }

  func wrap(_ spans: [StyledLine.Span], _ width: Int, restIndent: Int = 0) -> [StyledLine] {
    let lines = TextFlow.lines(of: spans.map(\.text), width: width, restIndent: restIndent)
    return lines.enumerated().map { index, line in
      let indent = index > 0 && restIndent > 0 ? [StyledLine.Span(String(repeating: " ", count: restIndent))] : []
      return StyledLine(
        indent
          + line.map { piece in
            var span = spans[piece.source]
            span.text = piece.text
            return span
          })
    }
  }
}
