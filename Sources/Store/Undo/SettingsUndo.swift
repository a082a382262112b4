import Foundation
import GRDB
import Model

/// Settings of a podcast that the listener changes, and how they are put back.
extension Library {
  /// Changes the settings of one podcast as one step of the undo log; none when they stay what they are. `change` must not
  /// ask the library.
  @discardableResult
  public func changeSettings<Answer>(
    of podcast: PodcastID, now: Date = Date(), _ change: (inout PodcastSettings) -> Answer
  ) throws(StoreError) -> Answer {
    try write { db in try Self.changeSettings(db, of: podcast, now: now, change) }
  }

  static func changeSettings<Answer>(
    _ db: Database, of podcast: PodcastID, now: Date, _ change: (inout PodcastSettings) throws -> Answer
  ) throws -> Answer {
    let before = try podcastSettings(db, podcast)
    var after = before
    let answer = try change(&after)
    guard after != before else { return answer }
    if try !goesOn(db, podcast, from: before, to: after, now: now) {
      let title = try String.fetchOne(db, sql: "SELECT title FROM podcast WHERE id = ?", arguments: [podcast.rawValue])
      try UndoLog.record(
        db, label: "Change the settings of “\(title ?? "a podcast")”",
        step: .podcastSettings(podcast: podcast, before: before), now: now)
    }
    try update(db, settingsOf: podcast) { $0 = after }
    return answer
  }

  /// Seconds within which changes of the speed are one step.
  private static let oneStep = 10.0

  /// Whether this changes the speed once more, directly after the last step did: a key that is pressed ten times is taken
  /// back by one.
  private static func goesOn(
    _ db: Database, _ podcast: PodcastID, from before: PodcastSettings, to after: PodcastSettings, now: Date
  ) throws -> Bool {
    guard let last = try UndoLog.next(db, .back), case .podcastSettings(podcast, let first) = last.step,
      now.seconds - last.timestamp < oneStep, try UndoLog.next(db, .forward) == nil
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

  /// Puts settings back. How far automatic downloads have looked stays, unless they are turned on or off by it: what the
  /// listener has cancelled since does not come again.
  static func restore(_ db: Database, settings before: PodcastSettings, of podcast: PodcastID) throws {
    guard try Bool.fetchOne(db, sql: "SELECT 1 FROM podcast WHERE id = ?", arguments: [podcast.rawValue]) != nil else {
      return
    }
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
