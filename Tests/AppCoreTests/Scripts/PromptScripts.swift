import Model
import TerminalKit
import Testing

@testable import AppCore

/// The prompts in the last row of the screen.
@Suite struct PromptScripts {
  static func text(_ driver: Driver) -> String? {
    (driver.state.overlays.last?.content as? any LineOverlay)?.editor.text
  }

  @Test(arguments: ["<Esc>", "<C-c>", "<C-g>"]) func promptClosesInEveryWay(key: String) {
    for start in [":", "/", "a", "7"] {
      var driver = Driver()
      driver.type(start + "some words")
      // Only the library search has effects while its words are typed.
      #expect(driver.takeEffects().isEmpty == (start != "7"))
      driver.type(key)
      #expect(driver.state.overlays.isEmpty)
      #expect(driver.takeEffects() == [])
    }
  }

  @Test func linkKeysWorkWhereLinksAreShown() {
    var driver = Driver()
    driver.type("<Enter>")
    _ = driver.takeEffects()
    for (key, text) in [
      ("o", "Press i to show the details, with their links."), ("y", "There is no address here to copy"),
    ] {
      driver.type(key)
      #expect(driver.state.overlays.isEmpty && driver.takeEffects() == [])
      #expect(driver.state.message?.text == text)
    }
  }

  @Test func backspaceClosesOnlyAnEmptyPrompt() {
    var driver = Driver()
    #expect(driver.prompt(after: ":x<BS>") == "")
    driver.type("<BS>")
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func emptyLineDoesNothing() {
    var driver = Driver()
    #expect(driver.effects(of: ":<Enter>/<Enter>a<Enter>a   <Enter>:   <Enter>") == [])
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.message == nil)
  }

  @Test func typingReplacesTheLastSearch() {
    var driver = Driver()
    #expect(driver.prompt(after: "7short<Enter>7") == "short")
    #expect(driver.prompt(after: "w") == "w")
    #expect(driver.prompt(after: "<Esc>7short<Enter>7<End>er") == "shorter", "any other key makes them one's own")
    #expect(driver.prompt(after: "<Esc>7short<Enter>7<BS>") == "")
    #expect(driver.prompt(after: "<Up>") == "short")
    #expect(driver.prompt(after: "<Esc>2/seven<Enter>/<Up>") == "seven", "each prompt remembers its own")
  }

  @Test func completionsCoverTheListAndAreCounted() {
    var driver = Driver(size: Size(120, 24))
    driver.type(":se<Tab>")
    let lines = driver.lines
    let status = lines[lines.count - 3]
    #expect(status.hasPrefix(":se") && status.hasSuffix("1/\(CommandLineText.commands(beginningWith: "se").count)"))
    let row = lines[lines.count - 4]
    #expect(!row.contains("│"))
  }

  @Test func historyCanBeSearched() {
    var driver = Driver()
    #expect(driver.prompt(after: ":volume 20<Enter>:speed 2<Enter>:volume 30<Enter>:vol<C-r>") == "volume 30")
    #expect(driver.prompt(after: "<C-r>") == "volume 20")
    #expect(driver.prompt(after: "<C-r>") == "volume 20", "there is no older one")
    #expect(driver.prompt(after: "<C-u>pee<C-r>") == "speed 2", "other words are sought from the newest line on")
  }

  @Test func historyGoesBackAndForth() {
    var driver = Driver()
    #expect(driver.prompt(after: ":volume 20<Enter>:speed 2<Enter>:volume 20<Enter>:<Up>") == "volume 20")
    #expect(driver.prompt(after: "<Up>") == "speed 2")
    #expect(driver.prompt(after: "<Up><Up>") == "speed 2")
    #expect(driver.prompt(after: "<C-n><Down>") == "")
    driver.type("<C-p><Enter>")
    #expect(driver.state.player.volume == 20)
    #expect(driver.state.histories.commands.lines == ["speed 2", "volume 20"])
  }

  @Test func historyKeepsTheNewest() {
    var driver = Driver()
    for volume in 0..<300 { driver.send { $0.run("volume \(volume)") } }
    #expect(driver.state.histories.commands.lines.count == 200)
    #expect(driver.state.histories.commands.lines.last == "volume 299")
  }

  @Test func tabCompletesWords() {
    var driver = Driver()
    #expect(driver.prompt(after: ":unpl<Tab>") == "unplayed-only")
    #expect(driver.prompt(after: "<C-u>vol<Tab>") == "volume")
    #expect(driver.prompt(after: "<Tab>") == "volume-down")
    #expect(driver.prompt(after: "<S-Tab><S-Tab>") == "volume-up")
    #expect(driver.prompt(after: "<C-u>theme <Tab>") == "theme dark")
    #expect(driver.prompt(after: "<Tab>") == "theme light")
    #expect(driver.prompt(after: "<C-u>theme l<Tab>") == "theme light")
    #expect(driver.prompt(after: "<C-u>add x<Tab><Tab>") == "add x")
  }

  @Test func completionKeepsTheTextBehindTheCursor() {
    var driver = Driver()
    #expect(driver.prompt(after: ":vol 30<C-a><Right><Right><Right><Tab>") == "volume 30")
    #expect(driver.prompt(after: "<Tab>") == "volume-down 30")
    #expect(driver.prompt(after: "<C-u><C-k>unpl x<C-a><Right><Right><Right><Right><Tab>!") == "unplayed-only! x")
  }

  @Test func recalledLineIsNotOverwrittenByOldCompletions() {
    var driver = Driver()
    #expect(driver.prompt(after: ":unplayed-only<Enter>:vol<Tab><Up>") == "unplayed-only")
    #expect(driver.prompt(after: "<Tab>") == "unplayed-only")
  }

  @Test func completionAddsASpaceForAnArgument() {
    var driver = Driver()
    #expect(driver.prompt(after: ":unsu<Tab>") == "unsubscribe")
    #expect(driver.prompt(after: "<C-u>open-<Tab>") == "open-link ")
  }

  @Test func pastedAddressOffersToAddIt() {
    var driver = Driver()
    driver.send(.input(.paste(" https://example.org/feed\n")))
    #expect(Self.text(driver) == "https://example.org/feed")
    #expect(driver.screen.contains("Address: https://example.org/feed"))
    driver.type("<Enter>")
    #expect(driver.takeEffects().last == .add(driver.state.awaited.last, "https://example.org/feed"))
  }

  @Test func pasteIntoAPromptDropsControlCharacters() {
    var driver = Driver()
    driver.type(":")
    driver.send(.input(.paste("vol\u{1B}[31mume\n30\r\n\u{7}")))
    #expect(Self.text(driver)?.unicodeScalars.contains { $0.value < 0x20 } == false)
    driver.type("<Esc>a")
    driver.send(.input(.paste(String(repeating: "x", count: 1_000_000))))
    #expect(Self.text(driver)?.count == 4096)
    expectValidScreen(driver, "a long paste")
  }

  @Test func pasteOverAQuestionDoesNothing() {
    var driver = Driver()
    driver.type("D")
    let before = driver.state.overlays
    driver.send(.input(.paste("yyy")))
    #expect(driver.state.overlays == before)
    #expect(driver.takeEffects() == [])
  }

  @Test func addedEpisodesAreShownWhileTheyArrive() {
    var driver = Driver()
    driver.type("aexample.org<Enter>")
    let request = driver.state.awaited.last
    driver.send(.arriving(request, ArrivingPodcast(title: nil, titles: ["First"], episodes: 1)))
    #expect(driver.screen.contains("Adding a podcast: 1 episode so far…"))
    let titles = (1...ArrivingPodcast.titleLimit).map { "Part \($0)\u{1B}[2J" }
    driver.send(.arriving(request, ArrivingPodcast(title: "Fresh", titles: titles, episodes: 143)))
    #expect(driver.screen.contains("Adding “Fresh”: 143 episodes so far…"))
    #expect(driver.screen.contains("Part 1") && !driver.screen.contains("\u{1B}"))
    driver.send(.arriving(request, ArrivingPodcast(title: "Dune", titles: [], episodes: 50, files: 300)))
    #expect(driver.screen.contains("Adding “Dune”: 50 of 300 files read…"))
    driver.send(.arriving(request, ArrivingPodcast(title: "Fresh", titles: titles, episodes: 143)))
    let selected = driver.state.selectedPodcast
    driver.type("j")
    #expect(driver.state.selectedPodcast != selected, "the list goes on taking the keys")
    driver.send(.added(request, .failure(ReportedError("example.org: the connection broke"))))
    #expect(!driver.screen.contains("Adding “Fresh”"))
  }

  @Test func addReportsItsResult() {
    var driver = Driver()
    driver.type("aexample.org<Enter>")
    let request = driver.state.awaited.last
    driver.send(.added(request, .failure(ReportedError("example.org: no connectivity"))))
    #expect(driver.state.message == Message(.error, "example.org: no connectivity"))
    driver.library.podcasts.append(
      PodcastRow(id: PodcastID(9), feedURL: "https://example.org", title: "Fresh", unplayed: 3, episodes: 3))
    driver.send(.added(request, .success(AddedPodcast(id: PodcastID(9), title: "Fresh", episodes: 3))))
    #expect(driver.state.message?.text == "Added “Fresh” with 3 episodes")
    let again = AddedPodcast(id: PodcastID(9), title: "Fresh", episodes: 3, wasKnown: true)
    driver.send(.added(request, .success(again)))
    #expect(driver.state.message?.text == "“Fresh” is already in the library")
    #expect(driver.state.selectedPodcast?.title == "Fresh")
    #expect(driver.state.screen.episodes.query.scope == .podcast(PodcastID(9)))
  }

  @Test func feedBehindAPasswordAsksForIt() throws {
    var driver = Driver()
    driver.type("ahttps://example.org/feed<Enter>")
    var error = ReportedError("example.org: the server asks for a user name and password")
    let server = try #require(Origin("https://feeds.example.org/"))
    error.loginProblem = ReportedError.LoginProblem(server: server, isRefused: false)
    driver.send(.added(driver.state.awaited.last, .failure(error)))
    // These were meant for the list. Text is seen in the field, so it is taken.
    driver.type("<Esc>")
    driver.type("<Enter>")
    driver.type("a")
    driver.send(.input(.typed("li")))
    #expect(driver.screen.contains("User name for feeds.example.org: ali"))
    driver.wait()
    driver.type("ce<Enter>s3cret")
    #expect(driver.screen.contains("Password of alice: ******") && !driver.screen.contains("s3cret"))
    driver.type("<Enter>")
    let login = FeedLogin(user: "alice", password: "s3cret", server: server)
    let again = Effect.network(.add(driver.state.awaited.last, "https://example.org/feed", login: login))
    #expect(driver.takeEffects().last == again && !"\(login)".contains("s3cret"))
    error.loginProblem?.isRefused = true
    driver.send(.added(driver.state.awaited.last, .failure(error)))
    #expect(driver.screen.contains("Not accepted. User name for feeds.example.org:"))
    driver.wait()
    driver.type("<Esc>")
    #expect(driver.state.overlays.isEmpty && driver.takeEffects() == [] && driver.state.message?.text == error.text)
    // What is being typed goes on.
    driver.type("aexample.org<Enter>:")
    let request = try #require(driver.state.awaited.additions.last?.request)
    driver.send(.added(request, .failure(error)))
    #expect(driver.state.overlays.count == 1 && !driver.screen.contains("User name"))
    driver.type("<Esc>")
    #expect(driver.screen.contains("Not accepted. User name for feeds.example.org:"), "it is asked later")
  }

  /// A podcast is added by a slow server while something is typed about the selected one.
  @Test(arguments: [":tags news", "fshort"]) func arrivalDoesNotMoveTheSelectionUnderAPrompt(keys: String) throws {
    var driver = Driver()
    driver.type("aexample.org<Enter>j" + keys)
    _ = driver.takeEffects()
    driver.library.podcasts.append(
      PodcastRow(id: PodcastID(9), feedURL: "https://example.org", title: "Fresh", unplayed: 3, episodes: 3))
    let request = try #require(driver.state.awaited.additions.last?.request)
    driver.send(.added(request, .success(AddedPodcast(id: PodcastID(9), title: "Fresh", episodes: 3))))
    #expect(driver.state.library.podcasts.count == 3)
    #expect(driver.state.screen.episodes.query.scope == .podcast(PodcastID(2)))
    driver.type("<Enter>")
    if keys.hasPrefix(":") { #expect(driver.takeEffects() == [.write(.setTags(["news"], .podcast(PodcastID(2))))]) }
    driver.send(.library(.changed))
    #expect(driver.state.selectedPodcast?.id == PodcastID(2), "the selection does not move later either")
  }

  @Test func undoDoesNotMoveTheSelectionUnderAPrompt() {
    var driver = Driver()
    driver.type(":tags news")
    var restored = Restored()
    restored.podcasts = [PodcastID(2)]
    driver.send(.library(.undone(.back, "Unsubscribe", restored)))
    #expect(driver.state.selectedPodcast?.id == PodcastID(1))
  }

  /// The episode ends and leaves the list while a line about it is typed.
  @Test func commandLineIsAboutTheEpisodeForWhichItWasOpened() {
    var driver = Driver()
    driver.type("2:note a thought")
    let title = driver.library.episodes[0].title
    driver.library.episodes[0].status = .played
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == EpisodeID(2))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message == Message(.warning, "“\(title)” is no longer selected"))
    #expect(driver.state.histories.commands.lines == ["note a thought"], "the text is not lost")
    // Other lines are not about it.
    driver.type(":volume 3")
    driver.library.episodes[1].status = .played
    driver.send(.library(.changed))
    driver.type("0<Enter>")
    #expect(driver.state.player.volume == 30)
  }

  /// The row under the cursor leaves the list, but these lines are about what plays.
  @Test(arguments: ["note a thought", "edit-note", "transcript", "chapters"])
  func commandLineIsAboutWhatPlays(line: String) throws {
    var driver = Driver.playing()
    let played = try #require(driver.state.player.episode?.id)
    driver.send(.player(.position(generation: driver.generation, seconds: 100)))
    driver.type("B2")
    let row = try #require(driver.state.screen.episodes.ids.firstIndex { $0 != played })
    driver.send { state in
      state.screen.episodes.list.moveTo(row)
      return []
    }
    let selected = try #require(driver.state.screen.episodes.selected)
    driver.type(":" + line)
    driver.library.episodes.removeAll { $0.id == selected }
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected != selected)
    _ = driver.takeEffects()
    driver.type("<Enter>")
    #expect(driver.state.message?.text.hasSuffix("no longer selected") != true)
    let effects = driver.takeEffects()
    switch line {
    case "transcript": #expect(driver.state.listeningEpisode == played)
    case "note a thought":
      let isWritten = effects.contains {
        if case .write(.writeNote(.newBookmark(played, _), "a thought")) = $0 { true } else { false }
      }
      #expect(isWritten, "\(effects)")
    default: break
    }
  }

  @Test func commandLineSelectsItsEpisodeAgain() {
    var driver = Driver.listening()
    driver.type("j:played")
    var restored = Restored()
    restored.episodes = [EpisodeID(9)]
    driver.send(.library(.undone(.back, "Delete “Nine”", restored)))
    #expect(driver.state.screen.episodes.selected == EpisodeID(9))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.setStatus([EpisodeID(2)], .played)])
  }

  /// A range of rows ends at the cursor, which moves when its row leaves the list.
  @Test func commandLineIsAboutTheSelectedRows() {
    var driver = Driver()
    driver.type("2Vj:played")
    let ids = driver.state.screen.episodes.ids
    driver.library.episodes.removeAll { $0.id == ids[1] }
    driver.send(.library(.changed))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.setStatus([ids[0]], .played)])
  }

  /// Fingers that know vim are understood, or told which command they mean.
  @Test(arguments: ["q", "q!", "wq", "x", "qa"]) func vimWordsQuit(word: String) {
    var driver = Driver()
    #expect(driver.effects(of: ":\(word)<Enter>").contains(.quit))
  }

  @Test(arguments: [
    ("w", ":export"), ("e", ":visit"), ("mark", ":played"), ("set", "config.toml"),
    ("sort nonsense", "order of podcasts"),
  ]) func vimWordsNameTheCommand(word: String, name: String) {
    var driver = Driver()
    driver.type(":\(word)<Enter>")
    #expect(driver.state.message?.text.contains(name) == true, "\(driver.state.message?.text ?? "")")
    #expect(driver.takeEffects() == [])
  }

  @Test func vimWordForEditOpensAnAddress() {
    var driver = Driver()
    driver.type(":e https://example.org/feed<Enter>")
    let visits = driver.takeEffects().filter { if case .network(.visit) = $0 { true } else { false } }
    #expect(visits.count == 1)
  }
}

extension Driver {
  /// Types keys, and reads the line of the prompt.
  fileprivate mutating func prompt(after keys: String) -> String? {
    type(keys)
    return PromptScripts.text(self)
  }
}
