import Foundation

/// An RSS `enclosure`, an Atom `link rel=enclosure` or a `media:content`.
public struct Enclosure: Sendable, Equatable, Codable {
  public var url: String
  public var type: String?
  public var bytes: Int64?
  public init(url: String, type: String? = nil, bytes: Int64? = nil) {
    self.url = url
    self.type = type
    self.bytes = bytes
  }
}

extension Enclosure {
  /// Whether it is a torrent (PeerTube), which cannot be played.
  public var isTorrent: Bool {
    type?.lowercased().hasPrefix("application/x-bittorrent") ?? false || url.addressExtension == "torrent"
  }

  /// Whether the file can be played instead of the enclosure: no torrent, no other scheme than http (ipfs, magnet), and
  /// no host that only Tor reaches.
  public var isPlayableSource: Bool {
    guard !isTorrent, let parts = AddressParts(url), ["http", "https"].contains(parts.scheme) else { return false }
    let name = parts.host.lowercased().prefix { $0 != ":" }
    return !(name.hasSuffix(".") ? name.dropLast() : name).hasSuffix(".onion")
  }
}

/// A chapter from a JSON file, Podlove simple chapters or the media file. `start` and `end` are in seconds.
public struct Chapter: Sendable, Equatable, Codable {
  public var start: Double
  public var end: Double?
  public var title: String?
  public var url: String?
  public var image: String?
  /// `"toc": false` in JSON chapters: the chapter is not listed. It only changes the picture.
  public var hidden: Bool
  /// Nil for the chapters that feed or file state as such.
  public var origin: Origin?
  /// The place that the chapter is about (JSON chapters).
  public var location: FeedLocation?

  /// Where chapters come from that nobody has stated as such.
  public enum Origin: String, Sendable, Codable {
    /// Lines with times in the show notes.
    case notes
  }

  public init(
    start: Double, end: Double? = nil, title: String? = nil, url: String? = nil, image: String? = nil,
    hidden: Bool = false, origin: Origin? = nil, location: FeedLocation? = nil
  ) {
    self.start = start
    self.end = end
    self.title = title
    self.url = url
    self.image = image
    self.hidden = hidden
    self.origin = origin
    self.location = location
  }
}

/// podcast:transcript: the address of a transcript and its format.
public struct TranscriptLink: Sendable, Equatable, Codable {
  public var url: String
  public var type: String?
  public var language: String?
  public init(url: String, type: String? = nil, language: String? = nil) {
    self.url = url
    self.type = type
    self.language = language
  }
}

/// A transcript of any format as lines in order of time.
public struct Transcript: Sendable, Equatable, Codable {
  /// One line. `start` and `end` are in seconds; nil if the transcript has no times.
  public struct Line: Sendable, Equatable, Codable {
    public var start: Double?
    public var end: Double?
    public var speaker: String?
    public var text: String
    public init(start: Double?, end: Double? = nil, speaker: String? = nil, text: String) {
      self.start = start
      self.end = end
      self.speaker = speaker
      self.text = text
    }
  }
  public var lines: [Line]
  /// Nil: the publisher's.
  public var origin: TranscriptOrigin?
  public init(lines: [Line], origin: TranscriptOrigin? = nil) {
    self.lines = lines
    self.origin = origin
  }
}

/// podcast:soundbite, in seconds.
public struct Soundbite: Sendable, Equatable, Codable {
  public var startTime: Double
  public var duration: Double
  public var title: String?
  public init(startTime: Double, duration: Double, title: String? = nil) {
    self.startTime = startTime
    self.duration = duration
    self.title = title
  }
}

/// podcast:person.
public struct Person: Sendable, Equatable, Codable {
  public var name: String
  public var role: String?
  public var group: String?
  public var href: String?
  public var img: String?
  public init(name: String, role: String? = nil, group: String? = nil, href: String? = nil, img: String? = nil) {
    self.name = name
    self.role = role
    self.group = group
    self.href = href
    self.img = img
  }
}

/// podcast:funding.
public struct Funding: Sendable, Equatable, Codable {
  public var url: String
  public var message: String?
  public init(url: String, message: String? = nil) {
    self.url = url
    self.message = message
  }
}

/// podcast:remoteItem: another podcast, or one of its episodes.
public struct RemoteItem: Sendable, Hashable, Codable {
  public var feedGuid: String?
  public var feedURL: String?
  public var itemGuid: String?
  public var medium: String?
  public var title: String?
  public init(
    feedGuid: String? = nil, feedURL: String? = nil, itemGuid: String? = nil, medium: String? = nil,
    title: String? = nil
  ) {
    self.feedGuid = feedGuid
    self.feedURL = feedURL
    self.itemGuid = itemGuid
    self.medium = medium
    self.title = title
  }
}

/// podcast:liveItem: an item that is announced or on air.
public struct LiveItem: Sendable, Equatable {
  /// "pending", "live" or "ended".
  public var status: String
  public var start: Date?
  public var end: Date?
  /// podcast:contentLink: web addresses for listeners whose player cannot play the enclosure.
  public var contentLinks: [String]
  public var episode: FeedEpisode
  public init(
    status: String, start: Date? = nil, end: Date? = nil, contentLinks: [String] = [],
    episode: FeedEpisode = FeedEpisode()
  ) {
    self.status = status
    self.start = start
    self.end = end
    self.contentLinks = contentLinks
    self.episode = episode
  }
}

/// One object, with the keys of the episode.
extension LiveItem: Codable {
  private enum CodingKeys: CodingKey { case status, start, end, contentLinks }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    status = try values.decode(String.self, forKey: .status)
    start = try values.decodeIfPresent(Date.self, forKey: .start)
    end = try values.decodeIfPresent(Date.self, forKey: .end)
    contentLinks = try values.decodeIfPresent([String].self, forKey: .contentLinks) ?? []
    episode = try FeedEpisode(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(status, forKey: .status)
    try values.encodeIfPresent(start, forKey: .start)
    try values.encodeIfPresent(end, forKey: .end)
    try values.encodeIfPresent(contentLinks.isEmpty ? nil : contentLinks, forKey: .contentLinks)
    try episode.encode(to: encoder)
  }
}

extension LiveItem {
  /// Whether the item is on air. Only `status` decides, because the times are only announcements.
  public var isOnAir: Bool { status.lowercased() == "live" }
  public var isAnnounced: Bool { status.lowercased() == "pending" }

  /// Identifies the item within its feed.
  public var key: String { episode.guid ?? episode.mediaURL ?? episode.title ?? "" }
}

/// podcast:trailer.
public struct Trailer: Sendable, Equatable, Codable {
  public var title: String?
  public var url: String
  public var pubDate: Date?
  public var bytes: Int64?
  public var type: String?
  public var season: Int?
  public init(
    title: String? = nil, url: String, pubDate: Date? = nil, bytes: Int64? = nil, type: String? = nil,
    season: Int? = nil
  ) {
    self.title = title
    self.url = url
    self.pubDate = pubDate
    self.bytes = bytes
    self.type = type
    self.season = season
  }
}

/// podcast:alternateEnclosure. `bitrate` is in bits a second, `length` in bytes.
public struct AlternateEnclosure: Sendable, Equatable, Codable {
  public var type: String?
  public var length: Int64?
  public var bitrate: Double?
  public var title: String?
  public var isDefault: Bool
  public var sources: [String]
  public init(
    type: String? = nil, length: Int64? = nil, bitrate: Double? = nil, title: String? = nil,
    isDefault: Bool = false, sources: [String] = []
  ) {
    self.type = type
    self.length = length
    self.bitrate = bitrate
    self.title = title
    self.isDefault = isDefault
    self.sources = sources
  }
}

/// podcast:updateFrequency. `rule` is an RRULE of RFC 5545.
public struct UpdateFrequency: Sendable, Equatable, Codable {
  public var text: String?
  public var complete: Bool
  public var start: Date?
  public var rule: String?
  public init(text: String? = nil, complete: Bool = false, start: Date? = nil, rule: String? = nil) {
    self.text = text
    self.complete = complete
    self.start = start
    self.rule = rule
  }
}

/// podcast:value. It is only shown, because Earshot has no wallet.
public struct ValueBlock: Sendable, Equatable, Codable {
  /// Who receives a share of the payments (podcast:valueRecipient). `split` is the number of shares.
  public struct Recipient: Sendable, Equatable, Codable {
    public var name: String?
    public var type: String?
    public var address: String?
    public var split: Int?
    /// The share is a fee for a service, and is taken before the others.
    public var fee: Bool?
    /// What a payment has to carry so that it reaches the recipient.
    public var customKey: String?
    public var customValue: String?
    public init(
      name: String? = nil, type: String? = nil, address: String? = nil, split: Int? = nil, fee: Bool? = nil,
      customKey: String? = nil, customValue: String? = nil
    ) {
      self.name = name
      self.type = type
      self.address = address
      self.split = split
      self.fee = fee
      self.customKey = customKey
      self.customValue = customValue
    }
  }
  public var type: String?
  public var method: String?
  public var suggested: String?
  public var recipients: [Recipient]
  public init(type: String? = nil, method: String? = nil, suggested: String? = nil, recipients: [Recipient] = []) {
    self.type = type
    self.method = method
    self.suggested = suggested
    self.recipients = recipients
  }
}

/// podcast:txt.
public struct PurposeText: Sendable, Equatable, Codable {
  public var purpose: String?
  public var text: String
  public init(purpose: String? = nil, text: String) {
    self.purpose = purpose
    self.text = text
  }
}
