import Foundation
import Model
import TerminalKit

/// Smart playlists: a title and a query, which is checked as it is typed.
extension State {
  /// `S`: asks for a title, then for the query.
  mutating func smartPlaylist(_ title: String?) -> [Effect] {
    guard let title = title?.trimmingCharacters(in: .whitespaces), !title.isEmpty else {
      overlays.append(.prompt(Prompt(.smartTitle)))
      return []
    }
    return editSmartPlaylist(nil, title: title, query: "")
  }

  mutating func editSmartPlaylist(_ id: Int64?, title: String, query: String) -> [Effect] {
    overlays.append(.prompt(Prompt(.smartQuery(id, title: title), query)))
    return checkQuery()
  }

  /// Asks whether what is typed can be understood.
  mutating func checkQuery() -> [Effect] {
    guard case .prompt(var prompt) = overlays.last, case .smartQuery = prompt.purpose else { return [] }
    let request = self.request()
    prompt.check = request
    replaceTop(.prompt(prompt))
    return [.checkQuery(request, prompt.editor.text)]
  }

  mutating func receive(_ request: RequestID, _ problem: QueryProblem?) {
    guard case .prompt(var prompt) = overlays.last, prompt.check == request else { return }
    prompt.problem = problem
    replaceTop(.prompt(prompt))
  }

  /// Enter on the query: one that is not understood stays in the prompt.
  mutating func saveSmartPlaylist(_ prompt: Prompt, _ id: Int64?, _ title: String, _ query: String) -> [Effect] {
    guard !query.isEmpty else {
      say(.note, "A smart playlist needs a query; nothing was saved")
      return []
    }
    if let problem = prompt.problem {
      overlays.append(.prompt(prompt))
      say(.error, problem.text)
      return []
    }
    playlistToSelect = title
    say(.success, "Smart playlist “\(title)”")
    return [.saveSmartPlaylist(id, title: title, query: query)]
  }
}
