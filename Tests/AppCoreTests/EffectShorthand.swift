import Model

@testable import AppCore

/// Shorthands of the effects that tests name most, without their family.
extension Effect {
  static func setStatus(_ ids: [EpisodeID], _ status: EpisodeStatus) -> Effect { .write(.setStatus(ids, status)) }
  static func enqueue(_ id: EpisodeID, next: Bool) -> Effect { .write(.enqueue([id], next ? .behind(nil) : .end)) }
  static func dequeue(_ id: EpisodeID) -> Effect { .write(.dequeue([id])) }
  static func moveInQueue(_ id: EpisodeID, to index: Int) -> Effect { .write(.moveInQueue([id], to: index)) }
  static func saveSetting(_ setting: Setting, _ value: String) -> Effect { .setting(setting, value) }
  static func addToPlaylist(_ id: PlaylistID, _ items: [Playlist.Item]) -> Effect { .write(.addToPlaylist(id, items)) }
  static func moveInPlaylist(_ id: PlaylistID, _ item: Playlist.Item, to index: Int) -> Effect {
    .write(.moveInPlaylist(id, [item], to: index))
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
  static func setPaused(_ isPaused: Bool) -> Effect { .player(.setPaused(isPaused)) }
  static func setSpeed(_ speed: Double) -> Effect { .player(.setSpeed(speed)) }
  static var stopPlayer: Effect { .player(.stop) }

  static func add(_ request: RequestID, _ address: String) -> Effect { .network(.add(request, address)) }
  static func refresh(_ request: RequestID, _ podcasts: [PodcastID]?) -> Effect {
    .network(.refresh(request, podcasts))
  }
  static func download(_ ids: [EpisodeID]) -> Effect { .network(.download(ids)) }

  static func copy(_ text: String) -> Effect { .terminal(.copy(text)) }
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
