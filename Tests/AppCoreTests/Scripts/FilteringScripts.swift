import Model
import TerminalKit
import Testing

@testable import AppCore

/// Narrowing a list in place.
@Suite struct FilteringScripts {
  private static func titles(_ driver: Driver) -> [String] {
    driver.state.screen.episodes.ids.compactMap { driver.library.row($0)?.title }
  }

  /// Six characters show what is shorter than 20 minutes: `f<20m` and Enter.
  @Test func listIsNarrowedWhileOneTypes() {
    var driver = Driver(size: Size(80, 24))
    driver.type("2")
    let all = Self.titles(driver)
    #expect(driver.screen(after: "f").contains("Filter:  such as: unplayed"))
    driver.type("<lt>15m")
    #expect(Self.titles(driver) == ["Ep. 135 流動的資金盛宴", "Only one"])
    driver.type("<Enter>")
    #expect(Self.titles(driver) == ["Ep. 135 流動的資金盛宴", "Only one"])
    #expect(driver.lines[1].hasPrefix(" ∗ <15m · New"), "\(driver.lines[1])")
    #expect(driver.state.message?.text == "Filtered. Press Esc to show all, :save-filter to save a smart playlist.")
    driver.type("<Esc>")
    #expect(Self.titles(driver) == all && driver.state.tab == .new)
    #expect(driver.lines[1].hasPrefix(" New"))
  }

  @Test(arguments: SelectingRowsScripts.lists) func everyListIsNarrowed(list: String) throws {
    var driver = try SelectingRowsScripts.driver(in: list)
    let all = driver.state.screen.episodes.ids
    driver.type("fcaf")
    let expected = all.filter { driver.library.row($0)?.title.localizedCaseInsensitiveContains("caf") == true }
    #expect(driver.state.screen.episodes.ids == expected)
    driver.type("<Enter>j")
    #expect(driver.state.screen.episodes.ids == expected)
    driver.type("<Esc>")
    #expect(driver.state.screen.episodes.ids == all)
    // The commands act on what is shown.
    driver.type("f<lt>25m<Enter>%m")
    let short = all.filter { (driver.library.row($0)?.duration ?? 0) < 1500 }
    #expect(driver.takeEffects() == [.setStatus(short, .played)])
  }

  @Test func escapeInThePromptRestoresTheFilterBefore() {
    var driver = Driver.listening()
    driver.type("fshort<Enter>")
    #expect(Self.titles(driver) == ["Short"])
    driver.type("f<C-u>nine")
    #expect(Self.titles(driver) == ["Nine"])
    driver.type("<Esc>")
    #expect(Self.titles(driver) == ["Short"])
    driver.type("f<C-u><Enter>")
    #expect(Self.titles(driver).count == 12)
  }

  @Test func faultInAFilterIsShownAndKeepsTheList() {
    var driver = Driver.listening()
    #expect(driver.screen(after: "fshort<Enter>f<C-u>duration<lt>").contains("a length such as 30m"))
    driver.type("<Enter>")
    #expect(driver.state.isTyping, "the prompt stays open")
    driver.type("<Esc>:filter sizze:3<Enter>")
    #expect(driver.state.isTyping && driver.screen.contains("The filter needs a condition"))
  }

  @Test func wordsAreCompleted() {
    var driver = Driver.listening()
    driver.type("funp<Tab>")
    #expect((driver.state.overlays.last?.content as? Prompt<ListFilterPrompt>)?.editor.text == "unplayed")
    driver.type(" pod<Tab>:<Tab>")
    #expect(
      (driver.state.overlays.last?.content as? Prompt<ListFilterPrompt>)?.editor.text.hasPrefix("unplayed podcast:\"")
        == true)
  }

  /// The filter of the podcasts screen stays when another podcast is selected.
  @Test func filterStaysForTheNextPodcast() {
    var driver = Driver()
    driver.type("f<lt>15m<Enter>")
    #expect(Self.titles(driver) == ["Ep. 135 流動的資金盛宴"] && driver.state.focusedPane == .episodes)
    driver.type("hj")
    #expect(Self.titles(driver) == ["Only one"])
    driver.type("<Esc>k")
    #expect(Self.titles(driver).count == 12)
  }

  @Test func emptyListSaysWhatShowsAll() {
    var driver = Driver.listening()
    driver.type("fnothing like this<Enter>")
    #expect(
      driver.screen.contains("Nothing here matches “nothing like this”.")
        && driver.screen.contains("Press Esc to show all."))
    driver.enableLinearMode()
    #expect(driver.lines[0].contains("filter nothing like this"))
  }

  @Test func filterBecomesASmartPlaylist() {
    var driver = Driver.listening()
    #expect(driver.message(after: ":save-filter<Enter>") == "This list has no filter. Press f to set one.")
    driver.type("fshort <lt>2h<Enter>:save-filter Brief<Enter>")
    let text = #"podcast = "Daodu Tech 科技島讀" and title ~ "short" and duration < 2h"#
    #expect((driver.state.overlays.last?.content as? Prompt<FilterPrompt>)?.editor.text == text)
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.makeSmartPlaylist("Brief", filter: text)])
    driver.type("2f<lt>20m<Enter>:save-filter<Enter>Quick<Enter><Enter>")
    let new = "unplayed and (not catalogue or begun) and duration < 20m"
    #expect(driver.takeEffects() == [.makeSmartPlaylist("Quick", filter: new)])
  }

  @Test func savedFilterKeepsTheOrderOfItsList() {
    var driver = Driver()
    driver.library.playlists[3].filter = "duration < 2h or queued order oldest"
    driver.type("5jjj<Enter>fcaf<Enter>:save-filter Coffee<Enter><Enter>")
    let text = #"(duration < 2h or queued) and title ~ "caf" order oldest"#
    #expect(driver.takeEffects() == [.makeSmartPlaylist("Coffee", filter: text)])
    driver.type("6fcaf order title<Enter>:save-filter Heard<Enter><Enter>")
    let heard = #"heard >= 1970 and title ~ "caf" order title"#
    #expect(driver.takeEffects() == [.makeSmartPlaylist("Heard", filter: heard)])
  }

  /// A filter takes its limit last.
  @Test func narrowedListWithALimitIsNotSaved() {
    var driver = Driver()
    driver.library.playlists[3].filter = "unplayed order oldest limit 5"
    driver.type("5jjj<Enter>fcaf<Enter>:save-filter Coffee<Enter>")
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
    #expect(
      driver.state.message?.text == "The playlist has a limit of 5, so it cannot be saved together with a filter")
  }

  /// The directory has another title than the feed.
  @Test func savedFilterNamesThePodcastThatWasOpened() {
    var driver = Driver()
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moonlight"])
    driver.type("<Enter>")
    driver.answerVisit(PodcastID(1), "Moonlight")
    driver.type("fcaf<Enter>:save-filter Coffee<Enter>")
    #expect(PromptScripts.text(driver) == #"podcast = "Daodu Tech" and title ~ "caf""#)
  }

  /// The rows of a narrowed list are not neighbours.
  @Test func narrowedListIsNotRearranged() {
    var driver = Driver.listening(queue: [1, 4, 5, 6].map { EpisodeID($0) })
    driver.type("3fcaf<Enter>J")
    #expect(
      driver.takeEffects() == []
        && driver.state.message?.text == "Items can be moved only in the whole list. Press Esc to show it.")
    driver.type("5<Enter>fcaf<Enter>J")
    #expect(
      driver.takeEffects() == []
        && driver.state.message?.text == "Items can be moved only in the whole list. Press Esc to show it.")
  }

  @Test func deletedEpisodesAreSeenAndBroughtBack() {
    var driver = Driver.listening()
    driver.library.episodes[1].status = .deleted
    driver.library.episodes[6].status = .deleted
    driver.send(.library(.changed))
    driver.type("fdeleted<Enter>")
    #expect(driver.state.screen.episodes.ids == [EpisodeID(2), EpisodeID(7)])
    driver.type("%x")
    #expect(driver.takeEffects() == [.write(.bringBack([EpisodeID(2), EpisodeID(7)]))])
    #expect(driver.state.message?.text == "Brought back 2 episodes. Press U to undo.")
    #expect(
      driver.state.library.rows[EpisodeID(2)]?.status == .paused
        && driver.state.library.rows[EpisodeID(7)]?.status == .new)
  }
}
