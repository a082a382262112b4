import Foundation

/// The contents of a feed document, as parsed by FeedKit, before it is stored. `nil` and empty values mean that the
/// feed does not have them.
public struct Feed: Sendable, Equatable, Encodable {
  public var podcast: FeedPodcast
  /// All items in document order, also those without media.
  public var episodes: [FeedEpisode]

  public init(podcast: FeedPodcast = FeedPodcast(), episodes: [FeedEpisode] = []) {
    self.podcast = podcast
    self.episodes = episodes
  }
}

/// The channel of a feed. The names are the keys of `earshot feed --json` and `earshot list --json`, and of what the
/// library stores. All have a default value, so that what older versions stored can be read.
public struct FeedPodcast: Sendable, Equatable, Codable {
  /// The address that was requested, not one named in the feed.
  public var feedURL: String?
  public var title: String?
  /// Plain text or HTML, as in the feed.
  public var summary: String?
  public var link: String?
  public var imageURL: String?
  public var itunesImageURL: String?
  public var iTunesAuthor: String?
  public var lastBuildDate: Date?
  public var lastPubDate: Date?
  /// "episodic" or "serial" (itunes:type).
  public var type: String?
  public var language: String?
  public var copyright: String?
  public var generator: String?
  public var explicit: Bool?
  public var block: Bool?
  public var locked: Bool?
  public var newFeedURL: String?
  /// RFC 5005 `atom:link rel=next` and `rel=first`.
  public var nextPageURL: String?
  public var firstPageURL: String?
  /// RFC 5005 `rel=prev-archive`. The two flags are `fh:archive` and `fh:complete`.
  public var previousArchiveURL: String?
  public var isArchive = false
  public var isComplete = false
  public var paymentURL: String?
  public var ownerName: String?
  public var ownerEmail: String?
  /// podcast:guid, a UUIDv5 that stays the same when the feed moves.
  public var guid: String?
  /// podcast:medium. Absent means "podcast".
  public var medium: String?
  public var categories: [String] = []
  public var keywords: [String] = []
  public var funding: [Funding] = []
  public var persons: [Person] = []
  public var podroll: [RemoteItem] = []
  public var liveItems: [LiveItem] = []
  public var trailers: [Trailer] = []
  public var updateFrequency: UpdateFrequency?
  /// podcast:podping: the feed announces new episodes over podping, so it should be requested less often.
  public var usesPodping = false
  /// Minutes for which the feed may be cached (RSS 2.0, `ttl`).
  public var timeToLive: Int?
  /// The period and the number of changes in it (RSS 1.0 syndication module, `sy:updatePeriod` and
  /// `sy:updateFrequency`). The period is one of `updatePeriods`.
  public var updatePeriod: String?
  public var updatesPerPeriod: Int?
  public var value: ValueBlock?
  public var texts: [PurposeText] = []
  public var location: FeedLocation?
  public var license: License?
  public var chats: [ChatRoom] = []
  /// podcast:publisher: the feed of its publisher.
  public var publisher: RemoteItem?
  /// podcast:remoteItem of the channel itself: the podcasts of a publisher's feed, or the episodes of a feed whose
  /// medium ends in "L".
  public var listed: [RemoteItem] = []
  /// The document is not well-formed XML or was cut off. The readable part is kept.
  public var damaged = false
  /// The document ended before the end of its root element, so items may be missing. It is `damaged`, too.
  public var isCutOff = false

  public init() {}

  /// Whether its episodes are parts that are heard from first to last (podcast:medium, itunes:type).
  public var isReadInOrder: Bool { type == "serial" || isBook }

  public var isBook: Bool { medium?.lowercased().hasPrefix("audiobook") ?? false }

  public static let updatePeriods: Set<String> = ["hourly", "daily", "weekly", "monthly", "yearly"]

  /// The minimum time between two requests that the feed asks for, in seconds: `ttl` or the `sy:` elements, whichever
  /// is longer. Nil if it has neither.
  public var minimumRefreshInterval: Double? {
    let seconds = ["hourly": 3600, "daily": 86_400, "weekly": 604_800, "monthly": 2_626_560, "yearly": 31_536_000.0]
    let period = updatePeriod.flatMap { seconds[$0] }.map { $0 / Double(max(updatesPerPeriod ?? 1, 1)) }
    let life = timeToLive.map { Double($0) * 60 }
    return [period, life].compactMap { $0 }.max()
  }
}

/// An item of a feed. The names are the keys of `earshot feed --json` and `earshot episodes --json`, and of what the
/// library stores.
public struct FeedEpisode: Sendable, Equatable, Codable {
  public var title: String?
  public var guid: String?
  /// The first audio or video enclosure, else the first enclosure.
  public var mediaURL: String?
  public var mediaType: String?
  public var mediaBytes: Int64?
  /// Plain text or HTML, as in the feed.
  public var summary: String?
  /// content:encoded, or the content of Atom.
  public var contentHTML: String?
  /// Whole seconds.
  public var duration: Int?
  public var pubDate: Date?
  public var updated: Date?
  public var link: String?
  public var imageURL: String?
  public var subtitle: String?
  public var author: String?
  public var season: Int?
  public var seasonName: String?
  public var episodeNumber: Int?
  /// podcast:episode `display`, shown instead of the number.
  public var episodeDisplay: String?
  /// "full", "trailer" or "bonus".
  public var episodeType: String?
  public var explicit: Bool?
  public var block: Bool?
  public var paymentURL: String?
  public var categories: [String] = []
  public var enclosures: [Enclosure] = []
  /// The address of a file of chapters: JSON (podcast:chapters), else XML (a link to Podlove simple chapters, if
  /// there are no `chapters`).
  public var chaptersURL: String?
  /// Podlove simple chapters, sorted by start.
  public var chapters: [Chapter] = []
  public var transcripts: [TranscriptLink] = []
  public var soundbites: [Soundbite] = []
  public var persons: [Person] = []
  public var alternateEnclosures: [AlternateEnclosure] = []
  public var funding: [Funding] = []
  public var value: ValueBlock?
  public var texts: [PurposeText] = []
  public var location: FeedLocation?
  public var license: License?
  public var chats: [ChatRoom] = []
  /// podcast:socialInteract, in order of priority: where people discuss the episode.
  public var comments: [CommentThread] = []
  /// True if the document ended inside this item, so that anything of it may be missing. Otherwise nil.
  public var isCutOff: Bool?

  public init() {}

  /// Whether the media is a torrent, which cannot be played.
  public var isTorrent: Bool { Enclosure(url: mediaURL ?? "", type: mediaType).isTorrent }
}

// MARK: JSON

// The compiler uses these for the types in this file: what is absent has its default value.

extension KeyedEncodingContainer {
  fileprivate mutating func encode<Element: Encodable>(_ list: [Element], forKey key: Key) throws {
    try encodeIfPresent(list.isEmpty ? nil : list, forKey: key)
  }
}

extension KeyedDecodingContainer {
  fileprivate func decode<Element: Decodable>(_ type: [Element].Type, forKey key: Key) throws -> [Element] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  fileprivate func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decodeIfPresent(type, forKey: key) ?? false
  }

  /// Older versions stored these values of an episode as a list of one.
  fileprivate func decodeIfPresent<Value: Decodable & OnceStoredAsList>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    guard contains(key) else { return nil }
    if let value = try? decode(type, forKey: key) { return value }
    return try decode([Value].self, forKey: key).first
  }
}

private protocol OnceStoredAsList {}
extension ValueBlock: OnceStoredAsList {}
extension FeedLocation: OnceStoredAsList {}
extension License: OnceStoredAsList {}
