import Model
import TerminalKit
import Testing

@testable import AppCore

/// The end of an episode, and its effect on the queue.
@Suite struct EndTests {
  @Test func endMarksPlayedDequeuesAndPlaysTheNext() {
    var driver = Driver.playing(from: 3590, queue: [Driver.first, Driver.second, Driver.third])
    driver.hear(to: 3599)
    _ = driver.takeEffects()
    driver.end(at: 3600, atEnd: true)
    let effects = driver.takeEffects()
    #expect(effects.positions == [3600])
    #expect(effects.spans == [3590...3600])
    #expect(effects.statuses == [.played])
    #expect(effects.contains(.note(Driver.first, .ended)))
    #expect(effects.plays == [Driver.second])
    #expect(driver.state.queue == [Driver.second, Driver.third])
    #expect(driver.state.player.phase == .loading)
  }

  @Test func endOfTheQueueStops() {
    var driver = Driver.playing(from: 3590, queue: [Driver.first])
    driver.end(at: 3600, atEnd: true)
    #expect(driver.takeEffects().plays == [])
    #expect(driver.state.player.phase == .stopped)
    #expect(driver.state.message?.text.contains("Played to the end") == true)
    // The bar does not look like the start of the episode.
    #expect(driver.lines.contains { $0.contains("✓ ") && $0.contains("played") && !$0.contains("0:00 /") })
  }

  /// mpv reports "end of file" for a stream that was interrupted.
  @Test(arguments: [true, false]) func truncatedStreamIsNotMarkedPlayed(asFailure: Bool) {
    var driver = Driver.playing(from: 100, queue: [Driver.first, Driver.second])
    driver.hear(to: 110)
    _ = driver.takeEffects()
    if asFailure { driver.fail(at: 110.5) } else { driver.end(at: 110.5, atEnd: false) }
    let effects = driver.takeEffects()
    #expect(effects.positions == [110.5])
    #expect(effects.spans == [100...110.5])
    #expect(effects.statuses == [.paused])
    #expect(effects.plays == [])
    #expect(!effects.contains(.note(Driver.first, .ended)))
    #expect(driver.state.queue == [Driver.first, Driver.second])
    #expect(driver.state.player.phase == .stopped)
    // Space resumes the episode.
    driver.type("<Space>")
    #expect(driver.takeEffects().plays == [Driver.first])
  }

  @Test(arguments: [nil, Double.nan, .infinity]) func failureWithoutAPositionKeepsTheLast(seconds: Double?) {
    var driver = Driver.playing(from: 100)
    driver.hear(to: 110)
    _ = driver.takeEffects()
    driver.fail(at: seconds)
    #expect(driver.takeEffects().positions == [110])
    #expect(driver.state.message?.kind == .error)
    #expect(driver.state.message?.text.contains("broke off") == true)
  }

  @Test(arguments: [true, false]) func failureWhileLoadingKeepsPositionAndStatus(asEnd: Bool) {
    var driver = Driver.listening(queue: [Driver.second, Driver.third])
    driver.play(Driver.second)
    driver.answerPlay(from: 300)
    _ = driver.takeEffects()
    if asEnd { driver.end(at: 0, atEnd: true) } else { driver.fail(at: 0) }
    let effects = driver.takeEffects()
    #expect(effects.positions == [])
    #expect(effects.statuses == [])
    #expect(effects.events == [])
    #expect(effects.plays == [])
    #expect(driver.state.queue == [Driver.second, Driver.third])
    #expect(driver.state.player.position == 300)
    #expect(driver.state.message?.kind == .error)
  }

  @Test func failureBeforeTheStoreAnswersNamesTheEpisode() {
    var driver = Driver.listening()
    driver.play(Driver.second)
    driver.fail(at: nil)
    #expect(driver.state.message?.text.contains("A café in Zürich") == true)
    #expect(driver.state.player.phase == .stopped)
  }

  // MARK: Episodes that cannot be played

  private func failMissing(_ driver: inout Driver) {
    driver.send(
      .player(
        .failed(
          generation: driver.generation, seconds: nil, message: "the server does not have the file any more (404)",
          concernsFile: true)))
  }

  @Test func queueGoesOnAfterAMissingFile() {
    var driver = Driver.playing(from: 3590, queue: [Driver.first, Driver.second, Driver.third])
    driver.end(at: 3600, atEnd: true)
    _ = driver.takeEffects()
    failMissing(&driver)
    let effects = driver.takeEffects()
    #expect(effects.plays == [Driver.third])
    #expect(!effects.contains(.dequeue(Driver.second)) && effects.statuses == [])
    #expect(driver.state.queue == [Driver.second, Driver.third])
    #expect(driver.state.message?.text.contains("A café in Zürich") == true)
    #expect(driver.state.message?.text.contains("(404)") == true)
    #expect(driver.state.problems[Driver.second]?.contains("(404)") == true)
    driver.type("3")
    #expect(driver.lines.contains { $0.contains("! ") && $0.contains("A café in Zürich") })
    // The mark goes when it plays after all.
    driver.play(Driver.second)
    driver.answerPlay(from: 0)
    driver.begin()
    #expect(driver.state.problems[Driver.second] == nil)
  }

  /// Each is tried once.
  @Test func queueOfMissingFilesEnds() {
    var driver = Driver.listening(queue: [Driver.first, Driver.second, Driver.third])
    driver.play(Driver.second)
    var tried = driver.takeEffects().plays
    for _ in 1...5 where driver.state.player.isActive {
      failMissing(&driver)
      tried += driver.takeEffects().plays
    }
    #expect(tried == [Driver.second, Driver.third, Driver.first])
    #expect(!driver.state.player.isActive && driver.state.queue.count == 3)
  }

  @Test func outageStopsTheQueue() {
    var driver = Driver.playing(from: 3590, queue: [Driver.first, Driver.second, Driver.third])
    driver.end(at: 3600, atEnd: true)
    _ = driver.takeEffects()
    driver.fail(at: nil)
    #expect(driver.takeEffects().plays == [] && driver.state.problems[Driver.second] == nil)
  }

  @Test func missingFileOutsideOfTheQueueStops() {
    var driver = Driver.listening(queue: [Driver.second, Driver.third])
    driver.play(Driver.first)
    _ = driver.takeEffects()
    failMissing(&driver)
    #expect(driver.takeEffects().plays == [])
  }

  @Test func fileShorterThanTheIntroIsLoadedFromItsStart() {
    var driver = Driver.listening()
    driver.play(Driver.first)
    let podcast = driver.state.library.rows[Driver.first]?.podcast ?? PodcastID(0)
    var settings = PlaybackSettings()
    settings.intro = 30
    driver.send(.library(.playbackSettings(podcast, settings)))
    driver.answerPlay(from: 30)
    _ = driver.takeEffects()
    driver.send(.player(.started(generation: driver.generation, duration: 20, seekable: true)))
    let effects = driver.takeEffects()
    #expect(effects.plays == [Driver.first] && effects.statuses == [])
    #expect(driver.state.player.position == 0 && driver.state.player.reason == .resume)
  }

  // MARK: The playing episode leaves the queue

  @Test(arguments: ["m", "x"]) func markedEpisodeIsFollowedByTheNextOne(key: String) {
    var driver = Driver.playing(Driver.second, queue: [Driver.first, Driver.second, Driver.third])
    driver.type("3j\(key)")
    let effects = driver.takeEffects()
    #expect(effects.plays == [], "the mark is not stored yet")
    for case .write(let mark) in effects { driver.send(.library(.stored(mark))) }
    #expect(driver.takeEffects().plays == [Driver.third])
  }

  @Test(arguments: ["m", "x"]) func markedLastEpisodeIsFollowedByTheFirst(key: String) {
    var driver = Driver.playing(Driver.second, queue: [Driver.first, Driver.second])
    driver.type("3j\(key)")
    for case .write(let mark) in driver.takeEffects() { driver.send(.library(.stored(mark))) }
    #expect(driver.takeEffects().plays == [Driver.first])
  }

  /// The store has not answered yet.
  @Test(arguments: ["m", "x"]) func nextIsNotWhatWasJustMarked(key: String) {
    var driver = Driver.playing(queue: [Driver.first, Driver.second, Driver.third])
    driver.type("3j\(key)")
    #expect(driver.state.queue == [Driver.first, Driver.third] && driver.state.upNext == [Driver.third])
    #expect(driver.effects(of: "b").plays == [Driver.third])
  }

  /// The store has not answered yet.
  @Test(arguments: ["m", "x"]) func markedEpisodeIsNotQueuedAsInterrupted(key: String) {
    var driver = Driver.playing(queue: [Driver.first, Driver.second])
    driver.state.preferences.queuesInterrupted = true
    #expect(driver.effects(of: "3\(key)<Enter>").plays == [Driver.second])
    #expect(driver.state.queue == [Driver.second])
  }

  @Test(arguments: ["m", "x"]) func markThatIsNotStoredLeavesTheQueueAsItWas(key: String) {
    var driver = Driver.playing(queue: [Driver.first, Driver.second, Driver.third])
    driver.type("3j\(key)")
    for case .write(let mark) in driver.takeEffects() {
      driver.send(.library(.failed(ReportedError("the disk is full"), of: mark)))
    }
    #expect(driver.state.queue == [Driver.first, Driver.second, Driver.third])
    #expect(driver.state.library.rows[Driver.second]?.status == .paused)
    #expect(driver.effects(of: "b").plays == [Driver.second])
  }

  @Test func nextGoesOnFromWhereTheQueueWas() {
    var driver = Driver.playing(Driver.second, queue: [Driver.first, Driver.second, Driver.third])
    driver.send {
      $0.queue = [Driver.first, Driver.third]
      return []
    }
    #expect(driver.state.upNext == [Driver.third, Driver.first])
    driver.type("b")
    #expect(driver.takeEffects().plays == [Driver.third])
  }

  @Test func episodeThatPlaysNextComesBeforeWhatFollows() {
    var driver = Driver.playing(Driver.second, queue: [Driver.first, Driver.second, Driver.third])
    let next = EpisodeID(4)
    driver.send {
      $0.queue = [Driver.first, Driver.third]
      return []
    }
    driver.send { $0.enqueue([next], isNext: true) }
    #expect(driver.takeEffects().contains(.write(.enqueue([next], .behind(Driver.first)))))
    #expect(driver.state.upNext == [next, Driver.third, Driver.first])
  }

  @Test func whatFollowsMayLeaveTheQueueToo() {
    let last = EpisodeID(4)
    var driver = Driver.playing(Driver.second, queue: [Driver.first, Driver.second, Driver.third, last])
    for queue in [[Driver.first, Driver.third, last], [Driver.first, last]] {
      driver.send {
        $0.queue = queue
        return []
      }
    }
    #expect(driver.state.upNext == [last, Driver.first])
  }

  /// A refresh renames the playing episode, or merges its podcast with another one.
  @Test func playingEpisodeFollowsTheLibrary() {
    var driver = Driver.playing(Driver.second, queue: [])
    guard let index = driver.library.episodes.firstIndex(where: { $0.id == Driver.second }) else { return }
    driver.library.episodes[index].title = "Another title"
    driver.library.episodes[index].podcast = PodcastID(99)
    driver.send(.library(.changed))
    #expect(driver.state.player.episode?.title == "Another title")
    #expect(driver.state.player.episode?.podcast == PodcastID(99) && driver.state.player.isActive)
  }

  @Test func upNextIsWhatPlaysNext() {
    let driver = Driver.playing(Driver.second, queue: [Driver.first, Driver.second, Driver.third])
    #expect(driver.state.upNext == [Driver.third, Driver.first])
  }

  @Test func nextGoesThroughTheQueueOnce() {
    var driver = Driver.playing(queue: [Driver.first, Driver.second, Driver.third])
    #expect(driver.effects(of: "b").plays == [Driver.second])
    #expect(driver.effects(of: "b").plays == [Driver.third])
    #expect(driver.effects(of: "b").plays == [Driver.first])
    #expect(driver.state.queue.count == 3)
  }

  @Test func nextWithoutAnotherEpisodeIsReported() {
    var driver = Driver.playing(queue: [Driver.first])
    #expect(driver.effects(of: "b").plays == [])
    #expect(driver.state.message?.text == "Nothing else is in the queue")
    driver = .playing()
    #expect(driver.message(after: "b")?.contains("queue is empty") == true)
  }

  /// The publisher has replaced the file by a shorter one. Keys meant for the list do not answer the question.
  @Test func fileThatEndsBeforeThePositionAsksWhatToDo() {
    var driver = Driver.resuming()
    driver.begin(duration: 2400)
    driver.report(2400)
    driver.end(at: 2400, atEnd: true)
    let played = Effect.write(.setStatus([Driver.second], .played))
    driver.type("j<Enter>")
    #expect(driver.screen.contains("The file now ends at 40:00") && !driver.takeEffects().contains(played))
    driver.wait()
    #expect(driver.effects(of: "j<Enter>").contains(played))
  }
}
