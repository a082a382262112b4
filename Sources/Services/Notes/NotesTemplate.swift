import Foundation
import Model
import TerminalKit

/// The template of an exported file of notes: text with placeholders in braces. The lines between `{each}` and `{end}`
/// are repeated for each bookmark and clip. A line is left out if all its placeholders are empty.
///
/// Placeholders between two lines `---` at the start are written as values of YAML, all others as Markdown.
package struct NotesTemplate: Sendable {
  package enum Field: String, CaseIterable, Sendable {
    // Of the episode.
    case title, podcast, date, link, cover, tags, heard, note, chapters, transcript, shownotes
    // Of a bookmark or a clip.
    case kind, time, url, command, text, marknote, marktags
  }

  private enum Line { case once(TextTemplate<Field>), each([TextTemplate<Field>]) }

  private let front: [TextTemplate<Field>]
  private let body: [Line]

  package static let standardText = """
    ---
    title: {title}
    podcast: {podcast}
    date: {date}
    link: {link}
    cover: {cover}
    tags: {tags}
    heard: {heard}
    ---
    # {title}

    {note}

    {each}
    ## [{time}]({url}) {text}

    {marknote}

    {marktags}

    `{command}`

    {end}
    {chapters}

    {transcript}

    {shownotes}
    """

  package init(_ text: String) throws(ReportedError) {
    let eachWithoutEnd = ReportedError("a line {each} has no line {end}")
    var lines = text.allLines.map(String.init)
    var front: [TextTemplate<Field>] = []
    if lines.first == "---", let end = lines.dropFirst().firstIndex(of: "---") {
      for line in lines[1..<end] { front.append(try TextTemplate(line)) }
      lines.removeSubrange(...end)
    }
    var body: [Line] = []
    var repeated: [TextTemplate<Field>]?
    for line in lines {
      switch line.trimmingCharacters(in: .whitespaces) {
      case "{each}":
        guard repeated == nil else { throw eachWithoutEnd }
        repeated = []
      case "{end}":
        guard let lines = repeated else { throw ReportedError("a line {end} has no line {each}") }
        body.append(.each(lines))
        repeated = nil
      default:
        let template = try TextTemplate<Field>(line)
        if repeated != nil { repeated?.append(template) } else { body.append(.once(template)) }
      }
    }
    guard repeated == nil else { throw eachWithoutEnd }
    (self.front, self.body) = (front, body)
  }

  // MARK: Writing

  /// The lines of the front matter, without the lines `---`, and the text after it.
  package func write(_ episode: ExportedEpisode, _ dates: ExportDates) -> (front: [String], body: String) {
    let values = NotesValues(episode: episode, dates: dates)
    let front = front.compactMap { line in Self.line(line) { values.yaml($0) ?? "" } }
    var lines: [String] = []
    for line in body {
      switch line {
      case .once(let line):
        if let line = Self.line(line, { values.markdown($0, of: nil) }) { lines.append(line) }
      case .each(let repeated):
        for mark in episode.marks {
          lines += repeated.compactMap { line in Self.line(line) { values.markdown($0, of: mark) } }
        }
      }
    }
    // Lines that were left out leave no holes.
    let text = lines.joined(separator: "\n").replacing(/\n{3,}/, with: "\n\n")
    return (front, text.trimmingCharacters(in: .newlines) + "\n")
  }

  /// Nil if the line has placeholders and all are empty.
  private static func line(_ line: TextTemplate<Field>, _ value: (Field) -> String) -> String? {
    var hasValue = line.fields.isEmpty
    var text = line.text { field in
      let value = value(field)
      if !value.isEmpty { hasValue = true }
      return value
    }
    guard hasValue else { return nil }
    // A link without an address is a text.
    text = text.replacing(/\[([^\[\]]*)\]\(\)/) { $0.1 }
    while text.hasSuffix(" "), !text.contains("\n") { text.removeLast() }
    return text
  }
}

/// The values of the placeholders for one episode.
struct NotesValues {
  let episode: ExportedEpisode
  let dates: ExportDates

  private func text(_ field: NotesTemplate.Field) -> String? {
    let detail = episode.detail
    switch field {
    case .title: return detail.row.title
    case .podcast: return detail.row.podcastTitle
    case .date: return detail.row.pubDate.map(dates.day)
    case .link: return episode.link
    case .cover:
      let address = detail.feed.imageURL ?? detail.podcastImageURL
      return address.flatMap { $0.hasPrefix("http") ? ShownAddress($0).description : nil }
    case .tags: return detail.tags.isEmpty ? nil : detail.tags.joined(separator: ", ")
    case .heard: return detail.row.heardAt.map(dates.day)
    case .note: return episode.note
    default: return nil
    }
  }

  /// A value of YAML 1.2: a text in double quotes (7.3.1), a day, or a list of texts (7.4.1).
  func yaml(_ field: NotesTemplate.Field) -> String? {
    if field == .tags {
      let tags = episode.detail.tags
      return tags.isEmpty ? nil : "[" + tags.map(Self.quoted).joined(separator: ", ") + "]"
    }
    guard let text = text(field), !text.isEmpty else { return nil }
    return field == .date || field == .heard ? text : Self.quoted(text)
  }

  private static func quoted(_ text: String) -> String {
    "\"" + Sanitize.line(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  func markdown(_ field: NotesTemplate.Field, of mark: Clip?) -> String {
    switch field {
    case .title, .podcast, .date, .tags, .heard: Self.escaped(text(field) ?? "")
    case .link, .cover: text(field).map(Self.address) ?? ""
    case .note: Self.own(episode.note)
    case .chapters: chapters
    case .transcript: transcript
    case .shownotes: showNotes
    case .kind: mark.map { $0.isBookmark ? "bookmark" : "clip" } ?? ""
    case .time: mark?.times() ?? ""
    case .url: mark.flatMap { episode.link(of: $0) }.map(Self.address) ?? ""
    case .command: mark.map { episode.command(of: $0) } ?? ""
    case .text: Self.escaped(mark?.title ?? "")
    case .marknote: Self.own(mark?.note)
    case .marktags:
      (mark?.tags ?? []).map { "#" + $0.replacing(/[^\p{L}\p{N}\/_-]+/, with: "-") }.joined(separator: " ")
    }
  }

  // MARK: Markdown

  /// What the listener wrote is Markdown already. It cannot end the block of the file.
  private static func own(_ text: String?) -> String {
    guard let text else { return "" }
    return text.allLines.map { line in
      String(line.unicodeScalars.filter { $0 == "\t" || $0.properties.generalCategory != .control })
    }.joined(separator: "\n").replacing("<!--", with: "&lt;!--")
  }

  /// A text of a feed as text, not as markup (CommonMark 0.31, 2.4).
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in Sanitize.line(text) {
      if "\\`*_[]<>#|".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  /// An address as the target of a link. Spaces and parentheses would end it.
  private static func address(_ text: String) -> String {
    Sanitize.line(text).replacing(" ", with: "%20").replacing("(", with: "%28").replacing(")", with: "%29")
      .replacing("<", with: "%3C").replacing(">", with: "%3E")
  }

  private var chapters: String {
    guard !episode.chapters.isEmpty else { return "" }
    let lines = episode.chapters.indices.map { index in
      "- \(TimeText.clock(episode.chapters[index].start)) \(Self.escaped(episode.chapters.title(at: index)))"
    }
    return "## \(episode.chapters.heading)\n\n" + lines.joined(separator: "\n")
  }

  private var transcript: String {
    guard let transcript = episode.transcript, !transcript.lines.isEmpty else { return "" }
    let lines = transcript.lines.map { line in
      let time = line.start.map { TimeText.clock($0) + " " } ?? ""
      let speaker = line.speaker.map { "**\(Self.escaped($0)):** " } ?? ""
      return time + speaker + Self.escaped(line.text)
    }
    return "## Transcript\n\n" + lines.joined(separator: "  \n")
  }

  private var showNotes: String {
    guard !episode.showNotes.isEmpty else { return "" }
    return "## Show notes\n\n" + episode.showNotes.map { Self.escaped($0) }.joined(separator: "\n\n")
  }
}
