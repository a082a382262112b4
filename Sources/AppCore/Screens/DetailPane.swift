import Foundation
import Model
import TerminalKit

/// The reader: what one episode or podcast says of itself, flowed to the width of its pane, and how far it is scrolled.
public struct DetailPane: Equatable, Sendable {
  public enum Subject: Equatable, Sendable {
    case episode(EpisodeID)
    case podcast(PodcastID)
  }

  public enum Content: Equatable, Sendable {
    case episode(EpisodeDetail, Document)
    case podcast(PodcastDetail, Document)
  }

  public private(set) var subject: Subject?
  public private(set) var content: Content?
  public private(set) var awaited: RequestID?
  /// The flowed text; made anew when the content or the width changes.
  public private(set) var lines: [StyledLine] = []
  private var flowedWidth = -1
  public var top = 0

  public init() {}

  public var links: [String] {
    switch content {
    case .episode(_, let document), .podcast(_, let document): document.links
    case nil: []
    }
  }

  /// Shows another subject; nil empties the pane. Returns the question to the store. What is shown stays until the
  /// answer is here, so that moving through a list does not flicker.
  mutating func show(_ subject: Subject?, request: RequestID) -> [Effect] {
    guard subject != self.subject else { return [] }
    self.subject = subject
    top = 0
    guard let subject else {
      awaited = nil
      content = nil
      lines = []
      return []
    }
    return reload(subject, request)
  }

  /// Asks again for what is shown.
  mutating func reload(request: RequestID) -> [Effect] {
    subject.map { reload($0, request) } ?? []
  }

  private mutating func reload(_ subject: Subject, _ request: RequestID) -> [Effect] {
    awaited = request
    switch subject {
    case .episode(let id): return [.loadEpisode(request, id)]
    case .podcast(let id): return [.loadPodcast(request, id)]
    }
  }

  mutating func receive(_ request: RequestID, _ content: Content) {
    guard request == awaited else { return }
    awaited = nil
    guard content != self.content else { return }
    self.content = content
    flowedWidth = -1
  }

  /// Lays the content out for a pane of this size.
  mutating func flow(to size: Size, calendar: CalendarRules, ascii: Bool) {
    if size.width != flowedWidth, let content {
      flowedWidth = size.width
      lines = DetailText(calendar: calendar, ascii: ascii).lines(content, width: size.width)
    }
    top = min(top, max(0, lines.count - max(1, size.height)))
  }

  mutating func scroll(by rows: Int, height: Int) {
    top = min(max(0, top + rows), max(0, lines.count - max(1, height)))
  }

  /// Finds the next line after (or before) the top that contains `words`.
  mutating func find(_ words: String, forward: Bool) -> Bool {
    let needle = SearchText.fold(words)
    let matches = lines.indices.filter { SearchText.fold(lines[$0].text).contains(needle) }
    guard
      let hit = forward
        ? matches.first(where: { $0 > top }) ?? matches.first
        : matches.last(where: { $0 < top }) ?? matches.last
    else { return false }
    top = hit
    return true
  }
}

/// A line of flowed text: runs, each for a role of the theme.
public struct StyledLine: Equatable, Sendable {
  public struct Span: Equatable, Sendable {
    public var text: String
    public var role: Role
    public var attributes: Style.Attributes
    public init(_ text: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
      self.text = text
      self.role = role
      self.attributes = attributes
    }
  }
  public var spans: [Span]
  public init(_ spans: [Span]) { self.spans = spans }
  public init(_ text: String, _ role: Role = .text) { spans = [Span(text, role)] }
  public static let empty = StyledLine([])
  public var text: String { spans.map(\.text).joined() }
}
