import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The Discover screen: searching, charts and results.
@Suite struct DiscoverScripts {
  /// The details name every podcast that led to a suggestion, and the genres that have charts.
  @Test(arguments: [Size(80, 24), Size(120, 36)]) func detailsDescribeSuggestions(size: Size) {
    var driver = Driver(size: size)
    driver.state.preferences.genres = ["Arts", "Science"]
    driver.library.suggestions = [
      Suggestion(
        target: .podcast(RemoteItem(feedURL: "https://a.example/feed", title: "A friend")),
        podcasts: ["One", "Two", "Three", "Four"], weight: 2)
    ]
    #expect(driver.screen(after: "8<Esc>").contains("Recommended by"))
    for title in ["One", "Two", "Three", "Four"] { #expect(driver.screen.contains("• \(title)"), "\(title)") }
    driver.type("G")
    #expect(driver.screen.contains("• Arts") && driver.screen.contains("• Science"))
    #expect(!driver.screen.contains("Recommended by"))
  }

  @Test func discoverLeadsFromAnEmptyLibraryToPlaybackInFewKeys() {
    var driver = Driver(size: Size(80, 24), library: FakeLibrary(podcasts: [], episodes: []))
    driver.type("8moon")
    driver.answerDiscover(["Moon Walk", "Moonlight"])
    driver.library = .sample
    driver.type("<Enter>")
    driver.answerVisit(PodcastID(1), "Moon Walk")
    driver.type("<Enter>")
    #expect(driver.takeEffects().plays == [EpisodeID(1)])
  }

  @Test func searchSendsNoRequestBeforeAWordIsTyped() {
    var driver = Driver(size: Size(120, 40))
    driver.library.suggestions = [
      Suggestion(target: .podcast(RemoteItem(feedURL: "https://a.example/feed")), podcasts: ["Heard"], weight: 2)
    ]
    driver.type("8")
    driver.type("<Esc>jjkk")
    #expect(driver.takeEffects().network.isEmpty)
    #expect(driver.screen.contains("recommended by “Heard”"))
  }

  @Test func typingCancelsThePreviousSearch() {
    var driver = Driver()
    #expect(driver.effects(of: "8mo").network.isEmpty, "two letters are the beginning of anything")
    driver.type("o")
    let first = driver.takeEffects().discoveries
    #expect(first.map(\.query) == [DiscoverQuery(.podcasts, "moo")] && first.map(\.isTyped) == [true])
    driver.type("n")
    let effects = driver.takeEffects()
    #expect(effects.contains(.cancel(first[0].request)))
    #expect(effects.discoveries.map(\.query) == [DiscoverQuery(.podcasts, "moon")])
    // The results of the previous search come too late.
    driver.send(.discover(first[0].request, .results(Driver.results(["Moo"]))))
    #expect(driver.state.screens.discover.results == DiscoverResults())
    driver.type("<C-u>")
    #expect(driver.takeEffects().contains(.cancel(effects.discoveries[0].request)))
  }

  @Test func enterSearchesWithoutWaiting() {
    var driver = Driver()
    #expect(driver.effects(of: "8moon<Enter>").discoveries.map(\.isTyped) == [true, true, false])
    driver.type(":discover stars<Enter>")
    #expect(driver.takeEffects().discoveries.map(\.query) == [DiscoverQuery(.podcasts, "stars")])
  }

  @Test func enterDoesNotRepeatARunningSearch() {
    var driver = Driver()
    driver.type("8moon")
    let request = driver.takeEffects().discoveries.last!.request
    driver.send(.discover(request, .results(Driver.results([], waiting: ["fyyd"]))))
    driver.type("<Enter>")
    #expect(driver.takeEffects().discoveries.isEmpty && driver.state.overlays.isEmpty)
    driver.answerDiscover(["Moon"])
    driver.type("<Enter>")
    #expect(driver.takeEffects().visits.count == 1)
  }

  /// A quick Enter waits for the results of what was typed, and never opens a row of the search before.
  @Test(arguments: ["8moon<Enter><Enter>", "8moon<Esc><Enter>", "8moon<Enter>j<Enter>"])
  func enterWaitsForTheResultsOfWhatWasTyped(keys: String) {
    var driver = Driver()
    driver.type("8stars<Enter>")
    driver.answerDiscover(["Old", "Older"])
    #expect(driver.effects(of: keys).visits.isEmpty)
    let request = driver.state.awaited.request(.directories)!
    driver.send(.discover(request, .results(Driver.results([], waiting: ["fyyd"]))))
    #expect(driver.takeEffects().visits.isEmpty)
    driver.answerDiscover(["Moon Walk", "Moonlight"])
    let wanted = keys.contains("j") ? "Moonlight" : "Moon Walk"
    #expect(driver.takeEffects().visits.map(\.target.podcast?.title) == [wanted])
  }

  /// A directory that does not answer keeps nobody on the screen.
  @Test(arguments: ["<Esc>", "1"]) func keysThatLeaveDoNotWaitForDirectories(key: String) {
    var driver = Driver()
    driver.type("8moon<Enter><Enter>" + key)
    if key == "1" { #expect(driver.state.tab == .podcasts) }
    #expect(driver.state.keys.held.isEmpty)
    if driver.state.awaited.contains(.directories) { driver.answerDiscover(["Moon"]) }
    #expect(driver.takeEffects().visits.isEmpty)
  }

  @Test func directoriesAreShownWhenTheyAnswerAndFailuresBesideThem() {
    var driver = Driver(size: Size(80, 24))
    driver.type("8moon<Enter>")
    let request = driver.takeEffects().discoveries.last!.request
    var results = DiscoverResults()
    results.waiting = ["Apple Podcasts", "fyyd"]
    driver.send(.discover(request, .results(results)))
    #expect(driver.screen.contains("Asking Apple Podcasts, fyyd…"))
    results.podcasts = [FoundPodcast(title: "Moon Walk")]
    results.waiting = ["fyyd"]
    driver.send(.discover(request, .results(results)))
    #expect(driver.screen.contains("Moon Walk") && driver.screen.contains("Asking fyyd…"))
    results.waiting = []
    results.failures = ["fyyd accepts no more requests for about a minute"]
    results.skipped = 2
    driver.send(.discover(request, .results(results)))
    #expect(driver.screen.contains("Moon Walk") && driver.screen.contains("fyyd accepts no more requests"))
    #expect(driver.screen.contains("2 without a feed left out"))
    #expect(!driver.state.awaited.contains(.directories))
    #expect(driver.state.messages.log.contains { $0.text == "fyyd accepts no more requests for about a minute" })
  }

  @Test func selectionStaysWhenMoreResultsArrive() {
    var driver = Driver()
    driver.type("8moon<Enter>")
    let request = driver.takeEffects().discoveries.last!.request
    driver.send(.discover(request, .results(Driver.results(["One", "Two"], waiting: ["fyyd"]))))
    driver.type("j")
    driver.send(.discover(request, .results(Driver.results(["Zero", "One", "Two"]))))
    #expect(driver.state.selectedResult?.title == "Two")
    driver.type("8stars<Enter>")
    driver.answerDiscover(["Three", "Four"])
    #expect(driver.state.selectedResult?.title == "Three", "another search begins at its best")
  }

  @Test func chartsAreRequestedWhenTheyAreSelected() {
    var driver = Driver(size: Size(80, 24))
    driver.state.preferences.country = "DE"
    driver.state.preferences.genres = ["Arts", "Society & Culture"]
    driver.type("8<Esc>")
    #expect(driver.screen.contains("Top podcasts, DE") && driver.screen.contains("by genre or country"))
    #expect(driver.screen(after: "j<Enter>").contains("Society & Culture"), "a choice of genres")
    #expect(driver.takeEffects().discoveries.isEmpty)
    #expect(driver.effects(of: "<Enter>").discoveries.map(\.query) == [DiscoverQuery(.charts(genre: "Arts"))])
    driver.type(":charts society fr<Enter>")
    let query = driver.takeEffects().discoveries.last?.query
    #expect(query == DiscoverQuery(.charts(genre: "Society & Culture"), country: "FR"))
    // The first key returns to the start of the screen, the next one leaves it.
    driver.answerDiscover(["Top"])
    driver.type("<Esc>")
    #expect(driver.state.tab == .discover && driver.screen.contains("by genre or country"))
    driver.type("j<Enter>G<Enter>")
    #expect(driver.lines.contains(":charts"), "another country is typed")
    driver.type("<Esc><Esc>")
    #expect(driver.state.tab == .podcasts)
  }

  /// Suggestions with the same reason follow each other, and it is said once.
  @Test func reasonOfSuggestionsIsSaidOnce() {
    var library = FakeLibrary.sample
    library.suggestions = [("One", "Radio"), ("Two", "Paper"), ("Three", "Radio")].map { title, by in
      Suggestion(
        target: .podcast(RemoteItem(feedURL: "https://a.example/\(title)", title: title)), podcasts: [by], weight: 1)
    }
    var driver = Driver(size: Size(120, 24), library: library)
    driver.type("8<Esc>")
    let list = driver.lines.map { $0.split(separator: "│").first.map(String.init) ?? "" }
    #expect(list[2].contains("One") && list[3].contains("Three") && list[4].contains("Two"), "\(driver.screen)")
    #expect(list.filter { $0.contains("recommended by “Radio”") }.count == 1)
    #expect(list[4].contains("recommended by “Paper”"))
  }

  @Test func searchPrefixesSelectPeopleAndEpisodes() {
    var driver = Driver()
    driver.type("8people: Ada Lovelace<Enter>")
    #expect(driver.takeEffects().discoveries.last?.query == DiscoverQuery(.people, "Ada Lovelace"))
    #expect(driver.effects(of: "8episodes: moon<Enter>").discoveries.last?.query == DiscoverQuery(.episodes, "moon"))
    #expect(driver.effects(of: "8ep<Tab>moon<Enter>").discoveries.last?.query == DiscoverQuery(.episodes, "moon"))
  }

  @Test func arrowKeysSelectWhileTyping() {
    var driver = Driver()
    driver.type("8moon")
    driver.answerDiscover(["One", "Two", "Three"])
    driver.type("<Down><Down><Up><Enter>")
    #expect(driver.takeEffects().visits.map(\.target.podcast?.title) == ["Two"])
  }

  @Test func mouseSelectsAndOpens() {
    var driver = Driver(size: Size(80, 24))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["One", "Two", "Three"])
    driver.send(.input(.mouse(MouseEvent(.press, at: Point(5, 3)))))
    #expect(driver.state.selectedResult?.title == "Two")
    driver.send(.input(.mouse(MouseEvent(.doubleClick, at: Point(5, 4)))))
    #expect(driver.takeEffects().visits.map(\.target.podcast?.title) == ["Three"])
  }

  @Test func linearModeDescribesARowInWords() {
    var driver = Driver(size: Size(80, 24))
    driver.library.subscribed = ["feed one.example/feed": PodcastID(1)]
    driver.enableLinearMode()
    driver.type("8moon<Enter>")
    driver.answerDiscover(["One", "Two"], failures: ["fyyd: not found"])
    #expect(driver.lines.contains { $0.hasPrefix("One, subscribed, By somebody") })
    #expect(driver.lines.contains("fyyd: not found"))
  }

  @Test func subscribingIsOfferedOnlyWithoutASubscription() {
    var driver = Driver(size: Size(120, 30))
    driver.library.subscribed = ["feed one.example/feed": PodcastID(1)]
    driver.send(.library(.changed))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["One", "Two"])
    #expect(driver.lines.last { $0.contains("help") }?.contains("subscribe") == false)
    driver.type("j")
    #expect(driver.lines.last { $0.contains("help") }?.contains("a subscribe") == true)
    driver.type("<Enter>")
    driver.answerVisit(PodcastID(2), "Two")
    #expect(driver.lines.last { $0.contains("help") }?.contains("a subscribe") == true)
    driver.type("a")
    driver.state.messages.clear()
    #expect(driver.lines.last { $0.contains("help") }?.contains("a subscribe") == false)
  }

  @Test(arguments: [Size(40, 12), Size(80, 24)]) func searchDistinguishesNoAnswerFromNoResult(size: Size) {
    var driver = Driver(size: size)
    driver.type("8moon<Enter>")
    driver.answerDiscover([], failures: ["fyyd: no connection", "gpodder: no connection"], asked: 2)
    #expect(driver.screen.contains("No directory could answer"))
    #expect(driver.screen.contains("fyyd: no connection") && driver.screen.contains("gpodder: no connection"))
    #expect(!driver.screen.contains("Nothing was found"))
    driver.type("8<C-u>star<Enter>")
    driver.answerDiscover([], failures: ["fyyd: no connection"], asked: 2)
    #expect(driver.screen.contains("Nothing was found") && !driver.screen.contains("No directory"))
  }

  /// Each error is shown to its end, although each takes two rows.
  @Test func searchWithoutNetworkShowsAllErrors() {
    var driver = Driver(size: Size(80, 24))
    driver.type("8moon<Enter>")
    let hosts = [
      "Apple Podcasts: no connectivity: the name itunes.apple.com", "fyyd: no connectivity: the name api.fyyd.de",
    ]
    let failures = (hosts + ["gpodder: no connectivity: the name gpodder.net"]).map { $0 + " could not be found" }
    driver.answerDiscover([], failures: failures, asked: 3)
    let words = driver.lines.map { $0.prefix(47).split(separator: " ") }.joined().joined(separator: " ")
    for failure in failures { #expect(words.contains(failure)) }
  }

  /// A note below the results is shown whole or not at all.
  @Test func notesBelowResultsAreWhole() {
    var driver = Driver(size: Size(80, 24))
    driver.type("8moon<Enter>")
    let long = { (name: String) in "\(name): no connectivity: the name of its server could not be found" }
    driver.answerDiscover(["One"], failures: ["A", "B", "C"].map(long), asked: 4)
    let notes = ResultsPane.notes(driver.state, width: 46).map(\.text)
    #expect(notes.count == 4 && notes.last?.hasSuffix("found") == true)
  }

  /// Text from directories is shown without escape sequences.
  @Test func resultsWithEscapesAndLongTitlesAreHarmless() {
    var driver = Driver(size: Size(40, 12))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["\u{1B}[2J\u{1B}]0;x\u{7}Evil", String(repeating: "long ", count: 400), "流動的資金盛宴"])
    for line in driver.lines { #expect(!line.contains("\u{1B}") && !line.contains("\u{7}")) }
    driver.type("jj<Esc>")
    for _ in 0..<3 { driver.type("j") }
    #expect(!driver.asksEndlessly)
  }
}
