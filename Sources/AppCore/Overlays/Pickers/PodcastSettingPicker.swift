import Model

/// The settings of a podcast with their values. Choosing one asks for another value, and then shows it here.
public struct PodcastSettingPicker: PickerPurpose {
  var podcast: PodcastName
  /// As they are now.
  var settings: PodcastSettings
  public var title: String { "Settings of “\(podcast.title)”" }
  public var staysOpen: Bool { true }

  public enum Choice: Equatable, Sendable {
    case setting(PodcastSettingArgument)
    /// The listener's rules that may touch its episodes.
    case rules
  }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .setting(let setting): setting.row(settings, state)
    case .rules: "Rules that apply…"
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .rules: return [state.ask(RulesQuestion(podcast: podcast))]
    case .setting(let setting):
      guard setting.values.isEmpty else {
        return state.open(Picker(PodcastSettingValuePicker(podcast: podcast, setting: setting), setting.values))
      }
      return state.open(Prompt(PodcastSettingPrompt(podcast: podcast, setting: setting)))
    }
  }
}

extension State {
  /// Shows a change in the picker of settings, if that is open.
  mutating func showInSettingPicker(of podcast: PodcastID, _ change: (inout PodcastSettings) -> Void) {
    for index in overlays.indices {
      guard var picker = overlays[index].content as? Picker<PodcastSettingPicker>, picker.purpose.podcast.id == podcast
      else { continue }
      change(&picker.purpose.settings)
      overlays[index] = AnyOverlay(picker)
    }
  }
}

/// The values of a setting that has only a few.
struct PodcastSettingValuePicker: PickerPurpose {
  let podcast: PodcastName
  let setting: PodcastSettingArgument

  struct Choice: Equatable, Sendable {
    var value: String
    var text: String
  }

  var title: String { setting.title }
  func text(_ choice: Choice, _ state: State) -> String { choice.text }
  func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    state.changeSetting("\(setting.rawValue) \(choice.value)", of: podcast)
  }
}

/// Asks for the value of a setting.
struct PodcastSettingPrompt: PromptPurpose {
  let podcast: PodcastName
  let setting: PodcastSettingArgument
  var label: String { setting.question }
  func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    text.isEmpty ? [] : state.changeSetting("\(setting.rawValue) \(text)", of: podcast)
  }
}
