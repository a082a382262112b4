import AppCore
import Foundation
import Model
import Store

/// Questions to the store, each answered with its id.
extension EffectRunner {
  func ask(_ request: RequestID, _ question: Question) {
    // On a queue of its own, so that no list waits for a search.
    if case .find(let words) = question { return search.find(request, words) }
    // It makes the episode where there is none yet, so it waits for its turn among the writes.
    if case .extra = question {
      if let refusal { return mailbox.post(.noAnswer(request, ReportedError(refusal))) }
      return writes.async { [self] in mailbox.post(answers.answer(request, question)) }
    }
    reads.async { [self] in mailbox.post(answers.answer(request, question)) }
  }
}
