import Model
import TerminalKit
import Testing

@testable import AppCore

/// Selecting several rows of a list, and the commands that act on them.
@Suite struct SelectingRowsScripts {
  /// Keys that lead to each list of episodes.
  static let lists = ["<Enter>", "2", "3", "4", "5<Enter>", "6", "7"]

  /// A driver in one of these lists, which has at least three rows.
  static func driver(in list: String, size: Size = Size(80, 24)) throws -> Driver {
    var library = FakeLibrary.sample
    library.queue = [1, 4, 5, 6].map { EpisodeID($0) }
    for index in library.episodes.indices {
      library.episodes[index].isDownloaded = list == "4"
      if list == "6" { library.episodes[index].position = 60 }
      if list == "6" || index != 2 { library.episodes[index].status = .new }
    }
    var driver = Driver(size: size, library: library)
    driver.type(list == "7" ? "7episode<Enter>" : list)
    if list == "7" {
      let request = try #require(driver.state.awaited.request(FindQuestion.self))
      let hits = library.episodes.prefix(5).map { SearchHit(row: $0, match: SearchMatch(snippet: "")) }
      driver.send(.answer(request, FindQuestion(words: "episode").answer(Array(hits))))
    }
    _ = driver.takeEffects()
    #expect(driver.state.screen.episodes.ids.count > 2)
    return driver
  }

  private static func ids(_ effects: [Effect]) -> [EpisodeID]? {
    guard effects.count == 1 else { return nil }
    switch effects[0] {
    case .write(.setStatus(let ids, _, _)), .write(.enqueue(let ids, _)), .write(.dequeue(let ids)): return ids
    case .write(.removeFromPlaylist(_, let items)), .write(.addToPlaylist(_, let items)),
      .write(.changeTags(let items, _, _)):
      return items.compactMap { if case .episode(let id) = $0 { id } else { nil } }
    case .network(.download(let ids)), .network(.dropDownloads(let ids)), .network(.pauseDownloads(let ids)): return ids
    default: return nil
    }
  }

  /// A range, single rows, and all: each command acts on them with one effect, which is one step of undo.
  @Test(arguments: lists, ["m", "x", "e", "E", "d", "X", ":add-to-playlist My Episodes<Enter>", "#loud<Enter>"])
  func commandActsOnTheSelection(list: String, command: String) throws {
    for (keys, rows) in [("Vj", [0, 1]), ("kkVjVjj*", [0, 1, 3]), ("*j*", [0, 2]), ("G*gV", nil), ("%", nil)] {
      var driver = try Self.driver(in: list)
      let ids = driver.state.screen.episodes.ids
      driver.type(keys)
      let selected = driver.state.selectedRows
      if let rows, rows.allSatisfy(ids.indices.contains) { #expect(selected == rows, "\(keys)") }
      let expected = Set(selected.map { ids[$0] })
      driver.type(command)
      let acted = Self.ids(driver.takeEffects())
      switch command {
      // Those that need nothing are left out.
      case "d", "X", "e", "E": #expect(Set(acted ?? []).isSubset(of: expected))
      default: #expect(Set(try #require(acted)) == expected, "\(keys)\(command) in \(list)")
      }
      #expect(driver.state.screen.episodes.several.isEmpty, "the selection has ended")
    }
  }

  /// The cursor goes on to the next row, in every list and after every command.
  @Test(arguments: lists, ["m", "x", "e", "d"]) func cursorGoesOnToTheNextRow(list: String, key: String) throws {
    var driver = try Self.driver(in: list)
    let ids = driver.state.screen.episodes.ids
    driver.type(key)
    #expect(driver.state.screen.episodes.selected == ids[1])
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == ids[1])
  }

  @Test func escapeEndsOnlyTheSelection() throws {
    var driver = try Self.driver(in: "2")
    driver.type("Vj")
    #expect(driver.state.selectedRows == [0, 1])
    driver.type("<Esc>")
    #expect(driver.state.selectedRows == [] && driver.state.tab == .new)
    driver.type("<Esc>")
    #expect(driver.state.tab == .podcasts)
  }

  @Test(arguments: ["V", "*", "%"]) func podcastsAreNotSelectedTogether(key: String) {
    var driver = Driver()
    driver.type(key)
    let text = "Podcasts cannot be selected together. Press Enter to select episodes of this one."
    #expect(driver.state.message?.text == text && driver.state.selectedRows.isEmpty)
    driver.type("5" + key)
    #expect(driver.state.message?.text == "Rows can be selected only in lists of episodes")
  }

  @Test func percentSelectsAllOrNothing() throws {
    var driver = try Self.driver(in: "2")
    driver.type("*%")
    #expect(driver.state.selectedRows == Array(driver.state.screen.episodes.ids.indices))
    driver.type("%")
    #expect(driver.state.selectedRows == [])
  }

  /// Ten episodes with three keys: Alt-1 0 m, or 1 0 m.
  @Test(arguments: [false, true]) func countActsOnSoManyRows(digitsAreCounts: Bool) throws {
    var driver = try Self.driver(in: "2")
    driver.state.preferences.counts = digitsAreCounts
    let ids = driver.state.screen.episodes.ids
    driver.type(digitsAreCounts ? "10m" : "<A-1>0m")
    #expect(driver.takeEffects() == [.setStatus(Array(ids.prefix(10)), .played)])
    #expect(driver.state.screen.episodes.list.selected == 10)
    #expect(driver.state.message?.text == "Played: 10 episodes. Press U to undo.")
    driver.type(digitsAreCounts ? "99x" : "<A-9>9x")
    #expect(driver.takeEffects() == [.setStatus(Array(ids.dropFirst(10)), .deleted)])
  }

  @Test func titleShowsTheNumberAndTheLength() throws {
    var driver = try Self.driver(in: "<Enter>", size: Size(100, 24))
    driver.type("Vjj")
    #expect(driver.lines[1].hasSuffix("3 selected · 55m"), "\(driver.lines[1])")
    #expect(driver.lines.filter { $0.contains("▌") }.count == 3)
    driver.enableLinearMode()
    #expect(driver.lines[0].contains("3 selected - 55m"), "\(driver.lines[0])")
    #expect(driver.lines.filter { $0.contains("selected, ") }.count == 3)
  }

  /// State has only the rows near the visible part.
  @Test func lengthOfRowsThatAreNotLoadedIsAsked() throws {
    var library = FakeLibrary.sample
    library.episodes = (1...500).map { index in
      EpisodeRow(id: EpisodeID(Int64(index)), podcast: PodcastID(1), title: "No. \(index)", duration: 60)
    }
    var driver = Driver(library: library)
    driver.type("2%")
    #expect(driver.lines[1].hasSuffix("500 selected · 8h 20m"), "\(driver.lines[1])")
    driver.type("m")
    #expect(driver.takeEffects() == [.setStatus(library.episodes.map(\.id), .played)])
  }

  @Test func actionOnRowsThatAreNotLoadedKnowsThem() throws {
    var library = FakeLibrary.sample
    library.episodes = (1...500).map { index in
      EpisodeRow(id: EpisodeID(Int64(index)), podcast: PodcastID(1), title: "No. \(index)", status: .played)
    }
    let all = library.episodes.map(\.id)
    var driver = Driver(library: library)
    #expect(driver.message(after: "<Enter>%X") == "None of these episodes is downloaded")
    driver.type("g%m")
    #expect(driver.takeEffects() == [.setStatus(all, .new)])
    #expect(driver.state.message?.text == "Unplayed again: 500 episodes")
  }

  /// Rows are known by their items, so a change above them does not move the selection.
  @Test func selectionStaysOnItsEpisodes() throws {
    var driver = try Self.driver(in: "2")
    let ids = driver.state.screen.episodes.ids
    driver.type("jj*")
    driver.library.episodes.removeFirst()
    driver.send(.library(.changed))
    #expect(driver.state.selectedRows == [1])
    driver.type("1<Enter>%")
    driver.type("<Esc><Esc>j<Enter>")
    #expect(driver.state.selectedRows == [], "another list")
    driver.type("2")
    #expect(driver.state.selectedRows == [1])
    driver.type("m")
    #expect(driver.takeEffects() == [.setStatus([ids[2]], .played)])
  }

  @Test func mixedSelectionIsPlayedAndPlayedOneIsNewAgain() throws {
    var driver = try Self.driver(in: "<Enter>")
    driver.type("%m")
    #expect(driver.takeEffects() == [.setStatus((1...12).map { EpisodeID($0) }, .played)])
    #expect(driver.effects(of: "%m") == [.setStatus((1...12).map { EpisodeID($0) }, .new)])
    #expect(driver.state.message?.text == "Unplayed again: 12 episodes")
  }

  @Test func selectionGoesToANewPlaylist() throws {
    var driver = try Self.driver(in: "<Enter>")
    driver.type("VjAG<Enter>Train<Enter>")
    #expect(
      driver.takeEffects() == [
        .write(.makePlaylist("Train", adding: [.episode(EpisodeID(1)), .episode(EpisodeID(2))]))
      ])
    #expect(driver.state.screen.episodes.several.isEmpty)
    driver.type("gVjA<Esc>")
    #expect(driver.state.selectedRows == [0, 1], "nothing was added, so the rows stay selected")
  }

  @Test func tagsOfTheSelectionAreAddedAndRemoved() throws {
    var driver = try Self.driver(in: "<Enter>")
    #expect(driver.screen(after: "Vj#").contains("Add tags to 2"))
    driver.type("later, -old<Enter>")
    let items: [Playlist.Item] = [.episode(EpisodeID(1)), .episode(EpisodeID(2))]
    #expect(driver.takeEffects() == [.write(.changeTags(items, adding: ["later"], removing: ["old"]))])
  }

  /// In the list of playlists the commands act on everything in the playlist.
  @Test func commandsActOnAWholePlaylist() throws {
    var driver = Driver()
    driver.type("5m")
    let ids = [1, 3, 21].map { EpisodeID($0) }
    #expect(driver.takeEffects() == [.setStatus(ids, .played)])
    #expect(driver.state.screens.playlists.list.selected == 1)
    #expect(driver.effects(of: "kd") == [.download(ids)])
    #expect(driver.effects(of: "ke") == [.write(.enqueue(ids, .end))])
    #expect(driver.state.message?.text == "Queued: “My Episodes”, 3 episodes")
  }

  /// No key takes back a download of hundreds of files.
  @Test func manyDownloadsAreAskedFor() throws {
    var library = FakeLibrary.sample
    library.episodes = (1...30).map { index in
      EpisodeRow(id: EpisodeID(Int64(index)), podcast: PodcastID(1), title: "No. \(index)")
    }
    var driver = Driver(library: library)
    #expect(driver.effects(of: "2%d") == [])
    #expect(driver.screen.contains("Download 30 episodes?"))
    driver.type("n")
    #expect(driver.state.selectedRows.count == 30 && driver.takeEffects() == [], "the selection is still there")
    driver.type("dy")
    #expect(driver.state.selectedRows.isEmpty)
    #expect(driver.takeEffects() == [.download(library.episodes.map(\.id))])
  }
}
