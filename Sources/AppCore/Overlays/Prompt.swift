import Foundation
import Model
import TerminalKit

/// The behaviour of one kind of prompt, which is a text field at the bottom of the screen.
public protocol PromptPurpose: Equatable, Sendable {
  var label: String { get }
  /// Handles Enter. `text` is trimmed.
  func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect]

  /// Called when the prompt is closed without Enter.
  func cancelled(_ state: inout State)
  /// A text that is shown while nothing is typed.
  var example: String { get }
  /// Called when the text may have changed.
  func typed(_ text: String, _ state: inout State) -> [Effect]
  /// The completions for Tab. Each replaces all of `head`.
  /// - Parameter head: the text before the cursor.
  func completions(of head: String, _ state: State) -> [String]
  /// The beginning of a file name that ends at the cursor. Nil if no file name is typed there.
  func fileHead(of head: String) -> String?
  /// Whether a space follows the completion when it is the only one.
  func takesArgument(after completion: String) -> Bool
  /// The description beside a completion.
  func help(of completion: String) -> String?
  /// Where earlier inputs are stored.
  var history: WritableKeyPath<State, PromptHistory>? { get }
  /// Moves the selection of the list above the prompt, for Up and Down.
  /// - Returns: false if Up and Down recall earlier inputs instead.
  func move(by step: Int, _ state: inout State) -> Bool
  /// The error in the text; nil if it is valid.
  func problem(in text: String) -> FilterError?
  /// Whether the text is a password, which is not shown.
  var isHidden: Bool { get }
}

extension PromptPurpose {
  public func cancelled(_ state: inout State) {}
  public var example: String { "" }
  public func typed(_ text: String, _ state: inout State) -> [Effect] { [] }
  public func completions(of head: String, _ state: State) -> [String] { [] }
  public func fileHead(of head: String) -> String? { nil }
  public func takesArgument(after completion: String) -> Bool { false }
  public func help(of completion: String) -> String? { nil }
  public var history: WritableKeyPath<State, PromptHistory>? { nil }
  public func move(by step: Int, _ state: inout State) -> Bool { false }
  public func problem(in text: String) -> FilterError? { nil }
  public var isHidden: Bool { false }
}

/// An overlay with a text field.
public protocol LineOverlay: Overlay {
  var editor: LineEditor { get }
}

extension LineOverlay {
  public var takesAllKeys: Bool { true }
  public func page(_ state: State, _ size: Size) -> LinearPage? { nil }
}

/// A text field at the bottom of the screen.
public struct Prompt<Purpose: PromptPurpose>: LineOverlay {
  public let purpose: Purpose
  public private(set) var editor: LineEditor
  /// What Tab offers. `completion` is the index of the one in the text field.
  private(set) var completions: [String] = [] { didSet { completion = nil } }
  private(set) var completion: Int?
  /// The index of the recalled input in the history; nil while a new text is typed.
  private var recalled: Int?
  /// The text that `^R` searches for in the history.
  private var historySearch: String?

  /// A prompt with a suggested text that is selected. The first typed letter replaces it.
  public init(_ purpose: Purpose, offered: String) {
    self.purpose = purpose
    editor = LineEditor(offered)
    editor.selectAll()
  }

  public init(_ purpose: Purpose, _ text: String = "") {
    self.purpose = purpose
    editor = LineEditor(text)
    // The editor removes spaces at the end, but an argument follows this one.
    if text.hasSuffix(" "), !editor.text.hasSuffix(" ") { editor.insert(" ") }
  }

  var problem: FilterError? { editor.isEmpty ? nil : purpose.problem(in: editor.text) }
  private var text: String { editor.text.trimmingCharacters(in: .whitespaces) }

  // MARK: Keys

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome {
    switch key {
    case Key(.escape), Key("c", .control), Key("g", .control): return cancel(&state)
    case Key(.enter): return .close(purpose.finish(text, self, &state))
    case Key(.tab), Key(.tab, .shift):
      let effects = complete(by: key == Key(.tab) ? 1 : -1, state)
      return .stay(effects + purpose.typed(text, &state))
    case Key(.up) where purpose.move(by: -1, &state), Key(.down) where purpose.move(by: 1, &state): return .stay()
    case Key(.up), Key("p", .control): recall(by: -1, state)
    case Key(.down), Key("n", .control): recall(by: 1, state)
    case Key("r", .control): seekInHistory(state)
    case Key(.backspace) where editor.isEmpty: return cancel(&state)
    default:
      if let character = key.text { return paste(String(character), &state) }
      historySearch = nil
      if editor.handle(key) { completions = [] }
    }
    return .stay(purpose.typed(text, &state))
  }

  private func cancel(_ state: inout State) -> OverlayOutcome {
    purpose.cancelled(&state)
    return .close()
  }

  /// A click on a completion takes it, and the wheel goes through them. Clicks outside do not close a prompt, so that
  /// no text is lost.
  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayOutcome {
    let view = PromptView(prompt: self, state: state)
    switch event.kind {
    case .press, .doubleClick:
      guard let index = view.completion(at: event.at) else { return .stay() }
      completion = index
      editor.replaceHead(with: completions[index])
    case .wheelUp, .wheelDown:
      guard view.completion(at: event.at) != nil else { return .stay() }
      selectCompletion(by: event.kind == .wheelUp ? -1 : 1)
    case .release, .drag: return .stay()
    }
    return .stay(purpose.typed(text, &state))
  }

  /// Inserts text at the cursor.
  public mutating func paste(_ text: String, _ state: inout State) -> OverlayOutcome {
    historySearch = nil
    if !editor.insert(text) {
      let problem = "The line takes no more than \(LineEditor.limit) characters"
      if state.message?.text != problem { state.showMessage(.warning, problem) }
    }
    completions = []
    return .stay(purpose.typed(self.text, &state))
  }

  /// Completes the text. File names are asked for with an effect; the answer arrives in `receive(fileNames:)`.
  private mutating func complete(by step: Int, _ state: State) -> [Effect] {
    if completions.isEmpty, let head = purpose.fileHead(of: editor.head) { return [.file(.listFiles(head))] }
    if completions.isEmpty { completions = purpose.completions(of: editor.head, state) }
    selectCompletion(by: step)
    return []
  }

  /// Completes a file name like a shell: first the common beginning, then one name after the other. A folder ends with
  /// a slash, so that the next Tab lists its files.
  public mutating func receive(fileNames: [String], head: String, _ state: inout State) {
    // The text was changed before the answer came.
    guard purpose.fileHead(of: editor.head) == head else { return }
    guard let first = fileNames.first else {
      state.showMessage(.info, "No file name begins with \(head)")
      return
    }
    let before = String(editor.head.dropLast(head.count))
    let shared = fileNames.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    if fileNames.count > 1, shared.count > head.count {
      editor.replaceHead(with: before + shared)
      return
    }
    completions = fileNames.map { before + $0 }
    selectCompletion(by: 1)
  }

  private mutating func selectCompletion(by step: Int) {
    guard !completions.isEmpty else { return }
    let count = completions.count
    let index = completion.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    completion = index
    editor.replaceHead(with: completions[index])
    if count == 1 {
      if purpose.takesArgument(after: completions[0]), !editor.tail.hasPrefix(" ") { editor.insert(" ") }
      completions = []
    }
  }

  private func lines(_ state: State) -> [String] { purpose.history.map { state[keyPath: $0].lines } ?? [] }

  private mutating func recall(by step: Int, _ state: State) {
    let lines = lines(state)
    let index = (recalled ?? lines.count) + step
    guard !lines.isEmpty, index >= 0 else { return }
    completions = []
    recalled = index < lines.count ? index : nil
    editor.text = index < lines.count ? lines[index] : ""
  }

  /// `^R`: recalls the next older input that contains the typed text.
  private mutating func seekInHistory(_ state: State) {
    let lines = lines(state)
    let begins = historySearch == nil
    let words = TextFolding.fold(historySearch ?? editor.text)
    historySearch = historySearch ?? editor.text
    let older = lines.indices.prefix(begins ? lines.count : recalled ?? lines.count)
    guard let index = older.last(where: { TextFolding.matches(lines[$0], words) }) else { return }
    completions = []
    recalled = index
    editor.text = lines[index]
  }

  // MARK: Drawing

  public func draw(_ state: State, into frame: inout Frame) {
    PromptView(prompt: self, state: state).draw(into: &frame)
  }

  public func drawStatus(_ screen: LinearScreen, _ row: Rect, into frame: inout Frame) -> Bool {
    PromptView(prompt: self, state: screen.state).drawLine(into: &frame)
    return true
  }

  /// The number of the completion, or the error in the text.
  public func footer(_ state: State) -> String? {
    if let problem { return problem.description }
    guard completions.count > 1, let index = completion else { return nil }
    return "\(index + 1) of \(completions.count)" + (purpose.help(of: completions[index]).map { ", " + $0 } ?? "")
  }
}

/// The inputs of a prompt, newest last.
public struct PromptHistory: Equatable, Sendable {
  public private(set) var lines: [String] = []
  public init() {}

  /// Reads the stored history, one input a line.
  public init(_ text: String) {
    lines = text.split(separator: "\n").suffix(Self.limit).map { Sanitize.line($0) }
  }

  /// The history to store. Passwords are removed.
  var text: String { lines.map(Redaction.text).joined(separator: "\n") }
  private static let limit = 200

  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst() }
  }
}

/// What was typed into prompts. Only that of the command line outlives the program.
public struct PromptHistories: Equatable, Sendable {
  public var commands = PromptHistory()
  /// Words that were searched for in the library.
  var find = PromptHistory()
  /// Words that were searched for in lists.
  var search = PromptHistory()
  var discover = PromptHistory()
  var filter = PromptHistory()
}
