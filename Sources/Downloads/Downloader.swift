import Foundation
import HTTP
import Model
import Store

/// Downloads episodes to files. It has a queue, runs several transfers at once but few per host, and resumes each
/// file where it stopped.
///
/// No method blocks except `wait` and `shutDown`. All may be called from any thread. Events are reported through
/// `report`, in order, on the downloader's own queue.
///
/// From the moment it is requested, a download has a row in the library (name, validators, length) and a `.part` file
/// beside the final name, whose size is the progress. The row is written before the bytes. After them the file gets
/// its final name, and keeps the other one and its lock until the row says that it is complete. So the process may be
/// killed at any point, and other processes may download and remove the same episode at the same time.
///
/// `@unchecked`: all mutable state is used only on `queue`.
public final class Downloader: @unchecked Sendable {
  public typealias Report = @Sendable (DownloadReport) -> Void

  let library: Library
  let client: HTTPClient
  /// Whether the files behind web pages can be found.
  let findsPages: Bool
  let options: DownloadOptions
  let files: DownloadFiles
  let report: Report
  let queue = DispatchQueue(label: "earshot.downloads", qos: .utility)
  var entries: [EpisodeID: DownloadEntry] = [:]
  /// Downloads whose state the library could not store.
  var unsaved: Set<EpisodeID> = []
  var order: [EpisodeID] = []
  /// Episodes whose files no rule deletes, such as the playing one.
  var protected: Set<EpisodeID> = []
  /// A one-shot timer for progress reports and retries.
  private let timer: any DispatchSourceTimer
  private var isClosed = false
  /// Entered while there is work.
  private let idle = DispatchGroup()
  private var isBusy = false

  /// - Parameter http: settings for the downloader's own HTTP client. It has its own thread, so a slow disk does not
  ///   delay feeds.
  public init(library: Library, http: HTTPOptions, options: DownloadOptions, report: @escaping Report) {
    var http = http
    // The downloader retries itself, from the byte that was reached. The client would start from the beginning.
    http.requestRetry.repeats = 0
    http.requestsPerHost = max(options.perHost, 1)
    http.requestsAtOnce = max(options.atOnce, 1)
    client = HTTPClient(options: http)
    findsPages = http.pages != nil
    self.library = library
    self.options = options
    self.report = report
    var files = DownloadFiles(directory: options.directory, library: library)
    files.template = options.template
    self.files = files
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.tick() }
    timer.resume()
  }

  deinit {
    timer.cancel()
    // Releasing a dispatch group that is still entered would crash.
    if isBusy { idle.leave() }
  }

  // MARK: Commands

  /// Continues the downloads of the last run. Those that the listener paused stay paused.
  public func start() {
    queue.async { [self] in
      do throws(StoreError) {
        for download in try library.unfinishedDownloads() { restore(download) }
      } catch {
        report(.failed(EpisodeID(0), .local, message: "The downloads cannot be read: \(error)"))
      }
      queueChanged()
    }
  }

  /// Adds episodes to the end of the queue. Paused and failed downloads are resumed.
  public func download(_ episodes: [EpisodeID]) {
    queue.async { [self] in
      for id in episodes { add(id) }
      queueChanged()
    }
  }

  /// Pauses downloads and keeps their bytes.
  public func pause(_ episodes: [EpisodeID]) {
    queue.async { [self] in
      for id in episodes {
        guard var entry = entries[id], entry.phase == .waiting || entry.phase == .running else { continue }
        entry.phase = .paused
        entry.resume.isPaused = true
        entries[id] = entry
        if let activity = entry.activity { client.cancel(activity.request) } else { save(entry) }
      }
      queueChanged()
    }
  }

  /// Cancels unfinished downloads and deletes their bytes, and deletes complete files.
  public func drop(_ episodes: [EpisodeID]) {
    queue.async { [self] in
      var removed: [EpisodeID] = []
      for id in episodes {
        if let entry = entries[id] {
          entries[id]?.isDropped = true
          if let activity = entry.activity { client.cancel(activity.request) } else { discard(entry) }
        } else if removeFile(of: id) {
          removed.append(id)
        }
      }
      queueChanged()
      if !removed.isEmpty { report(.removed(removed)) }
    }
  }

  /// Deletes files according to the clean-up rules. This also happens after each download; call it when an episode
  /// has been played, or when the settings of a podcast have changed.
  public func applyRules() { queue.async { [self] in applyRules(keeping: nil) } }

  /// As `applyRules`, and protects no episode any more.
  public func cleanUp() {
    queue.async { [self] in
      protected = []
      applyRules(keeping: nil)
    }
  }

  /// Protects these files from the clean-up rules, such as the playing one.
  public func protect(_ episodes: Set<EpisodeID>) { queue.async { [self] in protected = episodes } }

  /// Waits until no download is running or waiting for its turn. For verbs of the command line.
  public func wait() {
    queue.sync {}
    idle.wait()
  }

  /// Stops all transfers and keeps their bytes for the next start. Waits for the files to be closed, for at most
  /// `seconds`.
  public func shutDown(waitingAtMost seconds: Double = 2) {
    queue.sync {
      isClosed = true
      updateIdle()
    }
    client.shutDown()
    _ = idle.wait(timeout: .now() + seconds)
  }

  // MARK: Starting

  /// Starts waiting downloads if possible, and reports the queue. Called after every change.
  func queueChanged() {
    startWaiting()
    report(.queue(visible))
    updateIdle()
    scheduleTimer()
  }

  private func updateIdle() {
    let hasWork = entries.values.contains {
      $0.activity != nil || ($0.phase == .waiting && !$0.isDropped && !isClosed)
    }
    guard hasWork != isBusy else { return }
    isBusy = hasWork
    if hasWork { idle.enter() } else { idle.leave() }
  }

  private var visible: [DownloadProgress] {
    order.compactMap { entries[$0] }.filter { !$0.isDropped }.map(\.progress)
  }

  /// True if a download started or ended at once.
  @discardableResult
  private func startWaiting() -> Bool {
    guard !isClosed else { return false }
    var hasStarted = false
    let now = options.now()
    var running = entries.values.count { $0.activity != nil }
    var hosts: [String: Int] = [:]
    for entry in entries.values where entry.activity != nil { hosts[entry.host, default: 0] += 1 }
    for id in order where running < max(1, options.atOnce) {
      guard let entry = entries[id], entry.phase == .waiting, entry.activity == nil, !entry.isDropped,
        entry.pause?.end(at: now) == nil, hosts[entry.host, default: 0] < max(1, options.perHost)
      else { continue }
      hasStarted = true
      if begin(entry) {
        running += 1
        hosts[entry.host, default: 0] += 1
      }
    }
    return hasStarted
  }

  // MARK: Time

  /// Sets the timer: to the next progress report while something runs, otherwise to the next retry.
  private func scheduleTimer() {
    guard !isClosed else { return timer.schedule(deadline: .distantFuture) }
    if entries.values.contains(where: { $0.phase == .running }) {
      return timer.schedule(deadline: .now() + options.reportEvery, leeway: .milliseconds(50))
    }
    let now = options.now()
    let waits = entries.values.filter { $0.phase == .waiting }.compactMap(\.pause).map {
      $0.end(at: now)?.timeIntervalSince(now) ?? 0
    }
    guard let wait = waits.min() else { return timer.schedule(deadline: .distantFuture) }
    timer.schedule(deadline: .now() + max(0.001, wait))
  }

  private func tick() {
    let now = options.now()
    for id in order {
      guard var entry = entries[id], entry.phase == .running, !entry.isDropped else { continue }
      entry.meter.add(entry.received, at: now)
      entries[id] = entry
      report(.progress(entry.progress))
    }
    if startWaiting() { queueChanged() } else { scheduleTimer() }
  }
}
