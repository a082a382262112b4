import Foundation
import Model
import TerminalKit

/// The command line, `:`.
public struct CommandPrompt: PromptPurpose {
  /// What the line is about.
  var subject: CommandSubject?
  public var label: String { ":" }
  public var history: WritableKeyPath<State, PromptHistory>? { \.histories.commands }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    state.run(text, about: subject)
  }
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
  mutating func openCommandLine(_ text: String = "") -> [Effect] {
    open(Prompt(CommandPrompt(subject: commandSubject), text))
  }

  /// Opens the command line with the name of a command that needs an argument.
  mutating func askForArgument(of name: CommandName) -> [Effect] { openCommandLine("\(name) ") }

  /// Runs a line: the name of a command or an unambiguous beginning of it, and an argument.
  /// - Parameter subject: what the line is about. Nil: what is selected.
  mutating func run(_ line: String, about subject: CommandSubject? = nil) -> [Effect] {
    guard !line.isEmpty else { return [] }
    histories.commands.add(line)
    return [.setting(.commandHistory, histories.commands.text)] + runCommandLine(line, about: subject)
  }

  private mutating func runCommandLine(_ line: String, about subject: CommandSubject?) -> [Effect] {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
    if Command.named(parts[0]) == nil, let effects = runVimWord(parts[0], argument) { return effects }
    guard let command = Command.named(parts[0]) ?? CommandLineText.command(abbreviated: parts[0]) else {
      let matches = CommandLineText.commands(withWord: parts[0])
      let likely = matches.isEmpty ? CommandLineText.commands(about: parts[0]) : matches
      let near = NearestName.names(for: parts[0], among: Command.table.map(\.name.description))
      let names = likely.isEmpty ? near : likely.map(\.name.description)
      let hint =
        names.isEmpty
        ? ". \(keymap.press(.help)) to list them." : ": it could be " + names.joined(separator: ", ")
      return tell(.error, "There is no command “\(parts[0])”\(hint)")
    }
    if argument != nil, command.argument == .none {
      return tell(.error, "\(command.name) takes nothing after its name")
    }
    if let subject, acts(command, on: subject), !select(subject) { return tell(.warning, subject.goneText) }
    return perform(command.name, argument?.isEmpty == true ? nil : argument)
  }
}

/// Completion for the command line.
enum CommandLineText {
  static func commands(beginningWith text: String) -> [Command] {
    Command.table.filter { $0.name.description.hasPrefix(text) }
  }

  /// The only command that begins with this text. Nil if the text is a whole word of several: `pause` could be
  /// `pause-downloads` or `play-pause`.
  static func command(abbreviated text: String) -> Command? {
    let matches = commands(beginningWith: text)
    guard matches.count == 1 else { return nil }
    let isWholeWord = matches[0].name.description.hasPrefix(text + "-")
    return isWholeWord && commands(withWord: text).count > 1 ? nil : matches[0]
  }

  /// The commands that begin with this text or have it as a word.
  static func commands(withWord text: String) -> [Command] {
    Command.table.filter {
      let name = $0.name.description
      return name.hasPrefix(text) || name.split(separator: "-").contains { $0 == text }
    }
  }

  /// The commands that an unknown word may mean, because their names or help contain it. None if they are many.
  static func commands(about word: String) -> [Command] {
    let word = word.lowercased()
    // “stats” and “settings” without the ending.
    let stem = word.hasSuffix("s") ? word.dropLast() : word[...]
    guard stem.count > 2 else { return [] }
    let found = Command.table.filter { "\($0.name) \($0.help)".lowercased().contains(stem) }
    return found.count > 6 ? [] : found
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
