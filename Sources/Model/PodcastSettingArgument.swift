import Foundation

/// A setting of a podcast, as an argument of the command `show` and of `earshot settings`: how it is played, then those
/// of its episodes, downloads and servers. In the order of the picker.
public enum PodcastSettingArgument: String, CaseIterable, Sendable {
  case speed, gain, levelling, silence, mono, intro, outro, skip, media
  case autoDownload = "auto-download"
  case keepDownloads = "keep-downloads"
  case newEpisodes = "new-episodes"
  case order
  case userAgent = "user-agent"

  public static let names = allCases.map(\.rawValue)

  /// Parses a setting. `default` removes the podcast's own value.
  /// - Returns: nil if the value is not understood.
  public static func change(_ name: String, _ value: String) -> PodcastSettings.Change? {
    let isDefault = value == "default"
    func count(_ range: ClosedRange<Int>) -> Int? { Int(value).flatMap { range.contains($0) ? $0 : nil } }
    switch Self(rawValue: name) {
    case .autoDownload:
      return isDefault ? .autoDownload(nil) : count(PodcastSettings.automaticDownloads).map { .autoDownload($0) }
    case .keepDownloads:
      return isDefault ? .keepDownloads(nil) : count(PodcastSettings.keptFiles).map { .keepDownloads($0) }
    case .newEpisodes: return isDefault ? .newEpisodes(nil) : CatalogueRule(rawValue: value).map { .newEpisodes($0) }
    case .order: return isDefault ? .order(nil) : EpisodeOrder(rawValue: value).map { .order($0) }
    case .userAgent: return isDefault ? .userAgent(nil) : UserAgent(value).map { .userAgent($0) }
    default: return playbackChange(name, value).map { .playback($0) }
    }
  }

  private static func playbackChange(_ name: String, _ value: String) -> PlaybackSettings.Change? {
    let isDefault = value == "default" || value == "off" && ["speed", "gain", "intro", "outro", "skip"].contains(name)
    func number(_ range: ClosedRange<Double>) -> Double? {
      guard let number = Double(value), range.contains(number) else { return nil }
      return number
    }
    func seconds() -> Double? {
      guard case .absolute(let seconds)? = TimeArgument(value), PlaybackSettings.skips.contains(seconds) else {
        return nil
      }
      return seconds
    }
    switch name {
    case "speed":
      return isDefault ? .speed(nil) : number(RemoteCommand.speeds).map { .speed(($0 * 100).rounded() / 100) }
    case "gain": return isDefault ? .gain(nil) : number(PlaybackSettings.gains).map { .gain($0) }
    case "levelling": return isDefault ? .levelling(nil) : onOff(value).map { .levelling($0) }
    case "silence": return isDefault ? .silence(nil) : onOff(value).map { .silence($0) }
    case "mono": return isDefault ? .mono(nil) : onOff(value).map { .mono($0) }
    case "intro": return isDefault ? .intro(nil) : seconds().map { .intro($0) }
    case "outro": return isDefault ? .outro(nil) : seconds().map { .outro($0) }
    case "skip":
      if isDefault { return .skippedWords([]) }
      let words = value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      return words.isEmpty ? nil : .skippedWords(words)
    case "media": return isDefault ? .media(nil) : MediaChoice(rawValue: value).map { .media($0) }
    case "reset": return value.isEmpty ? .reset : nil
    default: return nil
    }
  }

  public static func complaint(_ name: String, _ value: String) -> String {
    func count(_ range: ClosedRange<Int>) -> String {
      "“\(value)” is no value of \(name): write \(range.lowerBound) to \(range.upperBound), or default"
    }
    guard let setting = Self(rawValue: name) else {
      return "“\(name)” is not a setting of a podcast: \((names + ["reset"]).joined(separator: ", "))"
    }
    return switch setting {
    case .speed: "“\(value)” is not a speed: write 0.5 to 4, or default"
    case .gain: "“\(value)” is not a gain: write decibels from -20 to 20, or default"
    case .levelling, .silence, .mono: "\(name) is on, off or default"
    case .intro, .outro:
      "“\(value)” is not a time up to \(Int(PlaybackSettings.skips.upperBound) / 3600) hour: write 30, 1:30 or default"
    case .media:
      "“\(value)” is not a choice of files: write \(MediaChoice.allCases.map(\.rawValue).joined(separator: ", ")) or default"
    case .skip: "Write the words of chapters to skip, with commas between them, or default"
    case .autoDownload: count(PodcastSettings.automaticDownloads)
    case .keepDownloads: count(PodcastSettings.keptFiles)
    case .newEpisodes:
      "“\(value)” is not a number of episodes: write none, all, 0 to \(CatalogueRule.maximum), or default"
    case .order: "“\(value)” is not an order of episodes: write newest, oldest or default"
    case .userAgent: "A user agent has 1 to \(UserAgent.limit) printable characters of ASCII: write one, or default"
    }
  }

  /// Nil if the text is neither.
  public static func onOff(_ text: String) -> Bool? {
    switch text {
    case "on", "yes", "true", "1": true
    case "off", "no", "false", "0": false
    default: nil
    }
  }
}
