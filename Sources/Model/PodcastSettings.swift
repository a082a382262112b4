/// The listener's settings for one podcast. A nil field means the general setting. They are stored as JSON, so that
/// later versions can add fields. Passwords are stored elsewhere: see `Credentials`.
public struct PodcastSettings: Codable, Equatable, Sendable {
  /// The playback settings.
  public var playback: PlaybackSettings?
  /// How many of the newest episodes are downloaded after a refresh; 0: none.
  public var autoDownload: Int?
  /// The id of the newest episode that automatic downloads have handled.
  public var autoDownloadAfter: Int64?
  /// How many downloaded files are kept.
  public var keepDownloads: Int?
  /// How many episodes of its back catalogue count as new.
  public var newEpisodes: CatalogueRule?
  /// The order of its list. Nil: as its feed says.
  public var order: EpisodeOrder?
  /// As it is stored, which may be damaged.
  private var userAgentText: String?

  /// What its servers are told instead of Earshot's own name. Nil: that name.
  public var userAgent: UserAgent? {
    get { userAgentText.flatMap { UserAgent($0) } }
    set { userAgentText = newValue?.description }
  }

  /// Some value could not be read: it is damaged, or a newer version has stored it. It counts as not set. Nothing is
  /// deleted or downloaded by what is left, because that value may have forbidden it.
  public private(set) var isDamaged = false

  public init() {}

  /// Settings of which nothing could be read.
  public static var damaged: PodcastSettings {
    var settings = PodcastSettings()
    settings.isDamaged = true
    return settings
  }

  /// A value of another type counts as missing, because each list of the library needs the other values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var isDamaged = false
    func read<Value: Decodable>(_ key: CodingKeys) -> Value? {
      if let value = try? values.decodeIfPresent(Value.self, forKey: key) { return value }
      isDamaged = isDamaged || (values.contains(key) && (try? values.decodeNil(forKey: key)) != true)
      return nil
    }
    playback = read(.playback)
    autoDownload = read(.autoDownload)
    autoDownloadAfter = read(.autoDownloadAfter)
    keepDownloads = read(.keepDownloads)
    newEpisodes = read(.newEpisodes)
    order = read(.order)
    userAgentText = read(.userAgentText)
    self.isDamaged = isDamaged
  }

  /// The numbers of automatic downloads and of kept files that the listener can set.
  public static let automaticDownloads = 0...100
  public static let keptFiles = 1...1000

  /// Whether all values are such as the listener can set. Those of another device may not be.
  public var isWithinLimits: Bool {
    !isDamaged && (playback?.isWithinLimits ?? true) && (autoDownload.map(Self.automaticDownloads.contains) ?? true)
      && (keepDownloads.map(Self.keptFiles.contains) ?? true)
  }

  /// The names in the database, which later versions must read. `playback` was once called `show`.
  private enum CodingKeys: String, CodingKey {
    case playback = "show"
    case userAgentText = "userAgent"
    case autoDownload, autoDownloadAfter, keepDownloads, newEpisodes, order
  }

  /// A change of one setting. Nil returns to the general setting.
  public enum Change: Sendable, Equatable {
    case playback(PlaybackSettings.Change)
    case autoDownload(Int?)
    case keepDownloads(Int?)
    case newEpisodes(CatalogueRule?)
    case order(EpisodeOrder?)
    case userAgent(UserAgent?)
  }

  /// - Parameter newest: the newest episode of the library. If automatic downloads are turned off now, only later
  ///   episodes count when they are turned on again.
  public mutating func apply(_ change: Change, newest: EpisodeID?) {
    switch change {
    case .playback(let change): apply(change)
    case .autoDownload(let count):
      autoDownload = count
      // After turning them on, the newest episodes are downloaded at once.
      autoDownloadAfter = count ?? 1 > 0 ? nil : newest?.rawValue
    case .keepDownloads(let count): keepDownloads = count
    case .newEpisodes(let rule): newEpisodes = rule
    case .order(let order): self.order = order
    case .userAgent(let userAgent): self.userAgent = userAgent
    }
  }

  /// A reset is one of all settings of the podcast.
  public mutating func apply(_ change: PlaybackSettings.Change) {
    if change == .reset { self = PodcastSettings() }
    var playback = playback ?? PlaybackSettings()
    playback.apply(change)
    self.playback = playback == PlaybackSettings() ? nil : playback
  }
}
