import Downloads
import Foundation
import HTTP
import Model
import Store
import Streams

/// The downloads of this process, with the rules of single podcasts.
package final class DownloadRunner: Sendable {
  package let downloader: Downloader
  package let files: DownloadFiles
  private let library: Library
  private let options: DownloadOptions
  private let automatic: Int

  /// - Parameters:
  ///   - options: from the configuration. Values from the library are added here.
  ///   - automatic: how many of a podcast's newest episodes are downloaded after a refresh, if the podcast has no
  ///     setting of its own.
  ///   - streams: copies of streamed parts, which need not be downloaded again.
  package init(
    library: Library, options: DownloadOptions, automatic: Int, http: HTTPOptions, streams: StreamCache?,
    report: @escaping Downloader.Report
  ) {
    self.library = library
    self.options = options
    self.automatic = automatic
    files = DownloadFiles(directory: options.directory, library: library)
    var options = options
    options.streams = streams
    // If the library cannot be read, the server answers 401, which is reported.
    options.access = { podcast in (try? library.access(of: podcast)) ?? RequestAccess() }
    downloader = Downloader(library: library, http: http, options: options, report: report)
  }

  /// Resumes the downloads of the last run, and applies the rules of single podcasts from now on.
  package func start() {
    downloader.setRules(rules())
    downloader.start()
  }

  /// Downloads new episodes of podcasts with automatic downloads, and what rules want. It writes to the library, so
  /// call it on the queue for writes.
  package func fetchNew() throws(StoreError) {
    let rules = try library.takeRuleDownloads()
    if !rules.unwanted.isEmpty { downloader.drop(rules.unwanted) }
    // Before anything can fail, because they were taken from the library.
    if !rules.wanted.isEmpty { downloader.download(rules.wanted) }
    let automatic = try library.takeEpisodesToDownload(standard: automatic)
    if !automatic.isEmpty { downloader.download(automatic) }
  }

  /// Applies the rules again after the settings of a podcast have changed.
  package func reloadRules() { downloader.setRules(rules()) }

  private func rules() -> CleanUpRules {
    var rules = options.cleanUp
    // If the settings cannot be read, a file that must be kept is not known as such. So nothing is deleted.
    guard let settings = try? library.podcastSettings() else { return CleanUpRules() }
    for (podcast, settings) in settings {
      let number = settings.isDamaged ? Int.max : settings.keepDownloads
      if let number { rules.keepPerSinglePodcast[podcast] = number }
    }
    return rules
  }
}
