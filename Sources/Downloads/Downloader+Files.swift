import Foundation
import Model
import Store

/// Deleting complete files, on request or by the clean-up rules.
extension Downloader {
  /// Deletes the file of a complete download. True if there was one.
  func removeFile(of id: EpisodeID) -> Bool {
    do throws(DownloadError) {
      var hasDeleted = false
      // If another process begins or completes the download meanwhile, its row and file are there again.
      for _ in 0..<Self.removals {
        guard let download = try stored(id) else { return hasDeleted }
        if try delete(download.fileName, of: download) { return true }
        hasDeleted = true
      }
      return hasDeleted
    } catch {
      report(.failed(id, .local, message: "\(title(of: id)): \(error)"))
      return false
    }
  }

  /// Deletes a file, and then the row of its download.
  /// - Returns: false if another process has changed the row since it was read. Then it has a file again.
  func delete(_ fileName: String, of download: Download?) throws(DownloadError) -> Bool {
    try files.delete(fileName) { () throws(DownloadError) in
      guard let download else { return true }
      do throws(StoreError) { return try library.removeDownload(download) } catch { throw .library(error.description) }
    }
  }

  /// How often a file is deleted that other processes download again at the same time.
  private static let removals = 5

  func applyRules(keeping new: EpisodeID?) {
    // Files on a disk that is not mounted would be forgotten, and stay for ever.
    guard files.hasFiles else { return }
    var kept = protected
    if let new { kept.insert(new) }
    do throws(StoreError) {
      let filesToDelete = try rules().filesToDelete(among: try library.downloadedFiles(), protected: kept)
        .filter { files.hasDirectory(of: $0.fileName) }
      let removed = filesToDelete.map(\.episode).filter { removeFile(of: $0) }
      if !removed.isEmpty { report(.removed(removed)) }
    } catch {
      report(.failed(EpisodeID(0), .local, message: "The downloads cannot be cleaned up: \(error)"))
    }
  }

  /// The rules of the configuration and of single podcasts. If the settings cannot be read, a file that must be kept is
  /// not known as such, so nothing may be deleted.
  private func rules() throws(StoreError) -> CleanUpRules {
    var rules = options.cleanUp
    for (podcast, settings) in try library.podcastSettings() {
      let number = settings.isDamaged ? Int.max : settings.keepDownloads
      if let number { rules.keepPerSinglePodcast[podcast] = number }
    }
    return rules
  }

  static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}
