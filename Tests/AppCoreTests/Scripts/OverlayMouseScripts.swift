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
    let layout = OverlayLayout.list(rows: SleepChoice.offered(driver.state).count, in: driver.state.size)
    driver.send(mouse(.press, layout.content.x, layout.content.y + 3))
    #expect((driver.state.overlays.last?.content as? any ListOverlay)?.list.selected == 3)
    driver.send(mouse(.doubleClick, layout.content.x, layout.content.y + 4))
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.player.sleep == .endOfEpisode)
  }

  @Test func wheelMovesTheSelection() {
    var driver = driver("s")
    driver.send(mouse(.wheelDown, 40, 12))
    #expect((driver.state.overlays.last?.content as? any ListOverlay)?.list.selected == 3)
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
    let layout = OverlayLayout.list(rows: driver.state.themes.count, in: driver.state.size)
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
    let yes = try #require(answers.first).place
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
    driver.send(.answer(driver.state.awaited.begin(.playlists), .playlists(driver.library.playlists)))
    _ = driver.takeEffects()
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.addToPlaylist(PlaylistID(3), [.episode(EpisodeID(1))])])

    let chapters = [0.0, 100, 200].map { Chapter(start: $0, title: "Part at \(Int($0))") }
    driver = .playing(chapters: chapters)
    driver.type("cj")
    driver.send(.library(.chapters(generation: driver.generation, [Chapter(start: 7), Chapter(start: 8)])))
    driver.type("<Enter>")
    #expect(driver.takeEffects().seeks == [100])
  }
}
