import Model
import TerminalKit

/// The texts of a row of a list of episodes.
enum RowText {
  /// The minimum width of a podcast's name before the title.
  private static let shortName = 12

  /// The title, after the name of the podcast if the list has episodes of several. If both do not fit into `room`
  /// columns, the name is shortened first, because the titles distinguish the rows.
  static func title(
    _ episode: EpisodeRow, clip: Clip? = nil, namesPodcast: Bool, glyphs: Glyphs, room: Int
  ) -> (text: String, podcastWidth: Int) {
    let title = Sanitize.line(episode.title)
    let separator = glyphs.separator
    if let clip {
      // The title of a clip comes first, then the episode.
      let times = "\(TimeText.clock(clip.startTime))\(glyphs.range)\(TimeText.clock(clip.endTime))"
      let own = clip.title.map { Sanitize.line($0) + separator } ?? ""
      return (own + title + separator + times, 0)
    }
    guard namesPodcast, !episode.podcastTitle.isEmpty else { return (title, 0) }
    var podcast = Sanitize.line(episode.podcastTitle)
    let left = room - Clusters.width(separator + title)
    if Clusters.width(podcast) > left {
      let short = Clusters.fit(podcast, columns: max(shortName, left), ellipsis: glyphs.ellipsis)
      podcast = short.clusters.map(\.text).joined()
    }
    return (podcast + separator + title, Clusters.width(podcast + separator))
  }

  /// The remaining time of an episode that was begun, else its duration.
  static func length(_ episode: EpisodeRow) -> String {
    guard let duration = episode.duration, duration > 0 else { return "" }
    let isBegun = episode.status != .played && episode.position >= 1 && episode.position < duration
    return isBegun ? length(duration - episode.position, sign: "-") : length(duration)
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
