import AppCore
import Foundation
import Model
import Store
import Synchronization

/// Searches the library while the listener types. A new search cancels the running one. It has its own queue, so that
/// lists do not wait for a search.
final class SearchService: Sendable {
  private let library: Library
  private let mailbox: Mailbox<Action>
  /// The search that is running or waiting.
  private let last = Mutex<(request: RequestID, ticket: SearchTicket)?>(nil)
  private let queue = DispatchQueue(label: "earshot.search", qos: .userInitiated)

  /// The maximum number of hits of an answer.
  private static let limit = 200

  init(library: Library, mailbox: Mailbox<Action>) {
    self.library = library
    self.mailbox = mailbox
  }

  /// Posts the hits, unless another search comes first.
  func find(_ request: RequestID, _ question: FindQuestion) {
    let ticket = SearchTicket()
    last.withLock { last in
      last?.ticket.cancel()
      last = (request, ticket)
    }
    queue.async { [self] in
      guard !ticket.isCancelled else { return }
      do throws(StoreError) {
        try index(ticket)
        let hits = try library.search(question.words, limit: Self.limit, ticket: ticket)
        if !ticket.isCancelled { mailbox.post(.answer(request, question.answer(hits))) }
      } catch .interrupted where ticket.isCancelled {
        // Cancelled, so there is no answer.
      } catch {
        mailbox.post(.noAnswer(request, ReportedError(error.description)))
      }
    }
  }

  /// Says how far the index is, if many episodes are new since the last search. Indexing 100,000 takes half a minute.
  private func index(_ ticket: SearchTicket) throws(StoreError) {
    let pending = try library.pendingCount()
    guard pending > SearchVerb.manyPending, !library.isReadOnly else { return }
    var batches = 0
    try library.indexIfPossible {
      let done = min(batches * Library.indexedPerTransaction, pending)
      mailbox.post(.message(Message(.info, "Indexing new episodes for the search: \(done) of \(pending)")))
      batches += 1
      return !ticket.isCancelled
    }
  }

  /// Cancels this search if it is still running.
  func stop(_ request: RequestID) {
    last.withLock { if $0?.request == request { $0?.ticket.cancel() } }
  }
}
