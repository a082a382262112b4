import AppCore
import Desktop
import Downloads
import Foundation
import Model
import Store

/// Events of the library for `earshot ctl watch` and hooks. `DesktopLink` finds those of the player by itself.
extension DesktopBridge {
  /// Announces what an action says about downloads and sync. Called with every action, on the main thread.
  func announce(_ action: Action) {
    switch action {
    case .download(.finished(let id, _, _)): announce(.downloaded, id)
    case .sync(.finished(let summary)):
      var event = WatchEvent(.sync)
      if case .failed(let reason) = summary.phase { event.text = reason }
      emit(event)
    default: break
    }
  }

  func announce(_ kind: WatchEvent.Kind, _ episode: EpisodeID) {
    emit { [self] in
      guard let episode = events.episode(episode) else { return nil }
      var event = WatchEvent(kind)
      event.episode = episode
      return event
    }
  }

  /// - Parameter text: the rules that found the episodes.
  func announce(_ kind: WatchEvent.Kind, _ episodes: [EpisodeID], text: String? = nil) {
    guard !episodes.isEmpty else { return }
    emit { [self] in events.event(kind, episodes, text: text) }
  }
}

/// Makes events about episodes of the library.
struct LibraryEvents: Sendable {
  let library: Library
  /// The directory of downloads.
  let downloads: String

  func event(_ kind: WatchEvent.Kind, _ episodes: [EpisodeID], text: String? = nil) -> WatchEvent {
    var event = WatchEvent(kind)
    event.count = episodes.count
    event.list(episodes.lazy.compactMap(episode))
    event.text = text
    return event
  }

  /// Nil if the episode no longer exists, or if the library cannot be read.
  func episode(_ id: EpisodeID) -> WatchEvent.Episode? {
    guard let detail = try? library.episode(id) else { return nil }
    return WatchEvent.Episode(
      id: id, title: detail.row.title, podcast: detail.row.podcastTitle, url: ShownAddress(detail.feed.mediaURL),
      file: DownloadFiles(directory: downloads, library: library).file(of: detail), duration: detail.row.duration)
  }
}
