import AppCore
import Foundation
import Model
import Store
import Synchronization

/// Searches the library while the listener types: a new search calls off the one that runs. On a queue of its own, so
/// that no list waits for a search.
final class SearchService: Sendable {
  private let library: Library
  private let mailbox: Mailbox<Action>
  /// The search that runs or waits to run.
  private let last = Mutex<(request: RequestID, ticket: SearchTicket)?>(nil)
  private let queue = DispatchQueue(label: "earshot.search", qos: .userInitiated)

  /// Hits of one answer.
  private static let limit = 200

  init(library: Library, mailbox: Mailbox<Action>) {
    self.library = library
    self.mailbox = mailbox
  }

  /// Posts what the words find; nothing when another search comes first.
  func find(_ request: RequestID, _ words: String) {
    let ticket = SearchTicket()
    last.withLock { last in
      last?.ticket.cancel()
      last = (request, ticket)
    }
    queue.async { [self] in
      guard !ticket.isCancelled else { return }
      do throws(StoreError) {
        let answer = try Self.answer(words, in: library, ticket)
        if !ticket.isCancelled { mailbox.post(.answer(request, answer)) }
      } catch .interrupted where ticket.isCancelled {
        // As it was meant.
      } catch {
        mailbox.post(.noAnswer(request, ReportedError(error.description)))
      }
    }
  }

  /// Calls off this search, when it still runs.
  func stop(_ request: RequestID) {
    last.withLock { if $0?.request == request { $0?.ticket.cancel() } }
  }

  static func answer(
    _ words: String, in library: Library, _ ticket: SearchTicket = SearchTicket()
  ) throws(StoreError) -> Answer {
    let hits = try library.search(words, limit: limit, ticket: ticket)
    let rows = Dictionary(
      try library.episodeRows(hits.map(\.episode)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return .found(
      words: words,
      hits.compactMap { hit in
        rows[hit.episode].map { AppCore.SearchHit(row: $0, place: SearchPlace(snippet: hit.snippet, time: hit.time)) }
      })
  }
}
