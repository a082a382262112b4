import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The Discover screen: searching, results, visiting, subscribing.
@Suite struct DiscoverScripts {
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
    driver.type("8mo")
    #expect(driver.takeEffects().network.isEmpty, "two letters are the beginning of anything")
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
    driver.type("8moon<Enter>")
    #expect(driver.takeEffects().discoveries.map(\.isTyped) == [true, true, false])
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
    #expect(driver.state.log.contains { $0.text == "fyyd accepts no more requests for about a minute" })
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

  @Test func resultIsVisitedBeforeItIsSubscribed() {
    var driver = Driver(size: Size(200, 60))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon Walk", "Moonlight"])
    driver.type("j<Enter>")
    let wish = driver.takeEffects().visits.last?.wish
    #expect(wish?.address == "https://moonlight.example/feed" && wish?.podcast?.title == "Moonlight")
    driver.answerVisit(PodcastID(1), "Moonlight")
    #expect(driver.state.focusedPane == .episodes && driver.state.tab == .discover)
    #expect(driver.screen.contains("A café in Zürich"))
    driver.type("a")
    #expect(driver.takeEffects().contains(.write(.subscribe(PodcastID(1)))))
    driver.type("a")
    #expect(driver.state.message?.text.contains("already subscribed") == true)
    // The row is marked in the list. Another visit needs no request.
    driver.type("hlh")
    #expect(driver.state.focusedPane == .results)
    #expect(driver.screen.contains("★"))
    driver.type("<Enter>")
    #expect(driver.takeEffects().visits.isEmpty && driver.state.focusedPane == .episodes)
  }

  @Test func subscribedResultIsMarkedAndOpensWithoutARequest() {
    var driver = Driver()
    driver.library.subscribed = ["feed moon.example/feed": PodcastID(1)]
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon"])
    #expect(driver.screen.contains("★"))
    driver.type("<Enter>")
    #expect(driver.takeEffects().visits.isEmpty)
    #expect(driver.state.screen.episodes.ids.contains(EpisodeID(1)))
  }

  @Test func failedVisitIsReportedAndKeepsTheList() {
    var driver = Driver()
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon"])
    driver.type("<Enter>")
    let request = driver.takeEffects().visits.last!.request
    driver.send(.visited(request, .failure(ReportedError("Moon: the server does not answer"))))
    #expect(driver.state.message == Message(.error, "Moon: the server does not answer"))
    #expect(driver.state.focusedPane == .results && driver.state.screens.discover.rows.count == 1)
  }

  @Test func visitCanBeCancelledAndReplaced() {
    var driver = Driver()
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon", "Sun"])
    driver.type("<Enter>j<Enter>")
    let visits = driver.takeEffects().visits
    #expect(visits.count == 2)
    driver.send(.visited(visits[0].request, .success(Driver.visited(PodcastID(1), "Moon"))))
    #expect(driver.state.focusedPane == .results, "it comes too late")
    driver.type("<Esc>")
    #expect(driver.takeEffects().contains(.cancel(visits[1].request)))
    #expect(driver.state.awaited.visit == nil)
  }

  @Test func addressIsVisitedAndSelectsTheLinkedEpisode() {
    var driver = Driver(size: Size(120, 40))
    driver.type("8https://podcasts.apple.com/de/podcast/x/id42?i=7<Enter>")
    let effects = driver.takeEffects()
    #expect(effects.discoveries.isEmpty, "an address is no words to look for")
    let visit = effects.visits.last!
    #expect(visit.wish.address == "https://podcasts.apple.com/de/podcast/x/id42?i=7")
    var visited = Driver.visited(PodcastID(1), "Linked")
    visited.episode = EpisodeID(3)
    driver.send(.visited(visit.request, .success(visited)))
    #expect(driver.state.screen.episodes.selected == EpisodeID(3))
    #expect(driver.state.selectedResult?.title == "Linked")
  }

  @Test func linkWithUncertainMatchAsks() {
    var driver = Driver()
    driver.type("8https://open.spotify.com/show/0123456789012345678901<Enter>")
    let request = driver.takeEffects().visits.last!.request
    var likely = FoundPodcast(title: "Likely")
    likely.feedURL = "https://likely.example/feed"
    likely.certainty = "very likely (82 %)"
    driver.send(.ambiguous(request, LinkMatches(site: "Spotify", podcasts: [likely, FoundPodcast(title: "Hardly")])))
    #expect(driver.screen.contains("Which of these is it on Spotify?"))
    #expect(driver.screen.contains("very likely (82 %): Likely"))
    driver.type("<Enter>")
    #expect(driver.takeEffects().visits.map(\.wish.address) == ["https://likely.example/feed"])
  }

  @Test func addedLinkWithUncertainMatchAsks() {
    var driver = Driver()
    driver.type("aspotify:show:0123456789012345678901<Enter>")
    guard case .network(.add(let request, _))? = driver.takeEffects().first else {
      Issue.record("nothing was asked for")
      return
    }
    var matches = LinkMatches(site: "Spotify", podcasts: [FoundPodcast(title: "Likely")])
    matches.episode = EpisodeClue(title: "Nine")
    driver.send(.ambiguous(request, matches))
    driver.type("<Enter>")
    guard case .network(.subscribe(_, let podcast, let episode))? = driver.takeEffects().last else {
      Issue.record("nothing was subscribed to")
      return
    }
    #expect(podcast.title == "Likely" && episode == EpisodeClue(title: "Nine"))
  }

  /// On every screen, a pasted link to an episode shows that episode.
  @Test(arguments: [Size(40, 12), Size(80, 24), Size(200, 60)])
  func addedEpisodeLinkSelectsTheEpisode(_ size: Size) {
    var driver = Driver(size: size)
    driver.type("j3:add https://pca.st/abcd<Enter>")
    guard
      case .network(.add(let request, "https://pca.st/abcd"))? = driver.takeEffects().network.map(Effect.network).first
    else {
      Issue.record("nothing was asked for")
      return
    }
    var added = AddedPodcast(id: PodcastID(1), title: "Linked", episodes: 3)
    added.episode = EpisodeID(3)
    driver.send(.added(request, .success(added)))
    #expect(driver.state.tab == .podcasts && driver.state.focusedPane == .episodes)
    #expect(driver.state.selectedPodcast?.id == PodcastID(1))
    #expect(driver.state.screen.episodes.selected == EpisodeID(3))
    driver.type("<Enter>")
    #expect(driver.takeEffects().plays == [EpisodeID(3)])
  }

  @Test func linkToAMissingEpisodeIsReported() {
    var driver = Driver()
    driver.type(":add https://pca.st/abcd<Enter>")
    let request = driver.state.awaited.additions.last?.request ?? 0
    var added = AddedPodcast(id: PodcastID(1), title: "Linked", episodes: 3)
    added.lacksEpisode = true
    driver.send(.added(request, .success(added)))
    #expect(driver.state.message?.kind == .warning)
    #expect(driver.state.message?.text.contains("the episode of the link is not among them") == true)
  }

  @Test func chartsAreRequestedWhenTheyAreSelected() {
    var driver = Driver(size: Size(80, 24))
    driver.state.preferences.country = "DE"
    driver.state.preferences.genres = ["Arts", "Society & Culture"]
    driver.type("8<Esc>")
    #expect(driver.screen.contains("Top podcasts, DE, Arts"))
    #expect(driver.takeEffects().discoveries.isEmpty)
    driver.type("j<Enter>")
    #expect(driver.takeEffects().discoveries.map(\.query) == [DiscoverQuery(.charts(genre: "Arts"))])
    driver.type(":charts society fr<Enter>")
    let query = driver.takeEffects().discoveries.last?.query
    #expect(query == DiscoverQuery(.charts(genre: "Society & Culture"), country: "FR"))
    // The first key returns to the start of the screen, the next one leaves it.
    driver.answerDiscover(["Top"])
    driver.type("<Esc>")
    #expect(driver.state.tab == .discover && driver.screen.contains("Top podcasts, DE, Arts"))
    driver.type("<Esc>")
    #expect(driver.state.tab == .podcasts)
  }

  @Test func searchPrefixesSelectPeopleAndEpisodes() {
    var driver = Driver()
    driver.type("8people: Ada Lovelace<Enter>")
    #expect(driver.takeEffects().discoveries.last?.query == DiscoverQuery(.people, "Ada Lovelace"))
    driver.type("8episodes: moon<Enter>")
    #expect(driver.takeEffects().discoveries.last?.query == DiscoverQuery(.episodes, "moon"))
    driver.type("8ep<Tab>moon<Enter>")
    #expect(driver.takeEffects().discoveries.last?.query == DiscoverQuery(.episodes, "moon"))
  }

  @Test func arrowKeysSelectWhileTyping() {
    var driver = Driver()
    driver.type("8moon")
    driver.answerDiscover(["One", "Two", "Three"])
    driver.type("<Down><Down><Up><Enter>")
    #expect(driver.takeEffects().visits.map(\.wish.podcast?.title) == ["Two"])
  }

  @Test func mouseSelectsAndOpens() {
    var driver = Driver(size: Size(80, 24))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["One", "Two", "Three"])
    driver.send(.input(.mouse(MouseEvent(.press, at: Point(5, 3)))))
    #expect(driver.state.selectedResult?.title == "Two")
    driver.send(.input(.mouse(MouseEvent(.doubleClick, at: Point(5, 4)))))
    #expect(driver.takeEffects().visits.map(\.wish.podcast?.title) == ["Three"])
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

  /// Text from directories is shown without escape sequences.
  @Test func resultsWithEscapesAndLongTitlesAreHarmless() {
    var driver = Driver(size: Size(40, 12))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["\u{1B}[2J\u{1B}]0;x\u{7}Evil", String(repeating: "long ", count: 400), "流動的資金盛宴"])
    for line in driver.lines { #expect(!line.contains("\u{1B}") && !line.contains("\u{7}")) }
    driver.type("jj<Esc>")
    for _ in 0..<3 { driver.type("j") }
    #expect(!driver.isRestless)
  }
}

/// The links of a feed: podroll, people, trailers, live items, soundbites.
@Suite struct FeedPartScripts {
  /// Opens the page of the first podcast, and selects a row in the list of links.
  private func choose(_ words: String, _ feed: FeedPodcast) -> Driver {
    var library = FakeLibrary.sample
    library.feed = feed
    var driver = Driver(size: Size(120, 60), library: library)
    driver.type("i")
    driver.type("o")
    let index = driver.lines.firstIndex { $0.contains(words) } ?? -1
    #expect(index >= 0, "\(words) is not listed")
    guard let number = driver.lines[max(0, index)].firstMatch(of: #/(\d+)\s\s/#)?.1 else { return driver }
    driver.type(String(number))
    return driver
  }

  @Test func podrollLinkVisitsThePodcast() {
    var feed = FeedPodcast()
    feed.podroll = [RemoteItem(feedGuid: "g", feedURL: "https://friend.example/feed", title: "A Friend")]
    var driver = choose("Recommends: A Friend", feed)
    let visit = driver.takeEffects().visits.last
    #expect(visit?.wish.address == "https://friend.example/feed" && visit?.wish.podcast?.guid == "g")
    driver.send(.visited(visit?.request ?? 0, .success(Driver.visited(PodcastID(2), "A Friend"))))
    #expect(driver.state.tab == .discover && driver.state.screen.episodes.ids == [EpisodeID(21)])
  }

  @Test func podcastsOfAPublisherAreLinks() {
    var feed = FeedPodcast()
    feed.listed = [RemoteItem(feedURL: "https://band.example/feed", medium: "music", title: "The Band")]
    var driver = choose("Lists: The Band", feed)
    #expect(driver.takeEffects().visits.last?.wish.address == "https://band.example/feed")
  }

  @Test func personLinkSearchesForThePerson() {
    var feed = FeedPodcast()
    feed.persons = [Person(name: "Ada Lovelace", role: "host")]
    var driver = choose("Person: Ada Lovelace", feed)
    #expect(driver.takeEffects().network.isEmpty, "the name is sent to nobody unasked")
    driver.type("j<Enter>")
    #expect(driver.takeEffects().discoveries.map(\.query) == [DiscoverQuery(.people, "Ada Lovelace")])
  }

  @Test func trailerLinkPlays() {
    var feed = FeedPodcast()
    feed.trailers = [Trailer(title: "Coming up", url: "https://cdn.example/t.mp3")]
    var driver = choose("Trailer: Coming up", feed)
    #expect(driver.takeEffects().plays == [EpisodeID(21)])
  }

  @Test func liveItemPlaysAndSavesNoPosition() {
    var feed = FeedPodcast()
    var episode = FeedEpisode()
    (episode.title, episode.mediaURL) = ("The stream", "https://live.example/s")
    feed.liveItems = [LiveItem(status: "live", episode: episode)]
    var driver = choose("Live: on air now", feed)
    #expect(driver.takeEffects().plays == [EpisodeID(21)])
    guard var row = driver.state.rows[EpisodeID(21)] else {
      Issue.record("the stream is not known")
      return
    }
    row.isLive = true
    let generation = driver.state.player.generation
    driver.send(.library(.playing(generation: generation, row, [], from: 0)))
    driver.send(.player(.started(generation: generation, duration: nil, seekable: false)))
    driver.send(.player(.position(generation: generation, seconds: 5)))
    driver.send(.player(.paused(generation: generation, true)))
    for effect in driver.takeEffects() {
      if case .write(let write) = effect { Issue.record("\(write)") }
    }
  }

  @Test func announcedLiveItemShowsItsStart() {
    var feed = FeedPodcast()
    var episode = FeedEpisode()
    episode.title = "Tonight"
    feed.liveItems = [LiveItem(status: "pending", start: Driver.now.addingTimeInterval(3600), episode: episode)]
    let driver = choose("Live: announced", feed)
    #expect(driver.state.message?.text == "“Tonight” is not on air yet. It begins 2025-11-21, 13:00.")
  }

  @Test func soundbiteIsPlayedAndSavedAsAClip() {
    var driver = Driver(size: Size(120, 60))
    driver.library.soundbites = [Soundbite(startTime: 60, duration: 20, title: "The bite")]
    driver.type("<Enter>io")
    let index = driver.lines.firstIndex { $0.contains("Soundbite: 1:00 The bite") } ?? 0
    let number = driver.lines[index].firstMatch(of: #/(\d+)\s\s/#).map { String($0.1) } ?? ""
    driver.type(String(repeating: "j", count: (Int(number) ?? 1) - 1) + ")")
    #expect(driver.takeEffects().contains(.addClip(EpisodeID(1), from: 60, to: 80, title: "The bite")))
    driver.type("o" + number)
    let played = driver.takeEffects().contains {
      if case .player(.play(EpisodeID(1), from: 60, _, _, _)) = $0 { true } else { false }
    }
    #expect(played)
  }
}

extension Driver {
  static func results(_ titles: [String], waiting: [String] = []) -> DiscoverResults {
    var results = DiscoverResults()
    results.podcasts = titles.map { title in
      var podcast = FoundPodcast(title: title)
      let host = title.lowercased().filter { $0.isASCII && $0.isLetter }
      podcast.feedURL = "https://\(host).example/feed"
      podcast.author = "By somebody"
      podcast.episodeCount = 12
      podcast.genres = ["Science"]
      podcast.directories = ["Apple Podcasts", "fyyd"]
      podcast.summary = Document(blocks: [.paragraph([.init("All about \(Sanitize.line(title)).")])])
      return podcast
    }
    results.waiting = waiting
    return results
  }

  static func visited(_ id: PodcastID, _ title: String) -> VisitedPodcast {
    VisitedPodcast(id: id, podcast: results([title]).podcasts[0])
  }

  /// Sends the answers of all directories to the last search.
  mutating func answerDiscover(_ titles: [String], failures: [String] = [], asked: Int = 3) {
    guard let request = state.awaited.request(.directories) else {
      Issue.record("no directory was asked")
      return
    }
    var results = Self.results(titles)
    results.failures = failures
    (results.asked, results.answered) = (asked, asked - failures.count)
    send(.discover(request, .results(results)))
  }

  mutating func answerVisit(_ id: PodcastID, _ title: String) {
    guard let request = state.awaited.visit else {
      Issue.record("no podcast was asked for")
      return
    }
    send(.visited(request, .success(Self.visited(id, title))))
  }
}

extension [Effect] {
  var network: [NetworkTask] {
    compactMap {
      if case .network(let task) = $0 { if case .cover = task { nil } else { task } } else { nil }
    }
  }

  var discoveries: [(request: RequestID, query: DiscoverQuery, isTyped: Bool)] {
    network.compactMap {
      if case .discover(let request, let query, let isTyped) = $0 { (request, query, isTyped) } else { nil }
    }
  }

  var visits: [(request: RequestID, wish: VisitRequest)] {
    network.compactMap { if case .visit(let request, let wish) = $0 { (request, wish) } else { nil } }
  }
}
