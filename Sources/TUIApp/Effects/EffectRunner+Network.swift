import AppCore
import Foundation
import Model
import Services
import Store
import Synchronization

/// Network tasks: new podcasts, refreshes, transcripts, covers, downloads.
extension EffectRunner {
  func handle(_ task: NetworkTask) {
    switch task {
    case .add(let request, let address, let login): add(request, address, login)
    case .subscribe(let request, let podcast, let episode): subscribe(request, podcast, episode: episode)
    case .visit(let request, let target): visit(request, target)
    case .discover(let request, let query, let isTyped): discover(request, query, isTyped: isTyped)
    case .refresh(let request, let podcasts): refresh(request, podcasts)
    case .transcript(let request, let id): loadTranscript(request, id)
    case .chapters(let request, let id): loadChapters(request, id)
    case .compareTranscripts(let id, let generation): compareTranscripts(of: id, generation)
    case .cover(let request): covers.load(request) { [mailbox] in mailbox.post(.cover(request, $0)) }
    case .download(let ids): if canDownload() { downloads.downloader.download(ids) }
    case .pauseDownloads(let ids): if canDownload() { downloads.downloader.pause(ids) }
    case .dropDownloads(let ids): if canDownload() { downloads.downloader.drop(ids) }
    case .sync(let command): sync?.perform(command)
    }
  }

  /// Cancels a request that nobody waits for any more.
  func cancel(_ request: RequestID) {
    search.stop(request)
    running.withLock { $0[request] }?.cancel()
  }

  private func add(_ request: RequestID, _ address: String, _ login: FeedLogin?) {
    if let refusal { return mailbox.post(.added(request, .failure(ReportedError(refusal)))) }
    start(request) { [self] in
      let result = await refresher.add(address, login: login) { [mailbox] in mailbox.post(.arriving(request, $0)) }
      finish(request, result) { ReportedError($0, adding: address, login) }
      return { await self.refresher.index() }
    }
  }

  private func refresh(_ request: RequestID, _ podcasts: [PodcastID]?) {
    if let refusal { return mailbox.post(.noAnswer(request, ReportedError(refusal))) }
    start(request) { [self] in
      let notice = NewEpisodeNotice()
      let count = await refresher.refresh(podcasts) { [mailbox, notifies] report in
        mailbox.post(.refresh(request, report))
        self.announce(report)
        if notifies, let text = notice.add(report) { self.notify(text.title, text.body) }
      }
      if count.isOffline { unattended.withLock { $0 }?.retryWhenOnline(podcasts) }
      return {
        self.finishRules()
        self.sync?.scheduleSoon()
        await self.refresher.index()
      }
    }
  }

  /// Starts the automatic refresh.
  /// - Parameter seconds: `refresh_every`; 0: no automatic refresh.
  func startRefreshing(every seconds: Double) {
    guard seconds > 0, refusal == nil else { return }
    let counted = NewEpisodeNotice()
    let refresh = UnattendedRefresh(
      refresher: refresher, library: library, every: seconds, log: log,
      report: { [weak self, mailbox, notifies] report in
        if case .noted(let title, .live(let names)) = report {
          let text = RefreshNote.live(names).text(podcast: title)
          mailbox.post(.message(Message(.info, text)))
          if notifies { self?.notify(title, "On air: \(names.joined(separator: ", "))") }
        }
        if notifies, let text = counted.add(report) { self?.notify(text.title, text.body) }
        if case .ruled(let rules) = report { mailbox.post(.ruled(rules)) }
        self?.announce(report)
      },
      ended: { [weak self, mailbox] new, isOffline in
        mailbox.post(.refreshedAutomatically(new: new, isOffline: isOffline))
        self?.finishRules()
      })
    unattended.withLock { $0 = refresh }
    refresh.start()
  }

  private func announce(_ report: RefreshReport) {
    guard case .added(let episodes) = report else { return }
    desktop.withLock { $0 }?.announce(.newEpisodes, episodes)
  }

  private func notify(_ title: String, _ body: String) { desktop.withLock { $0 }?.notify(title: title, body: body) }

  /// Runs `work`, which can be cancelled by its id. The closure that it returns runs afterwards and cannot be
  /// cancelled.
  func start(_ request: RequestID, _ work: @escaping @Sendable () async -> @Sendable () async -> Void) {
    // The task starts while the lock is held, so that it is registered before it can end.
    running.withLock { running in
      running[request] = Task { [self] in
        let rest = await work()
        self.running.withLock { $0[request] = nil }
        await rest()
      }
    }
  }

  private func loadTranscript(_ request: RequestID, _ id: EpisodeID) {
    Task { [mailbox, transcripts] in
      do throws(ReportedError) {
        mailbox.post(.answer(request, .transcript(try await transcripts.transcript(of: id))))
      } catch {
        mailbox.post(.noAnswer(request, error))
      }
    }
  }

  private func loadChapters(_ request: RequestID, _ id: EpisodeID) {
    Task { [mailbox, log, chapters] in
      do throws(StoreError) {
        let found = try await chapters.sources(of: id)
        if let failure = found.failure {
          log.info("chapters of episode \(id): \(failure.cause)")
          if found.known.merged.isEmpty {
            let error = ReportedError("The chapters could not be fetched: \(failure.cause)")
            return mailbox.post(.noAnswer(request, error))
          }
        }
        mailbox.post(.answer(request, .chapters(found.known.merged)))
      } catch {
        mailbox.post(.noAnswer(request, ReportedError(error.description)))
      }
    }
  }

  /// Compares the transcripts before and after a change of the file. Errors are not shown, because the player has
  /// already said that the position may be wrong.
  private func compareTranscripts(of id: EpisodeID, _ generation: Int) {
    let saved = positionSaved.withLock { $0.generation == generation ? $0.at : nil }
    Task { [mailbox, transcripts, log] in
      do throws(ReportedError) {
        guard let saved, let (before, now) = try await transcripts.fetchAgain(id, saved: saved) else { return }
        mailbox.post(.library(.transcripts(generation: generation, before: before, now: now)))
      } catch {
        log.info("the transcript of episode \(id) was not compared: \(error.text)")
      }
    }
  }

  /// Stores the transcript of an episode that begins to play.
  func storeTranscript(of detail: EpisodeDetail) {
    Task { [transcripts, log] in
      do throws(ReportedError) { try await transcripts.fetchIfMissing(detail) } catch {
        log.info("the transcript of episode \(detail.id): \(error.text)")
      }
    }
  }

  /// Whether downloads are allowed. If not, the reason is shown.
  private func canDownload() -> Bool {
    if let refusal { mailbox.post(.message(Message(.warning, refusal))) }
    return refusal == nil
  }
}
