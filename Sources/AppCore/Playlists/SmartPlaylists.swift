import Foundation
import Model
import TerminalKit

/// Smart playlists: a title and a filter (docs/FILTERS.md), which is read as it is typed.
extension State {
  /// `S`: asks for a title, then for the filter.
  mutating func smartPlaylist(_ title: String?) -> [Effect] {
    guard let title = title?.trimmingCharacters(in: .whitespaces), !title.isEmpty else {
      overlays.append(.prompt(Prompt(.smartTitle)))
      return []
    }
    return editSmartPlaylist(nil, title: title, filter: "")
  }

  mutating func editSmartPlaylist(_ id: PlaylistID?, title: String, filter: String) -> [Effect] {
    overlays.append(.prompt(Prompt(.smartFilter(id, title: title), filter)))
    return []
  }

  /// Enter on the filter: one that cannot be read stays in the prompt.
  mutating func saveSmartPlaylist(_ prompt: Prompt, _ id: PlaylistID?, _ title: String, _ text: String) -> [Effect] {
    guard !text.isEmpty else {
      say(.note, "A smart playlist needs a filter; nothing was saved")
      return []
    }
    guard prompt.problem == nil else {
      overlays.append(.prompt(prompt))
      return []
    }
    playlistToSelect = title
    say(.success, id == nil ? "New smart playlist “\(title)”: \(keymap.hint(.undo)) undoes" : "Changed “\(title)”: \(keymap.hint(.undo)) undoes")
    return [.write(.saveSmartPlaylist(id, title: title, filter: text))]
  }
}

extension Prompt {
  /// What is wrong with the filter that is typed; nil for other prompts.
  var problem: FilterError? {
    guard case .smartFilter = purpose, !editor.isEmpty else { return nil }
    do throws(FilterError) {
      _ = try EpisodeFilter(parsing: editor.text)
      return nil
    } catch {
      return error
    }
  }

  /// The line, in each way in which it can go on.
  var filterCompletions: [String] {
    let completion = FilterCompletion(editor.head)
    let characters = Array(editor.head)
    guard completion.replaces.upperBound <= characters.count else { return [] }
    let before = String(characters[..<completion.replaces.lowerBound])
    return completion.candidates.map { before + $0 }
  }
}
