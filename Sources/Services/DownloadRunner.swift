import Downloads
import Foundation
import HTTP
import Model
import Store
import Streams

/// The downloads of this process: what the effects and verbs ask of the downloader, and the rules of single podcasts.
package final class DownloadRunner: Sendable {
  package let downloader: Downloader
  package let files: DownloadFiles
  private let library: Library
  private let options: DownloadOptions
  private let automatic: Int

  /// - Parameters:
  ///   - options: as the listener set them, without what the library knows.
  ///   - automatic: how many of a podcast's newest episodes are fetched after a refresh, unless the podcast says otherwise.
  ///   - streams: what was streamed, and need not be fetched again.
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
    // A library that cannot be read leads to a 401, which is said.
    options.credentials = { podcast in (try? library.credentials(of: podcast)) ?? nil }
    downloader = Downloader(library: library, http: http, options: options, report: report)
  }

  /// Goes on with what the last run left, and keeps the rules of single podcasts from here on.
  package func start() {
    downloader.setRules(rules())
    downloader.start()
  }

  /// Fetches what the podcasts with automatic downloads have got. Writes settings: call it where writes run.
  package func fetchNew() throws(StoreError) {
    let wanted = try library.takeEpisodesToDownload(standard: automatic)
    if !wanted.isEmpty { downloader.download(wanted) }
  }

  package func setAutomatic(_ podcast: PodcastID, count: Int?) throws(StoreError) {
    try library.setAutomaticDownloads(of: podcast, count: count)
    try fetchNew()
  }

  package func setKept(_ podcast: PodcastID, count: Int?) throws(StoreError) {
    try library.changeSettings(of: podcast) { $0.keepDownloads = count }
    reloadRules()
  }

  /// The settings of a podcast are others now.
  package func reloadRules() { downloader.setRules(rules()) }

  private func rules() -> CleanUpRules {
    var rules = options.cleanUp
    // A library that cannot be read removes nothing more than the general rules say.
    for (podcast, settings) in (try? library.podcastSettings()) ?? [:] {
      if let keep = settings.keepDownloads { rules.keepPerSinglePodcast[podcast] = keep }
    }
    return rules
  }
}
