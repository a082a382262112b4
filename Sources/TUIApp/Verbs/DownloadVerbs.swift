import ArgumentParser
import Downloads
import Foundation
import Model
import Services
import Store
import Streams
import Synchronization
import TerminalKit

/// `earshot download`: downloads episodes, and resumes downloads.
struct DownloadVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "download", abstract: "Download episodes.",
    discussion: "After ^C, the next download resumes.")

  @Argument(help: "Numbers from `earshot episodes`, or addresses of media files.")
  var episodes: [String] = []

  @Flag(help: "Resume incomplete downloads, and download new episodes of podcasts with automatic downloads.")
  var all = false

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard all || !episodes.isEmpty else { throw ValidationError("Name episodes, or say --all.") }
  }

  func perform(_ context: VerbContext) throws {
    let ids = try context.episodes(episodes)
    let bar = DownloadBar(isShown: !output.json && Report.isWatched)
    let runner = DownloadRunner(
      library: context.library, configuration: context.configuration,
      streams: StreamService(context.configuration).cache
    ) { bar.show($0) }
    if all {
      runner.start()
      try runner.fetchNew()
    } else {
      runner.downloader.applyRules()
    }
    runner.downloader.download(ids)
    runner.downloader.wait()
    runner.downloader.shutDown()
    bar.clear()
    let outcome = bar.outcome
    let transcriber = Transcriber(library: context.library, context.configuration) { _ in }
    var (answers, paths, isWhole): ([JSONObject], [String], Bool) = ([], [], true)
    // What failed in an earlier run is not tried again by `--all`.
    for (id, reason) in outcome.oldFailures {
      Report.message("\(try context.library.episode(id)?.row.title ?? ""): \(reason)")
    }
    for id in ids + outcome.seen.filter({ !ids.contains($0) }) {
      let detail = try context.library.episode(id)
      let download = try context.library.download(id)
      let isComplete = download?.downloadComplete == true
      let path = detail.flatMap { runner.files.file(of: $0) }
      if isComplete { try transcriber.addDownload(id) }
      let title = detail?.row.title ?? ""
      // Below the directory of downloads, as other commands have it.
      let fileName = path == nil ? nil : detail?.fileName
      let bytes = isComplete ? download?.bytes : nil
      let error: String? = isComplete ? nil : outcome.failures[id] ?? download?.problem ?? "not complete"
      answers.append([
        "id": id, "title": title, "fileName": fileName, "path": path, "bytes": bytes, "error": error,
      ])
      if let path { paths.append(path) }
      isWhole = isWhole && isComplete
    }
    if output.json { try Report.json(answers) } else { paths.forEach(Report.line) }
    try context.library.close()
    guard !isWhole else { return }
    // The most serious cause decides the exit status.
    let causes = outcome.causes
    throw
      (causes.contains(.local) ? ExitStatus.cannotWrite : causes.contains(.data) ? .invalidData : .unavailable).error
  }
}

extension VerbContext {
  var downloadFiles: DownloadFiles {
    DownloadFiles(directory: configuration.directories.downloads, library: library)
  }

  /// Deletes the files of these episodes. Errors are printed on stderr.
  /// - Returns: false if there were errors.
  @discardableResult
  func dropDownloads(_ episodes: [EpisodeID]) -> Bool { withDownloads { $0.downloader.drop(episodes) } }

  /// Deletes files by the rules of the configuration and of single podcasts, as the player does after the same change.
  /// - Parameter protected: the episode whose file no rule deletes.
  func applyDownloadRules(protecting protected: EpisodeID? = nil) {
    withDownloads {
      $0.downloader.protect(Set([protected].compactMap { $0 }))
      $0.downloader.applyRules()
    }
  }

  /// - Returns: false if there were errors.
  @discardableResult
  private func withDownloads(_ act: (DownloadRunner) -> Void) -> Bool {
    let hasFailed = Mutex(false)
    let runner = DownloadRunner(
      library: library, configuration: configuration, streams: StreamService(configuration).cache
    ) { report in
      guard case .failed(_, _, let message) = report else { return }
      Report.message(message)
      hasFailed.withLock { $0 = true }
    }
    act(runner)
    runner.downloader.wait()
    runner.downloader.shutDown()
    return hasFailed.withLock { !$0 }
  }
}

/// `earshot downloads`: lists finished and unfinished downloads.
struct DownloadsVerb: LibraryVerb {
  static let configuration = CommandConfiguration(commandName: "downloads", abstract: "List or remove downloads.")

  @Option(
    name: .long, parsing: .upToNextOption, help: "Remove the files of these episodes (numbers). The episodes stay.")
  var remove: [String] = []

  @OptionGroup var output: JSONOption

  private struct Item: Encodable {
    var id: Int64
    var podcast: String
    var title: String
    var fileName: String
    /// Absent if the name leads out of the directory of downloads.
    var path: String?
    var bytes: Int64
    var total: Int64?
    var downloadComplete: Bool
    var missing: Bool
    /// Why it has failed or waits, or what is wrong with the file.
    var error: String?
  }

  func perform(_ context: VerbContext) throws {
    let isRemoved = try remove.isEmpty || context.dropDownloads(context.episodes(remove))
    let items = try self.items(context)
    if output.json { try Report.json(items) } else { show(items, context) }
    guard isRemoved else { throw ExitStatus.cannotWrite.error }
  }

  private func show(_ items: [Item], _ context: VerbContext) {
    for item in items {
      let size = item.downloadComplete ? SizeText.exact(item.bytes) : "\(SizeText.exact(item.bytes)) of \(total(item))"
      let note = item.error.map { item.downloadComplete ? "  (\($0))" : "  (failed: \($0))" } ?? ""
      Report.line("\(String(item.id).leftPadded(6))  \(size.leftPadded(20))  \(item.podcast): \(item.title)\(note)")
    }
    let bytes = items.reduce(Int64(0)) { $0 &+ $1.bytes }
    let free = DiskState.freeBytes(at: context.configuration.directories.downloads)
    Report.message(
      "\(items.count) \(items.count == 1 ? "download" : "downloads"), \(SizeText.exact(bytes))"
        + (free.map { "; \(SizeText.exact($0)) free" } ?? ""))
  }

  private func total(_ item: Item) -> String { item.total.map { SizeText.exact($0) } ?? "?" }

  private func items(_ context: VerbContext) throws -> [Item] {
    let files = context.downloadFiles
    return try context.library.episodeIDs(EpisodeQuery(.downloads)).compactMap { id -> Item? in
      guard let download = try context.library.download(id), let row = try context.library.episodeRows([id]).first
      else { return nil }
      let path = files.path(download.fileName)
      let size = path.flatMap { Self.size(download.downloadComplete ? $0 : $0 + ".part") }
      let state = files.state(of: download)
      return Item(
        id: id.rawValue, podcast: row.podcastTitle, title: row.title, fileName: download.fileName, path: path,
        bytes: size ?? 0, total: download.bytes, downloadComplete: download.downloadComplete,
        missing: state == .missing, error: state?.problem.map { "the file \($0)" } ?? download.problem)
    }
  }

  private static func size(_ path: String) -> Int64? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int).map { Int64($0) }
  }
}

/// A progress line on stderr, and the results of the downloads.
final class DownloadBar: Sendable {
  struct Outcome {
    var items: [DownloadProgress] = []
    /// Every episode that was reported, in order.
    var seen: [EpisodeID] = []
    var failures: [EpisodeID: String] = [:]
    var causes: Set<DownloadReport.Cause> = []

    /// Downloads that had failed before, and were not tried.
    var oldFailures: [(id: EpisodeID, reason: String)] {
      items.compactMap { item in
        guard case .failed(let reason) = item.phase, failures[item.id] == nil else { return nil }
        return (item.id, reason)
      }
    }
  }
  private let isShown: Bool
  private let state = Mutex(Outcome())

  init(isShown: Bool) { self.isShown = isShown }

  var outcome: Outcome { state.withLock { $0 } }

  func show(_ report: DownloadReport) {
    switch report {
    case .queue(let items):
      state.withLock { state in
        state.items = items
        for item in items where !state.seen.contains(item.id) { state.seen.append(item.id) }
      }
      draw()
    case .progress(let item):
      state.withLock { state in
        if let index = state.items.firstIndex(where: { $0.id == item.id }) { state.items[index] = item }
      }
      draw()
    case .failed(let id, let cause, let message):
      state.withLock {
        $0.failures[id] = message
        $0.causes.insert(cause)
      }
      clear()
      Report.message(message)
    case .delayed(_, let message):
      clear()
      Report.message(message)
    case .finished, .removed: clear()
    }
  }

  private func draw() {
    guard isShown else { return }
    let running = state.withLock { $0.items.filter { $0.phase == .running } }
    guard let first = running.first else { return clear() }
    var text = "[\(ProgressBar(width: 24, fraction: first.fraction ?? 0).text)] \(SizeText.exact(first.received))"
    if let total = first.total { text += " of \(SizeText.exact(total))" }
    text += "  \(SizeText.exact(Int64(clamping: Int(first.rate.rounded()))))/s"
    if running.count > 1 { text += "  +\(running.count - 1)" }
    let name = Clusters.shortened(first.title, columns: 30)
    Report.progress("\(text)  \(name)")
  }

  func clear() {
    if isShown { Report.progress("") }
  }
}
