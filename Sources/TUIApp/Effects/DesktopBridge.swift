import AppCore
import Desktop
import Foundation
import Logging
import Model
import Services
import Store
import Synchronization

/// Connects State and the desktop (MPRIS, control socket): adds addresses that State does not know, and converts
/// commands to actions.
final class DesktopBridge: Sendable {
  private struct Known {
    var shown = NowPlaying()
    var episode: EpisodeID?
    var address: ShownAddress?
    var imageURL: ShownAddress?
  }

  private let link: DesktopLink
  private let library: Library
  let events: LibraryEvents
  private let hooks: HookRunner?
  private let known = Mutex(Known())
  private let queue = DispatchQueue(label: "earshot.desktop", qos: .utility)

  init(
    library: Library, directories: Directories, hooks: HookRunner?, mailbox: Mailbox<Action>, log: Logger
  ) {
    self.library = library
    self.hooks = hooks
    events = LibraryEvents(library: library, downloads: directories.downloads)
    let environment = ProcessEnvironment.variables
    link = DesktopLink(
      control: ControlDirectory(state: directories.state, environment: environment), environment: environment,
      onCommand: { mailbox.post(.remote($0)) }, onEvent: hooks?.handle,
      log: { log.info("\($0)") })
  }

  /// Called after every batch of actions. Returns at once, and does nothing if nothing has changed.
  func show(_ now: NowPlaying) {
    let isNew = known.withLock { known in
      guard known.shown != now else { return false }
      known.shown = now
      return true
    }
    guard isNew else { return }
    queue.async { [self] in
      var now = now
      lookUp(now.episode)
      known.withLock { known in
        now.address = known.address
        now.imageURL = known.imageURL
      }
      link.update(now)
    }
  }

  func notify(title: String, body: String) { link.notify(title: title, body: body) }

  func keepReachable() { queue.async { [self] in link.keepReachable() } }

  /// Announces an event after those before it.
  func emit(_ event: WatchEvent) { emit { event } }

  /// - Parameter make: makes the event, off the main thread, if anybody wants it.
  func emit(_ make: @escaping @Sendable () -> WatchEvent?) {
    queue.async { [self] in if link.isWatched, let event = make() { link.emit(event) } }
  }

  func close() {
    // The last events come before the end.
    queue.sync {}
    link.close()
    hooks?.finish(atMost: Self.lastHooksSeconds)
  }

  /// How long the program waits for hooks when it ends.
  private static let lastHooksSeconds = 3.0

  private func lookUp(_ episode: EpisodeID?) {
    guard known.withLock({ $0.episode != episode }) else { return }
    // If the library cannot be read, only the title is shown.
    let detail = episode.flatMap { (try? library.episode($0)) ?? nil }
    known.withLock { known in
      known.episode = episode
      known.address = ShownAddress(detail?.feed.mediaURL)
      known.imageURL = ShownAddress(detail.flatMap { $0.feed.imageURL ?? $0.podcastImageURL })
    }
  }
}

/// Counts the new episodes of a refresh, for one notification at its end.
final class NewEpisodeNotice: Sendable {
  private let podcasts = Mutex<[(title: String, count: Int)]>([])

  /// The notification after the end of the refresh; nil if there are no new episodes.
  func add(_ report: RefreshReport) -> (title: String, body: String)? {
    switch report {
    case .podcast(let title, _, _, let fresh):
      if fresh > 0 { podcasts.withLock { $0.append((title, fresh)) } }
      return nil
    case .finished:
      let podcasts = podcasts.withLock { podcasts in
        defer { podcasts = [] }
        return podcasts
      }
      let count = podcasts.reduce(0) { $0 + $1.count }
      guard count > 0 else { return nil }
      let named = podcasts.prefix(5).map { $0.count > 1 ? "\($0.title) (\($0.count))" : $0.title }
      let more = podcasts.count > 5 ? ["and \(podcasts.count - 5) more"] : []
      return (count == 1 ? "A new episode" : "\(count) new episodes", (named + more).joined(separator: ", "))
    case .started, .reading, .postponed, .noted, .failed, .ruled, .added, .offline: return nil
    }
  }
}
