import Model
import TerminalKit

/// The texts of a row of a list of episodes.
enum RowText {
  /// The title of an episode. For a clip: its own title, then the episode and the times.
  static func title(_ episode: EpisodeRow, clip: Clip?, glyphs: Glyphs) -> String {
    let title = Sanitize.line(episode.title)
    guard let clip else { return title }
    let separator = glyphs.separator
    let own = (clip.title ?? clip.note).map { Sanitize.line($0) + separator } ?? ""
    return own + title + separator + clip.times(glyphs.range)
  }

  /// The remaining time of an episode that was begun, else its duration.
  static func length(_ episode: EpisodeRow) -> String {
    seconds(episode).map { length($0, sign: isBegun(episode) ? "-" : "") } ?? ""
  }

  /// The same in seconds; nil if it is unknown.
  static func seconds(_ episode: EpisodeRow) -> Double? {
    guard let duration = episode.duration, duration > 0 else { return nil }
    return isBegun(episode) ? duration - episode.position : duration
  }

  private static func isBegun(_ episode: EpisodeRow) -> Bool {
    episode.status != .played && episode.position >= 1 && episode.position < episode.duration ?? 0
  }

  /// Such as `1:02:03`. If that does not fit, without the seconds, then without the minutes: `-1h02m`, `-120h`.
  static func length(_ seconds: Double, sign: String = "") -> String {
    let clock = sign + TimeText.clock(seconds)
    guard clock.count > RowColumn.length.width else { return clock }
    // No real recording is longer, but a feed may claim it.
    guard seconds < 3_600_000 else { return sign + ">999h" }
    let short = sign + TimeText.short(seconds).replacing(" ", with: "")
    return short.count <= RowColumn.length.width ? short : "\(sign)\(Int(seconds / 3600))h"
  }
}

/// The styles of a row, which may be selected.
struct RowStyle {
  let theme: Theme
  let isSelected: Bool
  let isFocused: Bool

  var background: Style {
    guard isSelected else { return theme[.text] }
    return isFocused ? theme[.selection] : theme[.selectionUnfocused]
  }

  /// The style of a role in this row. On the focused selection the foreground of the selection is used, for contrast.
  func style(_ role: Role) -> Style {
    let own = theme[role]
    guard isSelected else { return own.over(theme[.text]) }
    if isFocused { return background.with(own.attributes.subtracting(.dim)) }
    return Style(
      own.foreground == .standard ? background.foreground : own.foreground, on: background.background,
      own.attributes.union(background.attributes))
  }
}
