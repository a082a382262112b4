import Foundation
import Model

/// What `update` wants done in the world. Data, never closures, so that tests compare it.
public enum Effect: Equatable, Sendable {
  // Questions to the store; each is answered by a `LibraryAnswer`.
  case loadPodcasts
  /// `rows` says how many rows around `selected` come with the ids.
  case loadEpisodes(RequestID, EpisodeQuery, selected: EpisodeID?, rows: Int)
  case loadRows([EpisodeID])
  case loadEpisode(RequestID, EpisodeID)
  case loadPodcast(RequestID, PodcastID)
  case loadQueue
  /// Calls off the search that runs, as the listener has typed on.
  case find(RequestID, String)
  /// Nobody wants the answer to the last `find`.
  case stopFinding

  // Writes; each is answered by `.changed` (but for the position, which is written every second).
  case setStatus([EpisodeID], EpisodeStatus)
  /// What the player does by itself, which `undo` passes over.
  case setPlayerStatus(EpisodeID, EpisodeStatus)
  case markAllPlayed(PodcastID)
  case unsubscribe(PodcastID)
  case undo
  case enqueue(EpisodeID, next: Bool)
  case dequeue(EpisodeID)
  case moveInQueue(EpisodeID, to: Int)
  case savePosition(EpisodeID, seconds: Double, total: Double?)
  case record(ListeningEvent)
  case saveSetting(Setting, String)

  // The network.
  case add(RequestID, String)
  /// nil refreshes all that are due.
  case refresh([PodcastID]?)

  // The player. `from` nil resumes where the store says.
  case play(EpisodeID, from: Double?, generation: Int, speed: Double, volume: Double)
  /// What will be heard when the episode ends; nil: nothing.
  case prepare(PlayerState.Upcoming?)
  /// There may be sound soon.
  case warmUpPlayer
  case setPaused(Bool)
  case seek(to: Double)
  case setSpeed(Double)
  case setVolume(Double)
  case stopPlayer

  // The rest of the world.
  case openLink(String)
  case loadTheme(String)
  case setTitle(String)
  case redraw
  case suspend
  case quit

  // Playlists and clips. `.loadPlaylists` is answered by `.playlists`, `.loadPlaylist` by `.playlist`; writes by
  // `.changed`.
  case loadPlaylists
  case loadPlaylist(RequestID, PlaylistID)
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

  // What belongs to an episode and is fetched when it is wanted.
  case loadTranscript(EpisodeID)
  case loadCover(CoverRequest)

  case cancelRefresh
  /// Nobody wants the answer to this `add` any more.
  case cancelAdd(RequestID)
  /// To the terminal's clipboard (OSC 52).
  case copy(String)

  // Sound and chapters.
  /// How shows sound that have no settings of their own.
  case setSound(SoundShape)
  /// A share of the volume, 0 to 1, that is not remembered.
  case setFade(Double)
  case setDevice(String)
  /// Answered by `PlayerEvent.devices`.
  case listDevices
  /// Answered by `LibraryAnswer.show`.
  case loadShow(PodcastID)
  case changeShow(PodcastID, ShowSettings.Change)
  /// Chapters that the player found in the file of this load; answered by `LibraryAnswer.chapters`.
  case mergeChapters(Int, [Chapter])

  // Downloads; answered by `Action.download`.
  /// Fetches them; goes on with those that were paused or failed.
  case download([EpisodeID])
  case pauseDownloads([EpisodeID])
  /// Forgets those that are not complete, deletes the files of those that are.
  case dropDownloads([EpisodeID])
  /// So many of a show's newest episodes are fetched after a refresh; 0 turns it off.
  case setAutomaticDownload(PodcastID, count: Int)
  /// So many of a show's files stay when a new one comes; nil: as the configuration says.
  case setKeptDownloads(PodcastID, count: Int?)
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
}
