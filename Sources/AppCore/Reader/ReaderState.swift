import Foundation
import Model
import TerminalKit

/// The reader: the text about one episode or podcast, wrapped to the width of its pane, and the scroll position.
public struct ReaderState: Equatable, Sendable {
  public enum Subject: Hashable, Sendable {
    case episode(EpisodeID)
    case podcast(PodcastID)
    /// A search result of a directory, by the key of its row.
    case found(String)

    /// Whether the store has the data about the subject. State has those of a search result already.
    var isStored: Bool { if case .found = self { false } else { true } }
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

    /// Addresses of its pictures. If one cannot be loaded, the next one is used.
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
  public var content: Content? { shown?.content }
  /// The library has changed since the content was asked for.
  private var isStale = false
  /// The content is that of the subject, and was read after the last change of the library.
  private var isFresh = false
  /// The content in the pane. It is that of an earlier subject until the answer about the current one arrives.
  private var shown: Wrapped?
  public var top = 0
  /// The scroll positions of other subjects, to restore them.
  private var tops: [Subject: Int] = [:]
  /// The scroll position to restore when the text has arrived.
  private var restoredTop: Int?
  /// The line to keep when the text is wrapped again.
  private var anchor: Anchor?
  /// The contents of the neighbours in the list, which are probably shown next. Empty after a change of the library.
  private var ahead: [Subject: Wrapped] = [:]
  /// The subject has changed, and its neighbours have not been read ahead yet.
  private var wantsAhead = false

  /// A content and its wrapped text.
  private struct Wrapped: Equatable {
    let content: Content
    /// The text with its numbered links and its times. Made again when `room` changes. While `room` is nil, it is empty
    /// or still that of the content shown before.
    var text = DetailText.Page()
    var room: Room?
  }

  /// The line at the top before it was wrapped again. It is kept, so that a window that returns to its former size
  /// shows its former lines.
  private struct Anchor: Equatable {
    /// The first visible line that the last wrapping led to. Scrolling from it makes the anchor invalid.
    var top: Int
    /// How many characters other than spaces are above the line.
    let characters: Int
    /// How the text was wrapped, and which line was the first visible one.
    let room: Room?
    let line: Int
  }

  /// What the text depends on besides the content.
  private struct Room: Equatable {
    var width: Int
    var hasCover: Bool
    /// Of the pane, if a picture may be below the text.
    var height: Int
    var playback: DetailText.Playback?
    var clip: Clip?
    var problem: String?
  }

  /// The wrapped text with its links and its times.
  var text: DetailText.Page { shown?.text ?? DetailText.Page() }
  public var lines: [StyledLine] { text.lines }
  /// The addresses of the links in order of their numbers, which begin with 1.
  public var links: [String] { text.links.map(\.address) }

  /// The web address of the subject: the episode's page, or the podcast's feed.
  var address: String? {
    switch content {
    case .episode(let detail, _): detail.address
    case .podcast(let detail, _): detail.row.feedURL
    case .found(let row): row.podcast?.feedURL
    case nil: nil
    }
  }

  /// Addresses of the pictures of the subject.
  var covers: [String] { shown?.content.pictures ?? [] }

  /// The area that the text leaves for a picture.
  var cover: DetailText.Cover? { text.cover }

  /// Shows another subject; nil empties the pane. If its content was not read ahead, the old text stays until the
  /// answer arrives, so that moving through a list does not flicker.
  /// - Parameters:
  ///   - neighbours: the subjects that are probably shown next. Their contents are kept, if they are known.
  ///   - isAwaited: an answer for this pane is outstanding.
  /// - Returns: whether the store must be asked, because the content is unknown or the library has changed.
  mutating func show(_ subject: Subject?, beside neighbours: [Subject] = [], isAwaited: Bool) -> Bool {
    guard subject != self.subject else {
      guard isStale, !isAwaited else { return false }
      isStale = false
      return subject?.isStored == true
    }
    if let old = self.subject {
      if tops.count > 200 { tops = [:] }
      tops[old] = restoredTop ?? top
      if isFresh { ahead[old] = shown }
    }
    let known = subject.flatMap { ahead[$0] }
    ahead = ahead.filter { neighbours.contains($0.key) }
    wantsAhead = true
    isStale = false
    isFresh = known != nil
    self.subject = subject
    top = 0
    restoredTop = subject.flatMap { tops[$0] }
    if subject == nil { shown = nil }
    guard let known else { return subject?.isStored == true }
    shown = known
    return false
  }

  /// Marks the content as possibly out of date.
  mutating func invalidate() {
    isStale = true
    discardAhead()
  }

  /// Forgets what was read ahead, and does not keep the current content for later.
  mutating func discardAhead() {
    ahead = [:]
    wantsAhead = false
    isFresh = false
  }

  /// Forgets this content if it was read ahead, because it has changed.
  mutating func discardAhead(_ subject: Subject) {
    ahead[subject] = nil
    if subject == self.subject { isFresh = false }
  }

  /// Which of the neighbours must be read ahead. They are named once for each subject, after its content has arrived.
  mutating func neighboursToRead(_ neighbours: [Subject]) -> [Subject] {
    guard wantsAhead, isFresh else { return [] }
    wantsAhead = false
    return neighbours.filter { $0.isStored && $0 != subject && ahead[$0] == nil }
  }

  /// Keeps a content that was read ahead.
  mutating func receiveAhead(_ content: Content) { ahead[content.subject] = Wrapped(content: content) }

  /// Whether the content belongs to the current subject.
  var holdsSubject: Bool { content?.subject == subject }

  /// The content has arrived, and its text has not been made yet. The links are still those of the former text.
  var isTextOutdated: Bool { holdsSubject && shown != nil && shown?.room == nil }

  /// Shows an answer. An answer for another subject is dropped.
  mutating func receive(_ content: Content) {
    guard content.subject == subject else { return }
    isFresh = !isStale
    guard content != self.content else { return }
    shown = Wrapped(content: content, text: text)
  }

  /// Wraps the content for a pane of this size, and those that were read ahead.
  /// - Parameter clip: the selected clip of the episode.
  mutating func flow(
    to size: Size, calendar: CalendarRules, keymap: Keymap, player: PlayerState, preferences: Preferences,
    problems: EpisodeProblems, clip: Clip? = nil
  ) {
    func wrap(_ old: Wrapped, clip: Clip?) -> Wrapped {
      var playback: DetailText.Playback?
      // The position of a loaded episode changes, so the text says instead whether it plays.
      if player.isActive, case .episode(let detail, _) = old.content, detail.id == player.episode?.id {
        playback = player.phase == .paused ? .paused : .playing
      }
      let problem = if case .episode(let detail, _) = old.content { problems[detail.id] } else { String?.none }
      let hasCover = preferences.coverArt && !old.content.pictures.isEmpty
      let room = Room(
        width: min(size.width, DetailText.measure), hasCover: hasCover,
        height: hasCover && size.width < DetailText.leastWithCoverBeside ? size.height : 0, playback: playback,
        clip: clip, problem: problem)
      guard room != old.room else { return old }
      let words = DetailText(
        calendar: calendar, keymap: keymap, playback: playback, clip: clip, ascii: preferences.ascii,
        canTranscribe: preferences.canTranscribe, problem: problem)
      let text = words.page(old.content, width: room.width, height: room.height, hasCover: room.hasCover)
      return Wrapped(content: old.content, text: text, room: room)
    }
    let before = shown
    shown = shown.map { wrap($0, clip: clip) }
    let isWrapped = shown?.room != before?.room
    // If the shown text was wrapped, the others wait, because its frame is due.
    if !isWrapped { ahead = ahead.mapValues { wrap($0, clip: nil) } }
    if let wanted = restoredTop, holdsSubject {
      top = wanted
      restoredTop = nil
    }
    if isWrapped, let before, before.room != nil { keepLine(in: before) }
    top = min(top, max(0, lines.count - max(1, size.height)))
    if isWrapped { anchor?.top = top }
  }

  /// Scrolls to the text that was at the top of this page.
  private mutating func keepLine(in old: Wrapped) {
    func characters(_ line: StyledLine) -> Int { line.text.count { $0 != " " } }
    guard top > 0 else { return }
    let known = anchor?.top == top ? anchor : nil
    let above = known?.characters ?? old.text.lines.prefix(top).reduce(0) { $0 + characters($1) }
    let kept = known ?? Anchor(top: top, characters: above, room: old.room, line: top)
    anchor = kept
    guard shown?.room != kept.room else { return top = kept.line }
    var sum = 0
    let line = lines.firstIndex {
      sum += characters($0)
      return sum > above
    }
    top = line ?? lines.count
  }

  mutating func scroll(by rows: Int, height: Int) {
    top = min(max(0, top + rows), max(0, lines.count - max(1, height)))
  }

  /// Scrolls to the next (or previous) line that contains `words`.
  mutating func find(_ words: String, forward: Bool) -> Bool {
    let needle = TextFolding.fold(words)
    let matches = lines.indices.filter { TextFolding.matches(lines[$0].text, needle) }
    guard
      let hit = forward
        ? matches.first(where: { $0 > top }) ?? matches.first
        : matches.last(where: { $0 < top }) ?? matches.last
    else { return false }
    top = hit
    return true
  }
}

extension EpisodeDetail {
  /// The episode's page, or its media file.
  var address: String? { feed.link ?? feed.mediaURL }
}
