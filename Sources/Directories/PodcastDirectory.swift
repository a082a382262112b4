import Foundation
import HTTP
import Model

/// A search in directories.
public struct DirectoryQuery: Sendable, Equatable {
  /// What is searched for.
  public enum Kind: Sendable, Equatable {
    case podcasts, episodes
    /// Episodes with a person as host or guest.
    case people
    /// The charts, of all genres or of one.
    case top(genre: Genre?)
  }

  public var words: String
  public var kind: Kind
  /// ISO 3166-1 alpha-2, upper case.
  public var country: String
  /// The maximum number of results per directory, at least 1.
  public var limit: Int

  public init(_ words: String = "", kind: Kind = .podcasts, country: String = "US", limit: Int = 30) {
    self.words = words
    self.kind = kind
    self.country = country
    self.limit = max(1, min(200, limit))
  }
}

/// The results of one directory.
public struct DirectoryAnswer: Sendable, Equatable {
  public var podcasts: [DirectoryPodcast] = []
  public var episodes: [DirectoryEpisode] = []
  /// The number of entries that have no feed or could not be read.
  public var skipped = 0

  /// Removes results beyond the limit.
  mutating func cut(to limit: Int) {
    podcasts.removeLast(max(0, podcasts.count - limit))
    episodes.removeLast(max(0, episodes.count - limit))
  }
}

extension DirectoryAnswer {
  /// Reads the entries of a list. An entry is skipped if `podcast` returns nil.
  init(_ entries: [JSONValue], podcast: (JSONValue) -> DirectoryPodcast?) {
    podcasts = entries.compactMap(podcast)
    skipped = entries.count - podcasts.count
  }

  /// As above, for entries that are episodes.
  init(_ entries: [JSONValue], episode: (JSONValue) -> DirectoryEpisode?) {
    episodes = entries.compactMap(episode)
    skipped = entries.count - episodes.count
  }
}

/// A podcast directory on the network. To add one, add a case to `DirectoryName`, a type with this protocol in a file
/// of its own, and a line in `DirectorySettings.directories`.
public protocol PodcastDirectory: Sendable {
  var name: DirectoryName { get }
  /// Whether the directory supports this kind of search. Otherwise it is not queried.
  func supports(_ kind: DirectoryQuery.Kind) -> Bool
  func find(_ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer
}

/// Why a directory returned nothing. The text names the directory.
public struct DirectoryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of failures.
  public enum Reason: Sendable, Equatable {
    case fetch(HTTPError)
    /// It refuses more requests until this time. Nil: the time is unknown.
    case rateLimited(until: Date? = nil)
    /// It refuses the request. The text is its own.
    case refused(String)
    /// The response does not have the documented form.
    case unreadable(String)
    /// A key or a secret is missing, or was refused.
    case key(String)
    case unknownCountry(String)
    /// It does not have what was requested. The text is a verb and its object.
    case absent(String)
  }

  /// The directory's display name.
  public var directory: String
  public var reason: Reason

  public init(_ directory: String, _ reason: Reason) {
    self.directory = directory
    self.reason = reason
  }

  public var isCancelled: Bool { reason == .fetch(.cancelled) }

  public var description: String {
    switch reason {
    case .fetch(let error): "\(directory): \(error.cause)"
    case .rateLimited(nil): "\(directory) accepts no more requests for a while"
    case .rateLimited(let until?): "\(directory) accepts no more requests until \(MinuteText.text(until))"
    case .refused(let why): "\(directory) refuses: \(why)"
    case .unreadable(let what): "\(directory) sent an answer that cannot be read: \(what)"
    case .key(let what): "\(directory): \(what)"
    case .absent(let what): "\(directory) \(what)"
    case .unknownCountry(let country): "\(directory) knows no country “\(country)”"
    }
  }
}
