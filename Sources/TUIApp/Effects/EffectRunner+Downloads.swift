import AppCore
import Foundation
import Model
import Store

/// Downloads that begin or go by themselves. Rows are written on the downloader's own queue, settings on the writers'.
extension EffectRunner {
  /// Goes on with what the last run left.
  func startDownloads() { downloads.start() }

  /// After a refresh: what shows with automatic downloads have got.
  func fetchNewDownloads() {
    guard refusal == nil else { return }
    change { [downloads] () throws(StoreError) in try downloads.fetchNew() }
  }

  /// The file of a deleted episode goes with it; that of a played one when the listener wants so.
  func cleanUpDownloads(after change: Write) {
    switch change {
    case .setStatus(let ids, .deleted): downloads.downloader.drop(ids)
    // Heard to its end: nothing plays now that the rules must spare. What comes next is protected by its own start.
    case .setPlayerStatus(_, .played): downloads.downloader.cleanUp()
    case .setStatus(_, .played), .markAllPlayed: downloads.downloader.applyRules()
    default: break
    }
  }

  private func change(_ work: @escaping @Sendable () throws(StoreError) -> Void) {
    writes.async { [mailbox, log] in
      do throws(StoreError) {
        try work()
      } catch {
        log.error("\(error)")
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }
}
