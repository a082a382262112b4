import Foundation
import Model

/// What `update` wants done in the world, by who does it. Data, never closures, so that tests compare it. Each family has
/// one handler in `TUIApp/Effects` that switches over all of its cases.
public enum Effect: Equatable, Sendable {
  /// A question to the store. Its answer carries the same id.
  case ask(RequestID, Question)
  /// Nobody waits for this any more: a question, a podcast that is being added, a refresh.
  case cancel(RequestID)
  case write(Write)
  case player(PlayerTask)
  case network(NetworkTask)
  case file(FileTask)
  case terminal(TerminalTask)
}

/// Files that the listener names. What comes of it is told by `Action.message`, where nothing else is said.
public enum FileTask: Equatable, Sendable {
  /// Answered by `Action.imported`.
  case importLibrary(String)
  case exportSubscriptions(String)
  /// The ending of the name says the format.
  case exportClip(Clip, to: String)
  /// Files whose names begin so. Answered by `Action.fileNames`.
  case listFiles(String)
}

/// What State asks of the store. Answered by `Action.answer`, or by `Action.noAnswer` when that failed.
public enum Question: Equatable, Sendable {
  case podcasts
  case queue
  /// `rows` says how many rows around `selected` come with the ids.
  case episodes(EpisodeQuery, selected: EpisodeID?, rows: Int)
  case rows([EpisodeID])
  case episode(EpisodeID)
  case podcast(PodcastID)
  case playlists
  case playlist(PlaylistID)
  /// Searches the whole library for these words. The search before it is called off.
  case find(String)
  /// How this podcast is heard, downloaded and listed.
  case podcastSettings(PodcastID)
  case statistics
  case suggestions
  /// The episode of what a feed offers beside its episodes; it is made where there is none yet.
  case extra(PodcastID, ExtraMedia)
}

/// What a feed offers beside its episodes, and can be heard.
public enum ExtraMedia: Equatable, Sendable {
  case live(LiveItem)
  case trailer(Trailer)
}

/// What is written to the library, in this order. Answered by `LibraryEvent.changed`, but for what comes every second and
/// what is not shown, and by `LibraryEvent.failed` when it could not be written.
public enum Write: Equatable, Sendable {
  case setStatus([EpisodeID], EpisodeStatus)
  /// What the player does by itself, which `undo` passes over.
  case setPlayerStatus(EpisodeID, EpisodeStatus)
  case markAllPlayed(PodcastID)
  case unsubscribe(PodcastID)
  /// In place of those that it has.
  case setTags([String], PodcastID)
  /// Before the one that is at this index of the others. The order that is seen becomes the one by hand.
  case movePodcast(PodcastID, to: Int, among: [PodcastID])
  /// To a podcast that is stored: it was looked at.
  case subscribe(PodcastID)
  /// Answered by `LibraryEvent.undone`, `.redone`, or `.asksUndo` where the listener is to be asked first.
  case undo, redo
  /// What the listener has agreed to.
  case undoAgreed(UndoPlan)
  case enqueue(EpisodeID, next: Bool)
  case dequeue(EpisodeID)
  case moveInQueue(EpisodeID, to: Int)
  case savePosition(EpisodeID, seconds: Double, total: Double?)
  /// The listener leaves this place of the episode for another one, which `undo` is to take back. `from` nil: the place
  /// that is stored. Seconds.
  case jump(EpisodeID, from: Double?, to: Double)
  case record(ListeningEvent)
  /// A stretch of a clip: it counts as heard, and neither the place nor other devices hear of it.
  case recordExcerpt(ListeningEvent)
  /// Time that the listener of this podcast was spared.
  case recordSaving(Saving, PodcastID)
  case saveSetting(Setting, String)

  /// With what the listener wanted to put into it.
  case makePlaylist(String, adding: Playlist.Item? = nil)
  case renamePlaylist(PlaylistID, String)
  case deletePlaylist(PlaylistID)
  case addToPlaylist(PlaylistID, [Playlist.Item])
  case removeFromPlaylist(PlaylistID, [Playlist.Item])
  case moveInPlaylist(PlaylistID, Playlist.Item, to: Int)
  case addClip(EpisodeID, from: Double, to: Double, title: String?)
  case updateClip(Clip)
  case deleteClip(ClipID)
  /// nil makes a new one.
  case saveSmartPlaylist(PlaylistID?, title: String, filter: String)

  case changePlayback(PodcastID, PlaybackSettings.Change)
  /// So many of a podcast's newest episodes are fetched after a refresh; 0 turns it off; nil: as the configuration says.
  case setAutomaticDownload(PodcastID, count: Int?)
  /// How much of its back catalogue counts as new; nil: as the configuration says.
  case setCatalogueRule(PodcastID, CatalogueRule?)
  /// So many of a podcast's files stay when a new one comes; nil: as the configuration says.
  case setKeptDownloads(PodcastID, count: Int?)
}

/// What the player is told. It reports in `PlayerEvent`s.
public enum PlayerTask: Equatable, Sendable {
  /// `from` nil resumes where the store says.
  case play(EpisodeID, from: Double?, generation: Int, speed: Double, volume: Double)
  /// The load of this generation, which comes next, is read up to its place, where that cannot be sought.
  case readUpToPlace(generation: Int)
  /// What will be heard when the episode ends; nil: nothing.
  case prepare(UpcomingEpisode?)
  /// There may be sound soon.
  case warmUp
  case setPaused(Bool)
  case seek(to: Double, SeekID)
  case setSpeed(Double)
  case setVolume(Double)
  case stop
  /// How podcasts sound that have no settings of their own.
  case setSound(SoundShape)
  /// A share of the volume, 0 to 1, that is not remembered.
  case setFade(Double)
  case setDevice(String)
  /// Answered by `PlayerEvent.devices`.
  case listDevices
  /// Chapters that the player found in the file of this load; answered by `LibraryEvent.chapters`.
  case mergeChapters(Int, [Chapter])
}

/// What is fetched.
public enum NetworkTask: Equatable, Sendable {
  /// Answered by `Action.added`, or `Action.ambiguous`; `Action.arriving` tells meanwhile how far it is.
  case add(RequestID, String)
  /// To a podcast that was found, which may have to be fetched. Answered as `add` is.
  /// `episode`: that of the link which led there.
  case subscribe(RequestID, FoundPodcast, episode: EpisodeClue? = nil)
  /// Answered by `Action.visited`, or by `Action.ambiguous`.
  case visit(RequestID, VisitWish)
  /// Answered by `Action.discover`, until nobody is waited for. What is still being typed is asked for after a pause.
  case discover(RequestID, DiscoverQuery, isTyped: Bool)
  /// nil refreshes all that are due. Reported by `Action.refresh`, which ends with `.finished`; or `Action.noAnswer` says why not.
  case refresh(RequestID, [PodcastID]?)
  /// Answered as a question is; the library keeps what was fetched.
  case transcript(RequestID, EpisodeID)
  /// The chapters of an episode that may not be playing. Answered as a question is.
  case chapters(RequestID, EpisodeID)
  /// The transcript of an episode whose file has changed, if one was read before; answered by `LibraryEvent.transcripts`.
  case compareTranscripts(EpisodeID, generation: Int)
  /// Answered by `Action.cover`.
  case cover(CoverRequest)

  // Downloads; reported by `Action.download`.
  /// Fetches them; goes on with those that were paused or failed.
  case download([EpisodeID])
  case pauseDownloads([EpisodeID])
  /// Forgets those that are not complete, deletes the files of those that are.
  case dropDownloads([EpisodeID])
  /// With the listener's other devices; answered by `Action.sync`.
  case sync(SyncWish)
}

/// What concerns the terminal and the machine it runs on.
public enum TerminalTask: Equatable, Sendable {
  case setTitle(String)
  /// To the terminal's clipboard (OSC 52).
  case copy(String)
  case redraw
  case suspend
  case quit
  /// This Earshot only read, and is to play and write from now on; answered by `State.becomePlayer`.
  case becomePlayer
  case openLink(String)
  /// Answered by `Action.theme`.
  case loadTheme(String)
}

/// Small things that are remembered from one run to the next. The raw value is the key in the store.
public enum Setting: String, Equatable, Sendable, CaseIterable {
  case volume, speed, theme
  case lastPlayed = "last-played"
  case sideWidth = "side-width"
  case detailWidth = "detail-width"
  /// Lines typed after `:`, the newest last, one a line.
  case commandHistory = "command-history"
  case skipSilence = "skip-silence"
  case levelling, mono, device
  /// Where the sleep timer was last set.
  case sleepMark = "sleep-mark"
  /// `PodcastArrangement`.
  case podcastOrder = "podcast-order"
  case podcastGroups = "podcast-groups"
  case foldedTags = "folded-tags"
  /// The places that were jumped away from.
  case jumps
}
