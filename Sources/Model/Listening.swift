import Foundation

/// A mark of the listener in an episode: a clip, a bookmark, a part to skip, or a note about the episode. Times are in
/// seconds.
public struct Clip: Sendable, Equatable, Identifiable {
  public enum Kind: String, Sendable, Equatable, Codable {
    /// A part to hear again, or a bookmark.
    case clip
    /// A part that is always jumped over.
    case skip
    /// A note about the whole episode.
    case note
  }

  public var id: ClipID
  public var kind: Kind
  public var episode: EpisodeID
  public var startTime: Double
  /// Nil for a bookmark, and for a note about the episode.
  public var endTime: Double?
  public var duration: Double? { endTime.map { $0 - startTime } }
  public var isBookmark: Bool { kind == .clip && endTime == nil }
  public var title: String?
  /// What the listener wrote about it.
  public var note: String?
  public var dateCreated: Date
  public var clipURL: String?
  /// A random id of the device, never an e-mail address.
  public var userID: String
  public var tags: [String]
  public init(
    id: ClipID, kind: Kind = .clip, episode: EpisodeID, startTime: Double, endTime: Double?, title: String? = nil,
    note: String? = nil, dateCreated: Date, clipURL: String? = nil, userID: String, tags: [String] = []
  ) {
    self.id = id
    self.kind = kind
    self.note = note
    self.episode = episode
    self.startTime = startTime
    self.endTime = endTime
    self.title = title
    self.dateCreated = dateCreated
    self.clipURL = clipURL
    self.userID = userID
    self.tags = tags
  }
}

/// A change of one property of a clip. The others stay as they are stored: another device may have changed them.
public enum ClipChange: Sendable, Equatable {
  /// Seconds. An end of the clip that is nil stays. A bookmark that gets an end is a clip.
  case times(start: Double?, end: Double?)
  /// Makes it a part that is always skipped.
  case skip(start: Double, end: Double)
  case title(String)
  case tags([String])

  public func apply(to clip: inout Clip) {
    switch self {
    case .times(let start, let end):
      clip.startTime = start ?? clip.startTime
      clip.endTime = end ?? clip.endTime
    case .skip(let start, let end): (clip.kind, clip.startTime, clip.endTime) = (.skip, start, end)
    case .title(let title): clip.title = title
    case .tags(let tags): clip.tags = tags
    }
  }
}

/// A podcast, an episode or a clip, which can have tags.
public enum TagOwner: Equatable, Sendable {
  case podcast(PodcastID)
  case episode(EpisodeID)
  case clip(ClipID)
}

/// Who may see a playlist (Podverse schema).
public enum SharePermission: String, Sendable, Equatable, Codable {
  case isPublic, isSharableWithLink, isPrivate
}

/// A named, ordered list of episodes and clips.
public struct Playlist: Sendable, Equatable, Identifiable {
  public enum Item: Sendable, Equatable, Hashable {
    case episode(EpisodeID)
    case clip(ClipID)
  }
  public var id: PlaylistID
  public var title: String
  public var slug: String?
  public var url: String?
  public var sharePermission: SharePermission
  public var lastUpdated: Date
  public var isMyEpisodes: Bool
  public var isMyClips: Bool
  public var items: [Item]
  /// The `EpisodeFilter` of a smart playlist as text. Smart playlists have no items.
  public var filter: String?
  public var isSmart: Bool { filter != nil }

  /// Whether two titles differ at most in case. Then they would be found by the same words.
  public static func isSameTitle(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }

  public init(
    id: PlaylistID, title: String, slug: String? = nil, url: String? = nil,
    sharePermission: SharePermission = .isPrivate, lastUpdated: Date, isMyEpisodes: Bool = false,
    isMyClips: Bool = false, items: [Item] = [], filter: String? = nil
  ) {
    self.id = id
    self.title = title
    self.slug = slug
    self.url = url
    self.sharePermission = sharePermission
    self.lastUpdated = lastUpdated
    self.isMyEpisodes = isMyEpisodes
    self.isMyClips = isMyClips
    self.items = items
    self.filter = filter
  }
}

/// Something that happened to an episode. Events are the history, and sync sends them to other devices. Positions are
/// in seconds.
public struct ListeningEvent: Sendable, Equatable {
  /// What happened.
  public enum Kind: Sendable, Equatable {
    /// A span was played.
    case play(from: Double, to: Double, total: Double?)
    case start
    case pause
    case delete
    case download
    /// Marked as new.
    case new
    /// Played to the end, or marked as played.
    case played
  }
  public var episode: EpisodeID
  public var kind: Kind
  public var timestamp: Date
  /// The playing speed of a span: 1.5 is one and a half times normal speed. Nil if unknown.
  public var speed: Double?
  public init(episode: EpisodeID, kind: Kind, timestamp: Date, speed: Double? = nil) {
    self.episode = episode
    self.kind = kind
    self.timestamp = timestamp
    self.speed = speed
  }
}

/// Time that the listener saved by skipping, not by a higher speed.
public struct SavedTime: Sendable, Equatable {
  public enum Kind: String, Sendable, Equatable, Codable, CaseIterable {
    case silence
    /// Intros and outros that the settings of a podcast skip.
    case intro
    case chapter
    /// Parts that the listener has marked to be skipped.
    case part
  }

  public var kind: Kind
  /// In real time, at the current speed.
  public var seconds: Double
  public init(_ kind: Kind, seconds: Double) {
    self.kind = kind
    self.seconds = seconds
  }
}

/// A part of an episode that is to be skipped, in seconds.
public struct SkippedPart: Sendable, Equatable, Codable {
  public var start: Double
  public var end: Double
  /// Such as “Advertisement”.
  public var label: String?
  public init(start: Double, end: Double, label: String? = nil) {
    self.start = start
    self.end = end
    self.label = label
  }
}
