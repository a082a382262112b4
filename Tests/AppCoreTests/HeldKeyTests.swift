import Model
import TerminalKit
import Testing

@testable import AppCore

/// Keys that are typed before the list that they act on has been read.
@Suite struct HeldKeyTests {
  /// A program whose library answers only when it is told to.
  private struct SlowDriver {
    var driver = Driver()
    private(set) var effects: [Effect] = []
    private var questions: [Effect] = []

    /// Sends keys that came together. The screen is made consistent only after the last key.
    mutating func type(_ keys: String, seconds: Double = 0) {
      for key in KeyNotation.parse(keys) ?? [] { send(.input(.key(key)), seconds) }
      collect(reconcile(&driver.state))
    }

    mutating func receive(_ action: Action) {
      send(action, 0)
      collect(reconcile(&driver.state))
    }

    mutating func answer() {
      while !questions.isEmpty {
        let asked = questions
        questions = []
        for question in asked {
          if let answer = driver.library.answer(question) { send(answer, 0) }
        }
        collect(reconcile(&driver.state))
      }
    }

    private mutating func send(_ action: Action, _ seconds: Double) {
      collect(update(&driver.state, action, now: Driver.now.addingTimeInterval(seconds)))
    }

    private mutating func collect(_ new: [Effect]) {
      for effect in new where effect != .player(.warmUp) {
        if case .ask = effect { questions.append(effect) } else { effects.append(effect) }
      }
    }
  }

  @Test func keyWaitsForTheListOfAnotherScreen() {
    var slow = SlowDriver()
    slow.type("2x")
    #expect(slow.effects == [])
    #expect(slow.driver.state.message == nil)
    slow.answer()
    #expect(slow.effects.deletions == [slow.driver.library.episodes[0].id])
  }

  /// A key that waits for a list is not typed into the prompt for a password.
  @Test func questionForAPasswordWaitsForTheKey() throws {
    var slow = SlowDriver()
    slow.type("aexample.org<Enter>")
    let request = try #require(slow.driver.state.awaited.additions.last?.request)
    slow.type("2x")
    var error = ReportedError("example.org: the server asks for a user name and password")
    error.loginProblem = ReportedError.LoginProblem(
      server: try #require(Origin("https://example.org")), isRefused: false)
    slow.receive(.added(request, .failure(error)))
    #expect(slow.driver.state.overlays.isEmpty)
    slow.answer()
    #expect(slow.effects.deletions == [slow.driver.library.episodes[0].id])
    #expect(slow.driver.screen.contains("User name for example.org:"))
  }

  @Test func queueingAPlaylistWaitsForItsItems() {
    var slow = SlowDriver()
    slow.type("5")
    slow.answer()
    slow.type("je")
    #expect(slow.driver.state.message == nil)
    slow.answer()
    #expect(slow.effects.contains(.write(.enqueue([EpisodeID(2)], .end))))
  }

  /// `j` selects another podcast. The keys after it must not act on the episodes of the former one.
  @Test func keyWaitsForTheListOfAnotherPodcast() {
    var slow = SlowDriver()
    slow.type("jlx")
    #expect(slow.effects == [])
    slow.answer()
    #expect(slow.effects.deletions == [EpisodeID(21)])
  }

  /// `j` selects another episode and `i` goes to its details, which still show the former one.
  @Test func keyInTheDetailsActsOnTheSelectedEpisode() {
    var slow = SlowDriver()
    slow.answer()
    slow.type("l")
    slow.answer()
    let second = slow.driver.state.screen.episodes.ids[1]
    slow.type("jix")
    slow.answer()
    #expect(slow.effects.deletions == [second])
  }

  /// `p` shows the notes of the playing episode, and `o` opens a link of them.
  @Test func linkKeyWaitsForTheNotesOfThePlayingEpisode() {
    var slow = SlowDriver()
    slow.driver = Driver.playing()
    slow.type("p4o")
    #expect(slow.driver.state.message?.text.contains("no links") != true)
  }

  /// `y` copies a link of the details, which still show the former episode.
  @Test func copyingWaitsForTheDetails() {
    var slow = SlowDriver()
    slow.driver = Driver(size: Size(160, 40))
    slow.answer()
    slow.type("l")
    slow.answer()
    slow.type("jy")
    #expect(slow.effects == [])
    slow.answer()
    #expect(slow.driver.state.screen.detail.links.isEmpty, "the former episode has links, and this one has none")
    #expect(slow.effects == [] && slow.driver.state.message?.text == "There is no address here to copy")
  }

  /// On Discover no answer follows: the details are those of the row.
  @Test func copyingWaitsForTheDetailsOfAResult() {
    var slow = SlowDriver()
    slow.driver = Driver(size: Size(160, 40))
    slow.type("8<Esc>")
    slow.answer()
    slow.driver.state.screens.discover.rows = ["one", "two"].map { title in
      var podcast = FoundPodcast(title: title)
      podcast.feedURL = "https://\(title).example/feed"
      return .podcast(podcast, reason: nil)
    }
    slow.driver.state.screens.discover.list.fit(count: 2, height: 1)
    slow.type("jy")
    let copied = slow.effects.compactMap { if case .terminal(.copy(let text)) = $0 { text } else { nil } }
    #expect(copied == ["https://two.example/feed"] && slow.driver.state.keys.held.isEmpty)
  }

  @Test func keyWaitsForThePlaylistAndItsItems() {
    var slow = SlowDriver()
    slow.type("5jl<Enter>")
    #expect(slow.effects == [])
    slow.answer()
    #expect(slow.effects.contains { $0.isPlay(EpisodeID(2), from: 60) }, "\(slow.effects)")
  }

  @Test func keysWaitForThePickerThatOpens() {
    var slow = SlowDriver()
    slow.type("l")
    slow.answer()
    slow.type("A<Enter>")
    #expect(slow.effects == [])
    slow.answer()
    #expect(slow.driver.state.overlays.isEmpty)
    let isAdded = slow.effects.contains { if case .write(.addToPlaylist) = $0 { true } else { false } }
    #expect(isAdded, "\(slow.effects)")
  }

  /// The key after a search acts on the match, not on the row that was selected before.
  @Test(arguments: ["2", "5"]) func keyWaitsForTheMatchOfASearch(screen: String) {
    var slow = SlowDriver()
    slow.driver.library.entries[PlaylistID(1)] = [1, 3, 9].map { PlaylistEntry(episode: EpisodeID($0)) }
    slow.type(screen)
    slow.answer()
    if screen == "5" {
      slow.type("<Enter>")
      slow.answer()
    }
    slow.type("/nine<Enter>e")
    #expect(slow.effects == [])
    slow.answer()
    #expect(slow.effects.contains(.write(.enqueue([EpisodeID(9)], .end))), "\(slow.effects)")
  }

  /// The list has a filter until the answer for the whole one.
  @Test func searchWaitsForTheList() {
    var slow = SlowDriver()
    slow.type("2")
    slow.answer()
    slow.type("fshort<Enter>")
    slow.answer()
    slow.type("<Esc>/nine<Enter>x")
    slow.answer()
    #expect(slow.effects.deletions == [EpisodeID(9)])
  }

  @Test func keysAreDroppedIfTheSearchFindsNothing() {
    var slow = SlowDriver()
    slow.type("2")
    slow.answer()
    slow.type("/nothing like this<Enter>x")
    slow.answer()
    #expect(slow.effects == [] && slow.driver.state.keys.held.isEmpty)
    #expect(slow.driver.state.message?.text == "“nothing like this” was not found here")
    slow.type("/nine<Enter>x")
    let request = slow.driver.state.awaited.request(MatchesQuestion.self)!
    let effects = update(&slow.driver.state, .noAnswer(request, ReportedError("the disk is gone")), now: Driver.now)
    #expect(effects.deletions == [] && slow.driver.state.keys.held.isEmpty)
  }

  @Test func waitingKeysKeepTheirOrder() {
    var slow = SlowDriver()
    slow.type("2jj1")
    #expect(slow.driver.state.tab == .new)
    slow.answer()
    #expect(slow.driver.state.tab == .podcasts)
    #expect(slow.driver.state.screens[.new].episodes.list.selected == 2)
    slow.type("2")
    slow.type("3/abc")
    slow.answer()
    #expect(slow.driver.state.isTyping)
  }

  @Test func commandWithoutAListDoesNotWait() {
    var slow = SlowDriver()
    slow.type("2+")
    #expect(slow.driver.state.player.volume == 105)
    slow.type("?")
    #expect(slow.driver.state.overlays.count == 1)
  }

  @Test func quittingNeverWaits() {
    var slow = SlowDriver()
    slow.type("2xQ")
    #expect(slow.effects.contains(.terminal(.quit)))
  }

  /// A library that does not answer must not take all keys.
  @Test func keysThatWaitTooLongAreDropped() {
    var slow = SlowDriver()
    slow.type("2x")
    slow.type("1", seconds: HeldKeys.timeout + 1)
    #expect(slow.driver.state.tab == .podcasts)
    slow.answer()
    #expect(slow.effects == [])
  }

  @Test func waitingKeysAreDroppedAfterAFailure() {
    var slow = SlowDriver()
    slow.type("2x")
    let request = slow.driver.state.awaited.request(EpisodesQuestion.self)!
    _ = update(&slow.driver.state, .noAnswer(request, ReportedError("the disk is gone")), now: Driver.now)
    #expect(slow.driver.state.keys.held.isEmpty)
    #expect(slow.effects == [])
  }
}

extension [Effect] {
  fileprivate var deletions: [EpisodeID] {
    flatMap { if case .write(.setStatus(let ids, .deleted, _)) = $0 { ids } else { [EpisodeID]() } }
  }
}
