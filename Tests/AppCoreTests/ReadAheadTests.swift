import Model
import TerminalKit
import Testing

@testable import AppCore

/// The details of what is next to the selection are read before the selection moves there.
@Suite struct ReadAheadTests {
  /// A list of five episodes has the focus. The test answers the questions about their details.
  private struct List {
    var state = LateAnswerTests.state(size: Size(120, 36))
    /// The unanswered questions about details, in order.
    private(set) var asked: [(request: RequestID, question: DetailsQuestion)] = []

    init(opens: Bool = true) throws {
      let (request, list) = try #require(LateAnswerTests.asked(reconcile(&state)))
      let rows = (1...5).map { LateAnswerTests.row($0) }
      send(.answer(request, list.answer(ids: rows.map(\.id), rows: rows)))
      if opens { press(Key(.enter)) }
    }

    mutating func send(_ action: Action) {
      asked += (update(&state, action, now: Driver.now) + reconcile(&state)).asked(DetailsQuestion.self).filter {
        if case .episode = $0.question.subject { true } else { false }
      }
    }

    mutating func press(_ key: Key) { send(.input(.key(key))) }

    /// Answers the oldest question about an episode with these notes.
    mutating func answer(_ id: Int64, _ notes: String) throws {
      let index = try #require(asked.firstIndex { $0.question.subject == .episode(EpisodeID(id)) })
      let detail = EpisodeDetail(row: LateAnswerTests.row(id), feed: FeedEpisode())
      let document = Document(blocks: [.paragraph([.init(notes)])])
      let (request, question) = asked.remove(at: index)
      send(.answer(request, question.answer(.episode(detail, document))))
    }

    mutating func fail(_ id: Int64) throws {
      let index = try #require(asked.firstIndex { $0.question.subject == .episode(EpisodeID(id)) })
      send(.noAnswer(asked.remove(at: index).request, ReportedError("the disk is gone")))
    }

    var episodes: [Int64] {
      asked.compactMap { if case .episode(let id) = $0.question.subject { id.rawValue } else { nil } }
    }
    /// Whether the pane shows these notes.
    func shows(_ notes: String) -> Bool { state.screen.detail.lines.contains { $0.text == notes } }
  }

  @Test func neighboursAreAskedForWhenTheDetailsAreThere() throws {
    var list = try List()
    #expect(list.episodes == [1])
    try list.answer(1, "one")
    #expect(list.episodes == [2] && !list.state.awaited.isOnScreenSoon, "the screen does not wait for it")
    try list.answer(2, "two")
    #expect(list.episodes == [] && list.shows("one"))
    list.press(Key("j"))
    #expect(list.shows("two") && list.episodes == [3])
    try list.answer(3, "three")
    list.press(Key("k"))
    #expect(list.shows("one") && list.episodes == [], "the previous one is known")
  }

  @Test func outstandingAnswerIsUsedIfTheSelectionIsFaster() throws {
    var list = try List()
    try list.answer(1, "one")
    list.press(Key("j"))
    #expect(list.episodes == [2] && list.state.awaited.isOnScreenSoon, "not asked twice")
    try list.answer(2, "two")
    #expect(list.shows("two") && list.episodes == [3])
  }

  @Test func changeMakesAllOfThemOutOfDate() throws {
    var list = try List()
    try list.answer(1, "one")
    try list.answer(2, "two")
    list.press(Key("j"))
    #expect(list.episodes == [3])
    list.send(.library(.changed))
    #expect(list.episodes == [3, 2])
    try list.answer(3, "before the change")
    try list.answer(2, "changed")
    #expect(list.shows("changed") && list.episodes == [], "neighbours wait for the next key")
    list.press(Key("k"))
    #expect(list.episodes == [1], "its old details are not shown again")
    list.press(Key("j"))
    #expect(list.shows("changed") && list.episodes == [1, 3, 1])
    list.press(Key("j"))
    #expect(!list.shows("before the change") && list.state.awaited.isOnScreenSoon)
    try list.answer(3, "three")
    #expect(list.shows("three"))
  }

  @Test func detailsThatAreBeingReadAgainAreNotKept() throws {
    var list = try List()
    try list.answer(1, "before the change")
    try list.answer(2, "two")
    list.send(.library(.changed))
    #expect(list.episodes == [1])
    list.press(Key("j"))
    try list.answer(1, "dropped")
    #expect(list.episodes == [2])
    try list.answer(2, "two")
    #expect(list.episodes == [3, 1])
    list.press(Key("k"))
    #expect(!list.shows("before the change") && list.state.awaited.isOnScreenSoon)
    try list.answer(1, "one")
    #expect(list.shows("one"))
  }

  @Test func detailsThatCouldNotBeReadAgainAreNotKept() throws {
    var list = try List()
    try list.answer(1, "before the change")
    try list.answer(2, "two")
    list.send(.library(.changed))
    try list.fail(1)
    list.press(Key("j"))
    list.press(Key("k"))
    #expect(list.episodes == [2, 1])
  }

  /// A place that is stored posts no change, because lists need not be read again.
  @Test func storedPlaceIsReadAgain() throws {
    var driver = Driver.playing()
    driver.send(.input(.resize(Size(120, 36))))
    driver.report(100)
    driver.pause()
    driver.library.episodes[0].position = 100
    driver.send(.library(.changed))
    driver.type("jk")
    driver.type("<Right>")
    let place = try #require(driver.takeEffects().positions.last)
    driver.library.episodes[0].position = place
    driver.type(":stop<Enter>jk")
    #expect(place > 100 && driver.screen.contains("heard to \(TimeText.clock(place))"))
  }

  @Test func refreshedPodcastIsReadAgain() {
    var driver = Driver(size: Size(120, 36))
    driver.type("jk")
    driver.library.podcasts[1].author = "Somebody new"
    driver.refresh(.podcast(title: "Radio Nowhere", done: 1, total: 2, fresh: 0))
    #expect(driver.screen(after: "j").contains("Somebody new"))
  }

  @Test func detailsReadAheadNeedNoFrame() throws {
    var list = try List()
    let reader = try #require(list.asked.first).request
    let answer = Action.answer(reader, .gone)
    #expect(!list.state.areReadAhead([answer]), "the screen shows it")
    try list.answer(1, "one")
    let ahead = Action.answer(try #require(list.asked.first).request, .gone)
    let place = Action.exactPosition(generation: 0, seconds: 1, seek: list.state.player.newestSeek)
    #expect(list.state.areReadAhead([ahead]) && list.state.areReadAhead([place, ahead]))
    #expect(!list.state.areReadAhead([]) && !list.state.areReadAhead([place]))
    #expect(!list.state.areReadAhead([ahead, .input(.key(Key("x")))]))
    list.press(Key("j"))
    #expect(!list.state.areReadAhead([ahead]), "the screen waits for it now")
  }

  @Test func detailsReadAheadFitTheNewSize() throws {
    var list = try List()
    try list.answer(1, "one")
    try list.answer(2, String(repeating: "long words ", count: 20))
    list.send(.input(.resize(Size(160, 36))))
    list.press(Key("j"))
    let width = try #require(list.state.layout.area(.detail)).content.width
    let widest = list.state.screen.detail.lines.map { Clusters.width($0.text) }.max()
    #expect(widest.map { $0 > 44 && $0 <= width } == true, "the pane had 44 columns before")
  }

  @Test func failureIsReportedOnlyForWhatIsShown() throws {
    var list = try List()
    try list.answer(1, "one")
    try list.fail(2)
    #expect(list.state.message == nil && list.episodes == [])
    list.press(Key("j"))
    #expect(list.episodes == [2])
    try list.fail(2)
    #expect(list.state.message == Message(.error, "the disk is gone"))
  }

  @Test func answerForTheLeftSubjectIsNotAwaited() throws {
    var list = try List()
    try list.answer(1, "one")
    try list.answer(2, "two")
    list.press(Key("j"))
    list.press(Key("G"))
    list.press(Key("k"))
    try list.answer(4, "four")
    list.press(Key("G"))
    list.press(Key("k"))
    #expect(list.shows("four") && !list.state.areDetailsAwaited(in: .details(.podcasts)))
  }

  @Test func firstScreenAsksOnlyForWhatItShows() throws {
    var list = try List(opens: false)
    list.state.screen.focus = .episodes
    list.send(.resumed)
    try list.answer(1, "one")
    #expect(list.shows("one") && list.episodes == [])
    list.press(Key("?"))
    #expect(list.episodes == [2])
  }

  @Test func podcastsAreReadAheadToo() throws {
    var list = try List(opens: false)
    list.press(Key("?"))
    list.press(Key("?"))
    let rows = list.state.library.podcasts
    let first = DetailsQuestion(subject: .podcast(rows[0].id), pane: .details(.podcasts))
    list.send(.answer(try #require(list.state.awaited.request(.library(first))), Self.about(rows[0], first)))
    let second = DetailsQuestion(subject: .podcast(rows[1].id), pane: .details(.podcasts), isAhead: true)
    list.send(.answer(try #require(list.state.awaited.request(.library(second))), Self.about(rows[1], second)))
    list.press(Key("j"))
    #expect(list.shows(rows[1].title) && !list.state.areDetailsAwaited(in: .details(.podcasts)))
  }

  private static func about(_ row: PodcastRow, _ question: DetailsQuestion) -> Answer {
    let detail = PodcastDetail(
      row: row, feed: FeedPodcast(), source: .rss(url: row.feedURL), isSubscribed: true)
    return question.answer(.podcast(detail, Document()))
  }
}
