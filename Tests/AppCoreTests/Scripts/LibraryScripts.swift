import Model
import TerminalKit
import Testing

@testable import AppCore

/// The commands for podcasts, episodes and the queue, typed as keys.
@Suite struct LibraryScripts {
  static let first = EpisodeID(1)

  @Test(
    arguments: [
      ("m", [Effect.setStatus([first], .played)]), ("x", [.setStatus([first], .deleted)]),
      ("e", [.enqueue(first, next: false)]),
      ("E", [.enqueue(first, next: true)]), ("U", [.write(.undo)]), ("r", [.refresh(0, [PodcastID(1)])]),
      ("R", [.refresh(0, nil)]),
      ("jjm", [.setStatus([EpisodeID(3)], .new)]), ("<C-l>", [.terminal(.redraw)]), ("<C-z>", [.suspend]),
      ("Q", [.quit]),
      (":add x.org<Enter>", nil), ("D", []), ("M", []), ("u", nil), ("?", []), (":log<Enter>", []), ("o", []),
    ] as [(String, [Effect]?)]) func libraryKeysHaveTheirEffects(keys: String, effects: [Effect]?)
  {
    var driver = Driver.listening()
    driver.type(keys)
    if let effects {
      // The id of the request is the last awaited one.
      let last = driver.state.awaited.last
      let expected = effects.map { effect -> Effect in
        if case .network(.refresh(_, let podcasts)) = effect { .refresh(last, podcasts) } else { effect }
      }
      #expect(driver.takeEffects() == expected)
    } else {
      #expect(driver.takeEffects().allSatisfy { if case .network(.add) = $0 { true } else { false } })
    }
  }

  @Test(arguments: ["m", "x", "e", "E", ":play<Enter>"]) func episodeCommandsReportAMissingEpisode(keys: String) {
    var driver = Driver()
    driver.type(keys)
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == "Choose an episode first")
  }

  @Test(arguments: ["D", "r"]) func podcastCommandsReportAMissingPodcast(keys: String) {
    var driver = Driver(library: FakeLibrary(podcasts: [], episodes: []))
    driver.type(keys)
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text.contains("Choose a podcast first") == true)
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func emptyListIsNotMarked() {
    var driver = Driver(library: FakeLibrary(podcasts: [], episodes: []))
    driver.type("M")
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
    #expect(driver.state.message?.text == "There is no list of episodes here to mark")
  }

  @Test(arguments: [false, true]) func emptyLibraryIsNotCalledHeard(isLinear: Bool) {
    var driver = Driver(library: FakeLibrary(podcasts: [], episodes: []))
    if isLinear { driver.enableLinearMode() }
    driver.type("2")
    #expect(driver.screen.contains("No podcasts yet") && !driver.screen.contains("is played"))
  }

  @Test func podcastWhoseFeedFailedSaysWhy() {
    var library = FakeLibrary.sample
    library.episodes = []
    library.podcasts[0].episodes = 0
    library.podcasts[0].health = .failed(connectivity: false, message: "Pod: the server has nothing there (404)")
    let driver = Driver(size: Size(120, 24), library: library)
    #expect(driver.screen.contains("nothing there (404)"))
    #expect(driver.screen.contains("Press r to try again"))
  }

  @Test func nameInsteadOfAnAddressPointsToTheDirectories() throws {
    let directories = ". Press 8 to find podcasts by name."
    for (words, hint) in [
      ("radiolab", directories), ("example.org", ""), ("~/subscriptions.opml", ". Press I to import a file."),
      ("podcasts.OPML", ". Press I to import a file."), ("https://example.org/all.opml", ""),
    ] {
      var driver = Driver()
      driver.type(":add \(words)<Enter>")
      let request = try #require(driver.state.awaited.additions.last?.request)
      driver.send(.added(request, .failure(ReportedError("\(words): not an address"))))
      #expect(driver.state.message?.text == "\(words): not an address" + hint)
    }
  }

  @Test func unsubscribeAsksFirst() {
    for (key, effects) in [
      ("y", [Effect.write(.unsubscribe(PodcastID(1)))]), ("Y", [.write(.unsubscribe(PodcastID(1)))]), ("n", []),
      ("N", []),
      ("<Esc>", []),
      ("q", []), ("<C-c>", []),
    ] {
      var driver = Driver()
      #expect(driver.screen(after: "D").contains("Unsubscribe from"))
      driver.type("<Space>j<Enter>")
      #expect(driver.state.overlays.count == 1)
      driver.type(key)
      #expect(driver.takeEffects() == effects)
      #expect(driver.state.overlays.isEmpty)
    }
  }

  @Test func markAllPlayedAsksFirst() {
    var driver = Driver()
    #expect(driver.screen(after: "M").contains("All 11 episodes"))
    let ids = driver.library.episodes.filter { $0.podcast == PodcastID(1) && $0.status != .played }.map(\.id)
    // An episode that arrives now is not one of those that the picker counts.
    driver.library.episodes.insert(EpisodeRow(id: EpisodeID(99), podcast: PodcastID(1), title: "Late"), at: 0)
    driver.send(.library(.changed))
    driver.type("<Enter>")
    guard case .write(.setStatus(let marked, .played, _))? = driver.takeEffects().last else {
      Issue.record("nothing was marked")
      return
    }
    #expect(marked.count == 11 && Set(marked) == Set(ids))
  }

  @Test func podcastWithoutUnplayedEpisodesIsNotMarked() {
    var driver = Driver(size: Size(80, 24))
    for index in driver.library.episodes.indices { driver.library.episodes[index].status = .played }
    driver.type("M")
    #expect(driver.state.overlays.isEmpty && driver.takeEffects() == [])
    #expect(driver.state.message?.text.contains("played already") == true)
  }

  /// Two keys empty New, also what is not loaded into the window.
  @Test func listThatIsShownIsMarked() {
    var library = FakeLibrary.sample
    library.episodes = (1...500).map { index in
      EpisodeRow(
        id: EpisodeID(Int64(index)), podcast: PodcastID(1), title: "No. \(index)",
        pubDate: Driver.now.addingTimeInterval(-Double(index) * 3600))
    }
    let ids = library.episodes.map(\.id)
    var driver = Driver(library: library)
    driver.type("2M")
    #expect(driver.screen.contains("Mark “New” as played") && driver.screen.contains("All 500 episodes"))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.write(.setStatus(ids, .played, emptiesNew: true))])
    #expect(driver.state.message?.text == "Played: 500 episodes. Press U to undo.")
    driver.type("jjM")
    #expect(driver.screen.contains("497 older than “No. 3”") && driver.screen.contains("3 from the top up to here"))
    driver.type("j<Enter>")
    #expect(driver.takeEffects() == [.setStatus(Array(ids.dropFirst(3)), .played)])
    #expect(driver.effects(of: "MG<Enter>") == [.setStatus(Array(ids.prefix(3)), .played)])
  }

  @Test func wholePlaylistAndQueueAreMarked() {
    var driver = Driver.listening(queue: [EpisodeID(4), EpisodeID(1)])
    driver.type("5M<Enter>")
    #expect(driver.takeEffects() == [.setStatus([EpisodeID(1), EpisodeID(21)], .played)], "one is played already")
    #expect(driver.state.queue == [EpisodeID(4)], "it changes at once")
    #expect(driver.effects(of: "3M<Enter>") == [.setStatus([EpisodeID(1), EpisodeID(4)], .played)])
  }

  /// The store does not touch what is played already. It was queued to be heard again.
  @Test func playedEpisodeOfASelectionStaysQueued() {
    var driver = Driver.listening(queue: [EpisodeID(1), EpisodeID(3), EpisodeID(4)])
    driver.type("3%m")
    #expect(driver.takeEffects() == [.setStatus([EpisodeID(1), EpisodeID(3), EpisodeID(4)], .played)])
    #expect(driver.state.queue == [EpisodeID(3)])
  }

  @Test func markAllPlayedStopsAnEpisodeOfThePodcast() throws {
    var driver = Driver.listening()
    driver.startPlaying()
    let episode = try #require(driver.state.player.episode)
    driver.type("M")
    #expect(driver.state.player.isActive)
    guard case .write(let mark)? = driver.effects(of: "<Enter>").last, case .setStatus(let ids, .played, _) = mark
    else {
      Issue.record("nothing was marked")
      return
    }
    #expect(ids.contains(episode.id))
    driver.send(.library(.stored(mark)))
    #expect(!driver.state.player.isActive && driver.takeEffects().contains(.player(.stop)))
  }

  @Test func undoReportsAndSelectsWhatItRestored() {
    var driver = Driver.listening()
    driver.type("x")
    driver.library.episodes[0].status = .deleted
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.ids.first == EpisodeID(2))
    driver.type("U")
    driver.library.episodes[0].status = .new
    driver.send(.library(.undone(.back, "Delete “Ep. 135”")))
    #expect(driver.state.message?.text == "Undone: Delete “Ep. 135”. Press ^R to redo.")
    #expect(driver.state.screen.episodes.ids.first == EpisodeID(1))
    // The answer does not say what was restored, so the selection stays.
    #expect(driver.state.screen.episodes.selected == EpisodeID(2))
    driver.send(.library(.undone(.back, nil)))
    #expect(driver.state.message?.text == "There is nothing to undo")
  }

  /// The list is corrected if the change cannot be stored.
  @Test func deletedEpisodeLeavesTheListAtOnce() {
    var driver = Driver.listening()
    driver.type("jx")
    #expect(!driver.state.screen.episodes.ids.contains(EpisodeID(2)))
    #expect(driver.state.selectedEpisode == EpisodeID(3))
    driver.send(.library(.failed(ReportedError("the disk is full"))))
    #expect(driver.state.screen.episodes.ids.contains(EpisodeID(2)))
    #expect(driver.state.library.rows[EpisodeID(2)]?.status == .paused)
    #expect(driver.state.message?.text == "the disk is full")
  }

  @Test func deletedEpisodeIsMarkedInTheResultsOfASearch() {
    var driver = Driver()
    driver.type("7café<Enter>")
    driver.answerFind(["A café"])
    driver.type("x")
    #expect(driver.state.screen.episodes.ids == [EpisodeID(2)])
    #expect(driver.state.library.rows[EpisodeID(2)]?.status == .deleted)
  }

  @Test func undoUpdatesTheResultsOfASearch() {
    var driver = Driver()
    driver.type("7café<Enter>")
    driver.answerFind(["A café"])
    driver.type("m")
    #expect(driver.takeEffects().contains(.setStatus([EpisodeID(2)], .played)))
    #expect(driver.state.library.rows[EpisodeID(2)]?.status == .played)
    driver.send(.library(.undone(.back, "Mark as played")))
    #expect(driver.state.library.rows[EpisodeID(2)]?.status == .paused)
  }

  @Test func unplayedOnlyHidesPlayedEpisodes() {
    var driver = Driver.listening()
    driver.type("jju")
    #expect(driver.state.screen.episodes.ids.count == 11)
    #expect(!driver.state.screen.episodes.ids.contains(EpisodeID(3)))
    driver.type("u")
    #expect(driver.state.screen.episodes.ids.count == 12)
    #expect(driver.message(after: "2u") == "Open the list of a podcast first")
  }

  @Test func queueIsEmptiedAtOnce() {
    var driver = Driver.listening(queue: [EpisodeID(1), EpisodeID(2)])
    driver.type(":clear-queue<Enter>")
    #expect(driver.takeEffects() == [.write(.clearQueue)] && driver.state.queue == [])
    driver.type(":clear-queue<Enter>")
    #expect(driver.takeEffects() == [] && driver.state.message?.text == "The queue is empty already")
  }

  @Test func queueAcceptsKeysFasterThanTheStoreAnswers() {
    var driver = Driver.listening()
    #expect(driver.effects(of: "ee") == [.enqueue(EpisodeID(1), next: false), .enqueue(EpisodeID(2), next: false)])
    #expect(driver.state.message?.text == "Queued as number 2")
    driver.type("E")
    #expect(driver.state.queue == [EpisodeID(3), EpisodeID(1), EpisodeID(2)])
    driver.type("ge")
    #expect(driver.takeEffects().last == .dequeue(EpisodeID(1)))
    #expect(driver.state.queue == [EpisodeID(3), EpisodeID(2)])
  }

  @Test func queueCanBeReordered() {
    var driver = Driver.listening(queue: [EpisodeID(1), EpisodeID(2), EpisodeID(3)])
    #expect(driver.effects(of: "3J") == [.moveInQueue(EpisodeID(1), to: 1)])
    #expect(driver.effects(of: "JJ") == [.moveInQueue(EpisodeID(1), to: 2)])
    #expect(driver.state.screen.episodes.ids == [EpisodeID(2), EpisodeID(3), EpisodeID(1)])
    #expect(driver.state.screen.episodes.selected == EpisodeID(1))
    driver.type("KKK")
    #expect(
      driver.takeEffects() == [.moveInQueue(EpisodeID(1), to: 1), .moveInQueue(EpisodeID(1), to: 0)])
    #expect(driver.state.queue == [EpisodeID(1), EpisodeID(2), EpisodeID(3)])
  }

  @Test func moveInQueueIsRefusedOutsideTheQueue() {
    var driver = Driver.listening(queue: [EpisodeID(1), EpisodeID(2)])
    #expect(driver.effects(of: ":move-down<Enter>") == [])
    #expect(driver.state.message?.text == "Only episodes of the queue can be moved. Press 3 to show it.")
    // The list is hidden while the reader is open.
    #expect(driver.effects(of: "3iJ") == [])
  }

  @Test func linksOpenByListOrNumber() {
    var driver = Driver(size: Size(120, 40))
    #expect(driver.screen(after: "<Enter>o").contains("https://example.org/cat.png"))
    driver.type("j<Enter>")
    #expect(driver.takeEffects() == [.openLink("https://example.org/cat.png")])
    #expect(driver.effects(of: ":open-link 1<Enter>") == [.openLink("https://example.org/more")])
    for wrong in ["0", "3", "-1", "one", "99999999999999999999"] {
      driver.type(":open-link \(wrong)<Enter>")
      #expect(driver.state.message == Message(.error, "Links here are 1 to 2"))
    }
    #expect(driver.takeEffects() == [])
  }

  @Test func episodeWithoutMediaIsNotPlayed() {
    var driver = Driver()
    driver.library.episodes[0].hasMedia = false
    driver.send(.library(.changed))
    driver.type("<Enter><Enter>")
    #expect(driver.takeEffects().plays == [])
    #expect(driver.state.message?.text.contains("has nothing to play") == true)
  }

  @Test func refreshShowsItsProgress() {
    var driver = Driver()
    driver.refresh(.started(total: 2))
    #expect(driver.screen.contains("refreshing 0/2"))
    driver.refresh(.reading(title: "A folder", files: 50, total: 300))
    #expect(driver.screen.contains("50 of 300 files read") && !driver.screen.contains("refreshing"))
    driver.refresh(.podcast(title: "A folder", done: 0, total: 2, fresh: 0))
    #expect(driver.screen.contains("refreshing 0/2"))
    driver.type("R")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == "A refresh is already running")
    driver.refresh(.podcast(title: "A", done: 1, total: 2, fresh: 1))
    driver.refresh(.failed(title: "B", ReportedError("B: no connectivity"), done: 2, total: 2))
    #expect(driver.screen.contains("Error: B: no connectivity"))
    driver.refresh(.finished(new: 1, unchanged: 0, failed: 1))
    #expect(driver.state.message == Message(.warning, "Refreshed: 1 new episode, 1 failed (B: no connectivity)"))
    #expect(driver.state.refresh == nil)
  }

  @Test func missingNetworkIsSaidOnce() {
    var driver = Driver()
    driver.type("R")
    driver.refresh(.started(total: 91))
    driver.refresh(.offline(podcasts: 91))
    #expect(driver.state.refresh == nil && driver.state.awaited.refreshes.isEmpty)
    let text = "Offline since 12:00: no podcast could be refreshed. Earshot tries again when the network is back."
    #expect(driver.state.message == Message(.warning, text))
    let logged = driver.state.fullLog.count
    // The automatic refresh does not repeat it.
    driver.send(.refreshedAutomatically(new: 0, isOffline: true))
    #expect(driver.state.fullLog.count == logged)
    driver.type("R")
    driver.refresh(.finished(new: 0, unchanged: 91, failed: 0))
    #expect(driver.state.refreshes.offlineSince == nil)
  }

  @Test func unrequestedMessagesDoNotReplaceOthers() {
    var driver = Driver()
    driver.send(.refreshedAutomatically(new: 0))
    #expect(driver.state.message == nil)
    driver.send(.refreshedAutomatically(new: 2))
    #expect(driver.state.message == Message(.success, "2 new episodes"))
    // It hides neither an unread error nor the progress of a refresh.
    driver.refresh(.started(total: 2))
    driver.send(.message(Message(.error, "The disk is full")))
    driver.send(.refreshedAutomatically(new: 1))
    #expect(driver.state.message == Message(.error, "The disk is full"))
    #expect(driver.state.refresh?.total == 2)
  }
}

extension Driver {
  /// Sends the results of the library search: the episodes whose title contains one of the words.
  mutating func answerFind(_ titles: [String]) {
    guard let (request, question) = takeEffects().asked(FindQuestion.self).last else {
      Issue.record("nothing was looked for")
      return
    }
    let hits = library.episodes.filter { row in titles.contains { row.title.contains($0) } }
    send(.answer(request, question.answer(hits.map { SearchHit(row: $0, match: SearchMatch(snippet: "")) })))
  }
}

extension [Effect] {
  /// The words of the library searches.
  var finds: [String] { asked(FindQuestion.self).map(\.question.words) }
}
