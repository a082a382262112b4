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
  /// Of the search that runs or waits to run.
  private let last = Mutex(SearchTicket())
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
      last.cancel()
      last = ticket
    }
    queue.async { [self] in
      guard !ticket.isCancelled else { return }
      do throws(StoreError) {
        let answer = LibraryAnswer.found(request, words: words, try hits(words, ticket))
        if !ticket.isCancelled { mailbox.post(.library(answer)) }
      } catch .interrupted where ticket.isCancelled {
        // As it was meant.
      } catch {
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }

  /// Calls off the search that runs.
  func stop() { last.withLock { $0.cancel() } }

  private func hits(_ words: String, _ ticket: SearchTicket) throws(StoreError) -> [AppCore.SearchHit] {
    let hits = try library.search(words, limit: Self.limit, ticket: ticket)
    let rows = Dictionary(
      try library.episodeRows(hits.map(\.episode)).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return hits.compactMap { hit in
      rows[hit.episode].map {
        AppCore.SearchHit(row: $0, place: SearchPlace(snippet: hit.snippet, time: hit.time))
      }
    }
  }
}
