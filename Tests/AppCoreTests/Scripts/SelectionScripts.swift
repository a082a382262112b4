import Model
import TerminalKit
import Testing

@testable import AppCore

/// The cursor stays in its place after a change, and undo selects the restored item.
@Suite struct SelectionScripts {
  private static func restored(_ change: (inout Restored) -> Void) -> Restored {
    var restored = Restored()
    change(&restored)
    return restored
  }

  @Test(arguments: ["e", "E", "m"]) func cursorStaysOnTheNextEpisode(key: String) {
    var driver = Driver.listening()
    driver.type("jj" + key)
    #expect(driver.state.screen.episodes.selected == EpisodeID(4))
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == EpisodeID(4))
  }

  /// If the selected row is removed, the next row is selected, or the previous one at the end of the list.
  @Test(arguments: [("2", "m", EpisodeStatus.played), ("2", "x", .deleted), ("<Enter>", "x", .deleted)])
  func cursorStaysInTheRowOfARemovedEpisode(screen: String, key: String, status: EpisodeStatus) throws {
    var driver = Driver(size: Size(80, 24))
    driver.type(screen + "jj")
    for _ in 0..<3 {
      let (row, ids) = (driver.state.screen.episodes.list.selected, driver.state.screen.episodes.ids)
      driver.type(key)
      let index = try #require(driver.library.episodes.firstIndex { $0.id == ids[row] })
      driver.library.episodes[index].status = status
      driver.send(.library(.changed))
      #expect(driver.state.screen.episodes.list.selected == row)
      #expect(driver.state.screen.episodes.selected == ids[row + 1])
    }
    driver.type("G")
    let ids = driver.state.screen.episodes.ids
    driver.type(key)
    let index = try #require(driver.library.episodes.firstIndex { $0.id == ids.last })
    driver.library.episodes[index].status = status
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == ids[ids.count - 2])
  }

  /// Rows above the selection can disappear, too. Then the next episode that is left is selected, else the last one.
  @Test func cursorStaysNearAnEpisodeThatIsHidden() {
    var driver = Driver(size: Size(80, 24))
    for index in [0, 1, 2, 3, 9, 10] { driver.library.episodes[index].status = .played }
    driver.library.episodes[11].status = .played
    driver.type("<Enter>jjj")
    #expect(driver.state.screen.episodes.selected == EpisodeID(4))
    driver.type("u")
    #expect(driver.state.screen.episodes.selected == EpisodeID(5))
    driver.type("uGku")
    #expect(driver.state.screen.episodes.selected == EpisodeID(9))
  }

  @Test func cursorStaysInTheRowOfADequeuedEpisode() {
    let ids = (1...4).map { EpisodeID($0) }
    var driver = Driver.listening(queue: ids)
    driver.type("3je")
    driver.library.queue = [ids[0], ids[2], ids[3]]
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == ids[2])
  }

  @Test func undoSelectsTheRestoredEpisode() {
    var driver = Driver.listening()
    driver.type("jjx")
    driver.library.episodes[2].status = .deleted
    driver.send(.library(.changed))
    driver.type("GU")
    driver.library.episodes[2].status = .new
    driver.send(.library(.undone(.back, "Delete “Families”", Self.restored { $0.episodes = [EpisodeID(3)] })))
    #expect(driver.state.screen.episodes.selected == EpisodeID(3))
    // The restored item is selected once, and not again when the list is reloaded.
    driver.type("j")
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == EpisodeID(4))
  }

  @Test func undoOfManyKeepsTheSelection() {
    var driver = Driver.listening()
    driver.type("jjU")
    let all = (1...12).map { EpisodeID($0) }
    driver.send(.library(.undone(.back, "Mark all as played", Self.restored { $0.episodes = all })))
    #expect(driver.state.screen.episodes.selected == EpisodeID(3))
  }

  @Test func keyPressedBeforeTheAnswerWins() {
    var driver = Driver.listening()
    let other = EpisodeID(5)
    driver.state.pendingSelection.set(Self.restored { $0.episodes = [other] })
    driver.type("j")
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == EpisodeID(2))
  }

  @Test func undoSelectsTheRestoredPodcast() {
    var driver = Driver()
    driver.type("U")
    driver.send(.library(.undone(.back, "Unsubscribe", Self.restored { $0.podcasts = [PodcastID(2)] })))
    #expect(driver.state.selectedPodcast?.id == PodcastID(2))
  }

  @Test func cursorInAPlaylistStaysWhenTheLibraryChanges() {
    var driver = Driver()
    driver.type("5<Enter>j")
    #expect(driver.state.screen.episodes.selected == EpisodeID(3))
    for _ in 0..<3 {
      driver.send(.library(.changed))
      #expect(driver.state.screen.episodes.selected == EpisodeID(3))
    }
  }

  @Test func undoSelectsTheRestoredPlaylistItem() {
    var driver = Driver()
    driver.type("5<Enter>jU")
    let item = Playlist.Item.episode(EpisodeID(21))
    driver.send(
      .library(.undone(.back, "Take out", Self.restored { ($0.playlist, $0.items) = (PlaylistID(1), [item]) })))
    #expect(driver.state.screen.episodes.selected == EpisodeID(21))
    #expect(driver.state.selectedPlaylist?.id == PlaylistID(1))
  }
}
