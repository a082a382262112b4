import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Linear mode (`--linear`): the screen only changes after a key, and everything is in words.
@Suite struct LinearScripts {
  private static let everywhere = [
    "", "<Enter>", "<Enter>i", "2", "3", "4", "5", "6", "7<Esc>", "?", "s", ":log<Enter>", "D", "p", "<Enter><Enter>t",
  ]

  private func driver(_ keys: String = "", size: Size = Size(80, 24)) -> Driver {
    var driver = Driver(size: size)
    driver.enableLinearMode()
    driver.type(keys)
    return driver
  }

  /// Box drawing, block elements, geometric shapes, braille: U+2500–25FF and U+2800–28FF.
  @Test(arguments: everywhere) func linearModeDrawsNoBoxes(keys: String) {
    let drawn = driver(keys).screen.unicodeScalars.filter {
      (0x2500...0x25FF).contains($0.value) || (0x2800...0x28FF).contains($0.value)
    }
    #expect(drawn.isEmpty)
  }

  @Test(arguments: everywhere) func linearModeShowsTheCursor(keys: String) {
    #expect(render(driver(keys).state).cursor != nil)
  }

  @Test func linearModeOnlyMovesTheCursorInAList() throws {
    var driver = driver("<Enter>")
    let before = render(driver.state)
    driver.type("j")
    let after = render(driver.state)
    #expect(before.cells == after.cells)
    let (from, to) = (try #require(before.cursor), try #require(after.cursor))
    #expect(to.y == from.y + 1)
    let title = try #require(driver.state.screen.episodes.selected.flatMap { driver.state.library.rows[$0] }?.title)
    #expect(after.lines[to.y].hasPrefix(Sanitize.line(title)))
  }

  @Test func linearModePagesThroughLists() throws {
    var driver = driver("<Enter>", size: Size(60, 8))
    let first = driver.lines
    driver.type("jjjj")
    #expect(driver.lines == first)
    driver.type("j")
    #expect(driver.lines != first)
    #expect(try #require(render(driver.state).cursor).y == 1, "the next entry begins the next page")
  }

  @Test func linearModeShowsNoRunningClock() {
    var driver = driver("<Enter>")
    driver.startPlaying()
    let before = render(driver.state)
    driver.send(.player(.position(generation: driver.state.player.generation, seconds: 361)))
    #expect(driver.state.player.position == 361)
    #expect(render(driver.state) == before)
    driver.type("w")
    #expect(driver.lines.contains { $0.contains("6:01 of ") })
  }

  @Test func linearModeDescribesASearchHit() {
    var driver = driver("7short<Enter>")
    let asked = driver.takeEffects().asked(FindQuestion.self).map(\.request)
    let row = driver.library.episodes[0]
    let match = SearchMatch(snippet: "a short word", time: 83)
    driver.send(.answer(asked.last ?? 0, FindQuestion(words: "short").answer([SearchHit(row: row, match: match)])))
    #expect(driver.screen.contains(", from 1:23, “a short word”, "))
  }

  @Test func linearModeShortensLongNames() {
    var driver = driver()
    driver.state.library.podcasts[0].title = String(repeating: "very long ", count: 30)
    #expect(driver.lines[1].hasSuffix("..., \(driver.state.library.podcasts[0].unplayed) new"))
  }

  @Test func linearModeShowsCompletionsInOneLine() {
    var driver = driver(":se<Tab>")
    let before = driver.lines
    driver.type("<Tab>")
    let after = driver.lines
    #expect(zip(before, after).filter { $0 != $1 }.count == 2, "the line, and what is said of it")
    #expect(after.last?.hasPrefix("2 of ") == true, "\(after)")
  }

  @Test func linearModeShowsLongMessagesInFull() {
    var driver = driver("", size: Size(40, 12))
    driver.send(.message(Message(.error, "https://example.org/a/long/address.xml: the server has nothing there (404)")))
    #expect(driver.lines.joined().contains("(404)"))
  }

  /// The last line is on the last page, and no line is wider than the screen.
  @Test(arguments: ["?", ":log<Enter>"], [Size(80, 24), Size(80, 14), Size(40, 12)])
  func linearModeScrollsToTheEndOfAPage(keys: String, size: Size) throws {
    var driver = driver("", size: size)
    for number in 1...40 {
      driver.send(.message(Message(.info, "Message \(number) " + String(repeating: "and so on ", count: 12) + "end")))
    }
    driver.type(keys + "<End>")
    let page = try #require(driver.state.overlays.last?.content as? any ScrollingOverlay)
    let last = try #require(page.linearText(driver.state, width: size.width).last)
    let shown = TextFlow.wrap(last, width: size.width)
    #expect(driver.lines.dropLast(2).suffix(shown.count).map { $0 } == shown, "\(driver.screen)")
  }

  @Test func linearModeAsksInTheStatusRow() {
    let lines = driver("D").lines
    #expect(lines.joined(separator: " ").contains("y: yes, n: no"))
    #expect(lines.contains { $0.hasPrefix("Podcasts") }, "the page stays")
    #expect(driver("D", size: Size(20, 6)).lines.joined(separator: " ").contains("y: yes, n: no"))
  }
}
