import Foundation
import Model
import TerminalKit

/// Numbers the questions that State asks, so that a late answer can be told from the one that is awaited.
public typealias RequestID = Int

/// Everything that can happen to the program. Time arrives beside it; see `update`.
public enum Action: Sendable {
  case input(InputEvent)
  /// The same, of more input than anybody gives by hand.
  case flood(InputEvent)
  case player(PlayerEvent)
  case library(LibraryAnswer)
  case refresh(RefreshReport)
  /// A podcast was added, or why not. `request` is the one of `Effect.add`.
  case added(RequestID, Result<AddedPodcast, ReportedError>)
  /// A podcast that is being added, as far as it has arrived. `request` is the one of `Effect.add`.
  case arriving(RequestID, ArrivingPodcast)
  /// The theme that was asked for.
  case theme(Theme)
  case message(Message)
  /// No program was there to open this address with.
  case linkNotOpened(String)
  /// A picture as cells; nil when there is none to be had.
  case cover(CoverRequest, CoverAnswer)
  /// The terminal shows pictures otherwise than it was thought to, or its cells have another size.
  case coversOutdated
  case download(DownloadReport)
  /// Media keys and `earshot ctl`.
  case remote(RemoteCommand)
  /// A signal, or the terminal hung up: save and go.
  case terminate
  /// The terminal is ours again after a suspension.
  case resumed
}

/// Answers of the store.
public enum LibraryAnswer: Sendable {
  case podcasts([PodcastRow])
  case episodes(RequestID, EpisodeQuery, ids: [EpisodeID], rows: [EpisodeRow])
  case rows([EpisodeRow])
  case episode(RequestID, EpisodeDetail, Document)
  case podcast(RequestID, PodcastDetail, Document)
  case queue([EpisodeRow])
  case found(RequestID, words: String, [SearchHit])
  /// What `undo` brought back, in words; nil when there was nothing.
  case undone(String?)
  /// Something was written: what is shown must be asked for again.
  case changed
  case playlists([PlaylistRow])
  case playlist(RequestID, PlaylistContents)
  case transcript(EpisodeID, Result<Transcript, ReportedError>)
  /// `Effect.play` found the episode and hands it to the player from this second.
  case playing(generation: Int, EpisodeRow, [Chapter], from: Double)
  case failed(ReportedError)
  /// A show's own settings: of what is about to be played (told before `playing`), or to be shown.
  case show(PodcastID, ShowSettings, opens: Bool)
  /// How long the file was when it was left; told before `playing`.
  case left(generation: Int, total: Double?)
  /// All chapters that are known of the load, merged.
  case chapters(generation: Int, [Chapter])
}

/// How a refresh gets on.
public enum RefreshReport: Equatable, Sendable {
  case started(total: Int)
  /// Podcasts that failed before and are asked again later; after `started`.
  case putOff([PodcastRow])
  /// `fresh` counts new episodes of this podcast.
  case podcast(title: String, done: Int, total: Int, fresh: Int)
  case failed(title: String, ReportedError, done: Int, total: Int)
  case finished(new: Int, unchanged: Int, failed: Int)
}

public struct AddedPodcast: Equatable, Sendable {
  public var id: PodcastID
  public var title: String
  public var episodes: Int
  /// The listener was subscribed to it before.
  public var wasKnown: Bool
  public init(id: PodcastID, title: String, episodes: Int, wasKnown: Bool = false) {
    self.id = id
    self.title = title
    self.episodes = episodes
    self.wasKnown = wasKnown
  }
}

/// An error in words for people. Modules make the words; AppCore shows them.
public struct ReportedError: Error, Equatable, Sendable {
  public var text: String
  public init(_ text: String) { self.text = text }
}

/// A line for the status bar and the log.
public struct Message: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case note, success, warning, error

    /// It says that something is not as it should be.
    var isGrave: Bool { self == .warning || self == .error }

    /// In words, so that colour is never alone.
    var sign: String {
      switch self {
      case .note, .success: ""
      case .warning: "Warning: "
      case .error: "Error: "
      }
    }
  }
  public var kind: Kind
  public var text: String
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

/// An episode that a search of the whole library found.
public struct SearchHit: Equatable, Sendable {
  public var row: EpisodeRow
  public var place: SearchPlace
  public init(row: EpisodeRow, place: SearchPlace) {
    self.row = row
    self.place = place
  }
}

/// Where in an episode a search hit.
public struct SearchPlace: Equatable, Sendable {
  /// Plain text around the words; may be empty.
  public var snippet: String
  /// Seconds: where to play from, when the words are those of a chapter or of the transcript.
  public var time: Double?
  public init(snippet: String, time: Double? = nil) {
    self.snippet = snippet
    self.time = time
  }
}
