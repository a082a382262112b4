import Model
import TerminalKit

/// The full-screen view of what plays, or of another episode that is read: cover, transcript, chapters, notes and queue. One
/// part has the keys; on a narrow screen it is the only one to be seen. Without a transcript the notes take its place.
public struct Listening: Equatable, Sendable {
  public enum Part: CaseIterable, Sendable { case transcript, chapters, notes, upNext }

  public private(set) var part: Part
  /// The list and the text that were used last: where there is no room for all, these are shown.
  public private(set) var list: Part = .chapters
  public private(set) var text: Part = .transcript
  public var chapters = ListState()
  public var upNext = ListState()
  public var notes = DetailPane()
  /// The episode that is read although it does not play; nil: what plays.
  var chosen: EpisodeID?
  /// Whose chapters, notes and transcript these are.
  var episode: EpisodeID?
  /// The chapters of an episode that is not loaded, once they are known.
  var storedChapters: [Chapter] = []
  /// There is no transcript to show.
  var lacksTranscript = false
  /// The listener has asked for the transcript, and not only for the view.
  var wantsTranscript = false
  /// The chapter that was heard at the last settling: the selection goes along when it changes.
  var heardChapter: Int?

  public init(_ part: Part, of chosen: EpisodeID? = nil) {
    self.part = part
    self.chosen = chosen
    show(part)
  }

  mutating func show(_ part: Part) {
    self.part = part
    if part.isList { list = part } else { text = part }
  }

  mutating func next(_ step: Int) {
    let all = Part.allCases.filter { $0 != .transcript || !lacksTranscript }
    let index = all.firstIndex(of: part) ?? 0
    show(all[(index + step + all.count) % all.count])
  }
}

extension Listening {
  /// Shows the notes where the transcript would be, when there is none; and the transcript that was asked for, once it is
  /// there.
  mutating func settle(_ content: TranscriptPane.Content) {
    switch content {
    case .missing:
      lacksTranscript = true
      if part == .transcript { show(.notes) } else if text == .transcript { text = .notes }
    case .lines:
      lacksTranscript = false
      if wantsTranscript { show(.transcript) }
      wantsTranscript = false
    case .unknown, .awaited: lacksTranscript = false
    }
  }
}

extension Listening.Part {
  var isList: Bool { self == .chapters || self == .upNext }

  var pane: Pane {
    switch self {
    case .transcript: .transcript
    case .chapters: .chapters
    case .notes: .notes
    case .upNext: .upNext
    }
  }

  init?(_ pane: Pane) {
    guard let part = Self.allCases.first(where: { $0.pane == pane }) else { return nil }
    self = part
  }
}
