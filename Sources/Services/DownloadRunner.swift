import Downloads
import Foundation
import HTTP
import Model
import Store
import Streams

/// The downloads of this process.
package final class DownloadRunner: Sendable {
  package let downloader: Downloader
  package let files: DownloadFiles
  private let library: Library
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
    self.automatic = automatic
    files = DownloadFiles(directory: options.directory, library: library)
    var options = options
    options.streams = streams
    // If the library cannot be read, the server answers 401, which is reported.
    options.access = { podcast in (try? library.access(of: podcast)) ?? RequestAccess() }
    downloader = Downloader(library: library, http: http, options: options, report: report)
  }

  /// Applies the clean-up rules, and resumes the downloads of the last run.
  package func start() {
    downloader.applyRules()
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
}
