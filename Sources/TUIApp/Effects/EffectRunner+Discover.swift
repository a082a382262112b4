import AppCore
import Foundation
import Model
import Services

/// Searches in directories, and podcasts that are opened without subscribing.
extension EffectRunner {
  func discover(_ request: RequestID, _ query: DiscoverQuery, isTyped: Bool) {
    start(request) { [self] in
      await directories.search(query, isTyped: isTyped) { [mailbox] in mailbox.post(.discover(request, $0)) }
      return {}
    }
  }

  /// Fetches and stores a podcast without subscribing. Needs a player that may write.
  func visit(_ request: RequestID, _ target: VisitRequest) {
    if let refusal { return mailbox.post(.visited(request, .failure(ReportedError(refusal)))) }
    start(request) { [self] in
      switch await refresher.visit(target) {
      case .success(let visited): mailbox.post(.visited(request, .success(visited)))
      case .failure(.ambiguous(let matches)): mailbox.post(.ambiguous(request, matches))
      case .failure(let error): mailbox.post(.visited(request, .failure(ReportedError(error))))
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

  /// - Parameter report: makes the sentence for the listener.
  func finish(
    _ request: RequestID, _ result: Result<AddedPodcast, Refresher.AddFailure>,
    report: (Refresher.AddFailure) -> ReportedError = { ReportedError($0) }
  ) {
    if case .failure(.ambiguous(let matches)) = result { return mailbox.post(.ambiguous(request, matches)) }
    mailbox.post(.added(request, result.mapError(report)))
  }

  /// Deletes podcasts that were only opened, if the listener did nothing with them.
  /// - Parameter before: only podcasts that were opened before this time.
  func deleteVisited(before: Date) {
    guard refusal == nil, !library.isReadOnly else { return }
    do {
      let count = try library.deleteVisited(before: before)
      if count > 0 { log.info("forgot \(count) visited podcasts") }
    } catch {
      // They are deleted at the next attempt.
      log.error("forgetting visited podcasts: \(error)")
    }
  }

  /// Deletes live items that were on air two days ago. It reads every episode, so it does not run during start or exit.
  func deletePastLive() {
    guard refusal == nil, !library.isReadOnly else { return }
    do {
      try library.deletePastLive(before: Date().addingTimeInterval(-2 * 86_400))
    } catch {
      log.error("forgetting streams that are over: \(error)")
    }
  }
}

extension ReportedError {
  /// Why a podcast was not added or shown, and what the listener can do about it.
  init(_ failure: Refresher.AddFailure) {
    self.init(failure.description + (failure.passwordHint.map { "; in the shell, \($0)" } ?? ""))
  }

  /// Why a podcast was not added. If its server wants a password, the screen asks for it.
  /// - Parameter login: what the listener has given.
  init(_ failure: Refresher.AddFailure, adding address: String, _ login: FeedLogin?) {
    switch failure.passwordAdvice(address, login) {
    case nil: self.init(failure)
    case .instead(let text): self.init("\(failure); \(text)")
    case .give(let server, _):
      self.init(failure.description)
      loginProblem = LoginProblem(server: server, isRefused: false)
    case .refused(let server):
      self.init("\(ShownAddress(address)): \(Refresher.AddFailure.refusedLogin)")
      loginProblem = LoginProblem(server: server, isRefused: true)
    }
  }
}
