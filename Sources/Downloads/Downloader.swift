import Foundation
import HTTP
import Model
import Store

/// Fetches episodes into files: a queue, some at once, few at a host; each goes on where it stopped, whatever stopped
/// it.
///
/// No method waits, but `wait` and `shutDown`; all may be called from any thread. What happens is told through `report`,
/// in order, on the downloader's own queue.
///
/// A download is a row of the library from the moment it is asked for (name, validators, length) and a `.part` file
/// beside the final name, whose size says how far it is. The row is written before the bytes, the name after them, so
/// that a process may end anywhere in between.
///
/// `@unchecked`: everything that changes is touched on `queue` only.
public final class Downloader: @unchecked Sendable {
  public typealias Report = @Sendable (DownloadReport) -> Void

  let library: Library
  let client: HTTPClient
  var options: DownloadOptions
  let files: DownloadFiles
  let report: Report
  let queue = DispatchQueue(label: "earshot.downloads", qos: .utility)
  var entries: [EpisodeID: DownloadEntry] = [:]
  var order: [EpisodeID] = []
  /// Files that no rule removes: what is playing.
  var protected: Set<EpisodeID> = []
  /// Goes off once, when it is set: for the reports, and for those that wait for their time.
  private let timer: any DispatchSourceTimer
  private var isOver = false
  /// Entered while there is something to do.
  private let idle = DispatchGroup()
  private var isBusy = false

  /// - Parameter http: manners of the network; a client of its own is made, so that a slow disk stops no feed.
  public init(library: Library, http: HTTPOptions, options: DownloadOptions, report: @escaping Report) {
    var http = http
    // We go on from the byte that was reached, which the client's own repetition could not.
    http.requestRetry.repeats = 0
    http.requestsPerHost = max(options.perHost, 1)
    http.requestsAtOnce = max(options.atOnce, 1)
    client = HTTPClient(options: http)
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
    // A group that is still entered must not go.
    if isBusy { idle.leave() }
  }

  // MARK: What can be asked

  /// Goes on with what the last run left; those that the listener paused stay so.
  public func start() {
    queue.async { [self] in
      do throws(StoreError) {
        for download in try library.unfinishedDownloads() { restore(download) }
      } catch {
        report(.failed(EpisodeID(0), .here, message: "The downloads cannot be read: \(error)"))
      }
      changed()
    }
  }

  /// Fetches these, after those that are in the queue. One that was paused or failed goes on.
  public func download(_ episodes: [EpisodeID]) {
    queue.async { [self] in
      for id in episodes { add(id) }
      changed()
    }
  }

  /// Stops these and keeps what came.
  public func pause(_ episodes: [EpisodeID]) {
    queue.async { [self] in
      for id in episodes {
        guard var entry = entries[id], entry.phase == .waiting || entry.phase == .running else { continue }
        entry.phase = .paused
        entry.resume.isPaused = true
        entries[id] = entry
        if let activity = entry.activity { client.cancel(activity.request) } else { save(entry) }
      }
      changed()
    }
  }

  /// Forgets these: what came of those under way, and the files of those that are complete.
  public func drop(_ episodes: [EpisodeID]) {
    queue.async { [self] in
      var removed: [EpisodeID] = []
      for id in episodes {
        if let entry = entries[id] {
          entries[id]?.isDropped = true
          if let activity = entry.activity { client.cancel(activity.request) } else { forget(entry) }
        } else if removeFile(of: id) {
          removed.append(id)
        }
      }
      changed()
      if !removed.isEmpty { report(.removed(removed)) }
    }
  }

  /// Removes what the rules of cleaning up say. Done by itself after each download; ask for it when an episode was
  /// played.
  public func applyRules() { queue.async { [self] in applyRules(sparing: nil) } }

  /// The same, with other files protected.
  public func cleanUp(protecting episodes: Set<EpisodeID> = []) {
    queue.async { [self] in
      protected = episodes
      applyRules(sparing: nil)
    }
  }

  /// These files stay, whatever the rules say: what is playing.
  public func protect(_ episodes: Set<EpisodeID>) { queue.async { [self] in protected = episodes } }

  public func setRules(_ rules: CleanUpRules) {
    queue.async { [self] in
      options.cleanUp = rules
      applyRules(sparing: nil)
    }
  }

  /// Waits until nothing runs and nothing waits for its turn. For verbs.
  public func wait() {
    queue.sync {}
    idle.wait()
  }

  /// Ends all that runs; what came stays for the next start. Waits for the files to be closed, at most that many
  /// seconds.
  public func shutDown(waitingAtMost seconds: Double = 2) {
    queue.sync {
      isOver = true
      noteWork()
    }
    client.shutDown()
    _ = idle.wait(timeout: .now() + seconds)
  }

  // MARK: The queue

  private func restore(_ download: Download) {
    guard entries[download.episode] == nil else { return }
    do throws(DownloadError) {
      var entry = try makeEntry(download.episode, fileName: download.fileName, resume: ResumeData(download.resumeData))
      if entry.resume.isPaused == true { entry.phase = .paused }
      if let failure = entry.resume.failure { entry.phase = .failed(failure) }
      insert(entry)
    } catch {
      report(.failed(download.episode, error.cause, message: "A download cannot go on: \(error)"))
    }
  }

  private func add(_ id: EpisodeID) {
    if var entry = entries[id] {
      guard entry.isDropped || (entry.phase != .waiting && entry.phase != .running) else { return }
      entry.isDropped = false
      entry.phase = .waiting
      (entry.failures, entry.trouble) = (0, nil)
      entry.mismatches = 0
      entry.notBefore = nil
      entry.resume.isPaused = nil
      entry.resume.failure = nil
      entries[id] = entry
      return save(entry)
    }
    do throws(DownloadError) {
      let old = try stored(id)
      if let old, old.downloadComplete, let path = files.path(old.fileName),
        FileManager.default.fileExists(atPath: path)
      {
        return
      }
      let entry = try makeEntry(id, fileName: old?.fileName, resume: ResumeData(old?.resumeData))
      insert(entry)
      save(entry)
    } catch {
      report(.failed(id, error.cause, message: "\(title(of: id)): \(error)"))
    }
  }

  private func makeEntry(
    _ id: EpisodeID, fileName: String?, resume: ResumeData?
  ) throws(DownloadError) -> DownloadEntry {
    let detail: EpisodeDetail?
    do throws(StoreError) {
      let known = try library.episode(id)
      detail = try known.map { (known) throws(StoreError) in try library.withChosenMedia(known) }
    } catch { throw .library(error.description) }
    guard let detail else { throw .unknownEpisode }
    guard let url = detail.feed.mediaURL else { throw .noMedia }
    if url.hasPrefix("earshot:") { throw .builtIn }
    let address: WebAddress
    do { address = try WebAddress(url) } catch { throw .fetch(error) }
    let name: String
    if let fileName, files.path(fileName) != nil { name = fileName } else { name = try files.freeName(for: detail) }
    var entry = DownloadEntry(
      id: id, podcast: detail.row.podcast, title: detail.row.title, podcastTitle: detail.row.podcastTitle,
      address: address, fileName: name, resume: ResumeData(url: url))
    // Bytes of another address prove nothing for this one.
    if let resume, resume.url == url { entry.resume = resume }
    if let part = files.part(name) { entry.stored = Self.size(of: part) ?? 0 }
    return entry
  }

  private func insert(_ entry: DownloadEntry) {
    entries[entry.id] = entry
    order.append(entry.id)
  }

  /// Takes it out of the queue.
  func leave(_ id: EpisodeID) {
    entries[id] = nil
    order.removeAll { $0 == id }
  }

  /// Something came, went or changed: starts what may start, and tells.
  func changed() {
    startWaiting()
    report(.queue(visible))
    noteWork()
    keepTime()
  }

  private func noteWork() {
    let hasWork = entries.values.contains {
      $0.activity != nil || ($0.phase == .waiting && !$0.isDropped && !isOver)
    }
    guard hasWork != isBusy else { return }
    isBusy = hasWork
    if hasWork { idle.enter() } else { idle.leave() }
  }

  private var visible: [DownloadProgress] {
    order.compactMap { entries[$0] }.filter { !$0.isDropped }.map(\.progress)
  }

  /// True when something started, or came to an end at once.
  @discardableResult
  private func startWaiting() -> Bool {
    guard !isOver else { return false }
    var isOther = false
    let now = options.now()
    var running = entries.values.count { $0.activity != nil }
    var hosts: [String: Int] = [:]
    for entry in entries.values where entry.activity != nil { hosts[entry.host, default: 0] += 1 }
    for id in order where running < max(1, options.atOnce) {
      guard let entry = entries[id], entry.phase == .waiting, entry.activity == nil, !entry.isDropped,
        entry.notBefore.map({ $0 <= now }) ?? true, hosts[entry.host, default: 0] < max(1, options.perHost)
      else { continue }
      isOther = true
      if begin(entry) {
        running += 1
        hosts[entry.host, default: 0] += 1
      }
    }
    return isOther
  }

  // MARK: Time

  /// Sets the timer: soon while something runs, else for the first that waits for its time.
  private func keepTime() {
    guard !isOver else { return timer.schedule(deadline: .distantFuture) }
    if entries.values.contains(where: { $0.phase == .running }) {
      return timer.schedule(deadline: .now() + options.reportEvery, leeway: .milliseconds(50))
    }
    guard let due = entries.values.filter({ $0.phase == .waiting }).compactMap(\.notBefore).min() else {
      return timer.schedule(deadline: .distantFuture)
    }
    timer.schedule(deadline: .now() + max(0.001, due.timeIntervalSince(options.now())))
  }

  private func tick() {
    let now = options.now()
    for id in order {
      guard var entry = entries[id], entry.phase == .running, !entry.isDropped else { continue }
      entry.meter.add(entry.received, at: now)
      entries[id] = entry
      report(.progress(entry.progress))
    }
    if startWaiting() { changed() } else { keepTime() }
  }

  // MARK: Pieces

  private func stored(_ id: EpisodeID) throws(DownloadError) -> Download? {
    do { return try library.download(id) } catch { throw .library(error.description) }
  }

  private func title(of id: EpisodeID) -> String {
    let row = (try? library.episodeRows([id]))?.first
    return row?.title ?? "Episode \(id)"
  }
}
