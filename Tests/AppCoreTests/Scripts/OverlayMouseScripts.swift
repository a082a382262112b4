import TerminalKit
import Testing

@testable import AppCore

/// The mouse over pickers, questions and the help.
@Suite struct OverlayMouseScripts {
  private func driver(_ keys: String) -> Driver {
    var driver = Driver()
    driver.type(keys)
    return driver
  }

  private func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) -> Action {
    .input(.mouse(MouseEvent(kind, at: Point(x, y))))
  }

  @Test func aClickSelectsAndADoubleClickChooses() {
    var driver = driver("<Enter><Enter>s")
    let layout = OverlayLayout.list(rows: SleepChoice.table.count, in: driver.state.size)
    driver.send(mouse(.press, layout.content.x, layout.content.y + 3))
    guard case .picker(let picker)? = driver.state.overlays.last else {
      Issue.record("the list is closed")
      return
    }
    #expect(picker.list.selected == 3)
    driver.send(mouse(.doubleClick, layout.content.x, layout.content.y + 5))
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.player.sleep == .endOfEpisode)
  }

  @Test func theWheelMovesTheSelectionOfAList() {
    var driver = driver("s")
    driver.send(mouse(.wheelDown, 40, 12))
    guard case .picker(let picker)? = driver.state.overlays.last else {
      Issue.record("the list is closed")
      return
    }
    #expect(picker.list.selected == 3)
  }

  @Test(arguments: ["s", "?", ":log<Enter>"]) func aClickOutsideCloses(keys: String) {
    var driver = driver(keys)
    #expect(driver.state.overlays.count == 1)
    driver.send(mouse(.press, 0, 0))
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.tab == .podcasts)
  }

  @Test func aThemeIsSeenWhenItIsClickedAndLeftByAClickOutside() {
    var driver = driver(":theme<Enter>")
    _ = driver.takeEffects()
    let before = driver.state.theme
    let layout = OverlayLayout.list(rows: driver.state.themes.count, in: driver.state.size)
    driver.send(mouse(.press, layout.content.x, layout.content.y + 1))
    #expect(driver.takeEffects() == [.loadTheme("light")])
    driver.send(mouse(.press, 0, 0))
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.theme == before)
  }

  @Test func aQuestionIsAnsweredByAClickOnAnAnswerOnly() throws {
    var driver = driver("D")
    guard case .confirm(let confirm)? = driver.state.overlays.last else {
      Issue.record("nothing was asked")
      return
    }
    driver.send(mouse(.press, 0, 0))
    #expect(driver.state.overlays.count == 1)
    let answers = OverlayLayout.answers(in: .question(confirm.question, in: driver.state.size))
    let yes = try #require(answers.first).place
    #expect(driver.lines[yes.y].contains("y yes"))
    _ = driver.takeEffects()
    driver.send(mouse(.press, yes.x + 2, yes.y))
    #expect(driver.takeEffects() == confirm.yes)
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func theWheelScrollsTheHelp() {
    var driver = driver("?")
    let before = driver.screen
    driver.send(mouse(.wheelDown, 40, 12))
    #expect(driver.screen != before)
    driver.send(mouse(.wheelUp, 40, 12))
    #expect(driver.screen == before)
  }
}
