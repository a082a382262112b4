import Model
import TerminalKit

/// `r` and `R`: the feeds are asked for what is new. What comes of it arrives in reports, and is summed up at the end.
extension State {
  mutating func refreshSelected() -> [Effect] {
    guard let podcast = selectedPodcast else {
      say(.note, "Choose a podcast first; R refreshes all")
      return []
    }
    return [.refresh([podcast.id])]
  }

  mutating func refreshAll() -> [Effect] {
    guard refresh == nil else {
      say(.note, "A refresh is under way")
      return []
    }
    guard !podcasts.isEmpty else {
      say(.note, "There is no podcast to refresh yet: \(keymap.hint(.add) ?? ":add") adds one")
      return []
    }
    return [.refresh(nil)]
  }

  mutating func receive(_ report: RefreshReport) -> [Effect] {
    switch report {
    case .started(let total):
      var begun = RefreshState(total: total)
      begun.unreadBefore = unread + (hasUnreadMessage ? 1 : 0)
      refresh = begun
      return []
    case .putOff(let podcasts):
      refresh?.putOff = podcasts.map(\.title)
      return []
    case .podcast(let title, let done, let total, let fresh):
      refresh?.done = done
      refresh?.total = total
      refresh?.title = title
      return fresh > 0 ? invalidate() : []
    case .failed(_, let error, let done, let total):
      refresh?.done = done
      refresh?.total = total
      // What was cut off by the listener's own wish is no failure.
      guard refresh?.isCancelled != true else { return [] }
      say(.error, error.text)
      return invalidate()
    case .finished(let new, let unchanged, let failed):
      let wasCancelled = refresh?.isCancelled == true
      let putOff = refresh?.putOff ?? []
      let unreadBefore = refresh?.unreadBefore ?? 0
      refresh = nil
      if wasCancelled {
        say(.note, "Refresh stopped: \(new) new \(new == 1 ? "episode" : "episodes") until then")
        return invalidate()
      }
      guard new + unchanged + failed + putOff.count > 0 else { return [] }
      var parts: [String] = []
      if new > 0 { parts.append("\(new) new \(new == 1 ? "episode" : "episodes")") }
      if unchanged > 0 { parts.append("\(unchanged) unchanged") }
      if failed > 0 { parts.append("\(failed) failed (:log says why)") }
      if !putOff.isEmpty { parts.append(Self.words(putOff: putOff)) }
      // A single failure has said more than the count could.
      if failed != 1 || parts.count > 1 {
        mention(
          failed > 0 ? .warning : .success,
          "Refreshed: " + parts.joined(separator: ", "))
        // It speaks for the failures that it counts.
        unread = min(unread, unreadBefore)
      }
      return invalidate()
    }
  }

  /// `1 failed before and is left for later (“Morning news”)`.
  private static func words(putOff titles: [String]) -> String {
    let names = titles.prefix(2).map { "“\(Sanitize.line($0))”" }.joined(separator: ", ")
    let more = titles.count > 2 ? " and \(titles.count - 2) more" : ""
    return
      "\(titles.count) failed before and \(titles.count == 1 ? "is" : "are") left for later (\(names)\(more); r asks now)"
  }

  mutating func cancelRefresh() -> [Effect] {
    guard refresh != nil else {
      say(.note, "Nothing is under way that could be stopped")
      return []
    }
    refresh?.isCancelled = true
    say(.note, "Stopping the refresh…")
    return [.cancelRefresh]
  }
}
