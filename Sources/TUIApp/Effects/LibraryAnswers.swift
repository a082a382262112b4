import AppCore
import FeedKit
import Foundation
import Model
import Store

/// What the questions of the screens read.
extension Library: LibraryReader {
  public func podcastRows() throws(StoreError) -> [PodcastRow] { try podcasts() }

  public func queueRows() throws(StoreError) -> [EpisodeRow] { try episodeRows(try queue()) }

  public func episodeList(
    _ query: EpisodeQuery, around selected: EpisodeID?, count: Int
  ) throws(StoreError) -> EpisodeListing {
    try episodeList(query, around: selected, count: count, now: Date())
  }

  public func details(of id: EpisodeID) throws(StoreError) -> (EpisodeDetail, Document)? {
    try episode(id).map { ($0, Self.document($0.notes, base: $0.notesBase)) }
  }

  public func details(of id: PodcastID) throws(StoreError) -> (PodcastDetail, Document)? {
    try podcastDetail(id).map { ($0, Self.document($0.feed.summary, base: $0.notesBase)) }
  }

  public func suggestionRows() throws(StoreError) -> [Suggestion] { try suggestions() }

  public func episode(of media: ExtraMedia, in podcast: PodcastID) throws(StoreError) -> EpisodeID? {
    switch media {
    case .live(let item): try episode(ofLive: item, in: podcast, now: Date())
    case .trailer(let trailer): try episode(ofTrailer: trailer, in: podcast, now: Date())
    }
  }

  private static func document(_ notes: String?, base: String?) -> Document {
    guard let notes, !notes.isEmpty else { return Document() }
    return HTMLDocument.parse(notes, baseURL: base)
  }
}

extension AnyLibraryQuestion {
  /// The action that answers this question.
  func action(_ request: RequestID, _ library: Library) -> Action {
    do {
      return .answer(request, try answer(library))
    } catch {
      return .noAnswer(request, ReportedError(String(describing: error)))
    }
  }
}

extension EffectRunner {
  func ask(_ request: RequestID, _ asked: AnyLibraryQuestion) {
    // Searches have a queue of their own, so that lists do not wait for them.
    if let question = asked.question as? FindQuestion { return search.find(request, question) }
    if asked.mayWrite, let refusal { return mailbox.post(.noAnswer(request, ReportedError(refusal))) }
    (asked.mayWrite ? writes : reads).async { [self] in mailbox.post(asked.action(request, library)) }
  }
}
