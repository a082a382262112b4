import Model
import TerminalKit

/// Asks for what sync needs, one line after the other: the address, the name, and the password, which is hidden.
public struct SyncLoginPrompt: PromptPurpose {
  enum Step: Equatable {
    case address
    case user(url: String)
    case password(url: String, user: String)
  }
  var step = Step.address

  public var label: String {
    switch step {
    case .address: "Server, webdav:ADDRESS or folder:PATH: "
    case .user: "User name (empty: in the browser): "
    case .password(_, let user): "Password of \(user): "
    }
  }

  public var isHidden: Bool { if case .password = step { true } else { false } }

  public func fileHead(of head: String) -> String? {
    guard step == .address, head.hasPrefix(Self.folder) else { return nil }
    return String(head.dropFirst(Self.folder.count))
  }

  private static let folder = "folder:"

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    switch step {
    case .address where text.isEmpty: return []
    case .address where text.hasPrefix(Self.folder): return logIn(SyncLogin(url: text), &state)
    case .address: return state.open(Prompt(SyncLoginPrompt(step: .user(url: text))))
    case .user(let url) where text.isEmpty: return logIn(SyncLogin(url: url), &state)
    case .user(let url): return state.open(Prompt(SyncLoginPrompt(step: .password(url: url, user: text))))
    case .password(let url, let user):
      // A password may begin or end with a space.
      return logIn(SyncLogin(url: url, user: user, password: prompt.editor.text), &state)
    }
  }

  private func logIn(_ login: SyncLogin, _ state: inout State) -> [Effect] {
    state.showMessage(.info, "Logging in …")
    return [.network(.sync(.logIn(login)))]
  }
}
