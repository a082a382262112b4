import Model

/// The question before an undo, or a redo, that changes much or something old.
extension State {
  mutating func askUndo(_ plan: UndoPlan) -> [Effect] {
    let question = plan.withSingleQuotes.question(date: calendar.listDay(plan.timestamp, now: now))
    let key = keymap.hint(plan.direction == .back ? .undo : .redo)
    // The answer took a moment. Keys that are meant for a prompt must not answer this question; nor is it asked twice
    // when undo was pressed twice.
    guard overlays.isEmpty else {
      if !overlays.contains(where: { ($0.content as? Confirm)?.question == question }) {
        say(.note, "Nothing was changed: \(key) asks first")
      }
      return []
    }
    let word = plan.direction == .back ? "Undoing" : "Redoing"
    return ask(question, yes: [.write(.undoAgreed(plan))], done: "\(word) “\(plan.withSingleQuotes.label)”")
  }
}

extension UndoPlan {
  /// For a sentence that puts the label in quotes: those within it are single ones.
  public var withSingleQuotes: UndoPlan {
    var plan = self
    plan.label = label.replacing("“", with: "‘").replacing("”", with: "’")
    return plan
  }
}
