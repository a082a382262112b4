import Foundation
import GRDB
import Model

/// Smart playlists: playlists whose episodes are found by a filter each time they are shown.
extension Library {
  /// Creates a smart playlist, as one step of the undo log. `changePlaylist` changes its filter.
  public func addSmartPlaylist(title: String, filter: EpisodeFilter, now: Date) throws(StoreError) -> PlaylistID {
    try makePlaylist(title: title, now: now) { db, id in
      try SmartPlaylist.write(db, id, filter: filter.description)
    }
  }

  /// Completions for a filter that is being typed, with the library's tags and podcasts.
  /// - Parameter text: the text up to the cursor.
  public func completion(ofFilter text: String) throws(StoreError) -> FilterCompletion {
    let (tags, podcasts, rules) = (try allTags(), try self.podcasts().map(\.title), try self.rules().map(\.name))
    return FilterCompletion(text) { field in
      switch field {
      case .tag: tags
      case .podcast: podcasts
      case .rule: rules
      default: []
      }
    }
  }

  /// Makes the SQL of a list within a read. What a filter refers to (its playlist, pending texts, tags) is read before.
  func select(_ query: EpisodeQuery, now: Date) throws(StoreError) -> (Database) throws -> EpisodeSelect {
    var query = query
    let scopeFilter = try filter(of: query.scope)
    if let scopeFilter { query.scope = .matching(scopeFilter) }
    let conditions = [scopeFilter, query.filter].compactMap { $0?.condition }
    let tags = conditions.contains(where: \.namesTags) ? try allTags() : []
    let searchesTexts = conditions.contains(where: \.searchesTexts)
    let needsPending = searchesTexts ? try !indexIfPossible() : false
    let plainText = plainText
    return { [query] db in
      var context = FilterContext(now: now, tags: tags)
      if needsPending, let pending = try PendingSearch(db, plainText: plainText) {
        context.pending = try pending.matches(of: .all(conditions))
      }
      return try EpisodeSelect(query, db, context)
    }
  }

  private func filter(of scope: EpisodeQuery.Scope) throws(StoreError) -> EpisodeFilter? {
    switch scope {
    case .matching(let filter): return filter
    case .playlist(let id):
      guard let text = try read({ db in try SmartPlaylist.filter(db, of: id) }) else { return nil }
      do throws(FilterError) {
        return try EpisodeFilter(parsing: text)
      } catch {
        // Probably written by a newer version. It is kept unchanged.
        let shown = text.count > 60 ? text.prefix(59) + "…" : text[...]
        throw .invalid("The filter “\(shown)” cannot be read. \(error)")
      }
    default: return nil
    }
  }
}

/// The filters of smart playlists, one row each.
enum SmartPlaylist {
  static func filter(_ db: Database, of playlist: PlaylistID) throws -> String? {
    try String.fetchOne(db, "SELECT filter FROM smartPlaylist WHERE playlistID = ?", [playlist.rawValue])
  }

  /// Nil makes it an ordinary playlist.
  static func write(_ db: Database, _ playlist: PlaylistID, filter: String?) throws {
    guard let filter else {
      return try db.run("DELETE FROM smartPlaylist WHERE playlistID = ?", [playlist.rawValue])
    }
    try db.run(
      "INSERT OR REPLACE INTO smartPlaylist (playlistID, filter) VALUES (?, ?)", [playlist.rawValue, filter.withoutNUL])
  }
}
