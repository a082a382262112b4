import Model
import TerminalKit

/// The chapters of what plays: seeks to one, or has it passed over. Of another episode: plays it from there.
public struct ChapterPicker: PickerPurpose {
  /// Columns of the longest time.
  private let clockWidth: Int

  /// The episode that does not play; nil: what plays.
  private let episode: EpisodeID?

  init(_ chapters: [Chapter], of episode: EpisodeID? = nil) {
    clockWidth = chapters.map { TimeText.clock($0.start).count }.max() ?? 0
    self.episode = episode
  }

  public var title: String { "Chapters" }

  public func text(_ chapter: Chapter, _ state: State) -> String {
    let mark = episode == nil && state.player.isSkipped(chapter) ? "  (skipped)" : ""
    let clock = TimeText.clock(chapter.start)
    let blank = String(repeating: " ", count: max(0, clockWidth - clock.count))
    return "\(blank)\(clock)  \(chapter.title ?? "Untitled")\(mark)"
  }

  public func choose(_ chapter: Chapter, _ state: inout State) -> [Effect] {
    episode.map { state.play($0, from: chapter.start) } ?? state.goTo(chapter.start)
  }

  public func handle(_ name: CommandName, _ chapter: Chapter, _ state: inout State) -> OverlayStep? {
    guard name == .delete, episode == nil else { return nil }
    state.player.toggleSkip(chapter)
    return .stay()
  }

  public func hints(_ keymap: Keymap) -> [(CommandName, String)] {
    episode == nil
      ? [(.open, "seek"), (.back, "close"), (.delete, "skip")] : [(.open, "play from there"), (.back, "close")]
  }
}
