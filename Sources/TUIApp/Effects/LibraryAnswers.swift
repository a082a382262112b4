import AppCore
import FeedKit
import Foundation
import Model
import Store

extension Library: LibraryReader {}

/// Answers questions from the library. It is synchronous: the first screen calls it on the main thread, all others on
/// the queue for reads.
struct LibraryAnswers: Sendable {
  let library: Library

  /// The action that answers a question.
  func answer(_ request: RequestID, _ question: Question) -> Action {
    do {
      return .answer(request, try answer(question))
    } catch {
      return .noAnswer(request, ReportedError(String(describing: error)))
    }
  }

  private func answer(_ question: Question) throws -> Answer {
    switch question {
    case .podcasts: return .podcasts(try library.podcasts())
    case .queue: return .queue(try library.episodeRows(try library.queue()))
    case .episodes(let query, let selected, let count):
      let list = try library.episodeList(query, around: selected, count: count)
      return .episodes(query, ids: list.ids, rows: list.rows, start: list.start)
    case .rows(let ids): return .rows(try library.episodeRows(ids))
    case .episode(let id):
      guard let detail = try library.episode(id) else { return .gone }
      return .episode(detail, Self.document(detail.notes, base: detail.notesBase))
    case .podcast(let id):
      guard let detail = try library.podcastDetail(id) else { return .gone }
      return .podcast(detail, Self.document(detail.feed.summary, base: detail.notesBase))
    case .playlists: return .playlists(try library.playlistRows())
    case .playlist(let id, let filter): return .playlist(try contents(of: id, filter))
    case .find(let words): return .found(words: words, try library.search(words, limit: SearchService.limit))
    case .extra(let podcast, let media):
      let id =
        switch media {
        case .live(let item): try library.episode(ofLive: item, in: podcast, now: Date())
        case .trailer(let trailer): try library.episode(ofTrailer: trailer, in: podcast, now: Date())
        }
      guard let id, let row = try library.episodeRows([id]).first else { return .gone }
      return .extra(row)
    case .suggestions: return .suggestions(try library.suggestions(), try library.subscriptionNames())
    case .once(let question): return try question.answer(library)
    }
  }

  private static func document(_ notes: String?, base: String?) -> Document {
    guard let notes, !notes.isEmpty else { return Document() }
    return HTMLDocument.parse(notes, baseURL: base)
  }
}

/// Questions to the store. Each answer carries the id of its question.
extension EffectRunner {
  func ask(_ request: RequestID, _ question: Question) {
    // Searches have a separate queue, so that lists do not wait for them.
    if case .find(let words) = question { return search.find(request, words) }
    // This question may create an episode, so it runs on the queue for writes.
    if case .extra = question {
      if let refusal { return mailbox.post(.noAnswer(request, ReportedError(refusal))) }
      return writes.async { [self] in mailbox.post(answers.answer(request, question)) }
    }
    reads.async { [self] in mailbox.post(answers.answer(request, question)) }
  }
}
