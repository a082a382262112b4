import Downloads
import Foundation
import Model
import Store

/// Where an episode starts to play. The full-screen player and `earshot play` use it.
package struct EpisodeStart {
  /// The start position, in seconds.
  package var second: Double
  /// The stored duration of the file, in seconds.
  package var total: Double?
  /// When the position was saved.
  package var saved: Date?

  /// - Parameters:
  ///   - settings: the playback settings of its podcast.
  ///   - second: the requested start; nil: the stored position.
  ///   - rewinds: start a little before the stored position, depending on how long ago it was played.
  package init(
    _ detail: EpisodeDetail, from second: Double?, settings: PlaybackSettings, rewinds: Bool, library: Library,
    now: Date
  ) throws(StoreError) {
    let left = try library.resumePoint(detail.id)
    self.second =
      second
      ?? ResumePosition.start(
        position: detail.resumePosition, savedAt: rewinds ? left?.savedAt : nil, now: now,
        intro: settings.intro(of: left?.total ?? detail.row.duration) ?? 0)
    total = left?.total
    saved = left?.savedAt
  }
}

extension EpisodeDetail {
  /// The stored position, or 0 if the episode was heard to its end.
  fileprivate var resumePosition: Double {
    if row.status == .played { return 0 }
    // A position far behind the end was stored when the file was longer, or the feed's duration is wrong.
    if let duration = row.duration, (duration - 1...duration + 3).contains(row.position) { return 0 }
    return row.position
  }

  /// The message if a downloaded file is not played, because it is missing on the disk or was changed.
  package func streamingNotice(_ state: DownloadFiles.FileState?) -> String? {
    state?.problem.map { "The downloaded file of “\(row.title)” \($0): it is streamed" }
  }
}
