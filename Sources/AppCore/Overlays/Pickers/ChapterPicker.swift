import Model
import TerminalKit

/// The chapters of what plays: seeks to one, or has it passed over.
public struct ChapterPicker: PickerPurpose {
  public var title: String { "Chapters" }

  public func text(_ chapter: Chapter, _ state: State) -> String {
    let mark = state.player.isSkipped(chapter) ? "  (skipped)" : ""
    return "\(TimeText.clock(chapter.start))  \(chapter.title ?? "Untitled")\(mark)"
  }

  public func choose(_ chapter: Chapter, _ state: inout State) -> [Effect] { state.seek(to: chapter.start) }

  public func handle(_ name: CommandName, _ chapter: Chapter, _ state: inout State) -> OverlayStep? {
    guard name == .delete else { return nil }
    state.player.toggleSkip(chapter)
    return .stay()
  }

  public func hints(_ keymap: Keymap) -> [(CommandName, String)] {
    [(.open, "seek"), (.back, "close"), (.delete, "skip")]
  }
}
