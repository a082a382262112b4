import Model
import Session
import TerminalKit
import Testing

@testable import AppCore

/// Every report of the player in every phase.
@Suite struct PlayerReportsTests {
  typealias Phase = NowPlaying.Status

  static let phases: [Phase] = [.stopped, .loading, .playing, .paused]

  /// The reports, with names for the messages of failures.
  static let reports: [(name: String, make: @Sendable (Int) -> PlayerEvent)] = [
    ("started", { .started(generation: $0, duration: 100, seekable: true) }),
    ("started without end", { .started(generation: $0, duration: nil, seekable: false) }),
    ("position", { .position(generation: $0, seconds: 51) }),
    ("position that is no number", { .position(generation: $0, seconds: .nan) }),
    ("position without end", { .position(generation: $0, seconds: .infinity) }),
    ("position before the start", { .position(generation: $0, seconds: -3) }),
    ("duration", { .duration(generation: $0, seconds: 200) }),
    ("duration that is no number", { .duration(generation: $0, seconds: .nan) }),
    ("no duration", { .duration(generation: $0, seconds: nil) }),
    ("paused", { .paused(generation: $0, true) }),
    ("not paused", { .paused(generation: $0, false) }),
    ("stalled", { .stalled(generation: $0, true) }),
    ("not stalled", { .stalled(generation: $0, false) }),
    ("waiting for the network", { .waitsForNetwork(generation: $0, NetworkWait(seconds: 42, cause: "no network")) }),
    ("waiting for ever", { .waitsForNetwork(generation: $0, NetworkWait(seconds: .infinity, cause: "\u{1B}[1m")) }),
    ("buffered", { .buffered(generation: $0, until: 60) }),
    ("buffered that is no number", { .buffered(generation: $0, until: .nan) }),
    ("chapters", { .chapters(generation: $0, [Chapter(start: .nan), Chapter(start: 9), Chapter(start: 0)]) }),
    ("ended", { .ended(generation: $0, seconds: 100, atEnd: true) }),
    ("cut", { .ended(generation: $0, seconds: 52, atEnd: false) }),
    ("cut at no number", { .ended(generation: $0, seconds: .nan, atEnd: false) }),
    ("failed", { .failed(generation: $0, seconds: 52, message: "no") }),
    ("failed nowhere", { .failed(generation: $0, seconds: nil, message: "no") }),
    ("failed at no number", { .failed(generation: $0, seconds: .nan, message: "no") }),
    ("speed", { _ in .speed(1.5) }), ("speed that is no number", { _ in .speed(.nan) }),
    ("speed without end", { _ in .speed(.infinity) }), ("volume", { _ in .volume(70) }),
    ("volume that is no number", { _ in .volume(.nan) }), ("volume without end", { _ in .volume(1e300) }),
    ("shut down", { _ in .shutDown }),
  ]

  /// YouTube's feeds name pages, not files.
  @Test func videoPageIsOpenedNotPlayed() {
    var driver = Self.driver(in: .loading)
    driver.send(.player(.failed(generation: driver.state.player.generation, seconds: nil, message: VideoPage.cause)))
    #expect(driver.state.message?.text == "A video page. Press o to open it.")
  }

  static func driver(in phase: Phase) -> Driver {
    var driver = Driver.listening(queue: [Driver.second])
    driver.play(Driver.first)
    if phase != .loading {
      driver.answerPlay(from: 50)
      driver.begin(duration: 100)
      driver.report(50)
      if phase == .paused { driver.pause() }
      if phase == .stopped { driver.send { $0.stop() } }
    }
    _ = driver.takeEffects()
    return driver
  }

  /// The phase after each report. Other reports do not change it.
  static func target(_ name: String, from phase: Phase) -> Phase {
    switch (name, phase) {
    case ("started", .loading), ("started without end", .loading), ("not paused", .paused): .playing
    case ("paused", .playing): .paused
    // The next episode of the queue is loaded.
    case ("ended", .playing), ("ended", .paused): .loading
    case (let name, let phase) where phase != .stopped && !name.hasPrefix("duration"):
      ["ended", "cut", "cut at no number", "failed", "failed nowhere", "failed at no number", "shut down"]
        .contains(name) ? .stopped : phase
    default: phase
    }
  }

  @Test(arguments: phases, reports.map(\.name)) func reportChangesThePhase(phase: Phase, name: String) {
    var driver = Self.driver(in: phase)
    let event = Self.reports.first { $0.name == name }!.make(driver.generation)
    driver.send(.player(event))
    #expect(driver.state.player.phase == Self.target(name, from: phase))
    let player = driver.state.player
    #expect(player.position.isFinite && player.position >= 0)
    #expect(player.speed >= 0.5 && player.speed <= 4)
    #expect(player.volume >= 0 && player.volume <= 150)
    #expect(player.duration.map { $0.isFinite && $0 > 0 } ?? true)
    #expect(driver.takeEffects().positions.allSatisfy { $0.isFinite && $0 >= 0 })
    #expect(driver.lines.count == 24)
  }

  @Test(arguments: phases, reports.map(\.name)) func lateReportsOfAnOlderLoadAreDropped(phase: Phase, name: String) {
    var driver = Self.driver(in: phase)
    let event = Self.reports.first { $0.name == name }!.make(driver.generation - 1)
    switch event {
    case .speed, .volume, .shutDown: return  // These are of the core, not of a file.
    default: break
    }
    let before = driver.state.player
    driver.send(.player(event))
    #expect(driver.state.player == before)
    #expect(driver.takeEffects() == [])
  }

  @Test func stoppedLoadThatStartsIsStoppedAgain() {
    var driver = Driver.listening()
    driver.play(Driver.first)
    driver.type(":stop<Enter>")
    #expect(driver.state.player.phase == .stopped)
    _ = driver.takeEffects()
    driver.answerPlay(from: 9)
    driver.begin()
    #expect(driver.takeEffects() == [.stopPlayer])
    #expect(driver.state.player.phase == .stopped)
  }

  @Test func reportsBeforeTheStartKeepThePosition() {
    var driver = Driver.listening()
    driver.play(Driver.second)
    driver.answerPlay(from: 300)
    _ = driver.takeEffects()
    driver.report(0)
    #expect(driver.takeEffects() == [])
    #expect(driver.state.player.position == 300)
  }

  @Test func fileChaptersAreListedInOrder() {
    var driver = Driver.playing(chapters: [Chapter(start: 0, title: "A"), Chapter(start: 9, title: "B", hidden: true)])
    #expect(driver.state.player.chapters.map(\.title) == ["A"])
    driver.send(.player(.chapters(generation: driver.generation, [Chapter(start: 5, title: "X")])))
    #expect(driver.state.player.chapters.map(\.title) == ["A"])
    driver.send(
      .player(.chapters(generation: driver.generation, [Chapter(start: 5, title: "Y"), Chapter(start: 0, title: "X")])))
    #expect(driver.state.player.chapters.map(\.title) == ["X", "Y"])
  }

  @Test func hiddenChapterOnlyChangesThePicture() {
    var driver = Driver.playing(chapters: [
      Chapter(start: 0, title: "A", image: "a"), Chapter(start: 10, end: 40, image: "hidden", hidden: true),
      Chapter(start: 40, title: "C", image: "c"),
    ])
    for (second, picture, title) in [(5.0, "a", "A"), (14, "hidden", "A"), (41, "c", "C")] {
      driver.report(second)
      #expect(driver.state.listeningCover(Size(20, 10)) == picture)
      #expect(driver.state.player.chapterTitle == title)
    }
    #expect(driver.state.player.chapters.map(\.title) == ["A", "C"])
  }

  @Test func outageShowsItsDurationAndCause() {
    var driver = Driver.playing()
    func wait(_ seconds: Double, _ cause: String) {
      driver.send(
        .player(.waitsForNetwork(generation: driver.generation, NetworkWait(seconds: seconds, cause: cause))))
    }
    driver.send(.player(.stalled(generation: driver.generation, true)))
    wait(0, "the connection broke off")
    #expect(driver.screen.contains("waiting for the network 0:00") && !driver.screen.contains("broke off"))
    wait(2, "the server cannot be reached")
    #expect(driver.screen.contains("Waiting: the server cannot be reached"))
    driver.type("j")
    wait(42.5, "the server cannot be reached")
    #expect(driver.screen.contains("waiting for the network 0:42") && !driver.screen.contains("buffering"))
    #expect(!driver.screen.contains("cannot be reached"), "said once")
    #expect(driver.state.nowPlaying.networkWait?.seconds == 42.5)
    wait(43, "the host was not found")
    #expect(!driver.screen.contains("not found"), "nor again for each attempt")
    driver.send(.player(.stalled(generation: driver.generation, false)))
    #expect(
      driver.screen.contains("Playing again after 0:43") && !driver.screen.contains("waiting for the network"))
    #expect(driver.state.nowPlaying.networkWait == nil)
  }

  @Test func stallAndBufferAreShownAndCleared() {
    var driver = Driver.playing()
    driver.send(.player(.stalled(generation: driver.generation, true)))
    driver.send(.player(.buffered(generation: driver.generation, until: 90)))
    #expect(driver.screen.contains("buffering"))
    driver.type(":stop<Enter>")
    #expect(!driver.state.player.isStalled)
    #expect(driver.state.player.bufferedUntil == nil)
    #expect(!driver.screen.contains("buffering"))
  }
}
