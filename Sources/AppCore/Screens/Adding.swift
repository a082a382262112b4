import Foundation
import Model
import TerminalKit

/// `a`: a podcast is added by its address. The server may be slow, or silent: what is waited for is seen, and can be
/// stopped.
extension State {
  mutating func add(_ address: String) -> [Effect] {
    let address = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !address.isEmpty else { return [] }
    say(.note, "Asking \(address)…" + (keymap.hint(.cancel).map { " \($0) stops it" } ?? ""))
    let request = self.request()
    adding.append(Adding(request: request, address: address))
    return [.add(request, address)]
  }

  mutating func added(_ request: RequestID, _ result: Result<AddedPodcast, ReportedError>) -> [Effect] {
    arriving[request] = nil
    let wasAwaited = adding.contains { $0.request == request }
    adding.removeAll { $0.request == request }
    switch result {
    case .success(let podcast):
      if podcast.wasKnown {
        say(.note, "“\(podcast.title)” was there already")
      } else {
        say(.success, "Added “\(podcast.title)” with \(podcast.episodes) episodes")
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
    guard let last = adding.popLast() else { return nil }
    arriving[last.request] = nil
    say(.note, "Stopped asking \(last.address)")
    return [.cancelAdd(last.request)]
  }
}
