import Foundation
import Model
import TerminalKit

/// What one kind of line is for that is typed at the foot of the screen.
public protocol PromptPurpose: Equatable, Sendable {
  var label: String { get }
  /// Enter: `text` is what was typed, without blanks around it.
  func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect]

  /// The line may have changed.
  func typed(_ text: String, _ state: inout State) -> [Effect]
  /// The line, in each way in which it can go on from the cursor: what Tab offers.
  func completions(of head: String, _ state: State) -> [String]
  /// The beginning of a file's name that ends where the cursor is; nil: what is typed there names no file.
  func fileHead(of head: String) -> String?
  /// The only completion is followed by a blank.
  func takesMore(after completion: String) -> Bool
  /// What stands beside a completion.
  func help(of completion: String) -> String?
  /// Where the lines are remembered that were typed before.
  var history: WritableKeyPath<State, PromptHistory>? { get }
  /// Up and Down choose in the list above the line; false: they recall what was typed before.
  func move(by step: Int, _ state: inout State) -> Bool
  /// What is wrong with what is typed.
  func problem(in text: String) -> FilterError?
}

extension PromptPurpose {
  public func typed(_ text: String, _ state: inout State) -> [Effect] { [] }
  public func completions(of head: String, _ state: State) -> [String] { [] }
  public func fileHead(of head: String) -> String? { nil }
  public func takesMore(after completion: String) -> Bool { false }
  public func help(of completion: String) -> String? { nil }
  public var history: WritableKeyPath<State, PromptHistory>? { nil }
  public func move(by step: Int, _ state: inout State) -> Bool { false }
  public func problem(in text: String) -> FilterError? { nil }
}

/// An overlay that is a line to type into, whatever it is for.
public protocol LineOverlay: Overlay {
  var editor: LineEditor { get }
}

extension LineOverlay {
  public var takesAllKeys: Bool { true }
}

/// A line to type into, at the foot of the screen.
public struct Prompt<Purpose: PromptPurpose>: LineOverlay {
  public let purpose: Purpose
  public private(set) var editor: LineEditor
  /// What Tab offers, and which of them is in the line.
  private(set) var completions: [String] = []
  private(set) var completion: Int?
  /// Where Up and Down are in the history; nil on the line that is being typed.
  private var recalled: Int?
  /// What C-r looks for in the history.
  private var sought: String?

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

  var problem: FilterError? { editor.isEmpty ? nil : purpose.problem(in: editor.text) }
  private var text: String { editor.text.trimmingCharacters(in: .whitespaces) }

  // MARK: Keys

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayStep {
    switch key {
    case Key(.escape), Key("c", .control), Key("g", .control): return .close()
    case Key(.enter): return .close(purpose.finish(text, self, &state))
    case Key(.tab), Key(.tab, .shift):
      let effects = complete(by: key == Key(.tab) ? 1 : -1, state)
      return .stay(effects + purpose.typed(text, &state))
    case Key(.up) where purpose.move(by: -1, &state), Key(.down) where purpose.move(by: 1, &state): return .stay()
    case Key(.up), Key("p", .control): recall(by: -1, state)
    case Key(.down), Key("n", .control): recall(by: 1, state)
    case Key("r", .control): seekInHistory(state)
    case Key(.backspace) where editor.isEmpty: return .close()
    default:
      if key.modifiers.isDisjoint(with: [.control, .alt]), case .character(let character) = key.base {
        return paste(String(character), &state)
      }
      sought = nil
      if editor.handle(key) { forgetCompletions() }
    }
    return .stay(purpose.typed(text, &state))
  }

  /// What was typed is not lost by a click that missed.
  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayStep { .stay() }

  /// Puts text into the line, where its cursor is.
  public mutating func paste(_ text: String, _ state: inout State) -> OverlayStep {
    sought = nil
    if !editor.insert(text) {
      let problem = "The line takes no more than \(LineEditor.limit) characters"
      if state.message?.text != problem { state.say(.warning, problem) }
    }
    forgetCompletions()
    return .stay(purpose.typed(self.text, &state))
  }

  private mutating func forgetCompletions() {
    completions = []
    completion = nil
  }

  /// Names of files are not known here: they are asked for, and the answer completes.
  private mutating func complete(by step: Int, _ state: State) -> [Effect] {
    if completions.isEmpty, let head = purpose.fileHead(of: editor.head) { return [.file(.listFiles(head))] }
    if completions.isEmpty {
      completions = purpose.completions(of: editor.head, state)
      completion = nil
    }
    turn(by: step)
    return []
  }

  /// As a shell does: what all names share, then one after the other. A folder ends with its slash, so that the next Tab
  /// looks into it.
  public mutating func receive(fileNames: [String], head: String, _ state: inout State) {
    // What has been typed since is something else.
    guard purpose.fileHead(of: editor.head) == head else { return }
    guard let first = fileNames.first else {
      state.say(.note, "No file begins so: \(head)")
      return
    }
    let before = String(editor.head.dropLast(head.count))
    let shared = fileNames.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if fileNames.count > 1, shared.count > head.count {
      editor = LineEditor(before + shared)
      return
    }
    completions = fileNames.map { before + $0 }
    completion = nil
    turn(by: 1)
  }

  private mutating func turn(by step: Int) {
    guard !completions.isEmpty else { return }
    let count = completions.count
    let index = completion.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    completion = index
    editor = LineEditor(completions[index])
    if count == 1 {
      if purpose.takesMore(after: completions[0]) { editor.insert(" ") }
      forgetCompletions()
    }
  }

  private func lines(_ state: State) -> [String] { purpose.history.map { state[keyPath: $0].lines } ?? [] }

  private mutating func recall(by step: Int, _ state: State) {
    let lines = lines(state)
    let index = (recalled ?? lines.count) + step
    guard !lines.isEmpty, index >= 0 else { return }
    forgetCompletions()
    recalled = index < lines.count ? index : nil
    editor.text = index < lines.count ? lines[index] : ""
  }

  /// C-r: the next older line that contains what was typed.
  private mutating func seekInHistory(_ state: State) {
    let lines = lines(state)
    let begins = sought == nil
    let words = SearchText.fold(sought ?? editor.text)
    sought = sought ?? editor.text
    let older = lines.indices.prefix(begins ? lines.count : recalled ?? lines.count)
    guard let index = older.last(where: { SearchText.matches(lines[$0], words) }) else { return }
    forgetCompletions()
    recalled = index
    editor.text = lines[index]
  }

  // MARK: How it looks

  public func draw(_ state: State, into frame: inout Frame) {
    PromptView(prompt: self, state: state).draw(into: &frame)
  }

  public func drawStatus(_ screen: LinearScreen, _ row: Rect, into frame: inout Frame) -> Bool {
    PromptView(prompt: self, state: screen.state).drawLine(into: &frame)
    return true
  }

  /// What Tab has put into the line, and which of how many it is; what is wrong with a filter.
  public func foot(_ state: State) -> String? {
    if let problem { return problem.description }
    guard completions.count > 1, let index = completion else { return nil }
    return "\(index + 1) of \(completions.count)" + (purpose.help(of: completions[index]).map { ", " + $0 } ?? "")
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
