import Foundation
import GRDB
import Model

/// Settings that the program keeps by itself (volume, speed, sizes of panes), and those of single podcasts.
extension Library {
  public func setting(_ key: String) throws(StoreError) -> String? {
    try read { db in try String.fetchOne(db, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key]) }
  }

  /// All of them, for the first snapshot.
  public func settings() throws(StoreError) -> [String: String] {
    try read { db in
      try Self.pairs(db, "SELECT key, value FROM setting")
    }
  }

  /// Nil takes the setting away.
  public func setSetting(_ key: String, _ value: String?) throws(StoreError) {
    try write { db in
      guard let value else { return try db.execute(sql: "DELETE FROM setting WHERE key = ?", arguments: [key]) }
      try db.execute(sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", arguments: [key, value])
    }
  }

  /// The settings of one podcast, as a value of the caller's; nil when there are none.
  public func settings<Value: Decodable>(
    _ type: Value.Type, of podcast: PodcastID
  ) throws(StoreError) -> Value? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT settings FROM podcastSettings WHERE podcastID = ?", arguments: [podcast.rawValue]
      ).map { try JSONCoding.decode(type, $0) }
    }
  }

  /// Nil takes the podcast's settings away.
  public func setSettings(_ value: (some Encodable)?, of podcast: PodcastID) throws(StoreError) {
    try write { db in
      guard let value else {
        return try db.execute(sql: "DELETE FROM podcastSettings WHERE podcastID = ?", arguments: [podcast.rawValue])
      }
      try db.execute(
        sql: "INSERT OR REPLACE INTO podcastSettings (podcastID, settings) VALUES (?, ?)",
        arguments: [podcast.rawValue, try JSONCoding.encode(value)])
    }
  }
}
