import Foundation
import GRDB
import Model

/// Passwords in their own table, each with the origin it was given for. Before v8 they were among a podcast's
/// settings, without a server.
enum SchemaCredentials {
  static let sql = """
    CREATE TABLE podcastCredentials (
      podcastID INTEGER PRIMARY KEY REFERENCES podcast(id),
      origin TEXT,                        -- Origin.description, who may get them; NULL: unknown, so nobody
      user TEXT NOT NULL,
      password TEXT NOT NULL
    );

    """

  /// Removes the password fields from the settings.
  static let cleaning = """
    UPDATE podcastSettings SET settings = json_remove(settings, '$.user', '$.password') WHERE json_valid(settings);
    DELETE FROM podcastSettings WHERE settings = '{}';

    """

  /// Moves the stored passwords. A password was given for the feed's address, which is the current one unless the
  /// feed has moved. If the last refresh ended with 401, the current server has refused the password and may be one
  /// that the feed was redirected to. Then its origin is unknown: it is kept but sent to no one until the listener
  /// enters it again.
  static func migrate(_ db: Database) throws {
    try db.execute(sql: sql)
    let rows = try CheckedRow.fetchAll(
      db,
      sql: """
        SELECT p.id, p.feedURL, json_extract(s.settings, '$.user'), json_extract(s.settings, '$.password'),
          coalesce(p.healthMessage, '') LIKE '%the server asks for a user name and password%'
        FROM podcastSettings s JOIN podcast p ON p.id = s.podcastID
        WHERE json_valid(s.settings) AND json_type(s.settings, '$.user') = 'text'
        """)
    for row in rows {
      let (id, url, user, password) = (
        try row[0] as Int64, try row[1] as String, try row[2] as String, try row[3] as String?
      )
      let origin = try row[4] as Bool ? nil : Origin(url)
      try db.execute(
        sql: "INSERT INTO podcastCredentials (podcastID, origin, user, password) VALUES (?, ?, ?, ?)",
        arguments: [id, origin?.description, user, password ?? ""])
    }
    try db.execute(sql: cleaning)
    try moveFromAddresses(db)
  }

  /// Moves `user:password@` in a feed's address, which other programs may have written, to the credentials of its
  /// origin.
  private static func moveFromAddresses(_ db: Database) throws {
    let rows = try CheckedRow.fetchAll(
      db, sql: "SELECT id, feedURL FROM podcast WHERE feedURL LIKE '%@%'")
    for row in rows {
      let (id, url) = (try row[0] as Int64, try row[1] as String)
      guard url.withoutUserInfo != url else { continue }
      if let found = Credentials(in: url) {
        try db.execute(
          sql: "INSERT OR IGNORE INTO podcastCredentials (podcastID, origin, user, password) VALUES (?, ?, ?, ?)",
          arguments: [id, found.origin.description, found.user, found.password])
      }
      try db.execute(
        sql: "UPDATE podcast SET feedURL = ?1, sourceID = iif(sourceID = ?2, ?1, sourceID) WHERE id = ?3",
        arguments: [url.withoutUserInfo, url, id])
    }
  }
}
