import Foundation
import Model
import Session
import TerminalKit

/// The sound settings for all podcasts and for single ones.
extension State {
  /// Switches a part of the sound on or off: for the loaded podcast if it has its own setting, else for all.
  mutating func toggleSound(_ row: SoundSwitch, _ argument: String?) -> [Effect] {
    var isOn = !player.shape(over: sound)[keyPath: row.shape]
    if let argument {
      guard let wanted = PodcastSettingArgument.onOff(argument) else {
        return tell(.error, "“\(argument)” is neither on nor off")
      }
      isOn = wanted
    }
    if player.isActive, let episode = player.episode, player.playbackSettings[keyPath: row.own] != nil {
      return change(episode.podcast, title: episode.podcastTitle, .playback(row.change(isOn)))
    }
    sound[keyPath: row.shape] = isOn
    showMessage(.info, "\(row.title) \(isOn ? "on" : "off")")
    return [.player(.setSound(sound)), .setting(row.setting, isOn ? "1" : "0")]
  }

  /// `show speed 1.5` changes a setting of one podcast. Without an argument the picker opens.
  mutating func show(_ argument: String?) -> [Effect] {
    guard let target = settingTarget else { return [] }
    guard let argument else { return [ask(PodcastSettingsQuestion(podcast: target.id))] }
    return changeSetting(argument, of: target)
  }

  /// `auto-download 3` is short for `show auto-download 3`.
  mutating func show(_ setting: PodcastSettingArgument, _ value: String?) -> [Effect] {
    value.map { show("\(setting.rawValue) \($0)") } ?? askForArgument(of: .named(setting.rawValue))
  }

  /// - Parameter argument: a setting with its value, such as `speed 1.5`.
  mutating func changeSetting(_ argument: String, of target: PodcastName) -> [Effect] {
    let parts = argument.split(separator: " ", maxSplits: 1).map(String.init)
    let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    guard let change = PodcastSettingArgument.change(parts[0], value) else {
      return tell(.error, PodcastSettingArgument.complaint(parts[0], value))
    }
    return self.change(target.id, title: target.title, change)
  }

  /// The podcast that `show` changes: the selected one, or that of the selected episode. Without a selection it is the
  /// one of the episode in the player bar.
  var settingTarget: PodcastName? {
    if let podcast = selectedPodcast { return PodcastName(podcast) }
    // The podcast of the episode may not be subscribed, so that it is in no list of podcasts.
    let episode = selectedEpisode.flatMap { library.rows[$0] } ?? player.episode
    return episode.map { PodcastName(id: $0.podcast, title: $0.podcastTitle) }
  }

  private mutating func change(_ podcast: PodcastID, title: String, _ change: PodcastSettings.Change) -> [Effect] {
    let write = Effect.write(.changeSettings(podcast, change))
    showInSettingPicker(of: podcast) { $0.apply(change, newest: nil) }
    showMessage(.info, "\(title.isEmpty ? "This podcast" : "“\(title)”"): \(PodcastSettingArgument.text(change))")
    guard case .playback(let change) = change, player.change(change, of: podcast) else { return [write] }
    return [write, .player(.setSpeed(player.speed))]
  }

  /// Opens the picker of a podcast's settings, which have just been read.
  fileprivate mutating func openSettingPicker(_ podcast: PodcastID, _ settings: PodcastSettings) {
    let title = library.podcasts.first { $0.id == podcast }?.title ?? player.episode?.podcastTitle ?? ""
    let target = PodcastName(id: podcast, title: title)
    let choices = PodcastSettingArgument.allCases.map { PodcastSettingPicker.Choice.setting($0) } + [.rules]
    _ = open(Picker(PodcastSettingPicker(podcast: target, settings: settings), choices))
  }

  mutating func setSpeed(_ speed: Double) -> [Effect] {
    if player.setSpeed(speed), let episode = player.episode {
      let text = "Speed \(PlayerText.speed(player.speed)) for “\(episode.podcastTitle)”"
      // The speed changes even if it cannot be stored.
      guard writeRefusal == nil else {
        showMessage(.info, text + " (not saved)")
        return [.player(.setSpeed(player.speed))]
      }
      showMessage(.info, text)
      return [
        .player(.setSpeed(player.speed)), .write(.changeSettings(episode.podcast, .playback(.speed(player.speed)))),
      ]
    }
    showMessage(.info, "Speed \(PlayerText.speed(player.speed))")
    return [.player(.setSpeed(player.speed)), .setting(.speed, String(player.speed))]
  }

  // MARK: Devices

  mutating func device(_ argument: String?) -> [Effect] {
    _ = awaited.begin(.devices(wanted: argument))
    return [.player(.listDevices)]
  }

  mutating func choose(_ device: AudioDevice) -> [Effect] {
    showMessage(.info, "Audio device: \(device.name)")
    return [.player(.setDevice(device.name)), .setting(.device, device.name)]
  }

  /// Opens the picker, or chooses the device that the listener has named.
  mutating func receiveDevices(_ devices: [AudioDevice], chosen: String?) -> [Effect] {
    guard let request = awaited.devices, case .devices(let wanted) = awaited.end(request) else { return [] }
    guard !devices.isEmpty else { return tell(.error, "There is no sound device: is libmpv installed?") }
    guard let wanted else {
      // Keys meant for another overlay must not choose a device.
      guard overlays.isEmpty else { return [] }
      return open(Picker(DevicePicker(), devices, selected: devices.firstIndex { $0.name == chosen } ?? 0))
    }
    guard let device = devices.first(where: { $0.name == wanted }) else {
      let names = devices.map { Sanitize.line($0.name) }.joined(separator: ", ")
      return tell(.error, "There is no audio device “\(wanted)”: write one of \(names)")
    }
    return choose(device)
  }
}

/// A podcast whose settings are shown or changed.
public struct PodcastName: Equatable, Sendable {
  var id: PodcastID
  var title: String
}

extension PodcastName {
  init(_ row: PodcastRow) { self.init(id: row.id, title: row.title) }
}

/// A part of the sound that can be on or off, for all podcasts or for one.
struct SoundSwitch: Sendable {
  var title: String
  var shape: WritableKeyPath<SoundShape, Bool> & Sendable
  var own: WritableKeyPath<PlaybackSettings, Bool?> & Sendable
  var setting: Setting
  var change: @Sendable (Bool?) -> PlaybackSettings.Change

  static let skipSilence = SoundSwitch(
    title: "Skipping silence", shape: \.skipsSilence, own: \.skipsSilence, setting: .skipSilence,
    change: { .silence($0) })
  static let levelling = SoundSwitch(
    title: "Levelling", shape: \.isLevelled, own: \.isLevelled, setting: .levelling, change: { .levelling($0) })
  static let mono = SoundSwitch(
    title: "Mono", shape: \.isMono, own: \.isMono, setting: .mono, change: { .mono($0) })
}

/// Asks for the playback, download and list settings of a podcast, to show them in a picker.
struct PodcastSettingsQuestion: LibraryQuestion {
  var podcast: PodcastID

  func read(_ library: any LibraryReader) throws -> PodcastSettings? { try library.settings(of: podcast) }

  func receive(_ settings: PodcastSettings, _ state: inout State) -> [Effect] {
    state.openSettingPicker(podcast, settings)
    return []
  }
}

/// The audio devices.
public struct DevicePicker: PickerPurpose {
  public var title: String { "Audio device" }
  public func text(_ device: AudioDevice, _ state: State) -> String { Sanitize.line(device.description) }
  public func choose(_ device: AudioDevice, _ state: inout State) -> [Effect] { state.choose(device) }
}
