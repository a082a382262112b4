import Foundation
import Model
import TerminalKit

/// Everything that can happen to the program. Time arrives beside it; see `update`.
public enum Action: Sendable {
  case input(InputEvent)
  /// The same, of more input than anybody gives by hand.
  case flood(InputEvent)
  case player(PlayerEvent)
  case answer(RequestID, Answer)
  /// A question could not be answered, or a refresh did not begin.
  case noAnswer(RequestID, ReportedError)
  case library(LibraryEvent)
  /// The id is that of `NetworkTask.refresh`.
  case refresh(RequestID, RefreshReport)
  /// A refresh that nobody asked for is over, here or in another process: the library has changed.
  case refreshedUnasked(new: Int)
  /// A podcast was added, or why not. The id is that of `NetworkTask.add`.
  case added(RequestID, Result<AddedPodcast, ReportedError>)
  /// A podcast that is being added, as far as it has arrived.
  case arriving(RequestID, ArrivingPodcast)
  /// What came of `FileTask.importLibrary`.
  case imported(Result<ImportCounts, ReportedError>)
  /// Names of files that begin as the line does: the answer to `FileTask.listFiles`.
  case fileNames([String], head: String)
  /// What directories have found so far. The id is that of `NetworkTask.discover`.
  case discover(RequestID, DiscoverReport)
  /// A podcast was fetched to be looked at, or why not. The id is that of `NetworkTask.visit`.
  case visited(RequestID, Result<VisitedPodcast, ReportedError>)
  /// Where a link leads was guessed by titles. The id is that of `NetworkTask.visit` or of `.add`.
  case ambiguous(RequestID, LinkMatches)
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
  case sync(SyncReport)
  /// Media keys and `earshot ctl`.
  case remote(RemoteCommand)
  /// Where the player is at this moment, a little after its last report. Comes before what may end the sound.
  case exactPosition(generation: Int, seconds: Double, seek: SeekID)
  /// A signal, or the terminal hung up: save and go.
  case terminate
  /// The terminal is ours again after a suspension.
  case resumed
  /// The other Earshot that held the player has ended: this one holds it now.
  case playerIsFree
}

/// Answers to `Question`s.
public enum Answer: Equatable, Sendable {
  case podcasts([PodcastRow])
  case queue([EpisodeRow])
  case episodes(EpisodeQuery, ids: [EpisodeID], rows: [EpisodeRow])
  case rows([EpisodeRow])
  case episode(EpisodeDetail, Document)
  case podcast(PodcastDetail, Document)
  case playlists([PlaylistRow])
  case playlist(PlaylistContents)
  case found(words: String, [SearchHit])
  case podcastSettings(PodcastSettings)
  case statistics(ListeningStatistics)
  case transcript(Transcript)
  case chapters([Chapter])
  /// With the subscriptions by every name under which a directory may list them.
  case suggestions([Suggestion], [String: PodcastID])
  /// Of `Question.extra`.
  case extra(EpisodeRow)
  /// The episode or the podcast is no longer in the library.
  case gone
}

/// What happened in the library without a question.
public enum LibraryEvent: Equatable, Sendable {
  /// Something was written: what is shown must be asked for again.
  case changed
  /// What `undo` brought back, in words; nil when there was nothing. `place`: where it put the listener.
  case undone(String?, Restored = Restored(), place: EpisodePlace? = nil)
  /// What `redo` did again, in words; nil when there was nothing.
  case redone(String?, Restored = Restored(), place: EpisodePlace? = nil)
  /// Undo, or redo, would change much, or something old.
  case asksUndo(UndoPlan)
  /// The library, which could only be read, can be written.
  case writable
  /// Something could not be written, or looked at.
  case failed(ReportedError)
  /// How the podcast of what is about to be played is heard; told before `playing`.
  case playbackSettings(PodcastID, PlaybackSettings)
  /// An undo has put back how the podcast is heard.
  case settingsRestored(PodcastID, PlaybackSettings)
  /// How long the file was when it was left; told before `playing`.
  case left(generation: Int, total: Double?)
  /// `PlayerTask.play` found the episode and hands it to the player from this second.
  case playing(generation: Int, EpisodeRow, [Chapter], from: Double)
  /// The transcript that was read before of the load, and the one of today.
  case transcripts(generation: Int, before: Transcript, now: Transcript)
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
  /// Something else that the listener should know of a podcast; before its `podcast`.
  case noted(title: String, RefreshNote)
  case finished(new: Int, unchanged: Int, failed: Int)
}

public struct AddedPodcast: Equatable, Sendable {
  public var id: PodcastID
  public var title: String
  public var episodes: Int
  /// The episode that the link named.
  public var episode: EpisodeID?
  /// The link named an episode that the feed has not, or no more.
  public var lacksEpisode = false
  /// The title of another subscription that has the same podcast:guid.
  public var twin: String?
  /// What there is to say when it was not known before: the title and what was read.
  public var text: String {
    if isCutOff {
      let count = Counted.text(episodes, "episode")
      return "Added “\(title)”, but its feed is cut off: \(count) could be read; a refresh asks again"
    }
    let lack = lacksEpisode ? "; the episode of the link is not among them" : ""
    let same = twin.map { "; it says that it is the same podcast as “\($0)”" } ?? ""
    return "Added “\(title)” with \(Counted.text(episodes, "episode"))\(lack)\(same)"
  }
  /// The listener was subscribed to it before.
  public var wasKnown: Bool
  /// The feed ended before its end: it may have more episodes.
  public var isCutOff = false
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
  /// Passwords and keys in addresses are taken out of the text.
  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = Redaction.text(text)
  }
}

/// A message, and when it came.
public struct LoggedMessage: Equatable, Sendable {
  public var message: Message
  public var time: Date
  public var text: String { message.text }
  public var kind: Message.Kind { message.kind }
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
