import Model
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

  @Test func clickSelectsAndDoubleClickChooses() {
    var driver = driver("<Enter><Enter>s")
    let rows = SleepChoice.offered(driver.state).count
    let layout = OverlayLayout.list(rows: rows, widest: 0, in: driver.state.size)
    driver.send(mouse(.press, layout.content.x, layout.content.y + 3))
    #expect((driver.state.overlays.last?.content as? Picker<SleepPicker>)?.list.selected == 3)
    driver.send(mouse(.doubleClick, layout.content.x, layout.content.y + 4))
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.player.sleep == .endOfEpisode)
  }

  @Test func wheelMovesTheSelection() {
    var driver = driver("s")
    driver.send(mouse(.wheelDown, 40, 12))
    #expect((driver.state.overlays.last?.content as? Picker<SleepPicker>)?.list.selected == 3)
  }

  @Test(arguments: ["s", "?", ":log<Enter>"]) func clickOutsideCloses(keys: String) {
    var driver = driver(keys)
    #expect(driver.state.overlays.count == 1)
    driver.send(mouse(.press, 0, 0))
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.tab == .podcasts)
  }

  @Test func clickOnAThemePreviewsItAndClickOutsideRevertsIt() {
    var driver = driver(":theme<Enter>")
    _ = driver.takeEffects()
    let before = driver.state.theme
    let layout = OverlayLayout.list(rows: driver.state.themes.count, widest: 0, in: driver.state.size)
    driver.send(mouse(.press, layout.content.x, layout.content.y + 1))
    #expect(driver.takeEffects() == [.loadTheme("light")])
    driver.send(mouse(.press, 0, 0))
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.theme == before)
  }

  @Test func questionNeedsAClickOnAnAnswer() throws {
    var driver = driver("D")
    let confirm = try #require(driver.state.overlays.last?.content as? Confirm)
    driver.send(mouse(.press, 0, 0))
    #expect(driver.state.overlays.count == 1)
    let answers = confirm.answers(confirm.layout(in: driver.state.size))
    let yes = try #require(answers.first).rect
    #expect(driver.lines[yes.y].contains("y yes"))
    _ = driver.takeEffects()
    driver.send(mouse(.press, yes.x + 2, yes.y))
    #expect(driver.takeEffects() == confirm.yes)
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func wheelScrollsTheHelp() {
    var driver = driver("?")
    let before = driver.screen
    driver.send(mouse(.wheelDown, 40, 12))
    #expect(driver.screen != before)
    driver.send(mouse(.wheelUp, 40, 12))
    #expect(driver.screen == before)
  }

  /// A picker chooses the value that it shows, even if the library has changed meanwhile.
  @Test func pickerChoosesTheShownValueAfterAChange() {
    var driver = driver("<Enter>Ajj")
    driver.library.playlists.removeFirst(2)
    let question = PlaylistRowsQuestion()
    driver.send(.answer(driver.state.awaited.begin(.library(question)), question.answer(driver.library.playlists)))
    #expect(driver.effects(of: "<Enter>") == [.addToPlaylist(PlaylistID(3), [.episode(EpisodeID(1))])])

    let chapters = [0.0, 100, 200].map { Chapter(start: $0, title: "Part at \(Int($0))") }
    driver = .playing(chapters: chapters)
    driver.type("cj")
    driver.send(.library(.chapters(generation: driver.generation, [Chapter(start: 7), Chapter(start: 8)])))
    driver.type("<Enter>")
    #expect(driver.takeEffects().seeks == [100])
  }
}

/// A click on a key hint presses its key.
@Suite struct HintMouseScripts {
  private func click(_ driver: inout Driver, on text: String, row: Int? = nil, sourceLine: Int = #line) throws {
    let lines = driver.lines
    let rows = row.map { [$0] } ?? Array(lines.indices.reversed())
    let y = try #require(rows.first { lines[$0].contains(text) }, "\(text) is on the screen (line \(sourceLine))")
    let before = try #require(lines[y].range(of: text)).lowerBound
    let x = Clusters.width(String(lines[y][..<before]))
    driver.send(.input(.mouse(MouseEvent(.press, at: Point(x + 1, y)))))
  }

  @Test func hintsOfThePanePressTheirKeys() throws {
    var driver = Driver(size: Size(80, 24))
    try click(&driver, on: "? help")
    #expect(driver.state.overlays.last?.content is HelpOverlay)
    try click(&driver, on: "Esc close", row: 21)
    #expect(driver.state.overlays.isEmpty)
    try click(&driver, on: "Enter open")
    #expect(driver.state.focusedPane == .episodes)
  }

  @Test func hintsInTheFrameOfABoxPressTheirKeys() throws {
    var driver = Driver(size: Size(80, 24))
    driver.type("<Enter><Enter>s")
    let box = try #require(driver.state.overlays.last?.content.hintBox(driver.state))
    #expect(driver.lines[box.maxY - 1].contains("Esc close"))
    try click(&driver, on: "Esc close", row: box.maxY - 1)
    #expect(driver.state.overlays.isEmpty && driver.state.player.sleep == nil)
  }

  /// Every hint that a pane, a picker, the help or the log shows has keys, except one for a range of keys.
  @Test(arguments: ["", "<Enter>", "i", "2", "3", "4", "5", "6", "?", "?/", "s", "v", ":log<Enter>", "D"])
  func everyHintHasKeys(keys: String) {
    var driver = Driver(size: Size(200, 40))
    driver.type(keys)
    let hints =
      driver.state.overlays.last?.content.hints(driver.state)
      ?? driver.state.hints.compactMap { Hint($0, $1, driver.state.keymap) }
    #expect(!hints.isEmpty)
    for hint in hints where hint.key != "1-9" { #expect(!hint.pressed.isEmpty, "\(hint.key)") }
  }

  /// A message covers the hints, so a click there presses nothing.
  @Test func messageIsNoHint() {
    var driver = Driver(size: Size(80, 24))
    driver.send {
      $0.showMessage(.info, "A message")
      return []
    }
    for x in 0..<80 { driver.send(.input(.mouse(MouseEvent(.press, at: Point(x, 21))))) }
    #expect(driver.state.overlays.isEmpty && driver.takeEffects().isEmpty)
  }

  @Test func signOfThePlayerPausesAndItsTitleOpensTheView() {
    var driver = Driver.playing(duration: 600)
    _ = driver.takeEffects()
    driver.send(.input(.mouse(MouseEvent(.press, at: Point(1, 22)))))
    #expect(driver.takeEffects().contains(.player(.setPaused(true))))
    #expect(driver.state.listening == nil)
    driver.send(.input(.mouse(MouseEvent(.press, at: Point(10, 22)))))
    #expect(driver.state.listening != nil)
  }

  @Test func clickOnACompletionTakesIt() throws {
    var driver = Driver(size: Size(80, 24))
    driver.type(":volume<Tab>")
    let prompt = try #require(driver.state.overlays.last?.content as? any LineOverlay)
    #expect(prompt.editor.text == "volume")
    try click(&driver, on: " volume-up")
    #expect((driver.state.overlays.last?.content as? any LineOverlay)?.editor.text == "volume-up")
  }

  @Test func clickInTheClipEditorChoosesAnEndAndTheWheelMovesIt() throws {
    var driver = FileScripts.clips()
    driver.type("C")
    #expect(driver.state.overlays.last?.content is ClipEditor)
    try click(&driver, on: "End  ")
    #expect((driver.state.overlays.last?.content as? ClipEditor)?.movesEnd == true)
    let end = try #require((driver.state.overlays.last?.content as? ClipEditor)?.end)
    driver.send(.input(.mouse(MouseEvent(.wheelUp, at: Point(40, 12)))))
    #expect((driver.state.overlays.last?.content as? ClipEditor)?.end == end + 1)
    try click(&driver, on: "Start  ")
    #expect((driver.state.overlays.last?.content as? ClipEditor)?.movesEnd == false)
    try click(&driver, on: "Esc cancel")
    #expect(driver.state.overlays.isEmpty)
  }
}
