import Model
import TerminalKit
import Testing

@testable import AppCore

/// An awaited request ends with its answer, with its failure, or when it is cancelled.
@Suite struct AwaitedRequestTests {
  private static let question = PlaylistsQuestion(items: [.episode(EpisodeID(1))])

  /// The list of episodes has the focus, and `A` has requested the playlists.
  private func adding() throws -> (state: State, request: RequestID) {
    var state = LateAnswerTests.state()
    let (request, list) = try #require(LateAnswerTests.asked(reconcile(&state)))
    let row = LateAnswerTests.row(1)
    _ = update(&state, .answer(request, list.answer(ids: [row.id], rows: [row])), now: Driver.now)
    _ = update(&state, .input(.key(Key(.enter))), now: Driver.now)
    let effects = update(&state, .input(.key(Key("A"))), now: Driver.now)
    #expect(effects.questions == [AnyLibraryQuestion(Self.question)])
    return (state, state.awaited.last)
  }

  @Test func pickerDoesNotOpenAfterAFailedQuestion() throws {
    var (state, request) = try adding()
    _ = update(&state, .noAnswer(request, ReportedError("the disk is full")), now: Driver.now)
    #expect(state.message == Message(.error, "the disk is full"))
    _ = update(&state, .input(.key(Key("5"))), now: Driver.now)
    let asked = try #require(
      reconcile(&state).questions.isEmpty ? nil : state.awaited.request(PlaylistRowsQuestion.self))
    _ = update(&state, .answer(asked, PlaylistRowsQuestion().answer([])), now: Driver.now)
    _ = update(&state, .answer(request, Self.question.answer([])), now: Driver.now)
    #expect(state.overlays.isEmpty)
  }

  @Test func failedWriteKeepsTheQuestions() throws {
    var (state, request) = try adding()
    let before = state.awaited
    _ = update(&state, .library(.failed(ReportedError("the disk is full"))), now: Driver.now)
    #expect(state.awaited == before)
    _ = update(&state, .answer(request, Self.question.answer([])), now: Driver.now)
    #expect(state.overlays.count == 1)
  }

  @Test func cancelStopsBothRefreshes() {
    var driver = Driver()
    driver.type("r")
    let first = driver.state.awaited.last
    let second = driver.state.awaited.begin(.refresh)
    driver.send(.refresh(first, .started(total: 5)))
    driver.send(.refresh(second, .started(total: 1)))
    #expect(driver.screen.contains("refreshing 0/6"))
    #expect(driver.effects(of: "<C-g>") == [.cancel(first), .cancel(second)])
    driver.send(.refresh(second, .finished(new: 0, unchanged: 1, failed: 0)))
    #expect(driver.screen.contains("refreshing 0/5"), "the other one goes on until it has stopped")
    driver.send(.refresh(first, .finished(new: 0, unchanged: 1, failed: 0)))
    #expect(driver.state.refresh == nil && driver.state.awaited.refreshes.isEmpty)
  }

  @Test func refusedRefreshEnds() {
    var driver = Driver()
    driver.type("R")
    driver.send(.noAnswer(driver.state.awaited.last, ReportedError("another player runs")))
    #expect(driver.state.message == Message(.warning, "another player runs"))
    #expect(driver.effects(of: "R").refreshes == [nil])
  }

  @Test func unreadableRowsAreRequestedAgainAfterAChange() throws {
    var state = LateAnswerTests.state()
    let (request, list) = try #require(LateAnswerTests.asked(reconcile(&state)))
    _ = update(&state, .answer(request, list.answer(ids: [EpisodeID(1)], rows: [])), now: Driver.now)
    _ = reconcile(&state)
    let rows = try #require(state.awaited.request(RowsQuestion.self))
    _ = update(&state, .noAnswer(rows, ReportedError("the disk is gone")), now: Driver.now)
    #expect(!reconcile(&state).questions.contains(AnyLibraryQuestion(RowsQuestion(ids: [EpisodeID(1)]))))
    _ = update(&state, .library(.changed), now: Driver.now)
    // The list is requested first, and then the rest.
    _ = reconcile(&state)
    let again = try #require(state.awaited.request(EpisodesQuestion.self))
    _ = update(&state, .answer(again, list.answer(ids: [EpisodeID(1)], rows: [])), now: Driver.now)
    #expect(reconcile(&state).questions.contains(AnyLibraryQuestion(RowsQuestion(ids: [EpisodeID(1)]))))
  }
}
