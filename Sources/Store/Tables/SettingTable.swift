import Foundation
import GRDB
import Model

extension Database {
  /// A setting that the program has saved. Nil if there is none.
  func setting(_ key: String) throws -> String? {
    try String.fetchOne(self, "SELECT value FROM setting WHERE key = ?", [key])
  }

  /// Nil deletes the setting.
  func setSetting(_ key: String, _ value: String?) throws {
    guard let value else { return try run("DELETE FROM setting WHERE key = ?", [key]) }
    try run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [key, value])
  }
}

/// Settings that the program saves itself (volume, speed, sizes of panes), and settings of podcasts.
extension Library {
  public func setting(_ key: String) throws(StoreError) -> String? {
    try read { db in try db.setting(key) }
  }

  /// All settings, for the first snapshot.
  public func settings() throws(StoreError) -> [String: String] {
    try read { db in
      try Self.pairs(db, "SELECT key, value FROM setting")
    }
  }

  /// Nil deletes the setting.
  public func setSetting(_ key: String, _ value: String?) throws(StoreError) {
    try write { db in try db.setSetting(key, value) }
  }

  /// The settings of a podcast. Defaults if it has none.
  public func settings(of podcast: PodcastID) throws(StoreError) -> PodcastSettings {
    try read { db in try Self.podcastSettings(db, podcast) }
  }

  /// The episode with the media file that the listener prefers, if its feed offers alternatives.
  public func withPreferredMedia(_ detail: EpisodeDetail) throws(StoreError) -> EpisodeDetail {
    guard !detail.feed.alternateEnclosures.isEmpty,
      let choice = try settings(of: detail.row.podcast).playback?.media, let file = detail.feed.media(choice)
    else { return detail }
    var chosen = detail
    (chosen.feed.mediaURL, chosen.feed.mediaType, chosen.feed.mediaBytes) = (file.url, file.type, file.bytes)
    return chosen
  }

  /// The settings of all podcasts that have some.
  public func podcastSettings() throws(StoreError) -> [PodcastID: PodcastSettings] {
    try read { db in try Self.podcastSettings(db) }
  }

  /// Changes the settings of one podcast with `change`, in one transaction. Concurrent changes, also by other
  /// processes, are not lost. `change` must not call the library.
  @discardableResult
  public func update<Answer>(
    settingsOf podcast: PodcastID, _ change: (inout PodcastSettings) -> Answer
  ) throws(StoreError) -> Answer {
    try write { db in try Self.update(db, settingsOf: podcast, change) }
  }

  static func update<Answer>(
    _ db: Database, settingsOf podcast: PodcastID, _ change: (inout PodcastSettings) throws -> Answer
  ) throws -> Answer {
    let before = try podcastSettings(db, podcast)
    var settings = before
    let answer = try change(&settings)
    guard settings != before else { return answer }
    let text = settings == PodcastSettings() ? nil : try JSONCoding.encode(settings)
    try writePodcastSettings(db, text, of: podcast)
    return answer
  }

  /// - Parameter text: nil: the podcast has none.
  static func writePodcastSettings(_ db: Database, _ text: String?, of podcast: PodcastID) throws {
    guard let text else { return try db.run("DELETE FROM podcastSettings WHERE podcastID = ?", [podcast.rawValue]) }
    try db.run(
      "INSERT OR REPLACE INTO podcastSettings (podcastID, settings) VALUES (?, ?)", [podcast.rawValue, text])
  }

  static func podcastSettings(_ db: Database) throws -> [PodcastID: PodcastSettings] {
    let rows = try db.rows("SELECT podcastID, settings FROM podcastSettings")
    return Dictionary(
      try rows.map { (PodcastID(try $0[0]), podcastSettings(try $0[1])) }, uniquingKeysWith: { $1 })
  }

  static func podcastSettings(_ db: Database, _ podcast: PodcastID) throws -> PodcastSettings {
    try String.fetchOne(db, "SELECT settings FROM podcastSettings WHERE podcastID = ?", [podcast.rawValue])
      .map(podcastSettings) ?? PodcastSettings()
  }

  /// Reads stored settings.
  static func podcastSettings(_ text: String) -> PodcastSettings {
    (try? JSONCoding.decode(PodcastSettings.self, text)) ?? .damaged
  }
}
