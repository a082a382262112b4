import Model

@testable import AppCore

/// Shorthands of effects for tests, without their family.
extension Effect {
  static func setStatus(_ ids: [EpisodeID], _ status: EpisodeStatus) -> Effect { .write(.setStatus(ids, status)) }
  static func setPlayerStatus(_ id: EpisodeID, _ status: EpisodeStatus) -> Effect {
    .note(id, .status(status))
  }
  static func unsubscribe(_ id: PodcastID) -> Effect { .write(.unsubscribe(id)) }
  static var undo: Effect { .write(.undo) }
  static var redo: Effect { .write(.redo) }
  static func undoConfirmed(_ plan: UndoPlan) -> Effect { .write(.undoConfirmed(plan)) }
  static func enqueue(_ id: EpisodeID, next: Bool) -> Effect { .write(.enqueue([id], next ? .behind(nil) : .end)) }
  static func dequeue(_ id: EpisodeID) -> Effect { .write(.dequeue([id])) }
  static func moveInQueue(_ id: EpisodeID, to index: Int) -> Effect { .write(.moveInQueue([id], to: index)) }
  static func savePosition(_ id: EpisodeID, seconds: Double, total: Double?) -> Effect {
    .note(id, .position(seconds: seconds, total: total))
  }
  static func saveSetting(_ setting: Setting, _ value: String) -> Effect { .setting(setting, value) }
  static func makePlaylist(_ title: String, adding items: [Playlist.Item] = []) -> Effect {
    .write(.makePlaylist(title, adding: items))
  }
  static func renamePlaylist(_ id: PlaylistID, _ title: String) -> Effect { .write(.renamePlaylist(id, title)) }
  static func deletePlaylist(_ id: PlaylistID) -> Effect { .write(.deletePlaylist(id)) }
  static func addToPlaylist(_ id: PlaylistID, _ items: [Playlist.Item]) -> Effect { .write(.addToPlaylist(id, items)) }
  static func removeFromPlaylist(_ id: PlaylistID, _ items: [Playlist.Item]) -> Effect {
    .write(.removeFromPlaylist(id, items))
  }
  static func moveInPlaylist(_ id: PlaylistID, _ item: Playlist.Item, to index: Int) -> Effect {
    .write(.moveInPlaylist(id, [item], to: index))
  }
  static func addClip(_ id: EpisodeID, from: Double, to: Double, title: String?) -> Effect {
    .write(.addClip(id, from: from, to: to, title: title))
  }
  static func makeSmartPlaylist(_ title: String, filter: String) -> Effect {
    .write(.makeSmartPlaylist(title, filter: filter))
  }
  static func changePlayback(_ id: PodcastID, _ change: PlaybackSettings.Change) -> Effect {
    .write(.changeSettings(id, .playback(change)))
  }
  static func setAutomaticDownload(_ id: PodcastID, count: Int) -> Effect {
    .write(.changeSettings(id, .autoDownload(count)))
  }
  static func setKeptDownloads(_ id: PodcastID, count: Int?) -> Effect {
    .write(.changeSettings(id, .keepDownloads(count)))
  }

  static func play(
    _ id: EpisodeID, from second: Double?, generation: Int, speed: Double, volume: Double
  ) -> Effect {
    .player(.play(id, from: second, generation: generation, speed: speed, volume: volume))
  }
  static func prepare(_ upcoming: UpcomingEpisode?) -> Effect { .player(.prepare(upcoming)) }
  static var warmUpPlayer: Effect { .player(.warmUp) }
  static func setPaused(_ isPaused: Bool) -> Effect { .player(.setPaused(isPaused)) }
  static func setSpeed(_ speed: Double) -> Effect { .player(.setSpeed(speed)) }
  static func setVolume(_ percent: Double) -> Effect { .player(.setVolume(percent)) }
  static var stopPlayer: Effect { .player(.stop) }
  static func setSound(_ shape: SoundShape) -> Effect { .player(.setSound(shape)) }
  static func setFade(_ share: Double) -> Effect { .player(.setFade(share)) }
  static func setDevice(_ name: String) -> Effect { .player(.setDevice(name)) }
  static var listDevices: Effect { .player(.listDevices) }
  static func mergeChapters(_ generation: Int, _ chapters: [Chapter]) -> Effect {
    .player(.mergeChapters(generation, chapters))
  }

  static func add(_ request: RequestID, _ address: String) -> Effect { .network(.add(request, address)) }
  static func refresh(_ request: RequestID, _ podcasts: [PodcastID]?) -> Effect {
    .network(.refresh(request, podcasts))
  }
  static func download(_ ids: [EpisodeID]) -> Effect { .network(.download(ids)) }
  static func pauseDownloads(_ ids: [EpisodeID]) -> Effect { .network(.pauseDownloads(ids)) }
  static func dropDownloads(_ ids: [EpisodeID]) -> Effect { .network(.dropDownloads(ids)) }

  static func setTitle(_ title: String) -> Effect { .terminal(.setTitle(title)) }
  static func copy(_ text: String) -> Effect { .terminal(.copy(text)) }
  static var redraw: Effect { .terminal(.redraw) }
  static var suspend: Effect { .terminal(.suspend) }
  static var quit: Effect { .terminal(.quit) }
  static func openLink(_ address: String) -> Effect { .terminal(.openLink(address)) }
  static func loadTheme(_ name: String) -> Effect { .terminal(.loadTheme(name)) }
}

extension [Effect] {
  /// The requested refreshes. Nil: all podcasts that are due.
  var refreshes: [[PodcastID]?] {
    compactMap { if case .network(.refresh(_, let podcasts)) = $0 { .some(podcasts) } else { nil } }
  }

  /// The questions to the library, without their ids.
  var questions: [AnyLibraryQuestion] { compactMap { if case .ask(_, let asked) = $0 { asked } else { nil } } }

  /// The questions of this type, with their ids.
  func asked<Question: LibraryQuestion>(_ type: Question.Type) -> [(request: RequestID, question: Question)] {
    compactMap { effect in
      guard case .ask(let request, let asked) = effect, let question = asked.question as? Question else { return nil }
      return (request, question)
    }
  }
}

extension Awaited.Subject {
  static func library(_ question: some LibraryQuestion) -> Awaited.Subject { .library(AnyLibraryQuestion(question)) }
}

extension EpisodesQuestion {
  func answer(ids: [EpisodeID], rows: [EpisodeRow]) -> Answer { answer((ids, rows, nil)) }
}
