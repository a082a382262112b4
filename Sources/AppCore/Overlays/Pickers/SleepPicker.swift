import Model
import Session

/// When the sleep timer stops playback.
public struct SleepPicker: PickerPurpose {
  public var title: String { "Sleep timer" }
  public func text(_ choice: SleepChoice, _ state: State) -> String {
    if choice.timer == nil, case .seconds(let left) = state.player.sleep {
      return "\(choice.title)  (\(TimeText.clock(left)) left)"
    }
    return choice.title + (choice.timer == state.player.sleep ? "  (now)" : "")
  }
  public func choose(_ choice: SleepChoice, _ state: inout State) -> [Effect] { state.setSleep(choice.timer) }
  public var hints: [(CommandName, String)] { [(.open, "set"), (.back, "close")] }
}

/// A choice of the sleep timer.
public struct SleepChoice: Equatable, Sendable {
  var title: String
  /// nil turns the timer off.
  var timer: SleepTimer?

  private init(_ title: String, _ timer: SleepTimer?) {
    self.title = title
    self.timer = timer
  }

  /// The choices at the moment. "End of chapter" needs an episode with chapters.
  static func offered(_ state: State) -> [SleepChoice] {
    table.filter { $0.timer != .endOfChapter || state.noChaptersHere == nil }
  }

  static let table = [
    SleepChoice("15 minutes", .seconds(15 * 60)), SleepChoice("30 minutes", .seconds(30 * 60)),
    SleepChoice("45 minutes", .seconds(45 * 60)), SleepChoice("60 minutes", .seconds(60 * 60)),
    SleepChoice("End of this chapter", .endOfChapter), SleepChoice("End of this episode", .endOfEpisode),
    SleepChoice("After 2 episodes", .episodes(2)), SleepChoice("After 3 episodes", .episodes(3)),
    SleepChoice("Off", nil),
  ]
}
