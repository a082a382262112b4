import Foundation
import GRDB
import Model

/// Changes of a podcast's settings by the listener, and their undo.
extension Library {
  /// Changes the settings of one podcast and adds a step to the undo log, if they differ afterwards.
  static func changeSettings(
    _ db: Database, of podcast: PodcastID, now: Date, _ change: (inout PodcastSettings) -> Void
  ) throws {
    let before = try podcastSettings(db, podcast)
    var after = before
    change(&after)
    guard after != before else { return }
    if try !continuesLastStep(db, podcast, from: before, to: after, now: now) {
      let title = try Self.title(db, of: podcast)
      try UndoLog.record(
        db, label: "Change the settings of “\(title ?? "a podcast")”",
        step: .podcastSettings(podcast: podcast, before: before), now: now)
    }
    try update(db, settingsOf: podcast) { $0 = after }
  }

  /// Seconds. A change of speed within this time after the last one belongs to the same step.
  private static let stepDuration = 10.0

  /// Whether this change and the last step both change only the speed, shortly after each other. One undo then reverts
  /// a key that was pressed ten times.
  private static func continuesLastStep(
    _ db: Database, _ podcast: PodcastID, from before: PodcastSettings, to after: PodcastSettings, now: Date
  ) throws -> Bool {
    guard let last = try UndoLog.next(db, .back), case .podcastSettings(podcast, let first) = last.step,
      now.seconds - last.timestamp < stepDuration, try UndoLog.next(db, .forward) == nil
    else { return false }
    return differsInSpeedOnly(first, before) && differsInSpeedOnly(before, after)
  }

  private static func differsInSpeedOnly(_ one: PodcastSettings, _ other: PodcastSettings) -> Bool {
    func withoutSpeed(_ settings: PodcastSettings) -> PodcastSettings {
      var settings = settings
      var playback = settings.playback ?? PlaybackSettings()
      playback.speed = nil
      settings.playback = playback
      return settings
    }
    return one != other && withoutSpeed(one) == withoutSpeed(other)
  }

  /// Restores settings. `autoDownloadAfter` is kept unless automatic downloads are turned on or off, so that downloads
  /// which the listener has cancelled since then do not start again.
  static func restore(_ db: Database, settings before: PodcastSettings, of podcast: PodcastID) throws {
    guard try db.hasRow("SELECT 1 FROM podcast WHERE id = ?", [podcast.rawValue]) else { return }
    let now = try podcastSettings(db, podcast)
    var restored = before
    if now.autoDownload == before.autoDownload { restored.autoDownloadAfter = now.autoDownloadAfter }
    try update(db, settingsOf: podcast) { $0 = restored }
    guard now.newEpisodes != before.newEpisodes, let rule = try before.newEpisodes ?? generalCatalogueRule(db) else {
      return
    }
    try setCatalogueRule(db, rule, of: podcast)
  }
}
