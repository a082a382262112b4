import Foundation
import Model

/// A question to the library that carries its own receiver. It is asked with `State.ask`, and again after a change of
/// the library with `State.askIfStale`.
public protocol LibraryQuestion: Equatable, Sendable {
  associatedtype Value: Sendable

  /// Reads the answer, on the queue for reads. Nil: what it asks about is no longer in the library.
  func read(_ library: any LibraryReader) throws -> Value?

  /// Shows the answer, or goes on with it.
  func receive(_ value: Value, _ state: inout State) -> [Effect]

  /// Handles that it could not be read. By default the reason is shown.
  func fail(_ error: ReportedError, _ state: inout State)

  /// Who waits for the answer.
  var destination: AnswerDestination { get }

  /// Whether the answer to an earlier question of the same type is no longer wanted.
  func replaces(_ earlier: Self) -> Bool

  /// Whether reading may create an episode, so that it belongs on the queue for writes.
  static var mayWrite: Bool { get }
}

/// Who waits for the answer to a question to the library.
public enum AnswerDestination: Sendable {
  /// It opens an overlay. Keys that follow wait for it.
  case overlay
  /// The current screen shows it. The next frame waits a few milliseconds for it.
  case screen
  /// Nobody.
  case later
}

extension LibraryQuestion {
  public var destination: AnswerDestination { .overlay }
  public static var mayWrite: Bool { false }
  public func replaces(_ earlier: Self) -> Bool { true }
  public func fail(_ error: ReportedError, _ state: inout State) { state.showMessage(.error, error.text) }

  public func answer(_ value: Value) -> Answer { .received { receive(value, &$0) } }

  fileprivate func isEqual(_ other: any LibraryQuestion) -> Bool { self == other as? Self }
  fileprivate func replaces(any earlier: any LibraryQuestion) -> Bool { (earlier as? Self).map(replaces) ?? false }
}

/// What a `LibraryQuestion` can read: `Library` of Store has these functions.
public protocol LibraryReader {
  func podcastRows() throws -> [PodcastRow]
  /// The episodes of the queue, in order.
  func queueRows() throws -> [EpisodeRow]
  /// The list of a query, with about `count` rows around the selected episode.
  func episodeList(_ query: EpisodeQuery, around selected: EpisodeID?, count: Int) throws -> EpisodeListing
  func episode(_ id: EpisodeID) throws -> EpisodeDetail?
  /// The details with the notes as a document.
  func details(of episode: EpisodeID) throws -> (EpisodeDetail, Document)?
  func details(of podcast: PodcastID) throws -> (PodcastDetail, Document)?
  /// The items of a playlist; only those whose episodes match, if there is a filter.
  func contents(of playlist: PlaylistID, _ filter: EpisodeFilter?) throws -> PlaylistContents
  func suggestionRows() throws -> [Suggestion]
  /// The ids of the subscriptions by every name under which a directory may list them.
  func subscriptionNames() throws -> [String: PodcastID]
  /// The episode of a trailer or a live item. It is created if needed.
  func episode(of media: ExtraMedia, in podcast: PodcastID) throws -> EpisodeID?
  func playlistRows() throws -> [Playlist]
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

/// The ids of a list, the rows near the selection, and the episode to begin with if the list is heard from the first to
/// the last.
public typealias EpisodeListing = (ids: [EpisodeID], rows: [EpisodeRow], start: EpisodeID?)

/// Any `LibraryQuestion`, so that effects can be compared.
public struct AnyLibraryQuestion: Equatable, Sendable {
  public let question: any LibraryQuestion

  public init(_ question: some LibraryQuestion) { self.question = question }

  /// Called on the queue for reads, or for writes if it `mayWrite`.
  public func answer(_ library: any LibraryReader) throws -> Answer { try Self.answer(question, library) }

  public var mayWrite: Bool { type(of: question).mayWrite }

  func replaces(_ earlier: AnyLibraryQuestion) -> Bool { question.replaces(any: earlier.question) }

  public static func == (one: AnyLibraryQuestion, other: AnyLibraryQuestion) -> Bool {
    one.question.isEqual(other.question)
  }

  private static func answer(_ question: some LibraryQuestion, _ library: any LibraryReader) throws -> Answer {
    try question.read(library).map(question.answer) ?? .gone
  }
}
