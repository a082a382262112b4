import Foundation
import HTTP

/// What is looked for.
public struct DirectoryQuery: Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    case podcasts, episodes
    /// Episodes in which a person takes part.
    case people
    /// The charts, of all genres or of one (`Genre`).
    case top(genre: Genre?)
  }

  public var words: String
  public var kind: Kind
  /// ISO 3166-1 alpha-2, upper case.
  public var country: String
  /// At most so many results from each directory, from 1.
  public var limit: Int

  public init(_ words: String = "", kind: Kind = .podcasts, country: String = "US", limit: Int = 30) {
    self.words = words
    self.kind = kind
    self.country = country
    self.limit = max(1, min(200, limit))
  }
}

/// What one directory found.
public struct DirectoryAnswer: Sendable, Equatable {
  public var podcasts: [DirectoryPodcast] = []
  public var episodes: [DirectoryEpisode] = []
  /// Entries that name no feed, or that could not be read.
  public var skipped = 0

  public init(podcasts: [DirectoryPodcast] = [], episodes: [DirectoryEpisode] = [], skipped: Int = 0) {
    self.podcasts = podcasts
    self.episodes = episodes
    self.skipped = skipped
  }
}

/// One directory of podcasts on the network. To add one: a case of `DirectoryName`, a file with a type of this protocol,
/// and a line where `DirectorySettings` makes them.
public protocol PodcastDirectory: Sendable {
  var name: DirectoryName { get }
  /// False: this directory has nothing of that kind, and is not asked.
  func answers(_ kind: DirectoryQuery.Kind) -> Bool
  func find(_ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer
}

/// Why a directory gave nothing. The text names the directory.
public struct DirectoryError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Reason: Sendable, Equatable {
    case fetch(HTTPError)
    /// It asked to be left alone for a while.
    case rateLimited
    /// What came is not what its interface describes.
    case unreadable(String)
    /// A key or a secret is missing or was refused.
    case key(String)
    case unknownCountry(String)
    /// It answered that it has not what was asked for. A verb and its object.
    case absent(String)
  }

  /// Its title.
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
    case .rateLimited: "\(directory) takes no more questions for a minute or so"
    case .unreadable(let what): "\(directory) sent an answer that cannot be read: \(what)"
    case .key(let what): "\(directory): \(what)"
    case .absent(let what): "\(directory) \(what)"
    case .unknownCountry(let country): "\(directory) knows no country “\(country)”"
    }
  }
}
