import Foundation
import Logging
import Model
import Programs
import Store
import Synchronization

/// Works through the list of transcripts to make, one at a time, on a thread of its own.
package final class Transcriber: Sendable {
  package typealias Report = @Sendable (TranscribingReport) -> Void

  private struct State {
    var isStopped = false
    var running: (episode: EpisodeID, cancellation: ProgramCancellation)?
  }

  private let library: Library
  private let job: TranscribingJob
  private let cache: String
  /// A complete file of the episode on this machine.
  private let file: @Sendable (EpisodeDetail) -> String?
  private let isOnBattery: @Sendable () -> Bool
  private let report: Report
  private let state = Mutex(State())
  private let wakeUp = DispatchSemaphore(value: 0)
  /// Entered while the thread runs.
  private let threadGroup = DispatchGroup()

  /// Seconds until a condition is checked again: the battery, or another Earshot that works.
  private static let pause = 10.0
  /// Seconds until the empty list is read again: a rule, another device or another process may have added to it.
  private static let longPause = 60.0

  package init(
    library: Library, job: TranscribingJob, cache: String, file: @escaping @Sendable (EpisodeDetail) -> String?,
    isOnBattery: @escaping @Sendable () -> Bool = { PowerSupply.isBattery() }, report: @escaping Report
  ) {
    self.library = library
    self.job = job
    self.cache = cache
    self.file = file
    self.isOnBattery = isOnBattery
    self.report = report
  }

  /// Starts the thread. It waits for work until `stop`.
  package func start() {
    threadGroup.enter()
    let thread = Thread { [self] in
      defer { threadGroup.leave() }
      while !isStopped {
        switch step() {
        case .worked: continue
        case .nothing: _ = wakeUp.wait(timeout: .now() + Self.longPause)
        case .mustWait: _ = wakeUp.wait(timeout: .now() + Self.pause)
        }
      }
    }
    thread.name = "earshot.transcribing"
    thread.start()
  }

  /// Looks for work: something was added to the list.
  package func wake() { wakeUp.signal() }

  /// Takes episodes from the list. The running job is cancelled if it is one of them, and then takes itself from it.
  package func cancel(_ episodes: [EpisodeID]) throws(StoreError) {
    let running = state.withLock { $0.running }
    if let running, episodes.contains(running.episode) { running.cancellation.cancel() }
    for episode in episodes { try? FileManager.default.removeItem(at: unsavedFile(episode)) }
    try library.removeFromTranscribing(episodes.filter { $0 != running?.episode })
  }

  /// Adds a downloaded episode to the list if the filter `auto` of the configuration finds it.
  package func addDownload(_ episode: EpisodeID) throws(StoreError) {
    var query = EpisodeQuery(.these([episode]))
    query.filter = job.preferences.automatic
    guard job.preferences.isConfigured, query.filter != nil, try !library.episodeIDs(query).isEmpty else { return }
    try library.addToTranscribing([episode], repeatsFailed: false)
    wake()
  }

  /// Calls `addDownload` for a download that has finished, on the queue for writes. An error is only logged, because
  /// nobody has asked for this.
  package func notice(_ report: DownloadReport, on queue: DispatchQueue) {
    guard case .finished(let episode, _, _) = report else { return }
    queue.async { [self] in
      do throws(StoreError) { try addDownload(episode) } catch {
        job.log.error("transcribing the download of episode \(episode): \(error)")
      }
    }
  }

  /// Cancels the running job, which stays in the list, and ends the thread.
  package func stop() {
    state.withLock { $0.isStopped = true }
    state.withLock { $0.running }?.cancellation.cancel(isUrgent: true)
    wakeUp.signal()
  }

  /// Waits after `stop` until the files of the job are deleted.
  package func finish() {
    // Only a command for the key of a server could make it wait longer. The next start then deletes the files.
    _ = threadGroup.wait(timeout: .now() + 2)
  }

  package var isStopped: Bool { state.withLock { $0.isStopped } }

  package enum Step { case worked, nothing, mustWait }

  /// Makes the next transcript of the list, if there is one and it may be made now.
  /// - Parameter episode: makes that one instead of the first, also on battery, because the listener waits for it.
  package func step(_ episode: EpisodeID? = nil) -> Step {
    do throws(StoreError) {
      if let episode, let item = try library.transcribingItem(episode) { return try make(item) }
      guard let item = try library.nextToTranscribe() else {
        report(.resting(nil))
        return .nothing
      }
      guard job.preferences.worksOnBattery || !isOnBattery() else {
        report(.resting("the machine runs on its battery"))
        return .mustWait
      }
      return try make(item)
    } catch {
      // The library cannot be read or written now.
      job.log.error("transcribing: \(error)")
      report(.resting(error.description))
      return .mustWait
    }
  }

  private func make(_ item: TranscribingItem) throws(StoreError) -> Step {
    let cancellation = ProgramCancellation()
    state.withLock { $0.running = (item.episode, cancellation) }
    defer { state.withLock { $0.running = nil } }
    guard !isStopped else { return .nothing }
    var made = try unsaved(item.episode)
    do throws(TranscribingJob.Failure) {
      if made == nil { made = try run(item, cancellation) }
      guard let transcript = made else {
        report(.resting("another Earshot makes a transcript"))
        return .mustWait
      }
      guard let origin = transcript.origin else { return .worked }
      guard isListed(item.episode) else { throw .cancelled }
      return try save(transcript, origin, of: item)
    } catch {
      switch error {
      // At the end of the program it stays in the list.
      case .cancelled where isStopped: return .nothing
      case .cancelled:
        try library.removeFromTranscribing([item.episode])
        report(.cancelled(item))
      case .reason(let reason):
        job.log.warning("no transcript of \(item.title): \(reason)")
        try library.failTranscribing(item.episode, reason.text)
        report(.failed(item, reason))
      }
    }
    return .worked
  }

  /// Stores the transcript. If the library cannot be written now, it is kept in a file, so that the work of hours is
  /// not repeated.
  private func save(
    _ transcript: Transcript, _ origin: TranscriptOrigin, of item: TranscribingItem
  ) throws(TranscribingJob.Failure) -> Step {
    let replaced: Transcript?
    do throws(StoreError) {
      replaced = try library.madeTranscript(item.episode)
      try library.saveMadeTranscript(transcript, origin, of: item.episode, now: job.clock())
    } catch {
      guard error.isTransient else { throw .reason(ReportedError(error.description, .data)) }
      do {
        let bytes = Data(try JSONFormat(isStored: true).bytes(of: transcript))
        try bytes.write(to: unsavedFile(item.episode), options: .atomic)
      } catch {
        // Working again for hours would end in the same way.
        throw .reason(ReportedError("The transcript cannot be saved: \(FileFailure.text(error))", .storage))
      }
      job.log.error("the transcript of \(item.title) is not saved yet: \(error)")
      report(.resting(error.description))
      return .mustWait
    }
    try? FileManager.default.removeItem(at: unsavedFile(item.episode))
    report(.finished(item, transcript, replaced: replaced))
    return .worked
  }

  /// False if an undo or another process has taken the episode from the list.
  private func isListed(_ episode: EpisodeID) -> Bool {
    do throws(StoreError) { return try library.addedToTranscribing(episode) != nil } catch { return true }
  }

  /// A transcript that could not be stored. One from before the episode was added to the list belongs to work that was
  /// cancelled.
  private func unsaved(_ episode: EpisodeID) throws(StoreError) -> Transcript? {
    let values = try? unsavedFile(episode).resourceValues(forKeys: [.contentModificationDateKey])
    guard let written = values?.contentModificationDate, let added = try library.addedToTranscribing(episode),
      written >= added
    else { return nil }
    let data = try? Data(contentsOf: unsavedFile(episode))
    return data.flatMap { try? JSONFormat.decodeStored(Transcript.self, from: $0) }
  }

  /// Several libraries may have the same cache.
  private func unsavedFile(_ episode: EpisodeID) -> URL {
    URL(fileURLWithPath: "\(TranscribingDirectory.base(in: cache))/\(library.deviceID)-\(episode).json")
  }

  /// - Returns: nil if another process is working.
  private func run(
    _ item: TranscribingItem, _ cancellation: ProgramCancellation
  ) throws(TranscribingJob.Failure) -> Transcript? {
    let subject: TranscribingJob.Subject
    let directory: TranscribingDirectory
    do {
      guard let detail = try library.episode(item.episode) else { throw ReportedError("The episode is gone.") }
      let language = try library.podcastDetail(detail.row.podcast)?.feed.language
      subject = TranscribingJob.Subject(
        title: item.title, podcast: item.podcastTitle, language: language, file: file(detail),
        source: "\(item.episode)")
      guard let made = try TranscribingDirectory(in: cache) else { return nil }
      directory = made
    } catch {
      throw .reason(error as? ReportedError ?? ReportedError("\(error)"))
    }
    // A program may print thousands of lines at once.
    var nextReport = ContinuousClock.now
    var nextCheck = ContinuousClock.now
    return try job.run(subject, in: directory, cancellation) { progress in
      switch progress {
      case .reading: report(.working(item, isReading: true, fraction: nil))
      case .lines(let lines, let fraction):
        if ContinuousClock.now >= nextCheck {
          nextCheck = .now + .seconds(Self.pause)
          if !isListed(item.episode) { cancellation.cancel() }
        }
        guard ContinuousClock.now >= nextReport else { return }
        nextReport = .now + .milliseconds(250)
        report(.working(item, isReading: false, fraction: fraction))
        if !lines.isEmpty { report(.lines(item.episode, lines)) }
      case .ended: break
      }
    }
  }
}
