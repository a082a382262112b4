import Model
import TerminalKit
import Testing

@testable import AppCore

/// The page of rules, typed as keys.
@Suite struct RuleScripts {
  private static let daily = Rule(id: RuleID(1), name: "Daily", filter: "podcast ~ \"Daily\"", action: .queue)
  private static let old = Rule(id: RuleID(2), name: "Old", filter: "age > 3w", action: .played, isOn: false)

  private func driver(size: Size = Size(80, 24)) -> Driver {
    var library = FakeLibrary.sample
    library.ruleList = [Self.daily, Self.old]
    return Driver(size: size, library: library)
  }

  @Test func ruleIsMadeFromFilterActionAndName() {
    var driver = driver()
    driver.type(":rules<Enter>a")
    driver.type("duration <lt> 5m<Enter>")
    // The action.
    driver.type("jjjj<Enter>")
    driver.type("Short ones<Enter>")
    #expect(
      driver.takeEffects() == [.write(.rules(.add(name: "Short ones", filter: "duration < 5m", .deleted)))])
  }

  @Test func filterIsCheckedAndCompleted() {
    var driver = driver()
    driver.type(":rules<Enter>adurattion<Enter>")
    #expect(driver.state.overlays.count == 1 && driver.screen.contains("durattion"))
    #expect(driver.screen(after: "<C-u>expl<Tab> and first<Enter>").contains("What the rule does"))
  }

  @Test func tagAndPlaylistAreAskedFor() {
    var driver = driver()
    driver.library.playlists = [Playlist(id: PlaylistID(3), title: "Later", lastUpdated: Driver.now)]
    driver.type(":rules<Enter>anew<Enter>jjjjj<Enter>to hear<Enter><Enter>")
    #expect(driver.takeEffects() == [.write(.rules(.add(name: "new", filter: "new", .tag("to hear"))))])
    driver.type(":rules<Enter>anew<Enter>jjjjjj<Enter><Enter><Enter>")
    #expect(driver.takeEffects() == [.write(.rules(.add(name: "new", filter: "new", .playlist("Later"))))])
  }

  @Test func menuOfARuleChangesIt() {
    var driver = driver()
    driver.type(":rules<Enter>j<Enter>jj<Enter>")
    #expect(driver.takeEffects() == [.write(.rules(.update(RuleID(2), .isOn(true))))])
    driver.type(":rules<Enter><Enter>jjj<Enter><C-u>new<Enter>")
    #expect(driver.takeEffects() == [.write(.rules(.update(RuleID(1), .filter("new"))))])
    driver.type(":rules<Enter><Enter>jjjj<Enter>j<Enter>")
    #expect(driver.takeEffects() == [.write(.rules(.update(RuleID(1), .action(.queueNext))))])
    driver.type(":rules<Enter><Enter>jjjjj<Enter>Each day<Enter>")
    #expect(driver.takeEffects() == [.write(.rules(.update(RuleID(1), .name("Each day"))))])
    #expect(driver.effects(of: ":rules<Enter>j<Enter>jjjjjj<Enter>") == [.write(.rules(.move(RuleID(2), to: 0)))])
    #expect(driver.message(after: ":rules<Enter><Enter><Enter>") == "Rule “Daily”: 0 episodes now")
    driver.type(":rules<Enter>x")
    #expect(driver.takeEffects() == [.write(.rules(.remove(RuleID(1))))])
    #expect(driver.state.message?.text == "Deleted the rule. Press U to undo.")
    #expect(driver.state.overlays.count == 1, "the next key must not reach the screen below")
  }

  /// Enter on what is there already takes nothing back that another process has changed meanwhile.
  @Test(arguments: ["jjj<Enter><Enter>", "jjjj<Enter><Enter>", "jjjjj<Enter><Enter>"])
  func unchangedPropertyOfARuleIsNotWritten(keys: String) {
    var driver = driver()
    driver.type(":rules<Enter><Enter>" + keys)
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
  }

  @Test func changedRuleAsksWhetherToApplyIt() {
    var driver = driver()
    var preview = RulePreview()
    preview.episodes = [EpisodeID(1), EpisodeID(2)]
    preview.recent = 1
    driver.send(.library(.rulesChanged(selected: RuleID(1), preview)))
    #expect(driver.state.overlays.count == 2, "the list is below the question")
    #expect(driver.screen.contains("2 episodes now; 1 of the last"))
    driver.type("y")
    #expect(driver.takeEffects() == [.write(.rules(.run(RuleID(1), among: preview.episodes)))])
    // The list is still there.
    #expect(driver.state.overlays.count == 1)
    driver.send(.library(.rulesChanged(selected: RuleID(2), preview)))
    #expect(driver.state.overlays.count == 1 && driver.state.message?.text.contains("2 episodes now") == true)
  }

  @Test func previewListsEpisodes() {
    var driver = driver()
    driver.library.rulePreview.episodes = [EpisodeID(1)]
    #expect(driver.screen(after: ":rules<Enter><Enter><Enter>").contains("“Daily”: 1 episode now"))
    driver.type("<Esc>")
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func rulesOfAPodcastAreInItsSettings() {
    var driver = driver()
    driver.openPodcastSettings()
    #expect(driver.screen(after: "G<Enter>").contains("Rules for “"))
    // A new rule begins with the podcast.
    #expect(driver.screen(after: "a").contains("podcast = \""))
    driver.type("<Esc>")
    driver.send(.library(.rulesChanged(selected: RuleID(1), nil)))
    #expect(driver.screen.contains("Rules for “"), "the same list is shown again")
  }

  @Test func newRuleOfAPodcastBeginsWithAValidFilter() {
    var driver = driver()
    driver.library.podcasts[0].title = #"The “Real” \ "Show""#
    driver.send(.library(.changed))
    driver.openPodcastSettings()
    #expect(driver.screen(after: "G<Enter>anew<Enter>").contains("What the rule does"))
  }

  @Test func firstRuleIsNotMovedUp() {
    var driver = driver()
    #expect(driver.message(after: ":rules<Enter><Enter>jjjjjj<Enter>") == "“Daily” is the first rule already")
    driver.type(":rules<Enter><Enter>jjjjjjj<Enter>")
    #expect(driver.takeEffects() == [.write(.rules(.move(RuleID(1), to: 1)))])
  }

  @Test func hiddenEpisodesCanBePutBack() {
    var driver = driver()
    #expect(driver.message(after: ":hidden<Enter>") == "Rules have hidden nothing in the last two weeks")
    driver.library.hidden = [EpisodeID(2)]
    driver.send(.library(.changed))
    #expect(driver.screen(after: "2").contains("1 hidden by rules (:hidden)"))
    #expect(driver.screen(after: ":hidden<Enter>").contains("Hidden by rules"))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.write(.setStatus([EpisodeID(2)], .new))])
  }

  @Test func nothingIsChangedInALibraryThatIsOnlyRead() {
    var driver = driver()
    driver.state.access.readOnlyReason = "The disk is full"
    driver.type(":rules<Enter>x")
    #expect(driver.takeEffects() == [])
  }

  @Test func whatRulesDidIsLogged() {
    var driver = driver()
    let report = RuleReport(acts: [RuleAct(episode: EpisodeID(1), rule: "\u{1b}[2J", action: .queue)])
    driver.refresh(.started(total: 1))
    driver.refresh(.ruled(report))
    driver.refresh(.finished(new: 1, unchanged: 0, failed: 0))
    #expect(driver.state.message?.text == "Refreshed: 1 new episode, rules acted on 1 episode (see :log)")
    driver.type(":log<Enter>")
    #expect(driver.screen.contains("1 episode queued") && !driver.screen.contains("\u{1b}"))
  }

  @Test(arguments: [Size(40, 12), Size(20, 6)]) func smallScreensShowTheList(size: Size) {
    var driver = driver(size: size)
    #expect(driver.screen(after: ":rules<Enter>").contains("Daily"))
    driver.type("j<Enter>")
    expectValidScreen(driver, "rules")
  }
}
