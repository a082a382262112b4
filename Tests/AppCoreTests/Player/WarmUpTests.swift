import Model
import Testing

@testable import AppCore

/// The player is prepared before it is needed, but not while the listener only looks at podcasts.
@Suite struct WarmUpTests {
  @Test func warmUpStartsOnceAtTheFirstEpisode() {
    var driver = Driver()
    driver.type("jk")
    #expect(driver.warmUps == 0)
    driver.type("<Tab>")
    #expect(driver.warmUps == 1)
    driver.type("jk<Enter>")
    #expect(driver.warmUps == 1)
  }

  @Test func warmUpForAnOfferedEpisodeWaitsForAKey() throws {
    var driver = Driver()
    let row = try #require(driver.library.row(Driver.first))
    driver.send { state in
      state.offer(row, with: PlaybackSettings())
      return []
    }
    #expect(driver.warmUps == 0, "nobody is there yet")
    driver.type("j")
    #expect(driver.warmUps == 1)
  }
}
