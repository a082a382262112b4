import AppCore
import Downloads
import FeedKit
import Foundation
import HTTP
import Logging
import Model
import Playback
import Services
import Store
import Streams
import Sync

// Initializers that configure the services for the player and for the verbs.

extension FeedClient {
  static func standard(_ configuration: Configuration) -> FeedClient {
    FeedClient(http: HTTPClient(options: .standard(configuration)))
  }
}

extension HTTPOptions {
  static func standard(_ configuration: Configuration) -> HTTPOptions {
    var options = HTTPOptions()
    options.requestsPerHost = configuration.maxPerHost
    options.userAgent = Version.userAgent
    options.pages = configuration.sites
    return options
  }
}

extension StreamService {
  /// - Parameter keepsCopies: false for a stream that is read once.
  init(_ configuration: Configuration, keepsCopies: Bool = true) {
    self.init(
      directory: configuration.directories.cache + "/streams", limit: keepsCopies ? configuration.streamCacheBytes : 0,
      http: .standard(configuration))
  }
}

extension Resources {
  /// With the podcasts of the library that are folders.
  init(library: Library, _ directories: Directories) {
    self.init()
    folders = FolderFiles(library: library, cache: directories.cache, executable: executable)
  }
}

extension SyncPassword.Source {
  init(_ configuration: Configuration) {
    self.init(
      file: configuration.directories.data + "/sync-password", command: configuration.sync.passwordCommand,
      environment: ProcessEnvironment.variables)
  }
}

extension SyncService {
  init(library: Library, _ configuration: Configuration) {
    var options = HTTPOptions.standard(configuration)
    // The account has the pause that its server asks for. A new sign-in ends it, also one by another process.
    options.pausesHosts = false
    self.init(
      library: library, every: configuration.sync.every, transcripts: configuration.sync.transcripts,
      passwords: SyncPassword.Source(configuration), client: HTTPClient(options: options))
  }
}

extension DownloadRunner {
  convenience init(
    library: Library, configuration: Configuration, streams: StreamCache?, report: @escaping Downloader.Report
  ) {
    var options = configuration.downloads.options
    options.directory = configuration.directories.downloads
    self.init(
      library: library, options: options, automatic: configuration.downloads.automatic, http: .standard(configuration),
      streams: streams, report: report)
  }
}

extension PlayerOptions {
  /// The options with the device that the listener chose.
  static func chosen(
    _ configuration: Configuration, _ library: Library, _ streams: StreamService
  ) throws -> PlayerOptions {
    var options = standard
    options.streams = streams
    options.device = try configuration.audioDevice ?? library.setting(Setting.device.rawValue)
    return options
  }

  /// The default output. `EARSHOT_AO` names another one for tests and for machines without sound: `null`, or
  /// `wav:FILE`.
  static var standard: PlayerOptions {
    var options = PlayerOptions()
    options.userAgent = Version.userAgent
    switch ProcessEnvironment.variables["EARSHOT_AO"] {
    case "null": options.output = .null(isTimed: true)
    case let output? where output.hasPrefix("wav:"): options.output = .wave(path: String(output.dropFirst(4)))
    default: break
    }
    return options
  }
}

extension HookRunner {
  /// Nil if there are no hooks.
  convenience init?(_ configuration: Configuration, log: Logger, tell: @escaping @Sendable (String) -> Void) {
    guard !configuration.hooks.isEmpty else { return nil }
    let program = HookProgram(environment: ProcessEnvironment.variables, log: log)
    self.init(configuration.hooks, log: log, run: program.run, tell: tell)
  }
}
