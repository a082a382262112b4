import Foundation
import Model
import TerminalKit

/// Everything that can happen to the program. The time of an action is a parameter of `update`.
public enum Action: Sendable {
  case input(InputEvent)
  /// Input that came faster than anyone types, such as pasted text in a terminal without bracketed paste.
  case flood(InputEvent)
  case player(PlayerEvent)
  case answer(RequestID, Answer)
  /// A question failed, or a refresh did not begin.
  case noAnswer(RequestID, ReportedError)
  case library(LibraryEvent)
  /// Progress of the refresh with the id of `NetworkTask.refresh`.
  case refresh(RequestID, RefreshReport)
  /// An automatic refresh has ended, in this player or in another process. `new`: the number of new episodes.
  case refreshedAutomatically(new: Int, isOffline: Bool = false)
  /// The result of `NetworkTask.add`.
  case added(RequestID, Result<AddedPodcast, ReportedError>)
  /// The part of a podcast being added that has arrived so far.
  case arriving(RequestID, ArrivingPodcast)
  /// The result of `FileTask.importLibrary`.
  case imported(Result<ImportCounts, ReportedError>)
  /// The answer to `FileTask.listFiles`: file names that begin with `head`.
  case fileNames([String], head: String)
  /// What the directories have found so far for `NetworkTask.discover`.
  case discover(RequestID, DiscoverReport)
  /// The result of `NetworkTask.visit`.
  case visited(RequestID, Result<VisitedPodcast, ReportedError>)
  /// A link of `NetworkTask.visit` or `.add` could only be matched by title, and several podcasts match.
  case ambiguous(RequestID, LinkMatches)
  /// The answer to `TerminalTask.loadTheme`.
  case theme(Theme)
  /// The answer to `TerminalTask.edit`: the text, or why there is none.
  case noteEdited(NoteDraft, Result<String, ReportedError>)
  case message(Message)
  /// No program on this machine could open this address.
  case linkNotOpened(String)
  /// The answer to `NetworkTask.cover`.
  case cover(CoverRequest, CoverAnswer)
  /// Covers must be drawn again: the terminal draws pictures in another way than assumed, or its cell size has changed.
  case coversOutdated
  case download(DownloadReport)
  /// What rules did, besides those of a refresh that `Action.refresh` reports.
  case ruled(RuleReport)
  case sync(SyncReport)
  case transcribing(TranscribingReport)
  /// Reports of `TerminalTask.openVideo`.
  case video(VideoReport)
  /// A command from media keys or `earshot ctl`.
  case remote(RemoteCommand)
  /// The player's exact position in seconds. It is queried before actions that may end the sound.
  case exactPosition(generation: Int, seconds: Double, seek: SeekID)
  /// The program must save and quit: a signal came, or the terminal hung up.
  case terminate
  /// Another process wants the program to be suspended (SIGTSTP). `^Z` is a key.
  case suspend
  /// The program continues after a suspension.
  case resumed
  /// The Earshot that played until now has ended, so this one may play and write.
  case becamePlayer
}

/// The answer to a request.
public enum Answer: Sendable {
  /// The answer to a `LibraryQuestion`, with its receiver.
  case received(@Sendable (inout State) -> [Effect])
  /// The answer to `NetworkTask.transcript`.
  case transcript(Transcript)
  /// The answer to `NetworkTask.chapters`.
  case chapters([Chapter])
  /// The episode or podcast is no longer in the library.
  case gone
}

/// Events of the library that no question asked for.
public enum LibraryEvent: Equatable, Sendable {
  /// Something was written, so everything on the screen must be read again.
  case changed
  /// Another process has changed the position of the episode that was heard last, in seconds.
  case movedElsewhere(EpisodeID, Double)
  /// This change of statuses was written. Sent instead of `changed`.
  case stored(Write)
  /// What an undo or a redo did, as text; nil when there was nothing to do. `place`: the position that it restored.
  case undone(UndoDirection, String?, Restored = Restored(), place: EpisodePlace? = nil)
  /// Undo or redo needs a confirmation, because it would change many things or something old.
  case asksUndo(UndoPlan)
  /// The listener's rules were changed. `preview`: what the changed one would do now.
  case rulesChanged(selected: RuleID?, RulePreview?)
  /// The library was read-only and can be written now.
  case writable
  /// A change by the listener could not be stored. Nil: something else in the library failed.
  case failed(ReportedError, of: Write? = nil)
  /// The playback settings of the podcast whose episode is loaded. Sent before `playing`.
  case playbackSettings(PodcastID, PlaybackSettings)
  /// An undo restored the playback settings of a podcast.
  case settingsRestored(PodcastID, PlaybackSettings)
  /// The stored duration of the file, and that of the feed, in seconds. Sent before `playing`.
  case storedDuration(generation: Int, Double?, feed: Double?)
  /// `PlayerTask.play` has found the episode and loads it from this second.
  case playing(generation: Int, EpisodeRow, [Chapter], from: Double)
  /// The stored transcript of the loaded episode, and the current one.
  case transcripts(generation: Int, before: Transcript, now: Transcript)
  /// All known chapters of the loaded episode, merged.
  case chapters(generation: Int, [Chapter])
}

/// A message with its time.
public struct LoggedMessage: Equatable, Sendable {
  public var message: Message
  public var time: Date
  public var text: String { message.text }
  public var kind: Message.Kind { message.kind }
}
