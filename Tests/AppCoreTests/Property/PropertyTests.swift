import Foundation
import Model
import Seeded
import TerminalKit
import Testing

@testable import AppCore
@testable import Session

/// For any actions: nothing traps, every screen is valid, and the questions end.
@Suite struct PropertyTests {
  static let libraries: [String: FakeLibrary] = [
    "empty": FakeLibrary(podcasts: [], episodes: []), "sample": .sample, "hostile": HostileText.library,
    "long": .long(5000),
  ]

  @Test(arguments: ["empty", "sample", "hostile", "long"], 0..<12) func randomActionsDrawValidScreens(
    name: String, seed: UInt64
  ) {
    var actions = RandomActions(random: SplitMix64(seed: seed))
    var driver = Driver(size: Size(80, 24), library: Self.libraries[name]!)
    driver.state.preferences.ascii = seed % 4 == 3
    for step in 0..<250 {
      actions.act(&driver)
      #expect(!driver.asksEndlessly, "library \(name), seed \(seed), step \(step): the questions do not end")
      #expect(driver.takeEffects().positions.allSatisfy { $0.isFinite && $0 >= 0 })
      expectValidScreen(driver, "library \(name), seed \(seed), step \(step)")
    }
  }

  /// The same in linear mode: every screen is valid and has a cursor, and nothing changes without an action.
  @Test(arguments: ["empty", "sample", "hostile", "long"], 0..<6) func linearModeDrawsValidScreensForRandomActions(
    name: String, seed: UInt64
  ) {
    var actions = RandomActions(random: SplitMix64(seed: seed &+ 100))
    var driver = Driver(size: Size(80, 24), library: Self.libraries[name]!)
    driver.enableLinearMode()
    for step in 0..<250 {
      actions.act(&driver)
      let place = "library \(name), seed \(seed), step \(step)"
      #expect(!driver.asksEndlessly, "\(place): the questions do not end")
      expectValidScreen(driver, place)
      let frame = render(driver.state)
      #expect(frame.cursor != nil || driver.state.layout.isTooSmall, "\(place)")
      #expect(frame.pictures.isEmpty && Set(frame.cells.map(\.scalars)).isDisjoint(with: Self.drawn), "\(place)")
    }
  }

  /// Characters that linear mode must not draw.
  private static let drawn: Set<ClusterText> = ["│", "─", "╭", "╮", "╰", "╯", "▶", "■", "●", "◐", "█", "▏"]

  @Test(arguments: ["empty", "sample", "hostile"]) func everyScreenSizeIsDrawn(name: String) {
    for keys in [
      "", "<Enter>", "<Enter>i", "2", "3l", "7", "?", ":se<Tab>", "D", "s", ":log<Enter>", ":theme<Enter>", "4", "5",
      "5j<Enter>", "p", "t", "<Enter>l<Enter>t", "5Sx<Enter>((",
    ] {
      var driver = Driver(library: Self.libraries[name]!)
      driver.type(keys)
      driver.state.refreshes[0] = RefreshState(done: 1, total: 3)
      for width in Array(1...24) + [39, 40, 79, 80, 81, 109, 110, 111, 200, 299, 300] {
        for height in [1, 2, 3, 4, 5, 6, 7, 8, 12, 24, 60, 100] {
          driver.send(.input(.resize(Size(width, height))))
          expectValidScreen(driver, "\(name) “\(keys)” at \(width)×\(height)")
        }
      }
    }
  }

  @Test(arguments: [Size(0, 0), Size(-1, 5), Size(5, -1), Size(65_535, 0), Size(0, 65_535)])
  func impossibleSizesAreHarmless(
    size: Size
  ) {
    var driver = Driver()
    driver.send(.input(.resize(size)))
    #expect(render(driver.state).cells.isEmpty)
    driver.type("?j<Esc>DyjG<C-d>")
  }

  @Test func invalidNumbersAreDrawn() {
    var driver = Driver.playing()
    for seconds in [0.0, 1e300, .greatestFiniteMagnitude] {
      driver.state.player.position = seconds
      driver.state.player.duration = seconds == 0 ? 1e-300 : seconds
      driver.state.player.change { $0.bufferedUntil = .greatestFiniteMagnitude }
      driver.state.player.allChapters = [Chapter(start: 0), Chapter(start: seconds)]
      expectValidScreen(driver, "\(seconds)")
    }
  }
}
