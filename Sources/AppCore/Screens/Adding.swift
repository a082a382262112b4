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
      if podcast.wasKnown {
        say(.note, "“\(podcast.title)” was there already")
      } else {
        say(podcast.isCutOff ? .warning : .success, podcast.text)
      }
      selectWhenLoaded = podcast.id
      return invalidate()
    case .failure(let error):
      // What the listener has stopped is no failure.
      if wasAwaited { say(.error, error.text) }
      return []
    }
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
