import Model

/// The settings of a podcast with their values. Choosing one asks for another value.
public struct PodcastSettingPicker: PickerPurpose {
  public var title: String

  /// A setting by its name for the command `show`, and the text of its row.
  public struct Choice: Equatable, Sendable {
    var name: String
    var row: String
  }

  public func text(_ choice: Choice, _ state: State) -> String { choice.row }
  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    let values = PodcastSettingArgument.values(of: choice.name)
    guard values.isEmpty else { return state.open(Picker(PodcastSettingValuePicker(name: choice.name), values)) }
    return state.open(Prompt(PodcastSettingPrompt(name: choice.name)))
  }
  public func hints(_ keymap: Keymap) -> [(CommandName, String)] { [(.open, "choose"), (.back, "close")] }
}

/// The values of a setting that has only a few.
struct PodcastSettingValuePicker: PickerPurpose {
  let name: String

  struct Choice: Equatable, Sendable {
    var value: String
    var text: String
  }

  var title: String { PodcastSettingArgument.title(of: name) }
  func text(_ choice: Choice, _ state: State) -> String { choice.text }
  func choose(_ choice: Choice, _ state: inout State) -> [Effect] { state.show("\(name) \(choice.value)") }
  func hints(_ keymap: Keymap) -> [(CommandName, String)] { [(.open, "choose"), (.back, "close")] }
}

/// Asks for the value of a setting.
struct PodcastSettingPrompt: PromptPurpose {
  let name: String
  var label: String { PodcastSettingArgument.question(about: name) }
  func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    text.isEmpty ? [] : state.show("\(name) \(text)")
  }
}

extension PodcastSettingArgument {
  /// The values that a setting can have; empty if there are too many to list.
  static func values(of name: String) -> [PodcastSettingValuePicker.Choice] {
    let others: [(String, String)] =
      switch name {
      case "levelling", "silence", "mono": [("default", "as all podcasts"), ("on", "on"), ("off", "off")]
      case "media":
        [("default", "the usual one")]
          + MediaChoice.allCases.map { ($0.rawValue, "the \($0.rawValue) one") }
      default: []
      }
    return others.map { PodcastSettingValuePicker.Choice(value: $0, text: $1) }
  }

  static func title(of name: String) -> String {
    switch name {
    case "levelling": "Levelling"
    case "silence": "Skip silence"
    case "mono": "Mono"
    default: "Of several files"
    }
  }

  /// A question that says what can be written.
  static func question(about name: String) -> String {
    switch name {
    case "speed": "Speed, 0.5 to 4 or default: "
    case "gain": "Gain in dB, -20 to 20 or default: "
    case "intro": "Intro to skip, such as 1:30: "
    case "outro": "Outro to skip, such as 1:30: "
    case "skip": "Words of chapters to skip: "
    case PodcastRule.autoDownload.rawValue: "Newest episodes to download: "
    case PodcastRule.keepDownloads.rawValue: "Files to keep: "
    case PodcastRule.newEpisodes.rawValue: "Count as new (none, all, 5): "
    default: "\(name): "
    }
  }
}
