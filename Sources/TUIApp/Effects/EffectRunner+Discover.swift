import AppCore
import Foundation
import Model
import Services

/// Directories, and podcasts that are looked at.
extension EffectRunner {
  func discover(_ request: RequestID, _ query: DiscoverQuery, isTyped: Bool) {
    start(request) { [self] in
      await directories.search(query, isTyped: isTyped) { [mailbox] in mailbox.post(.discover(request, $0)) }
      return {}
    }
  }

  /// What is looked at is stored: a player that only reads cannot.
  func visit(_ request: RequestID, _ wish: VisitWish) {
    if let refusal { return mailbox.post(.visited(request, .failure(ReportedError(refusal)))) }
    start(request) { [self] in
      switch await refresher.visit(wish) {
      case .success(let visited): mailbox.post(.visited(request, .success(visited)))
      case .failure(.ambiguous(let matches)): mailbox.post(.ambiguous(request, matches))
      case .failure(let error): mailbox.post(.visited(request, .failure(ReportedError(error.text))))
      }
      return {}
    }
  }

  func subscribe(_ request: RequestID, _ podcast: FoundPodcast, episode: EpisodeClue?) {
    if let refusal { return mailbox.post(.added(request, .failure(ReportedError(refusal)))) }
    start(request) { [self] in
      finish(request, await refresher.subscribe(podcast, episode: episode))
      return { await self.refresher.index() }
    }
  }

  func finish(_ request: RequestID, _ result: Result<AddedPodcast, Refresher.AddFailure>) {
    if case .failure(.ambiguous(let matches)) = result { return mailbox.post(.ambiguous(request, matches)) }
    mailbox.post(.added(request, result.mapError { ReportedError($0.text) }))
  }

  /// Forgets podcasts that were only looked at, and of which nothing is left.
  /// - Parameter before: those that were looked at before then.
  func deleteVisited(before: Date) {
    guard refusal == nil, !library.isReadOnly else { return }
    do {
      let count = try library.deleteVisited(before: before)
      if count > 0 { log.info("forgot \(count) visited podcasts") }
    } catch {
      // They stay until the next time.
      log.error("forgetting visited podcasts: \(error)")
    }
  }

  /// Forgets streams that were on air two days ago. Looks at every episode: not on the way in or out.
  func deletePastLive() {
    guard refusal == nil, !library.isReadOnly else { return }
    do {
      try library.deletePastLive(before: clock().addingTimeInterval(-2 * 86_400))
    } catch {
      log.error("forgetting streams that are over: \(error)")
    }
  }
}
