import Model
import TerminalKit
import Testing

@testable import AppCore

/// The progress bar under the mouse: 80 columns of ten minutes.
@Suite struct ProgressBarScripts {
  private static let row = 23

  private func mouse(_ driver: inout Driver, _ kind: MouseEvent.Kind, _ x: Int, _ y: Int = ProgressBarScripts.row) {
    driver.send(.input(.mouse(MouseEvent(kind, at: Point(x, y)))))
  }

  @Test func clickOnTheBarSeeks() {
    var driver = Driver.playing(duration: 600)
    _ = driver.takeEffects()
    mouse(&driver, .press, 40)
    mouse(&driver, .release, 40)
    #expect(driver.takeEffects().seeks == [300])
  }

  @Test func dragSeeksOnRelease() {
    var driver = Driver.playing(duration: 600)
    mouse(&driver, .press, 8)
    _ = driver.takeEffects()
    for x in 9...60 { mouse(&driver, .drag, x, x % 2 == 0 ? Self.row : 3) }
    #expect(driver.takeEffects().seeks == [], "not at every place on the way")
    #expect(driver.screen.contains("7:30 / 10:00"), "but it is shown")
    mouse(&driver, .release, 60, 3)
    #expect(driver.takeEffects().seeks == [450])
    mouse(&driver, .drag, 70)
    #expect(driver.takeEffects().seeks == [])
  }

  @Test func dragThatOutlivesItsEpisodeDoesNotSeek() {
    var driver = Driver.playing(duration: 600)
    mouse(&driver, .press, 8)
    mouse(&driver, .drag, 60)
    driver.play(EpisodeID(4))
    driver.answerPlay(from: 0)
    driver.begin(duration: 600)
    _ = driver.takeEffects()
    mouse(&driver, .drag, 61)
    #expect(!driver.screen.contains("7:37 / 10:00"))
    mouse(&driver, .release, 61)
    #expect(driver.takeEffects().seeks == [])
  }

  @Test func dragBeyondTheBarSeeksToTheEnd() {
    var driver = Driver.playing(duration: 600)
    mouse(&driver, .press, 8)
    _ = driver.takeEffects()
    mouse(&driver, .drag, 500)
    mouse(&driver, .release, 500)
    #expect(driver.takeEffects().seeks == [600])
  }

  @Test func dragFromOutsideTheBarDoesNotSeek() {
    var driver = Driver.playing(duration: 600)
    _ = driver.takeEffects()
    mouse(&driver, .press, 8, 3)
    mouse(&driver, .drag, 8)
    mouse(&driver, .release, 8)
    #expect(driver.takeEffects().seeks == [])
  }
}
