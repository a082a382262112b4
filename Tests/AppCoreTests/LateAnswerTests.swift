import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Late answers, many questions at once, and large libraries.
@Suite struct LateAnswerTests {
  /// A state. The test answers its questions.
  static func state(
    _ podcasts: [PodcastRow] = FakeLibrary.sample.podcasts, size: Size = Size(80, 24)
  ) -> State {
    var state = State(size: size, now: Driver.now)
    _ = reconcile(&state)
    _ = update(
      &state, .answer(state.awaited.request(PodcastsQuestion.self)!, PodcastsQuestion().answer(podcasts)),
      now: Driver.now)
    _ = update(&state, .answer(state.awaited.request(QueueQuestion.self)!, QueueQuestion().answer([])), now: Driver.now)
    return state
  }

  static func row(_ id: Int64, _ title: String = "x") -> EpisodeRow {
    EpisodeRow(id: EpisodeID(id), podcast: PodcastID(1), title: title)
  }

  static func asked(_ effects: [Effect]) -> (RequestID, EpisodesQuestion)? {
    effects.asked(EpisodesQuestion.self).first.map { ($0.request, $0.question) }
  }

  @Test func answerForAnotherPodcastIsDropped() throws {
    var state = Self.state()
    let (old, oldQuery) = try #require(Self.asked(reconcile(&state)))
    _ = update(&state, .input(.key(Key("j"))), now: Driver.now)
    let (new, newQuery) = try #require(Self.asked(reconcile(&state)))
    #expect(oldQuery.query.scope == .podcast(PodcastID(1)) && newQuery.query.scope == .podcast(PodcastID(2)))
    let fresh = EpisodeRow(id: EpisodeID(21), podcast: PodcastID(2), title: "new")
    _ = update(&state, .answer(new, newQuery.answer(ids: [fresh.id], rows: [fresh])), now: Driver.now)
    _ = update(
      &state,
      .answer(old, oldQuery.answer(ids: [EpisodeID(1), fresh.id], rows: [Self.row(1), Self.row(21, "old")])),
      now: Driver.now)
    #expect(state.screen.episodes.ids == [fresh.id])
    #expect(state.library.rows[fresh.id]?.title == "new")
  }

  @Test func selectionStaysWhenEpisodesArriveAbove() {
    var driver = Driver.listening()
    driver.type("jjjj")
    let selected = driver.state.screen.episodes.selected
    let fresh = (100..<150).map { EpisodeRow(id: EpisodeID($0), podcast: PodcastID(1), title: "Fresh \($0)") }
    driver.library.episodes.insert(contentsOf: fresh, at: 0)
    driver.refresh(.finished(new: 50, unchanged: 0, failed: 0))
    #expect(driver.state.screen.episodes.selected == selected)
    #expect(driver.state.screen.episodes.list.selected == 54)
    // If the selected episode is removed, the selection stays in its row.
    driver.library.episodes.removeAll { $0.id == selected }
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.list.selected == 54)
  }

  @Test func selectionStaysWhenAPodcastArrivesAbove() {
    var driver = Driver()
    driver.type("j")
    driver.library.podcasts.insert(PodcastRow(id: PodcastID(7), feedURL: "x", title: "A"), at: 0)
    driver.send(.library(.changed))
    #expect(driver.state.selectedPodcast?.id == PodcastID(2))
  }

  @Test func manyChangesAskOnce() {
    var state = Self.state()
    _ = reconcile(&state)
    for _ in 0..<1000 { #expect(update(&state, .library(.changed), now: Driver.now) == []) }
    // The question for the episodes has no answer yet, so it is not asked again.
    #expect(
      reconcile(&state).questions == [AnyLibraryQuestion(PodcastsQuestion()), AnyLibraryQuestion(QueueQuestion())])
    #expect(reconcile(&state) == [])
    let question = state.awaited.questions(EpisodesQuestion.self)[0]
    let request = state.awaited.request(EpisodesQuestion.self)!
    _ = update(&state, .answer(request, question.answer(ids: [], rows: [])), now: Driver.now)
    #expect(reconcile(&state).asked(EpisodesQuestion.self).count == 1)
    #expect(reconcile(&state) == [])
  }

  /// The answer with the episodes contains their rows, and nothing about the podcast has changed.
  @Test func movingToAPodcastAsksTwoQuestions() throws {
    var state = Self.state(size: Size(120, 36))
    _ = reconcile(&state)
    _ = update(&state, .input(.key(Key("j"))), now: Driver.now)
    let effects = reconcile(&state)
    #expect(
      effects.questions.count == 2
        && effects.asked(DetailsQuestion.self).first?.question.subject == .podcast(PodcastID(2)))
    let (request, question) = try #require(Self.asked(effects))
    let rows = (1...200).map { EpisodeRow(id: EpisodeID($0), podcast: PodcastID(2), title: "x") }
    #expect(question.selected == nil)
    let answer = question.answer(ids: rows.map(\.id), rows: Array(rows.prefix(question.rows)))
    _ = update(&state, .answer(request, answer), now: Driver.now)
    #expect(reconcile(&state).questions == [])
  }

  @Test func changeIsReadAgainInTheDetailsAfterAnOutstandingAnswer() throws {
    var pane = ReaderState()
    _ = pane.show(.episode(EpisodeID(1)), isAwaited: false)
    pane.invalidate()
    #expect(pane.show(.episode(EpisodeID(1)), isAwaited: true) == false)
    #expect(pane.show(.episode(EpisodeID(1)), isAwaited: false) == true)
    #expect(pane.show(.episode(EpisodeID(1)), isAwaited: false) == false)
  }

  @Test func failedReadIsRepeatedAfterTheNextChange() throws {
    var state = Self.state()
    let (request, _) = try #require(Self.asked(reconcile(&state)))
    _ = update(&state, .noAnswer(request, ReportedError("the disk is gone")), now: Driver.now)
    #expect(reconcile(&state) == [])
    _ = update(&state, .library(.changed), now: Driver.now)
    let effects = reconcile(&state)
    #expect(Self.asked(effects) != nil)
    #expect(!effects.asked(PodcastsQuestion.self).isEmpty)
  }

  @Test func readerDropsALateAnswer() throws {
    var pane = ReaderState()
    #expect(pane.show(.episode(EpisodeID(1)), isAwaited: false) == true)
    _ = pane.show(.episode(EpisodeID(2)), isAwaited: true)
    pane.receive(.episode(EpisodeDetail(row: Self.row(1), feed: FeedEpisode()), Document()))
    #expect(pane.content == nil)
    _ = pane.show(nil, isAwaited: true)
    pane.receive(.episode(EpisodeDetail(row: Self.row(2), feed: FeedEpisode()), Document()))
    #expect(pane.content == nil)
  }

  @Test func changesAppearInTheNotesOfTheFullScreenView() {
    var driver = Driver.listening()
    driver.play(EpisodeID(1))
    driver.type("pi")
    #expect(!driver.screen.contains("queued"))
    driver.library.queue = [EpisodeID(1)]
    driver.library.episodes[0].isQueued = true
    driver.send(.library(.changed))
    #expect(driver.screen.contains("queued"))
    #expect(!driver.asksEndlessly)
  }

  /// An undo, or another process, has changed the position of the episode that Space resumes.
  @Test func changedPositionOfTheOfferedEpisodeAppearsInThePlayerBar() {
    var driver = Driver.listening()
    driver.play(EpisodeID(1))
    driver.type(":stop<Enter>3")
    driver.library.episodes[0].position = 123
    driver.send(.library(.changed))
    #expect(driver.state.player.position == 123)
    #expect(driver.screen.contains("2:03"))
    // Then it is marked as played.
    driver.library.episodes[0].position = 0
    driver.library.episodes[0].status = .played
    driver.send(.library(.changed))
    #expect(driver.lines.contains { $0.contains("✓ ") && $0.contains("played") && !$0.contains("0:00 /") })
  }

  @Test func oldLoadDoesNotReplaceTheNewOne() {
    var driver = Driver.listening()
    driver.play(EpisodeID(1))
    let old = driver.generation
    driver.play(EpisodeID(2))
    driver.send(.library(.playing(generation: old, driver.library.row(EpisodeID(1))!, [], from: 77)))
    #expect(driver.state.player.episode?.id == EpisodeID(2))
    #expect(driver.state.player.position == 300)
  }

  @Test func longListIsReadInWindows() {
    let count = 150_000
    var driver = Driver(size: Size(80, 24), library: .long(count))
    driver.type("<Enter>")
    _ = driver.takeEffects()
    driver.library.rowQuestions = []
    let keys = ["G", "g", "<PageDown>", "<C-d>", "j", "G", "k", "<PageUp>"]
    for key in keys {
      for _ in 0..<20 { driver.type(key) }
      #expect(driver.lines.contains { $0.contains("Episode ") })
    }
    // Each key asks at most once, for at most three windows of rows.
    #expect(driver.library.rowQuestions.count <= keys.count * 20)
    #expect(driver.library.rowQuestions.allSatisfy { $0 <= 3 * 24 })
    #expect(driver.state.library.rows.count <= 4000 + 3 * 24)
    #expect(driver.state.screen.episodes.ids.count == count)
  }

  @Test func distantRowsAreDropped() {
    var driver = Driver(size: Size(80, 24), library: .long(20_000))
    driver.type("<Enter>")
    for _ in 0..<600 {
      driver.type("<PageDown>")
      #expect(driver.state.library.rows.count <= 4000 + 3 * 24)
    }
    #expect(driver.state.screen.episodes.list.selected > 10_000)
    #expect(driver.state.awaited.rows.isEmpty)
    #expect(driver.lines.contains { $0.contains("Episode \(driver.state.screen.episodes.list.selected)") })
  }

  @Test func awaitedRowsAreNotRequestedTwice() {
    var state = Self.state()
    _ = reconcile(&state)
    let ids = (1...1000).map { EpisodeID(Int64($0)) }
    let question = state.awaited.questions(EpisodesQuestion.self)[0]
    let request = state.awaited.request(EpisodesQuestion.self)!
    _ = update(&state, .answer(request, question.answer(ids: ids, rows: [])), now: Driver.now)
    var asked: [EpisodeID] = []
    for _ in 0..<50 {
      asked += reconcile(&state).asked(RowsQuestion.self).flatMap(\.question.ids)
      _ = update(&state, .input(.key(Key("l"))), now: Driver.now)
      _ = update(&state, .input(.key(Key("j"))), now: Driver.now)
    }
    #expect(!asked.isEmpty)
    #expect(Set(asked).count == asked.count)
  }
}

extension FakeLibrary {
  /// A library with one podcast that has `count` episodes.
  static func long(_ count: Int) -> FakeLibrary {
    var library = FakeLibrary(podcasts: [PodcastRow(id: PodcastID(1), feedURL: "x", title: "Long")], episodes: [])
    library.episodes = (0..<count).map {
      EpisodeRow(id: EpisodeID(Int64($0)), podcast: PodcastID(1), title: "Episode \($0)")
    }
    return library
  }
}
