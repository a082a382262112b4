import Foundation
import GRDB
import Model

/// The passwords of feeds, each with the only origin that may receive it.
extension Library {
  /// Nil if there are none, or their origin is unknown.
  public func credentials(of podcast: PodcastID) throws(StoreError) -> Credentials? {
    try read { db in try CredentialColumns.credentials(db, of: podcast) }
  }

  /// The credentials of any podcast for this origin. Nil if there are none, or podcasts have different ones. For
  /// requests that do not belong to one podcast, such as images.
  public func credentials(at origin: Origin) throws(StoreError) -> Credentials? {
    try read { db in
      let all = try db.rows("SELECT DISTINCT origin, user, password FROM podcastCredentials")
        .compactMap { try CredentialColumns.credentials($0) }.filter { $0.belong(at: origin) }
      return all.count == 1 ? all[0] : nil
    }
  }

  /// What the requests for a podcast carry.
  public func access(of podcast: PodcastID) throws(StoreError) -> RequestAccess {
    RequestAccess(try credentials(of: podcast), userAgent: try settings(of: podcast).userAgent)
  }

  /// What requests to this origin carry that do not belong to one podcast, such as images. Podcasts whose feeds are
  /// there may have set a user agent; if they have different ones, none is used.
  public func access(at origin: Origin) throws(StoreError) -> RequestAccess {
    let own = try podcastSettings().compactMapValues(\.userAgent)
    var agents: Set<UserAgent> = []
    if !own.isEmpty {
      let addresses = try read { db in
        try own.keys.map { try Self.feedURL(db, of: $0) }
      }
      agents = Set(zip(own.values, addresses).filter { $1.flatMap { Origin($0) } == origin }.map(\.0))
    }
    return RequestAccess(try credentials(at: origin), userAgent: agents.count == 1 ? agents.first : nil)
  }

  /// Adds credentials if the podcast has none.
  public func addCredentials(_ credentials: Credentials, of podcast: PodcastID) throws(StoreError) {
    try write { db in try CredentialColumns.insert(db, credentials, of: podcast) }
  }

  /// The number of podcasts with credentials.
  public func credentialCount() throws(StoreError) -> Int {
    try read { db in try Int.fetchOne(db, "SELECT count(*) FROM podcastCredentials") ?? 0 }
  }
}

enum CredentialColumns {
  static func credentials(_ db: Database, of podcast: PodcastID) throws -> Credentials? {
    try db.row("SELECT origin, user, password FROM podcastCredentials WHERE podcastID = ?", [podcast.rawValue])
      .flatMap { try credentials($0) }
  }

  /// Reads the first three columns. Nil if there is no origin.
  static func credentials(_ row: CheckedRow) throws -> Credentials? {
    guard let text = try row[0] as String?, let origin = Origin(text) else { return nil }
    return try Credentials(user: row[1], password: row[2], origin: origin)
  }

  /// Replaces credentials only if their origin is unknown.
  static func insert(_ db: Database, _ credentials: Credentials, of podcast: PodcastID) throws {
    try db.run(
      """
      INSERT INTO podcastCredentials (podcastID, origin, user, password) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (podcastID) DO UPDATE SET origin = ?2, user = ?3, password = ?4 WHERE origin IS NULL
      """, [podcast.rawValue, credentials.origin.description, credentials.user, credentials.password])
  }

  /// Called when the feed has moved to an address that its credentials trust. After a move to https they are never
  /// sent over http again.
  static func narrow(_ db: Database, of podcast: PodcastID, to url: String) throws {
    guard let origin = Origin(url), let stored = try credentials(db, of: podcast), stored.narrowed(to: origin) != stored
    else { return }
    try db.run("UPDATE podcastCredentials SET origin = ? WHERE podcastID = ?", [origin.description, podcast.rawValue])
  }
}
