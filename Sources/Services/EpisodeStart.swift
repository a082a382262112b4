import Foundation
import Model
import Store

/// How an episode begins to be heard, with the screen and without.
package struct EpisodeStart {
  /// From where, in seconds.
  package var second: Double
  /// How long the file was when it was left, in seconds.
  package var total: Double?

  /// - Parameters:
  ///   - settings: how its podcast is heard.
  ///   - second: where the listener wants to begin; nil: where it was left.
  ///   - rewinds: a little before that, the more, the longer it was silent.
  package init(
    _ detail: EpisodeDetail, from second: Double?, settings: PlaybackSettings, rewinds: Bool, library: Library,
    now: Date
  ) throws(StoreError) {
    let left = try library.resumePoint(detail.id)
    self.second =
      second
      ?? ResumePlace.start(
        position: detail.resumePosition, savedAt: rewinds ? left?.savedAt : nil, now: now, intro: settings.intro ?? 0)
    total = left?.total
  }
}

extension EpisodeDetail {
  /// The place that was left, or the start of an episode that was heard to its end.
  fileprivate var resumePosition: Double {
    if row.status == .played { return 0 }
    if let duration = row.duration, row.position >= duration - 1 { return 0 }
    return row.position
  }

  /// What there is to say when a download that the library knows of is not on the disk.
  package var absentFileNotice: String {
    "The downloaded file of “\(row.title)” is gone: it is streamed"
  }
}
