import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Undo and redo, and the question before a large change.
@Suite struct UndoScripts {
  private static func plan(_ direction: UndoDirection) -> UndoPlan {
    UndoPlan(
      id: 7, direction: direction, label: "Take over from OPML",
      timestamp: Driver().state.now.addingTimeInterval(-86_400),
      count: 120, consequence: "Unsubscribe from 120 podcasts.")
  }

  @Test(arguments: [(UndoDirection.back, "U", Effect.write(.undo)), (.forward, "<C-r>", .write(.redo))])
  func undoOfManyChangesAsks(direction: UndoDirection, key: String, effect: Effect) {
    let plan = Self.plan(direction)
    for (answer, isYes) in [("y", true), ("n", false), ("<Esc>", false)] {
      var driver = Driver()
      driver.type(key)
      #expect(driver.takeEffects() == [effect])
      driver.send(.library(.asksUndo(plan)))
      let words = direction == .back ? "Undo “" : "Redo “"
      let screen = driver.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(screen.contains(words) && screen.contains("(yesterday)"), "\(screen)")
      driver.type(answer)
      #expect(driver.takeEffects() == (isYes ? [.write(.undoConfirmed(plan))] : []))
      #expect(driver.state.overlays.isEmpty)
    }
  }

  /// The key pressed twice, or with a count, asks one question.
  @Test func undoAsksOnce() {
    var driver = Driver()
    driver.type("U")
    driver.send(.library(.asksUndo(Self.plan(.back))))
    driver.send(.library(.asksUndo(Self.plan(.back))))
    #expect(driver.state.overlays.count == 1)
  }

  /// The answer arrives while the listener types. The typed letters must not confirm anything.
  @Test func undoQuestionDoesNotCoverAPrompt() {
    var driver = Driver()
    driver.type("U")
    _ = driver.takeEffects()
    driver.type("/")
    driver.send(.library(.asksUndo(Self.plan(.back))))
    driver.type("y")
    #expect(driver.takeEffects().allSatisfy { if case .write(.undoConfirmed) = $0 { false } else { true } })
    let refusal = "Nothing was changed, because this needs a confirmation. Press U again."
    #expect(driver.state.messages.log.last?.text == refusal)
  }

  @Test func redoReportsWhatItDid() {
    var driver = Driver()
    driver.send(.library(.undone(.forward, "Delete “Ep. 135”")))
    #expect(driver.state.message?.text == "Redone: Delete “Ep. 135”")
    driver.send(.library(.undone(.forward, nil)))
    #expect(driver.state.message?.text == "There is nothing to redo")
  }
}
