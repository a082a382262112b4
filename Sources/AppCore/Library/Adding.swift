import Foundation
import Model
import TerminalKit

/// `a`: adds a podcast by its address. A slow server does not block anything: the screen shows the podcasts that are
/// being added, and the listener can cancel.
extension State {
  mutating func add(_ address: String, login: FeedLogin? = nil) -> [Effect] {
    let address = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !address.isEmpty else { return [] }
    questions.removeAll { ($0.content as? Prompt<AddLoginPrompt>)?.purpose.address == address }
    let request = awaited.begin(.podcast(address))
    showAsking(ShownAddress(address).description, request)
    return [.network(.add(request, address, login: login))]
  }

  /// Says what a request asks for until it has ended, and how to stop it.
  mutating func showAsking(_ what: String, _ request: RequestID) {
    showMessage(.info, "Asking \(what)… \(keymap.press(.cancel)) to stop.", while: .request(request))
  }

  mutating func added(_ request: RequestID, _ result: Result<AddedPodcast, ReportedError>) -> [Effect] {
    let subject = awaited.end(request)
    switch result {
    case .success(let podcast):
      let title = Sanitize.line(podcast.title)
      if podcast.wasKnown {
        let lack = podcast.lacksEpisode ? "; its feed does not have the episode of the link" : ""
        showMessage(podcast.lacksEpisode ? .warning : .info, "“\(title)” is already in the library\(lack)")
      } else {
        let isWhole = !podcast.isCutOff && !podcast.lacksEpisode && podcast.problem == nil
        showMessage(isWhole ? .success : .warning, podcast.text)
      }
      // What is being typed or chosen is about what is selected.
      if overlays.isEmpty {
        pendingSelection.set(podcast: podcast.id)
        if let episode = podcast.episode { show(episode, of: podcast.id) }
      }
      return invalidate()
    case .failure(let error):
      // No error after the listener has cancelled.
      guard let subject else { return [] }
      showMessage(.error, error.text + hint(forFailed: subject))
      if let problem = error.loginProblem, case .podcast(let address) = subject {
        askLater(Prompt(AddLoginPrompt(address: address, problem: problem)))
      }
      return []
    }
  }

  /// What to do instead, if the listener typed a name or a path instead of an address.
  private func hint(forFailed subject: Awaited.Subject) -> String {
    guard case .podcast(let address) = subject else { return "" }
    let isPath = ["/", "~", "./", "../"].contains { address.hasPrefix($0) } || address.lowercased().hasSuffix(".opml")
    if isPath, !address.contains("://") { return ". \(keymap.press(.named("import"))) to import a file." }
    guard !address.contains(where: ".:/".contains) else { return "" }
    return ". \(keymap.press(.discover)) to find podcasts by name."
  }

  /// Selects the episode of a link in the list of its podcast, once it is there.
  private mutating func show(_ episode: EpisodeID, of podcast: PodcastID) {
    _ = show(.podcasts)
    screens[.podcasts].focus = .episodes
    screens[.podcasts].isReading = false
    screens.unplayedOnly = false
    var wanted = Restored()
    wanted.podcasts = [podcast]
    wanted.episodes = [episode]
    pendingSelection.set(wanted)
  }

  /// Cancels the last addition; nil if nothing is being added.
  mutating func stopAdding() -> [Effect]? {
    guard let last = awaited.additions.last else { return handleOnScreen(.cancel) }
    showMessage(.info, "Stopped asking \(ShownAddress(last.address))")
    return cancel(last.request)
  }
}

/// Asks for the address of a podcast to add.
public struct AddPrompt: PromptPurpose {
  public var label: String { "Address: " }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] { state.add(text) }
}

/// Asks for the user name and the password of a feed, one line after the other, and adds it again with them.
struct AddLoginPrompt: PromptPurpose {
  var address: String
  var problem: ReportedError.LoginProblem
  /// Nil while it is typed.
  var user: String?

  var label: String {
    if let user { return "Password of \(user): " }
    return (problem.isRefused ? "Not accepted. " : "") + "User name for \(Sanitize.line(problem.server.name)): "
  }

  var isHidden: Bool { user != nil }

  func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    guard let user else {
      return text.isEmpty ? [] : state.open(Prompt(AddLoginPrompt(address: address, problem: problem, user: text)))
    }
    // A password may begin or end with a space.
    return state.add(address, login: FeedLogin(user: user, password: prompt.editor.text, server: problem.server))
  }
}
