import Model
import TerminalKit
import Testing

@testable import AppCore

/// Very long input must not make later input slower.
@Suite struct FloodScripts {
  private let megabyte = String(repeating: "a", count: 1_000_000)

  /// The keys that open a prompt.
  @Test(arguments: [":", "/", "a", "<Tab>"]) func promptHasAMaximumLength(keys: String) throws {
    var driver = Driver()
    if keys == "<Tab>" { driver.send(.input(.paste("http://example.com"))) } else { driver.type(keys) }
    #expect(PromptScripts.text(driver) != nil)
    var rest = megabyte[...]
    // Splits the input as the terminal does.
    while !rest.isEmpty {
      driver.send(.flood(.typed(String(rest.prefix(4096)))))
      rest = rest.dropFirst(4096)
    }
    #expect(PromptScripts.text(driver)?.unicodeScalars.count == LineEditor.limit)
    driver.send(.input(.paste(megabyte)))
    _ = driver.screen
    driver.type("<C-u>x<Esc>")
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func floodOfKeysDoesNothingOnAList() {
    var driver = Driver()
    let before = driver.state
    driver.send(.flood(.typed("dddyyyqqq:quit\n")))
    driver.send(.flood(.key(Key(.down))))
    #expect(driver.state.overlays.isEmpty && driver.takeEffects().isEmpty)
    #expect(driver.state.screens.podcasts.list == before.screens.podcasts.list)
    #expect(driver.state.message?.text.contains("the rest was ignored") == true)
    #expect(driver.state.messages.log.count == before.messages.log.count + 1, "said once")
  }

  /// Text that arrives at once has the same effect as single keys.
  @Test(arguments: ["jjk", ":volume 40", "/wel", "jj:speed 2", "?vol", "gg", "1"]) func typedTextEqualsSingleKeys(
    text: String
  ) {
    var (one, other) = (Driver(), Driver())
    one.send(.input(.typed(text)))
    for scalar in text.unicodeScalars { other.send(.input(.key(Key(Character(scalar))))) }
    #expect(one.screen == other.screen)
    #expect(one.state.overlays == other.state.overlays)
  }

  @Test func screenSizeIsLimited() {
    var driver = Driver()
    driver.send(.input(.resize(Size(65_535, 65_535))))
    #expect(driver.state.size == Size.maxScreen)
    #expect(render(driver.state).size == Size.maxScreen)
  }
}
