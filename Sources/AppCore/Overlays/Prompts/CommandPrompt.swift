import Foundation
import TerminalKit

/// The command line, `:`.
public struct CommandPrompt: PromptPurpose {
  public init() {}
  public var label: String { ":" }
  public var history: WritableKeyPath<State, PromptHistory>? { \.history }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] { state.run(text) }
  public func completions(of head: String, _ state: State) -> [String] { CommandLineText.completions(of: head, state) }
  public func fileHead(of head: String) -> String? {
    guard let space = head.firstIndex(of: " "), Command.named(String(head[..<space]))?.argument == .file
    else { return nil }
    return String(head[head.index(after: space)...])
  }
  public func takesArgument(after completion: String) -> Bool {
    Command.named(completion).map { $0.argument != .none } ?? false
  }
  public func help(of completion: String) -> String? { Command.named(completion)?.help }
}

extension State {
  /// Opens the command line with the name of a command that needs an argument.
  mutating func askForArgument(of name: CommandName) -> [Effect] {
    open(Prompt(CommandPrompt(), "\(name) "))
  }

  /// Runs a line: the name of a command or an unambiguous beginning of it, and an argument.
  mutating func run(_ line: String) -> [Effect] {
    guard !line.isEmpty else { return [] }
    history.add(line)
    return [.write(.saveSetting(.commandHistory, history.text))] + runCommandLine(line)
  }

  private mutating func runCommandLine(_ line: String) -> [Effect] {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
    let matches = CommandLineText.commands(beginningWith: parts[0])
    guard let command = Command.named(parts[0]) ?? (matches.count == 1 ? matches[0] : nil) else {
      let hint =
        matches.isEmpty
        ? "; \(keymap.hint(.help)) lists them"
        : ": it could be " + matches.map(\.name.description).joined(separator: ", ")
      showMessage(.error, "There is no command “\(parts[0])”\(hint)")
      return []
    }
    if argument != nil, command.argument == .none {
      showMessage(.error, "\(command.name) takes nothing after its name")
      return []
    }
    return perform(command.name, argument?.isEmpty == true ? nil : argument)
  }
}

/// Completion for the command line.
enum CommandLineText {
  static func commands(beginningWith text: String) -> [Command] {
    Command.table.filter { $0.name.description.hasPrefix(text) }
  }

  static func completions(of head: String, _ state: State) -> [String] {
    guard let space = head.firstIndex(of: " ") else {
      return commands(beginningWith: head).map(\.name.description).sorted()
    }
    let name = String(head[..<space])
    let rest = head[head.index(after: space)...]
    let words = Command.named(name)?.argument.candidates(state) ?? []
    return words.filter { $0.hasPrefix(rest) }.map { "\(name) \($0)" }
  }
}
