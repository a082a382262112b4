import Foundation
import Model
import TerminalKit

/// A line to type into, at the foot of the screen.
public struct Prompt: Equatable, Sendable {
  public enum Purpose: Equatable, Sendable {
    case command, search, add, find
    case newPlaylist(adding: Playlist.Item? = nil)
    case renamePlaylist(PlaylistID)
    case renameClip(Clip)
    /// The title of a clip that was just marked; it may stay empty.
    case clip(ClipMark, end: Double)
    case smartTitle
    /// Of the playlist that is changed; nil makes one.
    case smartFilter(PlaylistID?, title: String)
  }

  public var purpose: Purpose
  public var editor: LineEditor
  /// What Tab offers, and which of them is in the line.
  public var completions: [String] = []
  public var completion: Int?
  /// Where Up and Down are in the history; nil on the line that is being typed.
  var recalled: Int?
  /// What C-r looks for in the history.
  var sought: String?

  /// What is `offered` is there to be taken as it is: the first letter that is typed takes its place.
  public init(_ purpose: Purpose, offered: String) {
    self.purpose = purpose
    editor = LineEditor(offered)
    editor.selectAll()
  }

  public init(_ purpose: Purpose, _ text: String = "") {
    self.purpose = purpose
    editor = LineEditor(text)
    // The editor cleans what it is given and would cut the blank that an argument follows.
    if text.hasSuffix(" "), !editor.text.hasSuffix(" ") { editor.insert(" ") }
  }

  public var label: String {
    switch purpose {
    case .command: ":"
    case .search: "/"
    case .add: "Address: "
    case .find: "Search: "
    case .newPlaylist: "New playlist: "
    case .renamePlaylist: "Rename to: "
    case .renameClip: "Title of the clip: "
    case .clip(let mark, let end): "Clip \(TimeText.clock(mark.start))–\(TimeText.clock(end)), title: "
    case .smartTitle: "Smart playlist, title: "
    case .smartFilter: "Filter: "
    }
  }
}

/// What was typed into a prompt, the newest last.
public struct PromptHistory: Equatable, Sendable {
  public private(set) var lines: [String] = []
  public init() {}

  /// As it was remembered: a line each.
  public init(_ text: String) {
    lines = text.split(separator: "\n").suffix(Self.limit).map { Sanitize.line($0) }
  }

  /// As it is remembered: without passwords, which were typed for once.
  var text: String { lines.map(Redaction.text).joined(separator: "\n") }
  private static let limit = 200

  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst() }
  }
}

extension State {
  mutating func handle(_ prompt: Prompt, _ key: Key) -> [Effect] {
    var prompt = prompt
    switch key {
    case Key(.escape), Key("c", .control), Key("g", .control):
      overlays.removeLast()
      return []
    case Key(.enter):
      overlays.removeLast()
      return finish(prompt)
    case Key(.tab): complete(&prompt, by: 1)
    case Key(.tab, .shift): complete(&prompt, by: -1)
    case Key(.up), Key("p", .control): recall(&prompt, by: -1)
    case Key(.down), Key("n", .control): recall(&prompt, by: 1)
    case Key("r", .control): seekInHistory(&prompt)
    case Key(.backspace) where prompt.editor.isEmpty:
      overlays.removeLast()
      return []
    default:
      if key.modifiers.isDisjoint(with: [.control, .alt]), case .character(let character) = key.base {
        return type(String(character), into: prompt)
      }
      prompt.sought = nil
      if prompt.editor.handle(key) {
        prompt.completions = []
        prompt.completion = nil
      }
    }
    replaceTop(.prompt(prompt))
    return findAsTyped(prompt)
  }

  /// Puts text into the line of the topmost prompt, where its cursor is.
  mutating func type(_ text: String, into prompt: Prompt) -> [Effect] {
    var prompt = prompt
    prompt.sought = nil
    if !prompt.editor.insert(text) {
      let problem = "The line takes no more than \(LineEditor.limit) characters"
      if message?.text != problem { say(.warning, problem) }
    }
    prompt.completions = []
    prompt.completion = nil
    replaceTop(.prompt(prompt))
    return findAsTyped(prompt)
  }

  private mutating func finish(_ prompt: Prompt) -> [Effect] {
    let text = prompt.editor.text.trimmingCharacters(in: .whitespaces)
    switch prompt.purpose {
    case .command: return run(text)
    case .search:
      if !text.isEmpty { searchHistory.add(text) }
      return search(text)
    case .add: return add(text)
    case .find: return finishFind(text)
    case .newPlaylist(let item): return text.isEmpty ? [] : newPlaylist(text, adding: item)
    case .renamePlaylist, .renameClip: return rename(prompt.purpose, text)
    case .clip(let mark, let end): return saveClip(mark, end: end, title: text)
    case .smartTitle: return text.isEmpty ? [] : smartPlaylist(text)
    case .smartFilter(let id, let title): return saveSmartPlaylist(prompt, id, title, text)
    }
  }

  /// A line of the command line: a name, or its unambiguous beginning, and an argument.
  mutating func run(_ line: String) -> [Effect] {
    guard !line.isEmpty else { return [] }
    history.add(line)
    return [.write(.saveSetting(.commandHistory, history.text))] + runCommandLine(line)
  }

  private mutating func runCommandLine(_ line: String) -> [Effect] {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
    let matches = CommandLineText.commands(beginningWith: parts[0])
    guard let name = CommandName(rawValue: parts[0]) ?? (matches.count == 1 ? matches[0] : nil) else {
      let hint = matches.isEmpty ? "; \(keymap.hint(.help)) lists them" : ": it could be " + matches.map(\.rawValue).joined(separator: ", ")
      say(.error, "There is no command “\(parts[0])”\(hint)")
      return []
    }
    if argument != nil, Command.row(name).argument == .none {
      say(.error, "\(name.rawValue) takes nothing after its name")
      return []
    }
    return perform(name, argument?.isEmpty == true ? nil : argument)
  }

  private func complete(_ prompt: inout Prompt, by step: Int) {
    if prompt.completions.isEmpty {
      switch prompt.purpose {
      case .command: prompt.completions = CommandLineText.completions(of: prompt.editor.head, self)
      case .smartFilter: prompt.completions = prompt.filterCompletions
      default: return
      }
      prompt.completion = nil
    }
    guard !prompt.completions.isEmpty else { return }
    let count = prompt.completions.count
    let index = prompt.completion.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    prompt.completion = index
    prompt.editor = LineEditor(prompt.completions[index])
    if prompt.completions.count == 1 {
      if prompt.purpose == .command, CommandLineText.takesArgument(prompt.completions[0]) { prompt.editor.insert(" ") }
      prompt.completions = []
      prompt.completion = nil
    }
  }

  private func recall(_ prompt: inout Prompt, by step: Int) {
    let lines = history(of: prompt.purpose)?.lines ?? []
    let index = (prompt.recalled ?? lines.count) + step
    guard !lines.isEmpty, index >= 0 else { return }
    prompt.completions = []
    prompt.completion = nil
    prompt.recalled = index < lines.count ? index : nil
    prompt.editor.text = index < lines.count ? lines[index] : ""
  }

  /// C-r: the next older line that contains what was typed.
  private func seekInHistory(_ prompt: inout Prompt) {
    let lines = history(of: prompt.purpose)?.lines ?? []
    let begins = prompt.sought == nil
    let words = prompt.sought ?? prompt.editor.text
    prompt.sought = words
    let older = lines.indices.prefix(begins ? lines.count : prompt.recalled ?? lines.count)
    guard let index = older.last(where: { SearchText.matches(lines[$0], SearchText.fold(words)) }) else { return }
    prompt.completions = []
    prompt.completion = nil
    prompt.recalled = index
    prompt.editor.text = lines[index]
  }

  private func history(of purpose: Prompt.Purpose) -> PromptHistory? {
    switch purpose {
    case .command: history
    case .find: findHistory
    case .search: searchHistory
    default: nil
    }
  }

  /// Pasted text goes into the prompt; on a screen an address means "add this podcast".
  mutating func paste(_ text: String) -> [Effect] {
    // A megabyte of paste is an accident; an address is short. Scalars: one character may be a megabyte of marks.
    let text = Sanitize.line(String(text.unicodeScalars.prefix(LineEditor.limit))).trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return [] }
    switch overlays.last {
    case .prompt(let prompt): return type(text, into: prompt)
    case .help(var help):
      help.filter.insert(text)
      help.top = 0
      replaceTop(.help(help))
    case nil: overlays.append(.prompt(Prompt(.add, text)))
    default: break
    }
    return []
  }
}

/// Completion of the command line, from the command table.
enum CommandLineText {
  static func commands(beginningWith text: String) -> [CommandName] {
    CommandName.allCases.filter { $0.rawValue.hasPrefix(text) }
  }

  static func completions(of head: String, _ state: State) -> [String] {
    guard let space = head.firstIndex(of: " ") else {
      return commands(beginningWith: head).map(\.rawValue).sorted()
    }
    let name = String(head[..<space])
    let rest = head[head.index(after: space)...]
    let words = CommandName(rawValue: name).map { Command.row($0).argument.candidates(state) } ?? []
    return words.filter { $0.hasPrefix(rest) }.map { "\(name) \($0)" }
  }

  static func takesArgument(_ name: String) -> Bool {
    CommandName(rawValue: name).map { Command.row($0).argument != .none } ?? false
  }
}
