import AppCore
import FeedKit
import Foundation
import Model
import Store

/// Answers the questions of State from the library. Synchronous: the first screen asks on the main thread, all others
/// on the reader's queue.
struct LibraryAnswers: Sendable {
  let library: Library

  /// The answer to an effect that is a question; nil for one that is not.
  func answer(_ effect: Effect) -> LibraryAnswer? {
    do {
      return try answerOrThrow(effect)
    } catch {
      return .failed(ReportedError(String(describing: error)))
    }
  }

  private func answerOrThrow(_ effect: Effect) throws -> LibraryAnswer? {
    switch effect {
    case .loadPodcasts: return .podcasts(try library.podcasts())
    case .loadQueue: return .queue(try library.episodeRows(try library.queue()))
    case .loadEpisodes(let request, let query, let selected, let count):
      let ids = try library.episodeIDs(query)
      let rows = count > 0 ? try library.episodeRows(Self.window(ids, around: selected, count)) : []
      return .episodes(request, query, ids: ids, rows: rows)
    case .loadRows(let ids): return .rows(try library.episodeRows(ids))
    case .loadEpisode(let request, let id):
      guard let detail = try library.episode(id) else { return nil }
      return .episode(request, detail, Self.document(detail.notes, base: detail.notesBase))
    case .loadPodcast(let request, let id):
      guard let detail = try library.podcastDetail(id) else { return nil }
      return .podcast(request, detail, Self.document(detail.feed.summary, base: detail.notesBase))
    case .loadPlaylists: return .playlists(try playlists())
    case .loadPlaylist(let request, let id): return .playlist(request, try contents(of: id))
    default: return nil
    }
  }

  /// The ids near the selection: half of `count` on either side.
  private static func window(_ ids: [EpisodeID], around selected: EpisodeID?, _ count: Int) -> [EpisodeID] {
    let index = selected.flatMap { ids.firstIndex(of: $0) } ?? 0
    let first = max(0, min(index - count / 2, ids.count - count))
    return Array(ids[first..<min(ids.count, first + count)])
  }

  private static func document(_ notes: String?, base: String?) -> Document {
    guard let notes, !notes.isEmpty else { return Document() }
    return HTMLDocument.parse(notes, baseURL: base)
  }
}
