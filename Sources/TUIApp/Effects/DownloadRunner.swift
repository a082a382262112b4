import Downloads
import Foundation
import HTTP
import Model
import Store
import Streams

/// The downloads of this process: what the effects and verbs ask of the downloader, and the rules of single shows.
final class DownloadRunner: Sendable {
  let downloader: Downloader
  let files: DownloadFiles
  private let library: Library
  private let preferences: DownloadPreferences

  /// - Parameter streams: what was streamed, and need not be fetched again.
  init(
    library: Library, configuration: Configuration, streams: StreamCache?, report: @escaping Downloader.Report
  ) {
    self.library = library
    preferences = configuration.downloads
    files = DownloadFiles(directory: configuration.directories.downloads, library: library)
    var options = DownloadOptions(directory: configuration.directories.downloads)
    options.atOnce = preferences.atOnce
    options.perHost = preferences.perHost
    options.template = preferences.template
    options.reserve = preferences.reserve
    options.cleanUp = preferences.rules
    options.streams = streams
    // A library that cannot be read leads to a 401, which is said.
    options.credentials = { podcast in (try? library.credentials(of: podcast)) ?? nil }
    downloader = Downloader(
      library: library, http: HTTPOptions.standard(configuration), options: options, report: report)
  }

  /// Goes on with what the last run left, and keeps the rules of single shows from here on.
  func start() {
    downloader.setRules(rules())
    downloader.start()
  }

  /// Fetches what the podcasts with automatic downloads have got. Writes settings: call it where writes run.
  func fetchNew() throws(StoreError) {
    let wanted = try library.takeEpisodesToDownload(standard: preferences.automatic)
    if !wanted.isEmpty { downloader.download(wanted) }
  }

  func setAutomatic(_ podcast: PodcastID, count: Int?) throws(StoreError) {
    try library.setAutomaticDownloads(of: podcast, count: count)
    try fetchNew()
  }

  func setKept(_ podcast: PodcastID, count: Int?) throws(StoreError) {
    try library.update(settingsOf: podcast) { $0.keepDownloads = count }
    downloader.setRules(rules())
  }

  private func rules() -> CleanUpRules {
    var rules = preferences.rules
    // A library that cannot be read removes nothing more than the general rules say.
    for (podcast, settings) in (try? library.podcastSettings()) ?? [:] {
      if let keep = settings.keepDownloads { rules.keepOfShow[podcast] = keep }
    }
    return rules
  }
}
