import AppCore
import Foundation
import Model
import Store

/// Playlists, as the playlists screen asks for them.
extension LibraryAnswers {
  func playlists() throws(StoreError) -> [PlaylistRow] {
    try library.playlists().map { playlist in
      let kind: PlaylistRow.Kind =
        if let filter = playlist.filter {
          .smart(filter: filter)
        } else {
          playlist.isMyEpisodes || playlist.isMyClips ? .fixed : .own
        }
      return PlaylistRow(
        id: playlist.id, title: playlist.title, kind: kind, count: playlist.isSmart ? nil : playlist.items.count)
    }
  }

  /// How many rows come with the answer; the others are asked for when they are shown.
  private static let firstRows = 200

  func contents(of id: PlaylistID) throws(StoreError) -> PlaylistContents {
    guard let playlist = try library.playlist(id) else { return PlaylistContents() }
    var contents = PlaylistContents()
    if let filter = playlist.filter {
      do throws(FilterError) { _ = try EpisodeFilter(parsing: filter) } catch {
        return PlaylistContents(problem: error.description)
      }
      contents.entries = try library.episodeIDs(EpisodeQuery(.playlist(id))).map { PlaylistEntry(episode: $0) }
    } else {
      let clips = Dictionary(try library.clips().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      contents.entries = playlist.items.compactMap { item in
        switch item {
        case .episode(let id): PlaylistEntry(episode: id)
        case .clip(let id): clips[id].map { PlaylistEntry(episode: $0.episode, clip: $0) }
        }
      }
    }
    contents.rows = try library.episodeRows(contents.entries.prefix(Self.firstRows).map(\.episode))
    return contents
  }
}

/// What the listener does with playlists and clips.
struct PlaylistWriter {
  let library: Library

  /// False for effects that are none of its own.
  func write(_ effect: Effect, now: Date) throws(StoreError) -> Bool {
    switch effect {
    case .makePlaylist(let title, let item):
      try library.addPlaylist(title: title, items: item.map { [$0] } ?? [], now: now)
    case .renamePlaylist(let id, let title):
      guard var playlist = try library.playlist(id) else { throw .unknown("playlist \(id)") }
      playlist.title = title
      try library.updatePlaylist(playlist, now: now)
    case .deletePlaylist(let id): try library.deletePlaylist(id, now: now)
    case .addToPlaylist(let id, let items): try library.addToPlaylist(id, items, now: now)
    case .removeFromPlaylist(let id, let items): try library.removeFromPlaylist(id, items, now: now)
    case .moveInPlaylist(let id, let item, let index): try library.moveInPlaylist(id, item, to: index, now: now)
    case .addClip(let episode, let start, let end, let title):
      _ = try library.addClip(of: episode, startTime: start, endTime: end, title: title, now: now)
    case .updateClip(let clip): try library.updateClip(clip, now: now)
    case .deleteClip(let id): try library.deleteClip(id, now: now)
    case .saveSmartPlaylist(let id, let title, let filter): try saveSmart(id, title, filter, now)
    default: return false
    }
    return true
  }

  private func saveSmart(_ id: PlaylistID?, _ title: String, _ filter: String, _ now: Date) throws(StoreError) {
    guard let id else {
      let parsed: EpisodeFilter
      do throws(FilterError) { parsed = try EpisodeFilter(parsing: filter) } catch {
        throw .invalid(error.description)
      }
      _ = try library.addSmartPlaylist(title: title, filter: parsed, now: now)
      return
    }
    guard var playlist = try library.playlist(id) else { throw .unknown("playlist \(id)") }
    playlist.title = title
    playlist.filter = filter
    try library.updatePlaylist(playlist, now: now)
  }
}
