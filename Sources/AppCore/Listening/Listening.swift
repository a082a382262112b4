import Model
import TerminalKit

/// The full-screen view of what plays: cover, transcript, chapters, notes and queue. One part has the keys; on a narrow
/// screen it is the only one to be seen.
public struct Listening: Equatable, Sendable {
  public enum Part: CaseIterable, Sendable { case transcript, chapters, notes, upNext }

  public private(set) var part: Part
  /// The list and the text that were used last: where there is no room for all, these are shown.
  public private(set) var list: Part = .chapters
  public private(set) var text: Part = .transcript
  public var chapters = ListState()
  public var upNext = ListState()
  public var notes = DetailPane()
  /// Whose chapters, notes and transcript these are.
  var episode: EpisodeID?
  /// The chapter that was heard at the last settling: the selection goes along when it changes.
  var heardChapter: Int?

  public init(_ part: Part) {
    self.part = part
    show(part)
  }

  mutating func show(_ part: Part) {
    self.part = part
    if part.isList { list = part } else { text = part }
  }

  mutating func next(_ step: Int) {
    let all = Part.allCases
    let index = all.firstIndex(of: part) ?? 0
    show(all[(index + step + all.count) % all.count])
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
