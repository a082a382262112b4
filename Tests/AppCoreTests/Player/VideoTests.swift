import Model
import Testing

@testable import AppCore

/// What the window with a video does to the player and to the library.
@Suite struct VideoTests {
  @Test func windowPausesTheSoundAndGivesThePlaceBack() throws {
    var driver = PlayerReportsTests.driver(in: .playing)
    let id = try #require(driver.state.player.episode?.id)
    driver.send(.video(.opened(id)))
    #expect(driver.takeEffects().contains(.player(.setPaused(true))))
    driver.pause()
    _ = driver.takeEffects()
    driver.send(.video(.position(id, 70, total: 100)))
    #expect(driver.takeEffects().contains(.note(id, .position(seconds: 70, total: 100))))
    driver.send(.video(.seen(id, from: 50, to: 70, total: 100)))
    #expect(driver.takeEffects().contains(.note(id, .event(.play(from: 50, to: 70, total: 100), speed: nil))))
    driver.send(.video(.closed(id, 72, total: 100)))
    let effects = driver.takeEffects()
    #expect(effects.seeks.contains(72), "\(effects)")
    #expect(effects.contains(.note(id, .position(seconds: 72, total: 100))))
    #expect(effects.contains(.note(id, .status(.paused))))
    #expect(driver.state.player.position == 72 && driver.state.player.phase == .paused)
    #expect(driver.screen.contains("The video was closed at 1:12"))
  }

  @Test(arguments: [true, false]) func videoIsSeenToItsEnd(isLoaded: Bool) throws {
    var driver = PlayerReportsTests.driver(in: .paused)
    let id = isLoaded ? try #require(driver.state.player.episode?.id) : Driver.second
    driver.send(.video(.closed(id, 98, total: 100)))
    let notes = driver.takeEffects().compactMap { effect -> ListeningNote? in
      if case .note(id, let note) = effect { note } else { nil }
    }
    #expect(notes.suffix(3) == [.position(seconds: 98, total: 100), .status(.played), .ended], "\(notes)")
    #expect((driver.state.player.phase == .stopped) == isLoaded)
    #expect(!driver.state.queue.contains(Driver.second) || isLoaded)
  }

  @Test func windowThatShowedNothingChangesNothing() {
    var driver = PlayerReportsTests.driver(in: .paused)
    driver.send(.video(.closed(Driver.first, nil, total: nil)))
    #expect(driver.takeEffects() == [])
  }

  @Test func keyOpensTheSelectedEpisodeAtItsPlace() throws {
    var driver = PlayerReportsTests.driver(in: .paused)
    let id = try #require(driver.state.selectedEpisode)
    driver.type("<C-v>")
    let isLoaded = driver.state.player.episode?.id == id
    #expect(driver.takeEffects().contains(.terminal(.openVideo(id, from: isLoaded ? 50 : nil))))
  }
}
