import Foundation
import Model
import TerminalKit

/// `a`: a podcast is added by its address. The server may be slow, or silent: what is waited for is seen, and can be
/// stopped.
extension State {
  mutating func add(_ address: String) -> [Effect] {
    let address = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !address.isEmpty else { return [] }
    say(.note, "Asking \(ShownAddress(address))… \(keymap.hint(.cancel)) stops it")
    return [.network(.add(awaited.begin(.podcast(address)), address))]
  }

  mutating func added(_ request: RequestID, _ result: Result<AddedPodcast, ReportedError>) -> [Effect] {
    arriving[request] = nil
    let wasAwaited = awaited.end(request) != nil
    switch result {
    case .success(let podcast):
      let title = Sanitize.line(podcast.title)
      if podcast.wasKnown {
        let lack = podcast.lacksEpisode ? "; the episode of the link is not in its feed" : ""
        say(podcast.lacksEpisode ? .warning : .note, "“\(title)” was there already\(lack)")
      } else {
        say(podcast.isCutOff || podcast.lacksEpisode ? .warning : .success, podcast.text)
      }
      selectWhenLoaded = podcast.id
      if let episode = podcast.episode { show(episode, of: podcast.id) }
      return invalidate()
    case .failure(let error):
      // What the listener has stopped is no failure.
      if wasAwaited { say(.error, error.text) }
      return []
    }
  }

  /// A link led to an episode: it is selected among those of its podcast, once they are in the list.
  private mutating func show(_ episode: EpisodeID, of podcast: PodcastID) {
    _ = show(.podcasts)
    screens[.podcasts].focus = .episodes
    screens[.podcasts].isReading = false
    unplayedOnly = false
    var wanted = Restored()
    wanted.podcasts = [podcast]
    wanted.episodes = [episode]
    select(wanted)
  }

  /// The address that was asked last is waited for no longer; nil when none is.
  mutating func stopAdding() -> [Effect]? {
    guard let last = awaited.additions.last else {
      guard tab == .discover, let search = awaited.drop(.directories) else { return nil }
      screens.inDiscover.results.waiting = []
      say(.note, "Stopped asking the directories")
      return [.cancel(search)]
    }
    awaited.end(last.request)
    arriving[last.request] = nil
    say(.note, "Stopped asking \(ShownAddress(last.address))")
    return [.cancel(last.request)]
  }
}
