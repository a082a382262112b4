import Model

/// A row of the command table: name, keys and contexts, whether it can be used, and what it does. The keymap, the help,
/// completion and the manual are made from it.
public struct Command: Sendable {
  /// The section of the help.
  public enum Group: String, CaseIterable, Sendable {
    case move = "Moving about"
    case playback = "Playback"
    case library = "Library"
    case queue = "Queue"
    case view = "Screens and views"
    case program = "Program"
  }

  /// The argument after the name.
  public enum Argument: Equatable, Sendable {
    case none
    /// A number, a time or another text, with the word for it in the help.
    case text(String)
    case theme
    case playlist
    case order, queueOrder
    case file

    /// The word for the argument in the help; empty for none.
    var word: String {
      switch self {
      case .none: ""
      case .text(let word): word
      case .theme: "THEME"
      case .playlist: "PLAYLIST"
      case .order, .queueOrder: "ORDER"
      case .file: "FILE"
      }
    }

    /// The completions that Tab offers.
    func candidates(_ state: State) -> [String] {
      switch self {
      // File names are asked for with `PromptPurpose.fileHead`.
      case .none, .text, .file: []
      case .theme: state.themes
      case .playlist: state.library.playlists.filter { !$0.isSmart }.map(\.title)
      case .order: PodcastOrder.allCases.map(\.rawValue)
      case .queueOrder: QueueOrder.allCases.map(\.rawValue)
      }
    }
  }

  /// The meaning of a count before the command, such as `5j`.
  enum Counting: Sendable {
    case ignored
    /// The command is repeated that many times.
    case repeats
    /// The count is the argument.
    case argument
    /// It acts on so many rows of the list.
    case rows
  }

  public let name: CommandName
  public let group: Group
  public let help: String
  public let argument: Argument
  /// Default keys in the notation of `KeyNotation`.
  public let keys: [String]
  /// Where the keys have this meaning. A binding of a specific context wins over `.everywhere`.
  public let contexts: [Context]
  let counting: Counting
  /// Whether it needs the selection or the rows of the list. Then its key waits while the list is being read.
  let needsList: Bool
  /// Whether it is useless while the library cannot be changed.
  let writes: Bool
  /// Why the command cannot be used now, as a sentence; nil when it can.
  let disabledReason: @Sendable (State) -> String?
  /// Does it, with the argument.
  let perform: @Sendable (inout State, String?) -> [Effect]

  /// All rows, in the order of the help.
  public static var table: [Command] { rows.all }
  private static let rows = CommandTable()

  public static func row(_ name: CommandName) -> Command {
    guard let row = rows[name] else { preconditionFailure("no row for the command \(name)") }
    return row
  }

  /// The row with the name that the listener typed, or wrote in `config.toml`.
  static func named(_ name: String) -> Command? { rows[.named(name)] }
}

/// The name of a command, as typed after `:` and written in `config.toml`. Commands that other code refers to have a
/// constant, in the file of their rows.
public struct CommandName: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  static func named(_ name: String) -> CommandName { CommandName(description: name) }
}

extension State {
  /// Performs a command, or shows why it cannot be used now.
  mutating func perform(_ name: CommandName, _ argument: String? = nil) -> [Effect] {
    let command = Command.row(name)
    if let reason = command.disabledReason(self) { return tell(.info, reason, while: condition(of: reason)) }
    if let reason = writeRefusal(of: name) { return tell(.error, reason, while: .refusal(reason)) }
    return command.perform(&self, argument)
  }

  /// What ends the reason why a command cannot be used.
  private func condition(of reason: String) -> MessageCondition? {
    if reason == stillOpening { return .opening }
    return reason == writeRefusal ? .refusal(reason) : nil
  }
}

/// The part of the screen where a key was pressed.
public enum Context: String, CaseIterable, Sendable {
  case everywhere, podcasts, playlists, episodes, queue, detail, player, discover
}
