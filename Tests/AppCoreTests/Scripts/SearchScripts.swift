import Model
import TerminalKit
import Testing

@testable import AppCore

/// Searching in a list, in the reader and in the library.
@Suite struct SearchScripts {
  /// The rows of this screen begin with the name of the podcast.
  @Test func shownPodcastNamesAreSearched() {
    var driver = Driver()
    driver.type("2/nowhere<Enter>")
    #expect(driver.state.screen.episodes.selected == EpisodeID(21))
    driver.type("1<Enter>/daodu<Enter>")
    #expect(driver.state.message?.text == "“daodu” was not found here", "all rows are of this podcast")
    driver.type("5lg/nowhere<Enter>")
    #expect(driver.state.screen.episodes.selected == EpisodeID(21))
  }

  @Test func searchInTheListOfEpisodes() {
    var driver = Driver.listening()
    driver.type("jj/cafe<Enter>")
    // The search begins at the selection and wraps around.
    #expect(driver.state.screen.episodes.list.selected == 5)
    driver.type("n")
    #expect(driver.state.screen.episodes.list.selected == 1)
    driver.type("N")
    #expect(driver.state.screen.episodes.list.selected == 5)
    driver.type("/not there<Enter>")
    #expect(driver.state.message == Message(.warning, "“not there” was not found here"))
  }

  @Test func searchInTheListOfPodcasts() {
    var driver = Driver()
    driver.type("/NOWHERE<Enter>")
    #expect(driver.state.selectedPodcast?.title == "Radio Nowhere")
    driver.type("n")
    #expect(driver.state.selectedPodcast?.title == "Radio Nowhere")
  }

  @Test func searchInTheReader() {
    var driver = Driver(size: Size(40, 12))
    driver.type("<Enter>i/said once<Enter>")
    #expect(driver.lines.contains { $0.contains("Said once.") })
    driver.type("/nothing of it<Enter>")
    #expect(driver.state.message?.kind == .warning)
  }

  @Test func searchNextWithoutASearchIsReported() {
    var driver = Driver()
    #expect(driver.message(after: "n") == "Nothing was searched for yet. Press / to search.")
  }

  @Test func searchFollowsTheFocus() {
    var driver = Driver()
    driver.type("/short<Enter><Enter>n")
    #expect(driver.state.screen.episodes.selected == EpisodeID(7))
  }

  @Test func searchInTheLibrary() {
    var driver = Driver()
    driver.type("7short<Enter>")
    driver.answerFind(["Short", "Nine"])
    #expect(driver.state.screen.episodes.ids == [EpisodeID(7), EpisodeID(9)])
    #expect(driver.screen.contains("Radio") == false)
    driver.type("<Enter>")
    #expect(driver.takeEffects().plays == [EpisodeID(7)])
    driver.type(":find nothing<Enter>")
    driver.answerFind([])
    #expect(driver.state.message == Message(.warning, "“nothing” was not found in the library"))
  }

  @Test func searchInWhatTheLibrarySearchFound() {
    var driver = Driver()
    driver.type("7short<Enter>")
    driver.answerFind(["Short", "Nine"])
    driver.type("/n<Enter>")
    #expect(driver.state.screen.episodes.selected == EpisodeID(9))
    // Other results have other matches.
    driver.type(":find ten<Enter>")
    driver.answerFind(["Nine", "Ten"])
    driver.type("nn")
    #expect(driver.state.screen.episodes.selected == EpisodeID(10))
    driver.type("fnine<Enter><Esc>gn")
    #expect(driver.state.message?.text.hasPrefix("2 matches") == true)
  }

  @Test func oldLibrarySearchDoesNotReplaceANewerOne() {
    var driver = Driver()
    driver.type(":find one<Enter>:find two<Enter>")
    let requests = driver.takeEffects().asked(FindQuestion.self).map(\.request)
    #expect(requests.count == 2)
    let short = SearchHit(row: driver.library.row(EpisodeID(7))!, match: SearchMatch(snippet: ""))
    let nine = SearchHit(row: driver.library.row(EpisodeID(9))!, match: SearchMatch(snippet: ""))
    driver.send(.answer(requests[1], FindQuestion(words: "two").answer([nine])))
    driver.send(.answer(requests[0], FindQuestion(words: "one").answer([short])))
    #expect(driver.state.screen.episodes.ids == [EpisodeID(9)])
    // Late results do not replace an emptied search either.
    driver.type(":find one<Enter>")
    let last = driver.state.awaited.last
    driver.type("7<C-u><Enter>")
    driver.send(.answer(last, FindQuestion(words: "one").answer([short])))
    #expect(driver.state.screen.episodes.ids == [])
  }

  @Test func librarySearchRunsForEveryKey() {
    var driver = Driver()
    #expect(driver.effects(of: "7caf").finds == ["c", "ca", "caf"])
    #expect(driver.effects(of: "<Left><Right> ").finds == [], "neither the cursor nor a blank changes the words")
    driver.type("é")
    driver.answerFind(["café"])
    #expect(driver.state.screen.episodes.ids == [EpisodeID(2)])
    // No message is shown while an incomplete word finds nothing.
    driver.type("x")
    driver.answerFind([])
    #expect(driver.state.message == nil && driver.screen.contains("Nothing was found"))
    // Enter searches again, and then the message is shown.
    driver.type("<Enter>")
    driver.answerFind([])
    #expect(driver.state.message?.kind == .warning)
  }

  @Test func enterWaitsForTheRunningSearch() {
    var driver = Driver()
    driver.type("7short")
    let request = driver.state.awaited.last
    #expect(driver.effects(of: "<Enter>").finds == [])
    #expect(!driver.screen.contains("Nothing was found"))
    driver.send(.answer(request, FindQuestion(words: "short").answer([])))
    #expect(driver.state.message == Message(.warning, "“short” was not found in the library"))
  }

  @Test func emptySearchCancels() {
    var driver = Driver()
    driver.type("7a")
    #expect(driver.effects(of: "<C-u>") == [.cancel(driver.state.awaited.last)])
    driver.send(.input(.paste("quokka")))
    #expect(driver.takeEffects().finds == ["quokka"])
  }

  @Test func hitInAChapterPlaysFromTheChapter() {
    var driver = Driver()
    driver.type("7zanzibar<Enter>")
    let row = driver.library.row(EpisodeID(7))!
    let match = SearchMatch(snippet: "On to Zanzi\u{1B}bar", time: 754)
    let other = SearchHit(row: driver.library.row(EpisodeID(9))!, match: SearchMatch(snippet: "of Zanzibar"))
    driver.send(
      .answer(
        driver.state.awaited.last, FindQuestion(words: "zanzibar").answer([SearchHit(row: row, match: match), other])))
    #expect(driver.lines.contains { $0.hasPrefix(" Enter from 12:34") && $0.contains("On to Zanzi") })
    _ = driver.takeEffects()
    #expect(driver.effects(of: "<Enter>").contains { $0.isPlay(EpisodeID(7), from: 754) })
    // A hit in the notes has no time, so the episode resumes at its position.
    driver.type("j")
    #expect(driver.lines.contains { $0.hasPrefix(" of Zanzibar") })
    driver.type("<Enter>")
    #expect(driver.takeEffects().contains { $0.isPlay(EpisodeID(9), from: nil) })
    // In other lists the same episode is not treated as the hit.
    driver.type("1<Tab>")
    #expect(driver.state.selectedMatch == nil)
  }

  @Test func failedSearchIsNotAwaited() {
    var driver = Driver()
    driver.type("7short<Enter>")
    driver.send(.noAnswer(driver.state.awaited.last, ReportedError("broken")))
    driver.type("7<Enter>")
    #expect(driver.takeEffects().finds == ["s", "sh", "sho", "shor", "short", "short"])
  }

  @Test func helpIsFilteredByTyping() {
    var driver = Driver()
    driver.type("?/sleep<Enter>")
    #expect(driver.screen.contains("Sleep timer"))
    #expect(!driver.screen.contains("Unsubscribe"))
    #expect(driver.screen(after: "/zzz<Enter>").contains("No command matches"))
    #expect(driver.screen(after: "/<Esc>").contains("Moving about"))
    driver.type("<Esc>")
    #expect(driver.state.overlays.isEmpty)
  }

  @Test(arguments: [Size(40, 12), Size(80, 24)]) func helpScrollsToItsLastLine(size: Size) {
    var driver = Driver(size: size)
    #expect(driver.screen(after: "?G").contains("Quit"))
    driver.type("g/e<Enter>G")
    #expect(driver.screen.contains("Quit") || driver.screen.contains("Suspend"))
    let last = driver.state.keymap.keys(of: .suspend)
    #expect(last == ["<C-z>"])
  }

  @Test func helpFillsTheScreenAfterTheTerminalGrows() {
    var driver = Driver(size: Size(80, 24))
    driver.type("?G")
    driver.send(.input(.resize(Size(120, 36))))
    let grown = driver.screen
    driver.type("G")
    #expect(driver.screen == grown)
    driver.type("k")
    #expect(driver.screen != grown, "the first key moves the page")
  }

  @Test func sleepMenuShowsTheTimer() {
    var driver = Driver()
    driver.type("<Enter><Enter>")
    driver.startPlaying()
    #expect(driver.screen(after: "s").contains("Off  (now)"))
    driver.type("<Esc>:sleep end<Enter>s")
    #expect(driver.screen.contains("End of this episode  (now)") && !driver.screen.contains("Off  ("))
    driver.type("<Enter>")
    #expect(driver.state.player.sleep == .endOfEpisode, "the timer is selected")
    #expect(driver.screen(after: ":sleep 20<Enter>s").contains("Off  (20:00 left)"))
  }

  @Test func logShowsTheNewestFirstAndDropsTheOldest() {
    var driver = Driver()
    for number in 0..<600 { driver.send(.message(Message(.info, "message \(number)"))) }
    #expect(driver.state.messages.log.count == 500)
    #expect(driver.screen(after: ":log<Enter>").contains("message 599"))
    #expect(driver.screen(after: "G").contains("message 100"))
    driver.type("q")
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func doubleClickBelowTheLastRowDoesNothing() {
    var driver = Driver()
    driver.type("j<Enter>")
    let area = driver.state.layout.area(.episodes)!.content
    driver.send(.input(.mouse(MouseEvent(.doubleClick, at: Point(area.x + 3, area.maxY - 1)))))
    #expect(driver.takeEffects().plays == [])
    driver.send(.input(.mouse(MouseEvent(.doubleClick, at: Point(area.x + 3, area.y)))))
    #expect(driver.takeEffects().plays == [EpisodeID(21)])
  }
}
