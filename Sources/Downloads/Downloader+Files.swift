import Foundation
import Model
import Store

/// Files that are complete: taking them away, by a wish or by a rule.
extension Downloader {
  /// True when there was a complete download.
  func removeFile(of id: EpisodeID) -> Bool {
    do throws(StoreError) {
      guard let download = try library.download(id) else { return false }
      // The row goes last: a file without one would stay for ever.
      guard files.delete(download.fileName) else {
        report(.failed(id, .here, message: "\(download.fileName) cannot be deleted"))
        return false
      }
      try library.removeDownload(id)
      return true
    } catch {
      report(.failed(id, .here, message: error.description))
      return false
    }
  }

  func applyRules(sparing fresh: EpisodeID?) {
    guard !options.cleanUp.areEmpty else { return }
    var spared = protected
    if let fresh { spared.insert(fresh) }
    do throws(StoreError) {
      let victims = options.cleanUp.victims(among: try library.downloadedFiles(), protected: spared)
      let removed = victims.map(\.episode).filter { removeFile(of: $0) }
      if !removed.isEmpty { report(.removed(removed)) }
    } catch {
      report(.failed(EpisodeID(0), .here, message: "The downloads cannot be cleaned up: \(error)"))
    }
  }

  static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}
