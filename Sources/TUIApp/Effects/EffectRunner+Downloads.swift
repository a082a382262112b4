import AppCore
import Foundation
import Model
import Store

/// Downloads that start automatically, and the cleaning up of files. Rows are written on the downloader's queue,
/// settings on the queue for writes.
extension EffectRunner {
  /// Called after a refresh: downloads new episodes of podcasts with automatic downloads.
  func fetchNewDownloads() {
    guard refusal == nil else { return }
    change("downloads") { [downloads] () throws(StoreError) in try downloads.fetchNew() }
  }

  /// Deletes the file of a deleted episode, and that of a played one if the rules say so.
  func cleanUpDownloads(after change: Write) {
    switch change {
    case .setStatus(let ids, .deleted, _): downloads.downloader.drop(ids)
    case .setStatus(_, .played, _): downloads.downloader.applyRules()
    default: break
    }
  }
}
