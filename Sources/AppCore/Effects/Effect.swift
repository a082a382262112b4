import Foundation
import Model
import TerminalKit

/// A request of `update` to the outside world, by the part of the program that performs it. It is data and never a
/// closure, so that tests can compare it. Each family has one handler in `TUIApp/Effects` that switches over all of its
/// cases.
public enum Effect: Equatable, Sendable {
  /// A question to the library. The answer is `Action.answer` with the same id, or `Action.noAnswer` if it failed.
  case ask(RequestID, AnyLibraryQuestion)
  /// Cancels a question, an addition of a podcast, or a refresh.
  case cancel(RequestID)
  case write(Write)
  /// What playing this episode leaves in the library. If the library cannot be written, it is kept until it can.
  case note(EpisodeID, ListeningNote)
  /// Remembers a value for the next run, as `note` does.
  case setting(Setting, String)
  case player(PlayerTask)
  case network(NetworkTask)
  case file(FileTask)
  case terminal(TerminalTask)
}

/// Work with files that the listener names. The result is an `Action.message`, if no other answer is stated.
public enum FileTask: Equatable, Sendable {
  /// The answer is `Action.imported`.
  case importLibrary(String)
  case exportSubscriptions(String)
  /// The file extension is the format.
  case exportClip(Clip, to: String)
  /// Finds file names that begin with this text. The answer is `Action.fileNames`.
  case listFiles(String)
}

/// Something playable that a feed offers beside its episodes.
public enum ExtraMedia: Equatable, Sendable {
  case live(LiveItem)
  case trailer(Trailer)
}

/// A change of the library by the listener. Changes and notes are written in order. The answer is
/// `LibraryEvent.changed`, another event that is named here, or `LibraryEvent.failed`.
public enum Write: Equatable, Sendable {
  /// `emptiesNew`: they are all of New. Nothing of the serials among them is new then, until a new episode arrives.
  case setStatus([EpisodeID], EpisodeStatus, emptiesNew: Bool = false)
  /// Brings back deleted episodes.
  case bringBack([EpisodeID])
  case unsubscribe(PodcastID)
  /// Replaces the tags of a podcast, an episode or a clip.
  case setTags([String], TagOwner)
  /// Adds and removes tags of a podcast, an episode or a clip, which keeps its others.
  case editTags(TagOwner, adding: [String], removing: [String])
  /// Adds and removes tags of episodes and clips, which keep their others.
  case changeTags([Playlist.Item], adding: [String], removing: [String])
  /// Moves a podcast before the one at this index of the other podcasts. The order on the screen becomes the manual
  /// order.
  case movePodcast(PodcastID, to: Int, among: [PodcastID])
  /// Subscribes to a podcast that is stored because the listener opened it.
  case subscribe(PodcastID)
  /// The answer is `LibraryEvent.undone`, or `.asksUndo` if the listener must confirm it.
  case undo, redo
  /// Does an undo or redo that the listener has confirmed.
  case undoConfirmed(UndoPlan)
  case enqueue([EpisodeID], QueueTarget)
  case dequeue([EpisodeID])
  case clearQueue
  case moveInQueue([EpisodeID], to: Int)
  /// `first`: the playing episode, which stays at the front.
  case sortQueue(QueueOrder, first: EpisodeID?)

  /// `adding`: the first items of the playlist.
  case makePlaylist(String, adding: [Playlist.Item] = [])
  case renamePlaylist(PlaylistID, String)
  case deletePlaylist(PlaylistID)
  case addToPlaylist(PlaylistID, [Playlist.Item])
  case removeFromPlaylist(PlaylistID, [Playlist.Item])
  case moveInPlaylist(PlaylistID, [Playlist.Item], to: Int)
  /// Without an end it is a bookmark, for which the library finds a title if there is none (`Library.addClip`).
  case addClip(EpisodeID, kind: Clip.Kind = .clip, from: Double, to: Double?, title: String? = nil)
  /// Writes, replaces or deletes (with an empty text) a note.
  case writeNote(NoteOwner, String)
  case changeClip(ClipID, ClipChange)
  case deleteClips([ClipID])
  /// Adds episodes to the list of transcripts to make. The reports are `Action.transcribing`.
  case transcribe([EpisodeID])
  /// Takes episodes from that list. The one that is being worked on is cancelled.
  case cancelTranscribing([EpisodeID])
  case makeSmartPlaylist(String, filter: String)
  case changeFilter(PlaylistID, String)
  /// The answer is `LibraryEvent.rulesChanged`.
  case rules(RuleChange)

  case changeSettings(PodcastID, PodcastSettings.Change)
}

/// A command to the player. The player reports with `PlayerEvent`s.
public enum PlayerTask: Equatable, Sendable {
  /// `from` nil: from the stored position.
  case play(EpisodeID, from: Double?, generation: Int, speed: Double, volume: Double)
  /// The load of this generation, which follows, must read the stream up to its start position, because the server does
  /// not support seeking.
  case readUpToPosition(generation: Int)
  /// Prepares the episode that comes next; nil: none does.
  case prepare(UpcomingEpisode?)
  /// Prepares the player, because playback may begin soon.
  case warmUp
  case setPaused(Bool)
  case seek(to: Double, SeekID)
  case setSpeed(Double)
  case setVolume(Double)
  case stop
  /// Sets the sound of podcasts without their own settings.
  case setSound(SoundShape)
  /// Sets the fade of the sleep timer, as a share of the volume from 0 to 1. It is not stored.
  case setFade(Double)
  case setDevice(String)
  /// The answer is `PlayerEvent.devices`.
  case listDevices
  /// Merges the chapters that the player found in the file of this load with all others. The answer is
  /// `LibraryEvent.chapters`.
  case mergeChapters(Int, [Chapter])
}

/// A request to the network.
public enum NetworkTask: Equatable, Sendable {
  /// Adds a podcast by its address. `Action.arriving` reports progress. The answer is `Action.added` or
  /// `Action.ambiguous`.
  case add(RequestID, String, login: FeedLogin? = nil)
  /// Subscribes to a podcast that a directory found, and fetches it if needed. Answers as `add` does. `episode`: the
  /// episode of the link that led there.
  case subscribe(RequestID, FoundPodcast, episode: EpisodeClue? = nil)
  /// The answer is `Action.visited` or `Action.ambiguous`.
  case visit(RequestID, VisitRequest)
  /// Asks directories. Answers with `Action.discover` until it is cancelled. `isTyped`: the listener is still typing,
  /// so it starts after a pause.
  case discover(RequestID, DiscoverQuery, isTyped: Bool)
  /// Refreshes these podcasts; nil: all that are due. `Action.refresh` reports progress and ends with `.finished`. If
  /// the refresh cannot begin, the answer is `Action.noAnswer`.
  case refresh(RequestID, [PodcastID]?)
  /// The answer is `Answer.transcript`. The library stores what was fetched.
  case transcript(RequestID, EpisodeID)
  /// The chapters of an episode that may not be loaded. The answer is `Answer.chapters`.
  case chapters(RequestID, EpisodeID)
  /// Fetches the transcript again because the file has changed, if one was read before. The answer is
  /// `LibraryEvent.transcripts`.
  case compareTranscripts(EpisodeID, generation: Int)
  /// The answer is `Action.cover`.
  case cover(CoverRequest)

  // Downloads. The reports are `Action.download`.
  /// Starts downloads. Resumes those that were paused or failed.
  case download([EpisodeID])
  case pauseDownloads([EpisodeID])
  /// Removes unfinished downloads from the list, and deletes the files of finished ones.
  case dropDownloads([EpisodeID])
  /// Syncs with the listener's other devices. The reports are `Action.sync`.
  case sync(SyncCommand)
}

/// A request to the terminal or to the desktop.
public enum TerminalTask: Equatable, Sendable {
  case setTitle(String)
  /// Copies to the terminal's clipboard (OSC 52).
  case copy(String)
  case redraw
  case suspend
  case quit
  /// Makes this process the one that plays and writes. Until now it only read. `State.becomePlayer` is the answer.
  case becomePlayer
  case openLink(String)
  /// Shows the video of an episode in the listener's own player, from this second; nil: from the stored position. The
  /// reports are `Action.video`.
  case openVideo(EpisodeID, from: Double?)
  /// Lets the listener write a note in an editor. The answer is `Action.noteEdited`.
  case edit(NoteDraft)
  /// The answer is `Action.theme`.
  case loadTheme(String)
}
