import Foundation
import Model
import Session
import TerminalKit

extension PodcastSettingArgument {
  /// The words before the value in the picker.
  var title: String {
    switch self {
    case .speed: "Speed"
    case .gain: "Gain"
    case .levelling: "Levelling"
    case .silence: "Skip silence"
    case .mono: "Mono"
    case .intro: "Skip the intro"
    case .outro: "Skip the outro"
    case .skip: "Skip chapters with"
    case .media: "Preferred file"
    case .autoDownload: "Automatic downloads"
    case .keepDownloads: "Files to keep"
    case .newEpisodes: "Counts as new"
    case .order: "Order"
    case .userAgent: "User agent"
    }
  }

  /// A question that says what can be written.
  var question: String {
    switch self {
    case .speed: "Speed, 0.5 to 4 or default: "
    case .gain: "Gain in dB, -20 to 20 or default: "
    case .intro: "Intro to skip, such as 1:30: "
    case .outro: "Outro to skip, such as 1:30: "
    case .skip: "Words of chapters to skip: "
    case .levelling, .silence, .mono, .media: "\(title): "
    case .autoDownload: "Newest episodes to download: "
    case .keepDownloads: "Files to keep: "
    case .newEpisodes: "Count as new (none, all, 5): "
    case .order: "Order (newest, oldest or default): "
    case .userAgent: "User agent, or default: "
    }
  }

  /// The values that it can have; empty if there are too many to list.
  var values: [PodcastSettingValuePicker.Choice] {
    switch self {
    case .levelling, .silence, .mono:
      [
        .init(value: "default", text: "as all podcasts"), .init(value: "on", text: "on"),
        .init(value: "off", text: "off"),
      ]
    case .media:
      [.init(value: "default", text: Self.text(of: nil))]
        + MediaChoice.allCases.map { .init(value: $0.rawValue, text: Self.text(of: $0)) }
    case .speed, .gain, .intro, .outro, .skip, .autoDownload, .keepDownloads, .newEpisodes, .order, .userAgent: []
    }
  }

  private static func text(of choice: MediaChoice?) -> String {
    choice.map { "the \($0.rawValue) one" } ?? "the feed’s main one"
  }

  /// What a change did, for the status line.
  static func text(_ change: PodcastSettings.Change) -> String {
    func text(_ setting: Self, _ value: String?, else standard: String = "as all podcasts") -> String {
      "\(setting.rawValue) \(value ?? standard)"
    }
    return switch change {
    case .playback(let change): Self.text(change)
    case .autoDownload(let count): text(.autoDownload, count.map(String.init))
    case .keepDownloads(let count): text(.keepDownloads, count.map(String.init))
    case .newEpisodes(let rule): text(.newEpisodes, rule?.description)
    case .order(let order): text(.order, order?.rawValue, else: "as the feed says")
    case .userAgent(let agent): text(.userAgent, agent?.description, else: "Earshot’s own")
    }
  }

  private static func text(_ change: PlaybackSettings.Change) -> String {
    func onOff(_ isOn: Bool?) -> String { isOn.map { $0 ? "on" : "off" } ?? "as all podcasts" }
    return switch change {
    case .speed(let speed): "speed " + (speed.map(PlayerText.speed) ?? "as all podcasts")
    case .gain(let gain): gain.map { "gain " + PlayerText.gain($0) } ?? "no gain"
    case .levelling(let isOn): "levelling \(onOff(isOn))"
    case .silence(let isOn): "skipping silence \(onOff(isOn))"
    case .mono(let isOn): "mono \(onOff(isOn))"
    case .intro(let seconds): "intro of \(TimeText.clock(seconds ?? 0)) skipped"
    case .outro(let seconds): "outro of \(TimeText.clock(seconds ?? 0)) skipped"
    case .skippedWords(let words):
      words.isEmpty ? "no chapters skipped" : "chapters with \(words.joined(separator: ", ")) skipped"
    case .media(let choice): choice.map { "\($0.rawValue) file where there are several" } ?? "the usual file"
    case .reset: "no settings of its own"
    }
  }

  /// The row of the picker: the title in `titleWidth` columns, and the value.
  func row(_ settings: PodcastSettings, _ state: State) -> String {
    title.rightPadded(Self.titleWidth) + value(settings, state)
  }
  private static let titleWidth = 21

  /// The podcast's own value, else the one of all podcasts.
  private func value(_ settings: PodcastSettings, _ state: State) -> String {
    let playback = settings.playback ?? PlaybackSettings()
    // The value comes first, because a narrow screen cuts the end.
    func asAll(_ value: String) -> String { "\(value), as all podcasts" }
    func onOff(_ own: Bool?, _ all: Bool) -> String {
      own.map { $0 ? "on" : "off" } ?? asAll(all ? "on" : "off")
    }
    func own<Value>(
      _ path: KeyPath<PodcastSettings, Value?>, else none: String = "none", _ words: (Value) -> String
    ) -> String {
      settings[keyPath: path].map(words) ?? asAll(state.preferences.podcastRules[keyPath: path].map(words) ?? none)
    }
    return switch self {
    case .speed: playback.speed.map(PlayerText.speed) ?? asAll(PlayerText.speed(state.player.generalSpeed))
    case .gain: PlayerText.gain(playback.gain ?? 0)
    case .levelling: onOff(playback.isLevelled, state.sound.isLevelled)
    case .silence: onOff(playback.skipsSilence, state.sound.skipsSilence)
    case .mono: onOff(playback.isMono, state.sound.isMono)
    case .intro: playback.intro.map(TimeText.clock) ?? "no"
    case .outro: playback.outro.map(TimeText.clock) ?? "no"
    case .skip: playback.skippedWords?.joined(separator: ", ") ?? "nothing"
    case .media: Self.text(of: playback.media)
    case .autoDownload: own(\.autoDownload) { $0 == 0 ? "none" : "the newest \($0) after a refresh" }
    case .keepDownloads: own(\.keepDownloads, else: "every file") { "the newest \($0)" }
    case .newEpisodes:
      own(\.newEpisodes) { rule in
        rule.newest.map { $0 == 0 ? "none of the back catalogue" : "the newest \($0) when added" }
          ?? "all of the back catalogue"
      }
    case .order: settings.order?.words ?? "as the feed says"
    case .userAgent: settings.userAgent?.description ?? "Earshot’s own"
    }
  }
}
