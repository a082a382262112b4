import Model
import TerminalKit

/// The chapters of an episode. If the episode is loaded, a choice seeks to the chapter, and `delete` toggles whether
/// the chapter is skipped. If not, a choice plays the episode from the chapter.
public struct ChapterPicker: PickerPurpose {
  private let chapters: [Chapter]
  /// The width of the longest time, in columns.
  private let clockWidth: Int

  /// The episode if it is not loaded; nil: the loaded one.
  private let episode: EpisodeID?

  /// Follows the title of a chapter that is skipped.
  static let skippedMark = "  (skipped)"

  init(_ chapters: [Chapter], of episode: EpisodeID? = nil) {
    self.chapters = chapters
    clockWidth = chapters.map { TimeText.clock($0.start).count }.max() ?? 0
    self.episode = episode
  }

  public var title: String { chapters.heading }

  public func text(_ chapter: Chapter, _ state: State) -> String {
    let mark = episode == nil && state.player.isSkipped(chapter) ? Self.skippedMark : ""
    let clock = TimeText.clock(chapter.start).leftPadded(clockWidth)
    // A long title is shortened so that the mark stays visible.
    let room = OverlayLayout.widestList(in: state.size) - clockWidth - 2 - mark.count
    let title = Clusters.shortened(chapters.title(of: chapter), columns: max(1, room), ellipsis: state.glyphs.ellipsis)
    return "\(clock)  \(title)\(mark)"
  }

  public func choose(_ chapter: Chapter, _ state: inout State) -> [Effect] {
    episode.map { state.playChosen($0, from: chapter.start) } ?? state.goTo(chapter.start)
  }

  public func handle(_ name: CommandName, _ chapter: Chapter, _ state: inout State) -> OverlayOutcome? {
    guard name == .delete, episode == nil else { return nil }
    state.player.toggleSkip(chapter)
    return .stay()
  }

  public var hints: [(CommandName, String)] {
    episode == nil
      ? [(.open, "seek"), (.back, "close"), (.delete, "skip")] : [(.open, "play from there"), (.back, "close")]
  }
}
