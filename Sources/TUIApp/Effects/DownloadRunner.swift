import Downloads
import FeedKit
import Foundation
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
    options.credentials = { podcast, address in library.credentials(of: podcast, for: address) }
    downloader = Downloader(
      library: library, http: HTTPOptions.standard(configuration), options: options, report: report)
  }

  /// Goes on with what the last run left, and keeps the rules of single shows from here on.
  func start() {
    downloader.setRules(rules())
    downloader.start()
  }

  /// Fetches what the shows with automatic downloads have got. Each show remembers up to which episode it has looked,
  /// so that what the listener cancelled does not come again. Reads and writes settings: call it where writes run.
  func fetchNew() throws(StoreError) {
    var wanted: [EpisodeID] = []
    for podcast in try library.podcasts() {
      var settings = try library.settings(PodcastSettings.self, of: podcast.id) ?? PodcastSettings()
      let count = settings.autoDownload ?? preferences.automatic
      guard count > 0 else { continue }
      let mark = settings.autoDownloadAfter.map { EpisodeID($0) }
      wanted += try library.episodesToDownload(of: podcast.id, after: mark, limit: count)
      let newest = try library.newestEpisodeID()
      guard newest != mark else { continue }
      settings.autoDownloadAfter = newest?.rawValue
      try library.setSettings(settings, of: podcast.id)
    }
    if !wanted.isEmpty { downloader.download(wanted) }
  }

  func setAutomatic(_ podcast: PodcastID, count: Int) throws(StoreError) {
    var settings = try library.settings(PodcastSettings.self, of: podcast) ?? PodcastSettings()
    settings.setAutomaticDownloads(count, newest: try library.newestEpisodeID())
    try library.setSettings(settings, of: podcast)
    try fetchNew()
  }

  func setKept(_ podcast: PodcastID, count: Int?) throws(StoreError) {
    var settings = try library.settings(PodcastSettings.self, of: podcast) ?? PodcastSettings()
    settings.keepDownloads = count
    try library.setSettings(settings, of: podcast)
    downloader.setRules(rules())
  }

  private func rules() -> CleanUpRules {
    var rules = preferences.rules
    // A library that cannot be read removes nothing more than the general rules say.
    for podcast in (try? library.podcasts()) ?? [] {
      let settings = try? library.settings(PodcastSettings.self, of: podcast.id)
      if let keep = settings?.keepDownloads { rules.keepOfShow[podcast.id] = keep }
    }
    return rules
  }
}
