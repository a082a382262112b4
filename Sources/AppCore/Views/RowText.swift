import Model
import TerminalKit

/// What a row says of an episode.
enum RowText {
  /// The least that is left of a podcast's name before the title behind it.
  private static let shortName = 12

  /// The title, after the podcast's where the list mixes podcasts; both clean. Where `room` columns do not hold both,
  /// the podcast's name is shortened first: what tells the rows apart is the title.
  static func title(
    _ episode: EpisodeRow, clip: Clip? = nil, namesPodcast: Bool, glyphs: Glyphs, room: Int
  ) -> (text: String, podcastWidth: Int) {
    let title = Sanitize.line(episode.title)
    let separator = glyphs.separator
    if let clip {
      // What a clip is called stands first; where it is from comes behind.
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

  /// The time left of an episode that was begun, else its length.
  static func length(_ episode: EpisodeRow) -> String {
    guard let duration = episode.duration, duration > 0 else { return "" }
    let isBegun = episode.status != .played && episode.position >= 1 && episode.position < duration
    return isBegun ? length(duration - episode.position, sign: "-") : length(duration)
  }

  /// `1:02:03`, or without the seconds, and the minutes, where those do not fit into the column: `-1h02m`, `-120h`.
  static func length(_ seconds: Double, sign: String = "") -> String {
    let clock = sign + TimeText.clock(seconds)
    guard clock.count > RowColumns.lengthWidth else { return clock }
    // No recording is longer; what a feed claims may be.
    guard seconds < 3_600_000 else { return sign + ">999h" }
    let short = sign + TimeText.short(seconds).replacing(" ", with: "")
    return short.count <= RowColumns.lengthWidth ? short : "\(sign)\(Int(seconds / 3600))h"
  }
}
