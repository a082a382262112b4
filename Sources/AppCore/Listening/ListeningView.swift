import Model
import TerminalKit

/// The full-screen view of the playing episode, or of another one that is read: cover, transcript, chapters, notes and
/// queue. One part has the keys. On a narrow screen only that part is shown. If there is no transcript, it shows the
/// notes instead.
public struct ListeningView: Equatable, Sendable {
  /// Its parts in order, each with the word for a hint.
  private static let parts: [(pane: Pane, word: String)] = [
    (.transcript, "transcript"), (.chapters, "chapters"), (.notes, "notes"), (.upNext, "up next"),
  ]

  public private(set) var part: Pane
  /// The list and the text that were used last. They are shown if there is no room for all parts.
  public private(set) var list: Pane = .chapters
  public private(set) var text: Pane = .transcript
  public var chapters = ListState()
  public var upNext = ListState()
  public var notes = ReaderState()
  /// The episode that is read although it does not play; nil: the loaded one.
  var chosen: EpisodeID?
  /// The episode that chapters, notes and transcript belong to.
  var episode: EpisodeID?
  /// The chapters of an episode that is not loaded, once they are known.
  var storedChapters: [Chapter] = []
  /// Why the chapters of an episode that is not loaded are unknown.
  var chaptersProblem: String?
  /// The episode has no transcript.
  var lacksTranscript = false
  /// The listener asked for the transcript itself, not only for the view.
  var wantsTranscript = false
  /// The chapter that played at the last `reconcile`. The selection follows when it changes.
  var playingChapter: Int?

  public init(_ part: Pane, of chosen: EpisodeID? = nil) {
    self.part = part
    self.chosen = chosen
    show(part)
  }

  mutating func show(_ part: Pane) {
    self.part = part
    if [.chapters, .upNext].contains(part) { list = part } else { text = part }
  }

  mutating func next(_ step: Int) { show(part(after: step).pane) }

  /// The part that is `step` parts further.
  func part(after step: Int) -> (pane: Pane, word: String) {
    let all = Self.parts.filter { $0.pane != .transcript || !lacksTranscript }
    let index = all.firstIndex { $0.pane == part } ?? 0
    return all[(index + step + all.count) % all.count]
  }
}

extension ListeningView {
  /// Shows the notes if there is no transcript. Shows a transcript that the listener asked for when it has arrived.
  mutating func updateParts(_ content: TranscriptState.Content) {
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
