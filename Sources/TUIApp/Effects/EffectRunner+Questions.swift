import AppCore
import Foundation
import Model
import Store

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
