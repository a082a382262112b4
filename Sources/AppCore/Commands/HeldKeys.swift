import Foundation
import Model
import TerminalKit

/// Keys that wait for the list, the details or the match of a search that they act on.
///
/// On a slow machine or line, keys come faster than the library answers: `2x` goes to another screen and deletes what
/// is selected there. Such keys wait for the answer, so that they act on what the listener expects.
struct HeldKeys: Equatable, Sendable {
  fileprivate var keys: [Key] = []
  /// When the first of these keys was pressed.
  fileprivate var since: Date?

  /// The longest wait, in seconds. After that the next key acts at once, and those that waited are dropped.
  static let timeout = 3.0

  var isEmpty: Bool { keys.isEmpty }
}

extension State {
  mutating func mustHold(_ key: Key) -> Bool {
    if let since = keys.held.since, now.timeIntervalSince(since) > HeldKeys.timeout {
      dropHeldKeys()
      return false
    }
    if leavesSlowList(key) {
      dropHeldKeys()
      return false
    }
    return (!keys.held.isEmpty || mustWait(key)) && !neverWaits(key)
  }

  /// Whether the key leaves a screen whose list may take many seconds. Such a key does not wait.
  private func leavesSlowList(_ key: Key) -> Bool {
    guard overlays.isEmpty, tab.kind.wait(self) == .long else { return false }
    guard case .command(let name) = keymap.match([key], in: context) else { return false }
    return [.back, .cancel].contains(name) || Tab.allCases.contains { $0.kind.traits.command == name }
  }

  mutating func hold(_ key: Key) {
    keys.held.since = keys.held.since ?? now
    keys.held.keys.append(key)
  }

  mutating func dropHeldKeys() { keys.held = HeldKeys() }

  var canReleaseHeldKeys: Bool { keys.held.keys.first.map { !mustWait($0) } ?? false }

  /// Handles the keys that need not wait any longer.
  mutating func releaseHeldKeys() -> [Effect] {
    var effects: [Effect] = []
    while let key = keys.held.keys.first, !mustWait(key) {
      keys.held.keys.removeFirst()
      effects += handleNow(key)
    }
    if keys.held.isEmpty { dropHeldKeys() }
    return effects
  }

  /// These commands never wait, and work in overlays, so that nothing can lock anyone in.
  static let escapes: Set<CommandName> = [.quit, .suspend, .redraw]

  private func neverWaits(_ key: Key) -> Bool {
    guard overlays.isEmpty, case .command(let name) = keymap.match([key], in: context) else { return false }
    return Self.escapes.contains(name)
  }

  /// Whether the key acts on something that is still being read.
  private func mustWait(_ key: Key) -> Bool {
    guard overlays.isEmpty else { return false }
    if awaited.isPickerSoon || listening == nil && screen.search?.wanted != nil { return true }
    let (isListPending, areDetailsPending) = (isListPending, areDetailsPending)
    // A key in the list of playlists can act on the items of the selected one.
    let isPlaylistPending = focusedPane == .playlists && arePlaylistEntriesPending
    guard isListPending || areDetailsPending || isPlaylistPending,
      case .command(let name) = keymap.match(keys.pending + [key], in: context)
    else { return false }
    return isListPending && Command.row(name).needsList
      || isPlaylistPending && Command.row(name).counting == .rows
      || areDetailsPending && Self.commandsOfDetails.contains(name) && isReaderShown
  }

  /// These commands act on the links of the details.
  private static let commandsOfDetails: Set<CommandName> = [.openLink, .copyLink]

  /// Whether the details of the selected subject are still being read, or have not been asked for or laid out yet.
  private var areDetailsPending: Bool {
    if let notes = listening?.notes {
      guard let episode = listeningEpisode else { return false }
      return notes.subject != .episode(episode) || areDetailsAwaited(in: .notes)
        || notes.isTextOutdated && layout.area(.notes) != nil
    }
    guard let subject = tab.kind.details(self).subject else { return false }
    let detail = screen.detail
    return detail.subject != subject || detail.isTextOutdated || areDetailsAwaited(in: .details(tab))
  }

  /// Whether the list that has the keys is still being read.
  var isListPending: Bool { listening == nil && tab.kind.wait(self) != .no }

  /// Whether the episodes of the screen are still being read, or are those of another query.
  var areEpisodesPending: Bool {
    tab.kind.query(self).map { filtered($0) != screen.episodes.query } ?? false
      || screen.listQuery.isPending(areEpisodesAwaited)
  }
}
