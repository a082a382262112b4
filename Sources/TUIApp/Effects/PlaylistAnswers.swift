import AppCore
import Foundation
import Model
import Store

/// The answers about playlists for the Playlists screen.
extension Library {
  public func playlistRows() throws(StoreError) -> [Playlist] { try playlists() }

  public func smartPlaylistCounts() throws(StoreError) -> [PlaylistID: Int] {
    var counts: [PlaylistID: Int] = [:]
    for playlist in try playlists() where playlist.isSmart {
      do throws(StoreError) { counts[playlist.id] = try episodeIDs(EpisodeQuery(.playlist(playlist.id))).count } catch {
        guard case .invalid = error else { throw error }
      }
    }
    return counts
  }

  /// How many rows the contents of a playlist have. Others are asked for when they are shown.
  private static let firstRows = 200

  public func contents(of id: PlaylistID, _ wanted: EpisodeFilter?) throws(StoreError) -> PlaylistContents {
    guard let playlist = try playlist(id) else { return ([], [], nil) }
    var entries: [PlaylistEntry]
    if let filter = playlist.filter {
      do throws(FilterError) { _ = try EpisodeFilter(parsing: filter) } catch {
        return ([], [], error.description)
      }
      var query = EpisodeQuery(.playlist(id))
      query.filter = wanted
      entries = try episodeIDs(query).map { PlaylistEntry(episode: $0) }
    } else {
      let clips = Dictionary(try clips().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      entries = playlist.items.compactMap { item in
        switch item {
        case .episode(let id): PlaylistEntry(episode: id)
        case .clip(let id): clips[id].map { PlaylistEntry(episode: $0.episode, clip: $0) }
        }
      }
      if let wanted {
        var query = EpisodeQuery(.these(entries.map(\.episode).uniqued()))
        query.filter = wanted
        let matching = try episodeIDs(query)
        let ranks = Dictionary(matching.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        entries = entries.filter { ranks[$0.episode] != nil }
        // The filter may have an order of its own.
        if wanted.order != .newest { entries.sort { ranks[$0.episode]! < ranks[$1.episode]! } }
      }
    }
    return (entries, try episodeRows(entries.prefix(Self.firstRows).map(\.episode)), nil)
  }
}
