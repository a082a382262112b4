import Model
import TerminalKit

/// The links, times and other targets in the text of the reader, with their numbers in the text.
public struct LinkPicker: PickerPurpose {
  public struct Choice: Equatable, Sendable {
    var target: LinkTarget
    /// The text of the link.
    var name: String?
    /// The address as it is shown, or the time with its words.
    var shown: String
  }

  /// The content of the text with the links. The reader may get other content while the picker is open.
  private let content: ReaderState.Content?
  /// There are soundbites among the choices.
  private let hasSoundbites: Bool

  init(_ choices: [Choice], in content: ReaderState.Content?) {
    self.content = content
    hasSoundbites = choices.contains { if case .soundbite = $0.target { true } else { false } }
  }

  public var title: String { "Links and times" }
  public var isNumbered: Bool { true }

  public func text(_ choice: Choice, _ state: State) -> String {
    guard let name = choice.name else { return choice.shown }
    // A long text is shortened so that the address stays readable.
    let width = OverlayLayout.widestList(in: state.size) - 4
    let room = max(width - Clusters.width(choice.shown) - 2, width / 2)
    return Clusters.shortened(name, columns: room, ellipsis: state.glyphs.ellipsis) + "  " + choice.shown
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    state.follow(choice.target, in: content)
  }

  public func handle(_ name: CommandName, _ choice: Choice, _ state: inout State) -> OverlayOutcome? {
    switch (name, choice.target) {
    case (.copyLink, .address(let address)): return .close(state.copy(address))
    case (.copyLink, .time(let second)): return .close(state.copy(TimeText.clock(second)))
    case (.copyLink, .podcast(let item)): return item.feedURL.map { .close(state.copy($0)) }
    case (.clipEnd, .soundbite(let bite)): return .close(state.save(bite, in: content))
    default: return nil
    }
  }

  public var hints: [(CommandName, String)] {
    let hints: [(CommandName, String)] = [(.open, "open"), (.back, "close"), (.copyLink, "copy")]
    return hints + (hasSoundbites ? [(.clipEnd, "keep a soundbite")] : [])
  }
}
