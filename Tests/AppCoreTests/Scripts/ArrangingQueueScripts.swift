import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The order of the queue, what an interruption leaves there, and the place where the program begins.
@Suite struct ArrangingQueueScripts {
  private static func driver(_ keys: String = "3") -> Driver {
    var library = FakeLibrary.sample
    library.queue = [1, 2, 4, 5].map { EpisodeID($0) }
    var driver = Driver(library: library)
    driver.type(keys)
    _ = driver.takeEffects()
    return driver
  }

  @Test func itemMovesToTheTopAndToTheBottom() {
    var driver = Self.driver()
    driver.type("jj<A-k>")
    #expect(driver.takeEffects() == [.write(.moveInQueue([EpisodeID(4)], to: 0))])
    #expect(driver.effects(of: "<A-k>") == [], "it is at the top already")
    #expect(driver.state.queue.map(\.rawValue) == [4, 1, 2, 5])
    driver.type("<A-j>")
    #expect(driver.state.queue.map(\.rawValue) == [1, 2, 5, 4])
  }

  @Test func selectedItemsMoveTogether() {
    var driver = Self.driver("3Vj")
    let moved = [1, 2].map { EpisodeID($0) }
    driver.type("JJJ")
    #expect(driver.takeEffects() == [1, 2].map { .write(.moveInQueue(moved, to: $0)) })
    #expect(driver.state.queue.map(\.rawValue) == [4, 5, 1, 2])
    #expect(driver.state.screen.episodes.ids == driver.state.queue)
    #expect(driver.state.selectedRows == [2, 3] && driver.state.screen.episodes.selected == EpisodeID(2))
    #expect(driver.effects(of: "K<A-k>") == [1, 0].map { .write(.moveInQueue(moved, to: $0)) })
    #expect(driver.state.message?.text == "Moved 2 episodes to the top of the queue")
    driver.type("<A-k>")
    #expect(driver.takeEffects() == [] && driver.state.message?.text == "They are at the top already")
  }

  @Test(arguments: [("J", [2, 5, 1, 4]), ("K", [1, 4, 2, 5]), ("<A-j>", [2, 5, 1, 4])] as [(String, [Int64])])
  func selectedItemsThatAreApartComeTogether(key: String, queue: [Int64]) {
    var driver = Self.driver("3*j*")
    driver.type(key)
    #expect(driver.state.queue.map(\.rawValue) == queue)
  }

  @Test func queueIsSortedAndShuffled() {
    var driver = Self.driver()
    driver.type("O")
    #expect(driver.screen.contains("Shortest first") && driver.screen.contains("Shuffled"))
    driver.type("G<Enter>")
    #expect(driver.takeEffects() == [.write(.sortQueue(.shuffle, first: nil))])
    #expect(driver.effects(of: ":sort-queue podcast<Enter>") == [.write(.sortQueue(.podcast, first: nil))])
    driver.type(":sort-queue size<Enter>")
    #expect(driver.state.message?.kind == .error)
  }

  @Test(arguments: [false, true]) func interruptedEpisodeIsNext(isWanted: Bool) {
    var driver = Self.driver("<Enter>")
    driver.state.preferences.queuesInterrupted = isWanted
    driver.startPlaying()
    driver.type("G")
    let writes = driver.effects(of: "<Enter>").filter { if case .write(.enqueue) = $0 { true } else { false } }
    #expect(writes == (isWanted ? [.write(.enqueue([EpisodeID(1)], .behind(nil)))] : []))
    #expect(driver.state.queue.map(\.rawValue) == [1, 2, 4, 5])
    #expect(driver.state.nextInQueue == EpisodeID(1))
  }

  @Test func episodeThatIsPlayedFromItsDetailsInterrupts() {
    var driver = Self.driver("<Enter>")
    driver.state.preferences.queuesInterrupted = true
    driver.startPlaying()
    driver.type("G<Tab>")
    #expect(driver.state.focusedPane == .detail)
    #expect(driver.effects(of: "<Enter>").contains(.write(.enqueue([EpisodeID(1)], .behind(nil)))))
  }

  /// `earshot ctl play` interrupts as Enter does. What cannot be queued is no reason to refuse the episode.
  @Test func episodeThatAnotherProgramInterruptsIsNext() {
    var driver = Self.driver("<Enter>")
    driver.state.preferences.queuesInterrupted = true
    driver.startPlaying()
    _ = driver.takeEffects()
    var readOnly = driver
    driver.send(.remote(.playEpisode(EpisodeID(5))))
    #expect(driver.takeEffects().contains(.write(.enqueue([EpisodeID(1)], .behind(EpisodeID(5))))))
    readOnly.state.access.readOnlyReason = "The disk is full"
    readOnly.type("G<Enter>")
    #expect(!readOnly.takeEffects().plays.isEmpty)
  }

  /// A list that is heard from the first to the last begins with what was not heard.
  @Test func listBeginsWithTheFirstUnheardEpisode() {
    var driver = Driver()
    driver.library.start = EpisodeID(4)
    driver.type("j")
    #expect(driver.state.screen.episodes.selected == EpisodeID(21), "it is not in this list")
    driver.type("k")
    #expect(driver.state.screen.episodes.selected == EpisodeID(4))
    driver.type("<Enter>j")
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == EpisodeID(5), "the selection stays")
  }

  @Test(arguments: ["j<Enter>", "2jjj", "6j<Tab>", "5j", "3", ""]) func programBeginsWhereItEnded(keys: String) {
    var before = Driver()
    before.type(keys)
    let saved = before.state.savedScreen
    #expect(SavedScreen(saved.description) == saved)
    var state = State(size: Size(80, 24), now: Driver.now)
    state.restore(saved)
    var after = Driver(library: .sample, state: state)
    #expect(after.state.tab == before.state.tab && after.state.screen.focus == before.state.screen.focus)
    #expect(after.state.selectedPodcast?.id == before.state.selectedPodcast?.id)
    #expect(after.state.selectedPlaylist?.id == before.state.selectedPlaylist?.id)
    #expect(after.state.screen.episodes.selected == before.state.screen.episodes.selected)
    after.type("7")
    #expect(after.state.savedScreen == SavedScreen("1 0 0 0"))
  }

  @Test(arguments: ["", "9 0 0 0", "1 0 0", "x y z w", "1 99999999999999999999 0 0", "-1 -1 -1 -1"])
  func damagedScreenIsIgnored(text: String) { #expect(SavedScreen(text) == nil) }

  @Test func placeOutsideTheScreenIsHarmless() {
    var state = State(size: Size(80, 24), now: Driver.now)
    state.restore(SavedScreen("3 77 4711 4711")!)
    let driver = Driver(library: .sample, state: state)
    #expect(driver.state.tab == .queue && driver.state.screen.focus == .episodes)
  }
}
