import Model
import TerminalKit
import Testing

@testable import AppCore

/// The keys that the screen shows are the ones that work there.
@Suite struct HintScripts {
  private func hints(_ driver: Driver) -> String { driver.lines[driver.lines.count - 3] }

  @Test(arguments: ["?", ":log<Enter>", "s", "O", "H"], ["Q", "<C-c>"]) func quitKeysWorkOverOverlays(
    box: String, key: String
  ) {
    var driver = Driver()
    driver.type(box)
    if box == "H" { driver.send { $0.open(StatisticsOverlay(ListeningStatistics(sections: []))) } }
    #expect(!driver.state.overlays.isEmpty)
    #expect(driver.effects(of: key) == [.quit])
  }

  @Test(arguments: [":Q", "/Q", "?/Q", "aQ"]) func promptGetsTheLettersOfCommands(keys: String) {
    var driver = Driver()
    driver.type(keys)
    #expect(driver.takeEffects() == [] && !driver.state.overlays.isEmpty)
  }

  @Test func overlayShowsItsOwnKeys() {
    var driver = Driver()
    #expect(hints(driver).contains("R refresh"))
    driver.type("D")
    #expect(hints(driver).contains("y yes  n no") && !hints(driver).contains("refresh"))
    driver.type("ns")
    #expect(hints(driver).contains("Enter set  Esc close") && !hints(driver).contains("refresh"))
    driver.type("<Esc>j")
    #expect(hints(driver).contains("R refresh"))
  }

  @Test func enterHintNeedsASelectedEpisode() {
    var driver = Driver()
    let bar = { (driver: Driver) in driver.lines[driver.lines.count - 2] }
    #expect(bar(driver).contains("Nothing playing. Press Enter on an episode to play it."))
    driver.type("<Enter>")
    #expect(bar(driver).contains("Nothing playing. Press Enter to play the selected episode."))
  }

  @Test func detailsKeyKeepsThePlayerPageOpen() {
    var driver = Driver.playing()
    driver.type("pi")
    #expect(driver.state.listening?.part == .notes)
    driver.type("i")
    #expect(driver.state.listening?.part == .notes)
  }

  @Test func seekHintsNeedPlayback() {
    var driver = Driver()
    driver.type("p")
    for word in ["seek here", "follow", "clip"] { #expect(!hints(driver).contains(word)) }
    driver = Driver.playing(chapters: PlayerRequestTests.chapters)
    driver.type("p<Esc>p")
    driver.type("<Tab><Tab><Tab><Tab>")
    for _ in 0..<4 {
      driver.type("<Tab>")
      let isNotes = driver.state.listening?.part == .notes
      #expect(hints(driver).contains("seek here") == [.chapters, .transcript].contains(driver.state.listening?.part))
      if isNotes { #expect(hints(driver).contains("o links")) }
    }
  }

  @Test func endedEpisodeIsPlayedAgainInTheView() {
    var driver = Driver.playing(from: 3590, chapters: PlayerRequestTests.chapters)
    driver.library.episodes[0].status = .played
    driver.end(at: 3600, atEnd: true)
    driver.send(.library(.changed))
    driver.type("pi")
    #expect(driver.state.listening?.part == .notes && hints(driver).contains("Enter play again"))
    driver.state.messages.clear()
    #expect(driver.message(after: "w")?.contains("played, 1:00:00, 1×") == true)
    #expect(driver.effects(of: "<Enter>").plays == [Driver.first])
  }

  @Test func chapterIsSkippedInTheView() throws {
    var driver = Driver.playing(chapters: PlayerRequestTests.chapters)
    driver.type("pc")
    #expect(driver.state.listening?.part == .chapters && hints(driver).contains("x skip"))
    driver.type("jx")
    #expect(driver.takeEffects() == [], "the episode stays")
    #expect(driver.lines.contains { $0.contains("At 100  (skipped)") })
    driver.type("x")
    #expect(!driver.lines.contains { $0.contains("(skipped)") })
  }

  @Test func viewShowsWhyChaptersAreMissing() {
    var driver = Driver(size: Size(140, 30))
    driver.library.chaptersError = ReportedError("The chapters could not be fetched: no network")
    driver.type("<Enter>tc")
    #expect(driver.lines.contains { $0.contains("The chapters could not be fetched: no network.") })
    #expect(driver.state.message?.kind != .error)
  }

  @Test func playlistHintsAreTheKeysThatWorkThere() throws {
    var driver = Driver(size: Size(200, 30))
    driver.type("5")
    #expect(driver.state.library.playlists.contains { $0.isSmart })
    for playlist in driver.state.library.playlists {
      driver.type("<Enter>")
      let shown = hints(driver)
      if playlist.isSmart {
        #expect(!shown.contains("x ") && !shown.contains("J down"), "\(playlist.title): \(shown)")
      } else if let entry = driver.state.selectedEntry {
        let word = playlist.title == "My Clips" ? "x delete" : "x remove"
        #expect(shown.contains(word), "\(playlist.title): \(shown)")
      }
      driver.type("<Esc>j")
    }
  }

  @Test func downloadHintNamesItsAction() throws {
    var driver = Driver(size: Size(120, 30))
    driver.type("4")
    let id = try #require(driver.state.screen.episodes.selected)
    func item(_ phase: DownloadProgress.Phase) -> DownloadProgress {
      DownloadProgress(id: id, title: "A part", phase: phase, received: 50, total: 100, rate: 10)
    }
    let words: [(DownloadProgress.Phase, String)] = [
      (.running, "d pause"), (.waiting, "d pause"), (.paused, "d continue"),
    ]
    for (phase, word) in words {
      driver.send(.download(.queue([item(phase)])))
      driver.state.messages.clear()
      #expect(hints(driver).contains(word), "\(word)")
    }
    driver.send(.download(.queue([])))
    driver.state.library.rows[id]?.isDownloaded = true
    driver.state.messages.clear()
    #expect(!hints(driver).contains("d pause") && !hints(driver).contains("d download"))
  }

  @Test func downloadCountIsSeparateFromTheProgress() {
    var driver = Driver()
    let item = DownloadProgress(
      id: Driver.first, title: "A part", phase: .running, received: 8, total: 100, rate: 10)
    driver.send(.download(.queue([item])))
    #expect(driver.screen.contains("↓1 · 8 %"))
    driver.state.preferences.ascii = true
    #expect(driver.screen.contains("D1 - 8 %"))
  }

  @Test(arguments: [Size(19, 5), Size(20, 5), Size(12, 4)]) func screenThatIsTooSmallNamesTheNeededSize(size: Size) {
    var driver = Driver()
    driver.send(.input(.resize(size)))
    #expect(driver.screen.contains("20x6"))
  }

  @Test(arguments: [Size(39, 12), Size(80, 11), Size(20, 6)]) func smallScreenIsReportedOnce(size: Size) {
    var driver = Driver()
    driver.send(.message(Message(.success, "Added")))
    driver.send(.input(.resize(size)))
    #expect(driver.state.message?.text == "Added", "another message is not replaced")
    driver.type("j")
    driver.send(.input(.resize(size)))
    #expect(driver.screen.contains("Earshot needs"))
    driver.send(.input(.resize(Size(80, 24))))
    #expect(driver.state.message == nil, "the screen is large enough")
    driver.send(.input(.resize(size)))
    #expect(driver.screen.contains("Earshot needs"), "nobody has read it")
    driver.type("j")
    driver.send(.input(.resize(Size(80, 24))))
    driver.send(.input(.resize(size)))
    #expect(driver.state.message == nil)
  }

  /// Every row has the whole text and the name of the command. The screen is high enough for all rows.
  @Test func helpIsCompleteOn80Columns() {
    var driver = Driver(size: Size(80, 300))
    driver.type("?")
    for command in Command.table {
      let isComplete = driver.lines.contains { $0.contains(" \(command.help) ") && $0.contains(" :\(command.name) ") }
      #expect(isComplete, "\(command.name)")
    }
  }

  /// Too narrow for some names: a command without a key still shows its name.
  @Test(arguments: [40, 63, 64, 66, 70, 79, 100]) func commandsWithoutAKeyAreNamedOnEveryWidth(width: Int) {
    var driver = Driver(size: Size(width, 300))
    driver.type("?")
    for command in Command.table where driver.state.keymap.keys(of: command.name).isEmpty {
      #expect(driver.lines.contains { $0.contains(" :\(command.name) ") }, "\(command.name)")
    }
  }

  @Test func commandsWithoutAKeyAreNamedOnNarrowScreens() {
    var driver = Driver(size: Size(40, 12))
    driver.type("?/messages<Enter>")
    #expect(driver.screen.contains(":log") && driver.screen.contains("Messages of this run"))
    driver.type("/")
    #expect(driver.screen(after: "<C-u>paused<Enter>").contains("Ⅱ paused"))
  }

  @Test func nestedQuotesAreSingle() {
    let plan = UndoPlan(
      id: 1, direction: .back, label: "Mark as played “A long talk”", timestamp: Driver.now, count: 9, consequence: "C."
    )
    #expect(
      plan.withSingleQuotes.question(date: "today") == "Undo “Mark as played ‘A long talk’” (today)? C.")
  }
}
