import Model
import TerminalKit

/// The links and times that the reader names, numbered as they are there.
public struct LinkPicker: PickerPurpose {
  public struct Choice: Equatable, Sendable {
    var target: LinkTarget
    var text: String
  }

  public var title: String { "Links and times" }
  public var isNumbered: Bool { true }
  public func text(_ choice: Choice, _ state: State) -> String { choice.text }
  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] { state.follow(choice.target) }

  public func handle(_ name: CommandName, _ choice: Choice, _ state: inout State) -> OverlayStep? {
    guard name == .copyLink else { return nil }
    return switch choice.target {
    case .address(let address): .close(state.copy(address))
    case .time(let second): .close(state.copy(TimeText.clock(second)))
    }
  }

  public func hints(_ keymap: Keymap) -> [(CommandName, String)] {
    [(.open, "open"), (.back, "close"), (.copyLink, "copy")]
  }
}
