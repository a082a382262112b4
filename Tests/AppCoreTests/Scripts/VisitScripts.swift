import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Opening found podcasts and links to podcasts and episodes, and subscribing to them.
@Suite struct VisitScripts {
  @Test func resultIsVisitedBeforeItIsSubscribed() {
    var driver = Driver(size: Size(200, 60))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon Walk", "Moonlight"])
    driver.type("j<Enter>")
    let target = driver.takeEffects().visits.last?.target
    #expect(target?.address == "https://moonlight.example/feed" && target?.podcast?.title == "Moonlight")
    driver.answerVisit(PodcastID(1), "Moonlight")
    #expect(driver.state.focusedPane == .episodes && driver.state.tab == .discover)
    #expect(driver.screen.contains("A café in Zürich"))
    driver.type("a")
    #expect(driver.takeEffects().contains(.write(.subscribe(PodcastID(1)))))
    #expect(driver.message(after: "a")?.contains("already subscribed") == true)
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

  /// The answer removes only the message that it is awaited.
  @Test(arguments: [true, false]) func answerOfAVisitKeepsAnError(hasFailed: Bool) {
    var driver = Driver()
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon"])
    driver.type("<Enter>")
    #expect(driver.state.message?.text.hasPrefix("Asking for Moon") == true)
    if hasFailed { driver.send(.message(Message(.error, "The disk is full"))) }
    driver.answerVisit(PodcastID(1), "Moon")
    #expect(driver.state.message == (hasFailed ? Message(.error, "The disk is full") : nil))
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
    #expect(visit.target.address == "https://podcasts.apple.com/de/podcast/x/id42?i=7")
    var visited = Driver.visited(PodcastID(1), "Linked")
    visited.episode = EpisodeID(3)
    driver.send(.visited(visit.request, .success(visited)))
    #expect(driver.state.screen.episodes.selected == EpisodeID(3))
    #expect(driver.state.selectedResult?.title == "Linked")
  }

  /// The prompt narrows the list of the screen on which it was opened.
  @Test func arrivingPodcastDoesNotReplaceTheScreenUnderAPrompt() {
    var driver = Driver()
    driver.type("8https://example.com/feed.xml<Enter>2f")
    let visit = driver.takeEffects().visits.last!
    driver.send(.visited(visit.request, .success(Driver.visited(PodcastID(1), "Moon"))))
    #expect(driver.state.tab == .new)
    #expect(driver.state.message?.text.contains("“Moon” is loaded. Press 8") == true)
    driver.type("<Esc>8")
    #expect(driver.state.selectedResult?.title == "Moon" && driver.state.openedPodcast == PodcastID(1))
  }

  /// The line is about the selected result.
  @Test func arrivingPodcastDoesNotMoveTheSelectionUnderAPrompt() {
    var driver = Driver(size: Size(120, 40))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon Walk", "Moonlight"])
    driver.type(":visit https://example.com/feed.xml<Enter>j:subscribe")
    driver.answerVisit(PodcastID(1), "Sun")
    #expect(driver.state.screens.discover.rows.map(\.title) == ["Sun", "Moon Walk", "Moonlight"])
    #expect(driver.state.selectedResult?.title == "Moonlight" && driver.state.focusedPane == .results)
    #expect(driver.state.message?.text == "“Sun” is in the list of results")
    guard case .subscribe(_, let podcast, _)? = driver.effects(of: "<Enter>").network.last else {
      Issue.record("nothing was subscribed to")
      return
    }
    #expect(podcast.title == "Moonlight")
    // Enter opens the new row without another request.
    driver.type("g<Enter>")
    #expect(driver.takeEffects().visits.isEmpty && driver.state.openedPodcast == PodcastID(1))
  }

  /// The focus has moved to another pane while the line was typed.
  @Test func commandLineSelectsItsResultAgain() {
    var driver = Driver(size: Size(120, 40))
    driver.type("8moon<Enter>")
    driver.answerDiscover(["Moon Walk", "Moonlight"])
    driver.type("j:subscribe")
    driver.send { state in
      state.screens.discover.opened[state.selectedResult?.key ?? ""] = PodcastID(1)
      state.screens[.discover].focus = .episodes
      return []
    }
    driver.type("<Enter>")
    #expect(driver.takeEffects().contains(.write(.subscribe(PodcastID(1)))))
    #expect(driver.state.focusedPane == .results)
  }

  @Test func linkWithUncertainMatchAsks() {
    var driver = Driver()
    driver.type("8https://open.spotify.com/show/0123456789012345678901<Enter>")
    let request = driver.takeEffects().visits.last!.request
    var likely = FoundPodcast(title: "Likely")
    likely.feedURL = "https://likely.example/feed"
    likely.certainty = "very likely (82 %)"
    driver.send(.ambiguous(request, LinkMatches(site: "Spotify", podcasts: [likely, FoundPodcast(title: "Hardly")])))
    #expect(driver.screen.contains("Which podcast does the Spotify link mean?"))
    #expect(driver.screen.contains("very likely (82 %): Likely"))
    driver.wait()
    driver.type("<Enter>")
    #expect(driver.takeEffects().visits.map(\.target.address) == ["https://likely.example/feed"])
  }

  /// The directories answer while the listener types something else. Those keys must not answer the question.
  @Test func uncertainMatchWaitsForAnOpenPrompt() {
    var driver = Driver()
    driver.type("8https://open.spotify.com/show/0123456789012345678901<Enter>")
    let request = driver.takeEffects().visits.last!.request
    driver.type("1/sev")
    driver.send(.ambiguous(request, LinkMatches(site: "Spotify", podcasts: [FoundPodcast(title: "Likely")])))
    #expect(!driver.screen.contains("Which podcast does"))
    driver.type("en<Enter>")
    #expect(driver.state.screen.search?.words == "seven" && driver.takeEffects().visits.isEmpty)
    #expect(driver.screen.contains("Which podcast does the Spotify link mean?"))
    // This opens the match of the search. The question has just appeared.
    driver.type("<Enter>")
    #expect(driver.takeEffects().visits.isEmpty && driver.screen.contains("Which podcast does the Spotify link mean?"))
  }

  @Test func addedLinkWithUncertainMatchAsks() {
    var driver = Driver()
    driver.type("aspotify:show:0123456789012345678901<Enter>")
    guard case .network(.add(let request, _, _))? = driver.takeEffects().first else {
      Issue.record("nothing was asked for")
      return
    }
    var matches = LinkMatches(site: "Spotify", podcasts: [FoundPodcast(title: "Likely")])
    matches.episode = EpisodeClue(title: "Nine")
    driver.send(.ambiguous(request, matches))
    driver.wait()
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
      case .add(let request, "https://pca.st/abcd", _)? = driver.takeEffects().network.first
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
}
