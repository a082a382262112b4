import Foundation
import Model
import TerminalKit

/// Smart playlists: a title and a filter (docs/FILTERS.md), which is checked while it is typed.
extension State {
  /// `S`: asks for a title, then for the filter.
  /// - Parameter filter: what the prompt for the filter offers.
  mutating func smartPlaylist(_ title: String?, filter: String = "") -> [Effect] {
    guard let title = title?.trimmingCharacters(in: .whitespaces), !title.isEmpty else {
      return open(Prompt(SmartTitlePrompt(filter: filter)))
    }
    return isFreeTitle(title) ? open(Prompt(FilterPrompt(title: title), filter)) : []
  }

  /// `:edit-filter`: asks for another filter of the selected smart playlist, or takes the given one.
  mutating func editFilter(_ filter: String?) -> [Effect] {
    guard let playlist = selectedPlaylist, let old = playlist.filter else { return [] }
    let prompt = FilterPrompt(playlist: playlist.id, title: playlist.title, before: old)
    guard let filter else { return open(Prompt(prompt, old)) }
    return prompt.finish(filter, Prompt(prompt, filter), &self)
  }

  mutating func save(_ prompt: FilterPrompt, _ text: String) -> [Effect] {
    guard !text.isEmpty else { return tell(.info, "A smart playlist needs a filter; nothing was saved") }
    guard text != prompt.before else { return [] }
    guard let id = prompt.playlist else {
      pendingSelection.set(playlist: prompt.title)
      return write(.makeSmartPlaylist(prompt.title, filter: text), "New smart playlist “\(prompt.title)”")
    }
    return write(.changeFilter(id, text), "Changed “\(prompt.title)”")
  }
}

/// Counts what smart playlists find. It is asked after the list of playlists, which does not wait for these searches.
struct SmartPlaylistCounts: LibraryQuestion {
  var destination: AnswerDestination { .later }
  func read(_ library: any LibraryReader) throws -> [PlaylistID: Int]? { try library.smartPlaylistCounts() }

  func receive(_ counts: [PlaylistID: Int], _ state: inout State) -> [Effect] {
    state.library.smartCounts = counts
    return []
  }
}
