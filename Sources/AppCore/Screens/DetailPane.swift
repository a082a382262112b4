import Foundation
import Model
import TerminalKit

/// The reader: what one episode or podcast says of itself, flowed to the width of its pane, and how far it is scrolled.
public struct DetailPane: Equatable, Sendable {
  public enum Subject: Hashable, Sendable {
    case episode(EpisodeID)
    case podcast(PodcastID)
    /// What a directory says, by the key of its row.
    case found(String)
  }

  public enum Content: Equatable, Sendable {
    case episode(EpisodeDetail, Document)
    case podcast(PodcastDetail, Document)
    case found(DiscoverRow)

    var subject: Subject {
      switch self {
      case .episode(let detail, _): .episode(detail.id)
      case .podcast(let detail, _): .podcast(detail.id)
      case .found(let row): .found(row.key)
      }
    }

    /// Pictures of it; each stands in for one before it that cannot be had.
    var pictures: [String] {
      let all: [String?] =
        switch self {
        case .episode(let detail, _): [detail.feed.imageURL, detail.podcastImageURL]
        case .podcast(let detail, _): [detail.imageURLOverride, detail.feed.itunesImageURL, detail.feed.imageURL]
        case .found(let row): row.pictures
        }
      return all.compactMap { $0 }
    }
  }

  public private(set) var subject: Subject?
  public private(set) var content: Content?
  /// The flowed text, its numbered links and its times; made anew when the content or the room for it changes.
  private var text = DetailText.Page()
  private var flowed: Room?

  private struct Room: Equatable {
    var width: Int
    var hasCover: Bool
    var isHeard: Bool
  }
  public var top = 0
  /// How far others were read, to go on there when they are shown again.
  private var tops: [Subject: Int] = [:]
  /// Where to go on once the text is here.
  private var wantedTop: Int?

  public init() {}

  public var lines: [StyledLine] { text.lines }
  /// By their numbers, from 1.
  public var links: [String] { text.links.map(\.address) }
  var namedLinks: [NamedLink] { text.links }
  /// Times of the episode that the text names, with the words around them.
  var times: [(second: Double, words: String)] { text.times.map { ($0.second, $0.words) } }

  /// What else can be followed: people, podcasts, soundbites, trailers, streams.
  var actions: [(target: LinkTarget, words: String)] { text.actions.map { ($0.target, $0.words) } }

  /// The page of what is shown, on the web: the episode's own, or the podcast's feed.
  var address: String? {
    switch content {
    case .episode(let detail, _): detail.feed.link ?? detail.feed.mediaURL
    case .podcast(let detail, _): detail.row.feedURL
    case .found(let row): row.podcast?.feedURL
    case nil: nil
    }
  }

  /// The pictures of what is shown.
  var covers: [String] { content?.pictures ?? [] }

  /// The room that the text leaves for it, at its top left.
  var coverSize: Size? { text.cover }

  /// Shows another subject; nil empties the pane. Returns the question to the store. What is shown stays until the
  /// answer is here, so that moving through a list does not flicker.
  mutating func show(_ subject: Subject?) -> Question? {
    guard subject != self.subject else { return nil }
    if let old = self.subject {
      if tops.count > 200 { tops = [:] }
      tops[old] = wantedTop ?? top
    }
    self.subject = subject
    top = 0
    wantedTop = subject.flatMap { tops[$0] }
    if subject == nil {
      content = nil
      text = DetailText.Page()
    }
    return question
  }

  /// What it asks of the store: all that there is to say of its subject.
  var question: Question? {
    switch subject {
    case .episode(let id): .episode(id)
    case .podcast(let id): .podcast(id)
    case .found, nil: nil
    }
  }

  /// Whether the answer for the subject is here.
  private var holdsSubject: Bool { content?.subject == subject }

  /// An answer for what is no longer shown is dropped.
  mutating func receive(_ content: Content) {
    guard content.subject == subject, content != self.content else { return }
    self.content = content
    flowed = nil
  }

  /// Lays the content out for a pane of this size.
  mutating func flow(
    to size: Size, calendar: CalendarRules, keymap: Keymap, heard: EpisodeID?, preferences: Preferences
  ) {
    let isHeard = if case .episode(let detail, _) = content { detail.id == heard } else { false }
    let room = Room(width: size.width, hasCover: preferences.coverArt && !covers.isEmpty, isHeard: isHeard)
    if room != flowed {
      let words = DetailText(calendar: calendar, keymap: keymap, isHeard: isHeard, ascii: preferences.ascii)
      if let content { text = words.page(content, width: room.width, hasCover: room.hasCover) }
      flowed = room
    }
    if let wanted = wantedTop, holdsSubject {
      top = wanted
      wantedTop = nil
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
