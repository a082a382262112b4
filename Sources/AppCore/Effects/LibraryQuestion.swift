import Foundation
import Model

/// A question to the library that carries its own receiver. A command asks it once, with `State.ask`. The lists and
/// texts that a screen shows are `Question`s: they are asked again after each change.
public protocol LibraryQuestion: Equatable, Sendable {
  associatedtype Value: Sendable

  /// Reads the answer, on the queue for reads. Nil: what it asks about is no longer in the library.
  func read(_ library: any LibraryReader) throws -> Value?

  /// Shows the answer, or goes on with it.
  func receive(_ value: Value, _ state: inout State) -> [Effect]

  /// Whether the answer opens an overlay. Keys that follow wait for it.
  static var opensOverlay: Bool { get }

  /// Whether the answer to an earlier question of the same type is no longer wanted.
  func replaces(_ earlier: Self) -> Bool
}

extension LibraryQuestion {
  public static var opensOverlay: Bool { true }
  public func replaces(_ earlier: Self) -> Bool { true }

  public func answer(_ value: Value) -> Answer { .received { receive(value, &$0) } }

  fileprivate func isEqual(_ other: any LibraryQuestion) -> Bool { self == other as? Self }
  fileprivate func replaces(any earlier: any LibraryQuestion) -> Bool { (earlier as? Self).map(replaces) ?? false }
}

/// What a `LibraryQuestion` can read: `Library` of Store has these functions.
public protocol LibraryReader {
  func episode(_ id: EpisodeID) throws -> EpisodeDetail?
  func playlistRows() throws -> [PlaylistRow]
  /// How many episodes each smart playlist finds. Those with an invalid filter are missing.
  func smartPlaylistCounts() throws -> [PlaylistID: Int]
  func settings(of podcast: PodcastID) throws -> PodcastSettings
  func statistics() throws -> ListeningStatistics
  func transcribingList() throws -> [TranscribingItem]
  /// The episodes that are not played, in the same order.
  func unplayed(_ episodes: [EpisodeID]) throws -> [UnplayedEpisode]
  /// In seconds: what is left of those that were begun, and the whole length of the others.
  func length(of episodes: [EpisodeID]) throws -> Double
  func rules() throws -> [Rule]
  func rules(for podcast: PodcastID) throws -> [Rule]
  func preview(_ rule: Rule, now: Date) throws -> RulePreview
  func hiddenByRules(since: Date) throws -> [EpisodeID]
  func downloadedBytes() throws -> Int64
  func podcastSettings() throws -> [PodcastID: PodcastSettings]
  func episodeRows(_ ids: [EpisodeID]) throws -> [EpisodeRow]
  func year(_ year: Int) throws -> YearInListening
  func marks(of episode: EpisodeID) throws -> [Clip]
  func notedEpisodes() throws -> [NotedEpisode]
}

/// Any `LibraryQuestion`, so that effects can be compared.
public struct AnyLibraryQuestion: Equatable, Sendable {
  let question: any LibraryQuestion

  /// Called on the queue for reads.
  public func answer(_ library: any LibraryReader) throws -> Answer { try Self.answer(question, library) }

  var opensOverlay: Bool { type(of: question).opensOverlay }

  func replaces(_ earlier: AnyLibraryQuestion) -> Bool { question.replaces(any: earlier.question) }

  public static func == (one: AnyLibraryQuestion, other: AnyLibraryQuestion) -> Bool {
    one.question.isEqual(other.question)
  }

  private static func answer(_ question: some LibraryQuestion, _ library: any LibraryReader) throws -> Answer {
    try question.read(library).map(question.answer) ?? .gone
  }
}

extension State {
  /// Makes the effect that asks a question once.
  mutating func ask(_ question: some LibraryQuestion) -> Effect {
    let question = AnyLibraryQuestion(question: question)
    return ask(.once(question), for: .once(question))
  }
}
