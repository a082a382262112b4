import Model

/// The confirmation before an undo or redo that changes many things or something old.
extension State {
  mutating func askUndo(_ plan: UndoPlan) -> [Effect] {
    let question = plan.withSingleQuotes.question(date: calendar.listDay(plan.timestamp, now: now))
    let key = keymap.hint(plan.direction == .back ? .undo : .redo)
    // The library took a moment to answer. Keys meant for another overlay must not confirm. If undo was pressed twice,
    // the question is not shown twice.
    guard overlays.isEmpty else {
      if !overlays.contains(where: { ($0.content as? Confirm)?.question == question }) {
        showMessage(.note, "Nothing was changed: \(key) asks first")
      }
      return []
    }
    let word = plan.direction == .back ? "Undoing" : "Redoing"
    return ask(question, yes: [.write(.undoConfirmed(plan))], done: "\(word) “\(plan.withSingleQuotes.label)”")
  }
}

extension UndoPlan {
  /// The plan with single quotes in its label, for sentences that put the label in double quotes.
  public var withSingleQuotes: UndoPlan {
    var plan = self
    plan.label = label.replacing("“", with: "‘").replacing("”", with: "’")
    return plan
  }
}
