import Foundation
import HTTP
import Model
import Store

/// Adds downloads to the queue and removes them.
extension Downloader {
  func restore(_ download: Download) {
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

  func add(_ id: EpisodeID) {
    do throws(DownloadError) {
      if var entry = entries[id] {
        guard entry.isDropped || (entry.phase != .waiting && entry.phase != .running) else { return }
        // A refresh may have changed the address. A transfer that is about to end keeps its own.
        if entry.activity == nil { entry = try makeEntry(id, fileName: entry.fileName, resume: entry.resume) }
        entry.isDropped = false
        entry.phase = .waiting
        (entry.failures, entry.lastError) = (0, nil)
        entry.mismatches = 0
        entry.pause = nil
        entry.resume.isPaused = nil
        entry.resume.failure = nil
        entries[id] = entry
        return save(entry)
      }
      let old = try stored(id)
      let state = old.flatMap { files.state(of: $0) }
      if let old, let state {
        guard state.problem != nil else { return }
        // Its file is missing or was changed. The row is deleted only as it was read: another process may have just
        // downloaded it again. If the library cannot be written, `save` reports it.
        _ = try? library.removeDownload(old)
      }
      var entry = try makeEntry(
        id, fileName: state == .notAFile ? nil : old?.fileName, resume: ResumeData(old?.resumeData))
      if case .changed = state { entry.resume.replacesFile = true }
      // Another process may have begun it since. If the library cannot be written, `save` reports it.
      if old?.downloadComplete != false, let row = try? library.beginDownload(entry.row, now: options.now()),
        row.fileName != entry.fileName
      {
        entry = try makeEntry(id, fileName: row.fileName, resume: ResumeData(row.resumeData))
      }
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
      detail = try known.map { (known) throws(StoreError) in try library.withPreferredMedia(known) }
    } catch { throw .library(error.description) }
    guard let detail else { throw .unknownEpisode }
    guard let url = detail.feed.mediaURL else { throw .noMedia }
    var (isBuiltIn, isInFolder) = (false, false)
    do throws(StoreError) {
      // Any feed may name such an address. Only these podcasts have such files.
      if url.hasPrefix("earshot:"), let feed = try library.podcastDetail(detail.row.podcast)?.row.feedURL {
        isBuiltIn = feed.hasPrefix("earshot:")
      }
      isInFolder = try library.folder(of: url) != nil
    } catch { throw .library(error.description) }
    if isBuiltIn { throw .builtIn }
    if isInFolder { throw .inFolder }
    let address: WebAddress
    do { address = try WebAddress(url) } catch { throw .fetch(error) }
    var isPage = false
    do throws(StoreError) {
      if findsPages { isPage = try library.isPage(url, of: detail.row.podcast) }
    } catch { throw .library(error.description) }
    let name: String
    if let fileName, files.path(fileName) != nil { name = fileName } else { name = try files.freeName(for: detail) }
    var entry = DownloadEntry(
      id: id, podcast: detail.row.podcast, title: detail.row.title, podcastTitle: detail.row.podcastTitle,
      address: address, fileName: name, resume: ResumeData(url: url))
    entry.isPage = isPage
    // Bytes from another address cannot be continued.
    if let resume, resume.url == url { entry.resume = resume }
    if let part = files.part(name) { entry.stored = Self.size(of: part) ?? 0 }
    return entry
  }

  private func insert(_ entry: DownloadEntry) {
    entries[entry.id] = entry
    order.append(entry.id)
  }

  /// Removes a download from the queue.
  func removeFromQueue(_ id: EpisodeID) {
    entries[id] = nil
    order.removeAll { $0 == id }
  }

  func stored(_ id: EpisodeID) throws(DownloadError) -> Download? {
    do { return try library.download(id) } catch { throw .library(error.description) }
  }

  func title(of id: EpisodeID) -> String {
    let row = (try? library.episodeRows([id]))?.first
    return row?.title ?? "Episode \(id)"
  }

  /// Removes the downloads from the queue that another process has completed or cancelled. Call it when another process
  /// has written to the library.
  public func noticeOtherProcesses() {
    queue.async { [self] in
      var hasChanged = false
      for entry in order.compactMap({ entries[$0] }) where entry.activity == nil {
        do throws(DownloadError) {
          if let bytes = try bytesDownloadedElsewhere(of: entry) {
            removeFromQueue(entry.id)
            report(.finished(entry.id, title: entry.title, bytes: bytes))
            hasChanged = true
          } else if !unsaved.contains(entry.id), try stored(entry.id) == nil {
            removeFromQueue(entry.id)
            hasChanged = true
          }
        } catch {
          // The library cannot be read. The next call finds out.
          return
        }
      }
      if hasChanged { queueChanged() }
    }
  }

  func isMarkedDeleted(_ id: EpisodeID) -> Bool { (try? library.episodeRows([id]))?.first?.status == .deleted }
}
