import Model
import TerminalKit
import Testing

@testable import AppCore

/// Playlists, clips, links, counts and the Listening page, typed as keys.
@Suite struct PlaylistScripts {
  @Test func clipIsMarkedNamedAndSaved() {
    var driver = Driver.playing()
    driver.send(.player(.position(generation: driver.generation, seconds: 100)))
    driver.type("(")
    driver.send(.player(.position(generation: driver.generation, seconds: 103)))
    _ = driver.takeEffects()
    driver.type(")well said<Enter>")
    let id = driver.state.player.episode!.id
    #expect(driver.takeEffects() == [.write(.addClip(id, from: 100, to: 103, title: "well said"))])
    #expect(driver.state.marks.clip == nil)
    driver.type(")")
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.state.message?.text.contains("No clip started") == true)
  }

  @Test func clipPlaysFromItsStartAndPausesAtItsEnd() {
    var driver = Driver()
    driver.type("5j<Enter>")
    let effects = driver.effects(of: "<Enter>")
    guard
      case .player(.play(let id, let from, let generation, _, _)) = effects.first(where: {
        if case .player(.play) = $0 { true } else { false }
      })
    else {
      Issue.record("nothing is played: \(effects)")
      return
    }
    #expect(id == EpisodeID(2))
    #expect(from == 60)
    driver.send(.library(.playing(generation: generation, driver.library.row(id)!, [], from: 60)))
    driver.send(.player(.started(generation: generation, duration: 1200, seekable: true)))
    driver.send(.player(.position(generation: generation, seconds: 94)))
    #expect(!driver.takeEffects().contains(.setPaused(true)))
    driver.send(.player(.position(generation: generation, seconds: 95)))
    #expect(driver.takeEffects().contains(.setPaused(true)))
  }

  @Test func searchFindsEntriesWhoseRowsWereNotRead() {
    var driver = Driver()
    driver.library.episodes = (1...400).map {
      EpisodeRow(id: EpisodeID($0), podcast: PodcastID(1), podcastTitle: "P", title: $0 == 333 ? "Needle" : "Hay \($0)")
    }
    driver.library.entries[PlaylistID(1)] = driver.library.episodes.map { PlaylistEntry(episode: $0.id) }
    driver.type("5<Enter>/needle<Enter>")
    #expect(driver.state.screen.episodes.selected == EpisodeID(333))
    // Each playlist is searched again.
    driver.library.entries[PlaylistID(3)] = [5, 333].map { PlaylistEntry(episode: EpisodeID($0)) }
    driver.type("hjj<Enter>n")
    #expect(driver.state.screen.episodes.selected == EpisodeID(333))
  }

  @Test func searchFindsAllEntriesAgainWithoutTheFilter() {
    var driver = Driver()
    driver.library.entries[PlaylistID(1)] = [1, 2, 6].map { PlaylistEntry(episode: EpisodeID($0)) }
    driver.library.episodes[6].title = "Another café"
    driver.type("5<Enter>f<lt>25m<Enter>/caf<Enter>")
    #expect(driver.state.message?.text.hasPrefix("1 match ") == true)
    driver.type("<Esc>n")
    #expect(driver.state.message?.text.hasPrefix("2 matches ") == true)
    // Another process adds an entry.
    driver.library.entries[PlaylistID(1)]?.append(PlaylistEntry(episode: EpisodeID(7)))
    driver.send(.library(.changed))
    driver.type("n")
    #expect(driver.state.message?.text.hasPrefix("3 matches ") == true)
  }

  /// Another process changes the playlist after a search.
  @Test func searchGoesOnWhenEntriesChange() {
    var driver = Driver()
    driver.library.entries[PlaylistID(1)] = [2, 6, 7].map { PlaylistEntry(episode: EpisodeID($0)) }
    driver.library.episodes[6].title = "Another café"
    driver.type("5<Enter>/caf<Enter>")
    #expect(driver.state.screen.episodes.selected == EpisodeID(2))
    driver.library.entries[PlaylistID(1)]?.append(PlaylistEntry(episode: EpisodeID(9)))
    driver.send(.library(.changed))
    #expect(driver.state.screen.search?.matches?.contains(.episode(EpisodeID(7))) == true, "the matches are marked")
    driver.type("n")
    #expect(driver.state.screen.episodes.selected != EpisodeID(2))
    // After a failure the store is asked again only if a match is wanted.
    driver.send { state in
      state.forgetMatches(on: .playlists, isSameList: true)
      MatchesQuestion(tab: .playlists, query: EpisodeQuery(.new)).fail(ReportedError("broken"), &state)
      return []
    }
    #expect(!driver.asksEndlessly && driver.state.screen.search?.matches == nil)
    driver.type("n")
    #expect(driver.state.screen.search?.matches?.isEmpty == false)
  }

  /// The words were typed for the names of the playlists.
  @Test func searchOfPlaylistNamesDoesNotAskForEpisodes() {
    var driver = Driver()
    driver.type("5/clips<Enter><Enter>")
    #expect(driver.state.focusedPane == .episodes)
    #expect(driver.state.screen.search?.words == "clips" && driver.state.screen.search?.matches == nil)
  }

  /// An episode is often deleted once its clip is made. Its entries stay in the playlists.
  @Test func searchFindsEntriesOfDeletedEpisodes() {
    var driver = Driver()
    driver.library.entries[PlaylistID(1)] = [1, 3, 9].map { PlaylistEntry(episode: EpisodeID($0)) }
    driver.library.episodes[8].status = .deleted
    driver.type("5<Enter>/nine<Enter>")
    #expect(driver.state.screen.episodes.selected == EpisodeID(9))
  }

  /// Two clips of one episode, and a clip of another one.
  @Test func searchFindsAClipByItsOwnTitle() throws {
    var driver = Driver()
    let first = try #require(driver.library.entries[PlaylistID(2)]?.first?.clip)
    let clips = [("apples", 2), ("pears", 2), ("plums", 7)].enumerated().map { index, text in
      var clip = first
      (clip.id, clip.title, clip.episode) = (ClipID(Int64(index + 1)), text.0, EpisodeID(Int64(text.1)))
      return PlaylistEntry(episode: clip.episode, clip: clip)
    }
    driver.library.entries[PlaylistID(2)] = clips
    driver.type("5j<Enter>/pears<Enter>")
    #expect(driver.state.selectedEntry == clips[1])
    #expect(driver.state.message?.text.hasPrefix("1 match for “pears”") == true)
    driver.type("g/café<Enter>n")
    #expect(driver.state.selectedEntry == clips[1], "the title of the episode counts for both of its clips")
    driver.type("n")
    #expect(driver.state.selectedEntry == clips[0])
  }

  /// Another process takes the selected entry and one above it out.
  @Test func cursorStaysWithTheEntriesThatAreLeft() {
    var driver = Driver()
    driver.library.entries[PlaylistID(1)] = (1...5).map { PlaylistEntry(episode: EpisodeID($0)) }
    driver.type("5<Enter>jj")
    driver.library.entries[PlaylistID(1)] = [2, 4, 5].map { PlaylistEntry(episode: EpisodeID($0)) }
    driver.send(.library(.changed))
    #expect(driver.state.screen.episodes.selected == EpisodeID(4))
  }

  @Test func playlistIsMadeRenamedEmptiedAndDeleted() {
    var driver = Driver()
    #expect(driver.effects(of: "5aFor the train<Enter>") == [.write(.makePlaylist("For the train", adding: []))])
    #expect(driver.message(after: "x") == "“My Episodes” cannot be deleted")
    driver.type("jj<F2>")
    driver.type("<C-u>Trains<Enter>")
    #expect(driver.takeEffects() == [.write(.renamePlaylist(PlaylistID(3), "Trains"))])
    #expect(driver.effects(of: "xy") == [.write(.deletePlaylist(PlaylistID(3)))])
    #expect(driver.effects(of: "g<Enter>jx") == [.write(.removeFromPlaylist(PlaylistID(1), [.episode(EpisodeID(3))]))])
    #expect(driver.effects(of: "gJ") == [.moveInPlaylist(PlaylistID(1), .episode(EpisodeID(1)), to: 1)])
  }

  @Test func selectedItemsOfAPlaylistMoveTogether() {
    var driver = Driver()
    driver.type("5<Enter>VjJ")
    let items: [Playlist.Item] = [.episode(EpisodeID(1)), .episode(EpisodeID(3))]
    #expect(driver.takeEffects() == [.write(.moveInPlaylist(PlaylistID(1), items, to: 1))])
    #expect(driver.state.screen.episodes.ids.map(\.rawValue) == [21, 1, 3])
    #expect(driver.state.selectedRows == [1, 2])
  }

  /// A smart playlist has a title and a filter, and each has its own command.
  @Test func titleAndFilterOfASmartPlaylistAreChangedApart() {
    var driver = Driver()
    #expect(driver.screen(after: "5jjj<F2>").contains("Rename to: "))
    driver.type("<C-u>Fresh<Enter>")
    #expect(driver.takeEffects() == [.write(.renamePlaylist(PlaylistID(4), "Fresh"))])
    #expect(driver.screen(after: "f").contains("Filter: duration < 15m"))
    driver.type("<C-u>played<Enter>")
    #expect(driver.takeEffects() == [.write(.changeFilter(PlaylistID(4), "played"))])
    #expect(driver.effects(of: ":edit-filter queued<Enter>") == [.write(.changeFilter(PlaylistID(4), "queued"))])
    #expect(driver.effects(of: "gf") == [])
    #expect(driver.state.message?.text == "Only smart playlists have a filter")
  }

  /// Not its key, which works only in the list of playlists. Beside it, the key narrows the list.
  @Test func wrongFilterNamesTheCommandThatChangesIt() {
    var driver = Driver()
    driver.type("5jjj")
    driver.send { state in
      state.screens.playlists.problem = "“foo” is no word of a filter"
      return []
    }
    #expect(PlaylistsScreen().texts(driver.state).empty.last == "Type :edit-filter to change the filter.")
  }

  /// Enter on what is there already takes nothing back that another process has changed meanwhile.
  @Test(arguments: ["f", "<F2>"]) func unchangedTitleOrFilterIsNotWritten(key: String) {
    var driver = Driver()
    driver.type("5jjj" + key)
    driver.library.playlists[3] = Playlist(
      id: PlaylistID(4), title: "Shorter", lastUpdated: Driver.now, filter: "played")
    driver.send(.library(.changed))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
  }

  /// A clip leaves “My Clips” only when it is deleted. Other playlists contain it, too, and it is taken out of them.
  @Test func clipIsDeletedOnlyInMyClips() throws {
    var library = FakeLibrary.sample
    let clip = try #require(library.entries[PlaylistID(2)]?.first?.clip)
    library.entries[PlaylistID(1)] = [PlaylistEntry(episode: EpisodeID(2), clip: clip)]
    var driver = Driver(library: library)
    #expect(driver.screen(after: "5<Enter>").contains("x remove"))
    driver.type("x")
    #expect(driver.takeEffects() == [.write(.removeFromPlaylist(PlaylistID(1), [.clip(clip.id)]))])
    #expect(driver.screen(after: "<Esc>j<Enter>").contains("x delete"))
    driver.type("x")
    #expect(driver.takeEffects() == [.write(.deleteClips([clip.id]))])
  }

  /// The details of the selected item are beside the list, and the key means the same there.
  @Test func itemIsTakenOutBesideItsDetails() {
    var driver = Driver(size: Size(160, 40))
    #expect(driver.effects(of: "5<Enter>lx") == [.write(.removeFromPlaylist(PlaylistID(1), [.episode(EpisodeID(1))]))])
  }

  @Test func detailsDescribeTheSelectedClip() {
    var driver = Driver(size: Size(160, 40))
    #expect(driver.screen(after: "5j<Enter>").contains("Clip 1:00–1:35 · The good bit"))
    driver.type("<Esc>k<Enter>")
    #expect(!driver.screen.contains("Clip 1:00"))
  }

  @Test func playlistIsQueued() {
    var driver = Driver.listening(queue: [EpisodeID(3)])
    #expect(driver.effects(of: "5e") == [.write(.enqueue([EpisodeID(1), EpisodeID(21)], .end))])
    #expect(driver.state.message?.text == "Queued: “My Episodes”, 2 episodes")
    #expect(driver.effects(of: "ke") == [])
    #expect(driver.state.message?.text == "All episodes of “My Episodes” are queued already")
    #expect(driver.effects(of: "kE") == [.write(.enqueue([EpisodeID(1), EpisodeID(3), EpisodeID(21)], .behind(nil)))])
    #expect(driver.message(after: "je") == "This playlist is empty")
  }

  @Test func undoKeepsTheSelectedClip() throws {
    var library = FakeLibrary.sample
    let clip = try #require(library.entries[PlaylistID(2)]?.first?.clip)
    library.entries[PlaylistID(1)] = [
      PlaylistEntry(episode: EpisodeID(2)), PlaylistEntry(episode: EpisodeID(2), clip: clip),
    ]
    var driver = Driver(library: library)
    driver.type("5<Enter>jeU")
    var restored = Restored()
    restored.episodes = [EpisodeID(2)]
    driver.send(.library(.undone(.back, "Queue “x”", restored)))
    #expect(driver.state.selectedEntry?.clip == clip)
  }

  @Test func episodeIsAddedToTheChosenPlaylist() {
    var driver = Driver()
    driver.type("<Enter>A")
    driver.type("jj<Enter>")
    #expect(driver.takeEffects() == [.addToPlaylist(PlaylistID(3), [.episode(EpisodeID(1))])])
    // The playlist that was used last comes first.
    #expect(driver.effects(of: "A<Enter>") == [.addToPlaylist(PlaylistID(3), [.episode(EpisodeID(1))])])
  }

  /// The list of playlists was not shown before.
  @Test func episodeIsAddedToThePlaylistWithTheTypedTitle() {
    var driver = Driver()
    let title = driver.library.playlists[2].title
    driver.type("<Enter>:add-to-playlist \(title.uppercased())<Enter>")
    #expect(driver.takeEffects() == [.addToPlaylist(PlaylistID(3), [.episode(EpisodeID(1))])])
    #expect(driver.state.message?.text == "Added to “\(title)”. Press U to undo.")
    driver.type(":add-to-playlist Nothing<Enter>")
    #expect(driver.state.message == Message(.error, "There is no playlist named “Nothing” to add to"))
  }

  @Test func episodeIsAddedToANewPlaylist() {
    var driver = Driver()
    driver.type("<Enter>AG<Enter>For the train<Enter>")
    #expect(driver.takeEffects() == [.write(.makePlaylist("For the train", adding: [.episode(EpisodeID(1))]))])
  }

  /// Playlists are found by their titles.
  @Test(arguments: ["a%<Enter>", "S%<Enter>", "G:rename %<Enter>"])
  func titleOfAnotherPlaylistIsRefused(keys: String) throws {
    var driver = Driver()
    driver.type("5")
    let title = try #require(driver.state.library.playlists.first { $0.id == PlaylistID(1) }?.title)
    driver.type(keys.replacing("%", with: title))
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
    #expect(driver.state.message?.text == "There is a playlist named “\(title)” already")
  }

  @Test func invalidFilterStaysInThePrompt() {
    var driver = Driver()
    #expect(driver.effects(of: "5SShort<Enter>unplayd<Enter>") == [])
    #expect(driver.state.overlays.count == 1)
    driver.type("<BS>ed and duration <lt> 20m<Enter>")
    #expect(
      driver.takeEffects() == [.makeSmartPlaylist("Short", filter: "unplayed and duration < 20m")])
  }

  @Test func transcriptFollowsPlaybackUntilItIsScrolled() {
    var driver = Driver()
    driver.type("<Enter>")
    driver.startPlaying()
    driver.type("t")
    #expect(driver.state.transcript.spokenLine == 22)
    #expect(driver.state.transcript.selected == 22)
    driver.type("jj")
    driver.send(.player(.position(generation: driver.generation, seconds: 350)))
    #expect(driver.state.transcript.spokenLine == 23)
    #expect(driver.state.transcript.selected == 24)
    #expect(driver.effects(of: "<Enter>").seeks.contains(360))
    driver.type("<Esc>")
    #expect(driver.state.listening == nil)
  }

  @Test func linksAndTimesInNotesOpen() {
    var driver = Driver()
    driver.type("<Enter>io")
    driver.type("2")
    #expect(driver.takeEffects() == [.openLink("https://example.org/cat.png")])
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.effects(of: "oy") == [.copy("https://example.org/more")])
    #expect(driver.effects(of: "oG<Enter>").contains { $0.isPlay(EpisodeID(1), from: 90) })
  }

  /// A number that could become longer only selects: with 14 choices, `1` waits for a second digit or Enter.
  @Test func numbersOfTwoDigitsAreTyped() {
    var driver = Driver(size: Size(120, 40))
    let links = (1...14).map { "https://example.org/\($0)" }
    let text = links.indices.map { Document.Span("link \($0 + 1) ", link: $0) }
    driver.library.notes[EpisodeID(1)] = Document(blocks: [.paragraph(text)], links: links)
    driver.type("<Enter>i")
    for (keys, number) in [("o12", 12), ("o1<Enter>", 1), ("o10", 10), ("o5", 5), ("o1j<Enter>", 2), ("o09", 9)] {
      #expect(driver.effects(of: keys) == [.openLink(links[number - 1])], "\(keys)")
      #expect(driver.state.overlays.isEmpty)
    }
  }

  /// At 80 columns the details are not on the screen.
  @Test func addressesAreCopiedWithoutTheDetails() {
    var driver = Driver(size: Size(80, 24))
    driver.library.mediaAddresses[EpisodeID(1)] = "https://example.org/1.mp3"
    driver.library.mediaAddresses[EpisodeID(2)] = "https://example.org/2.mp3"
    driver.type("y")
    #expect(driver.takeEffects() == [.copy("https://example.org/daodu")])
    #expect(driver.effects(of: "<Enter>y") == [.copy("https://example.org/1.mp3")])
    #expect(driver.effects(of: "5j<Enter>y") == [.copy("https://example.org/2.mp3#t=60,95")])
    driver.library.mediaAddresses = [:]
    driver.type("y")
    #expect(driver.takeEffects() == [])
    #expect(driver.state.message?.text == "This clip's episode has no address to copy")
  }

  /// The length is that between the two times, also where both are rounded.
  @Test func lengthOfAClipFitsItsTimes() throws {
    var driver = Driver(size: Size(120, 36))
    let index = try #require(driver.library.entries[PlaylistID(2)]?.firstIndex { $0.clip != nil })
    var clip = try #require(driver.library.entries[PlaylistID(2)]?[index].clip)
    (clip.startTime, clip.endTime) = (213.9, 215.2)
    driver.library.entries[PlaylistID(2)]?[index].clip = clip
    driver.type("5j<Enter>")
    #expect(driver.lines.contains { $0.contains(" 0:02 │") })
    #expect(driver.screen(after: "C").contains("Length  0:02"))
  }

  @Test func clipAddressContainsItsTimes() {
    var driver = Driver(size: Size(120, 36))
    driver.library.mediaAddresses[EpisodeID(2)] = "https://example.org/2.mp3"
    driver.type("5j<Enter>")
    #expect(driver.effects(of: "y") == [.copy("https://example.org/2.mp3#t=60,95")])
  }

  private typealias Labelled = (pieces: [(String, Double?)], words: [String])

  private static let labelled: [Labelled] = [
    (pieces: [("[", nil), ("00:05", 5), ("] Bracket", nil)], words: ["Bracket"]),
    (pieces: [("<", nil), ("00:05", 5), ("> Angle", nil)], words: ["Angle"]),
    (pieces: [("Intro (", nil), ("00:05", 5), (")", nil)], words: ["Intro"]),
    (
      pieces: [("0:05", 5), (" – Intro, ", nil), ("1:00", 60), (" Talk (part 2)", nil)],
      words: ["Intro", "Talk (part 2)"]
    ),
    (
      pieces: [("Intro 【", nil), ("0:05", 5), ("】 Talk 【", nil), ("1:00", 60), ("】", nil)], words: ["Intro", "Talk"]
    ),
    (pieces: [("0:05", 5), ("–", nil), ("0:10", 10), (" Intro", nil)], words: ["Intro", "Intro"]),
    (pieces: [("One ", nil), ("0:05", 5), ("\nTwo ", nil), ("0:10", 10)], words: ["One", "Two"]),
    (pieces: [("0:05", 5)], words: [""]),
    (
      pieces: [("From Intro ", nil), ("0:05", 5), (" to Talk ", nil), ("1:00", 60), (".", nil)],
      words: ["to Talk", ""]
    ),
  ]

  @Test(arguments: labelled.indices)
  func timeLinkIsLabelledWithItsText(row: Int) {
    let (pieces, words) = Self.labelled[row]
    let document = Document(blocks: [.paragraph(pieces.map { Document.Span($0.0, time: $0.1) })])
    #expect(TimeMention.all(in: document).map(\.words) == words)
  }

  @Test func countRepeatsAMove() {
    var driver = Driver()
    driver.type("<Enter><A-5>j")
    #expect(driver.state.screen.episodes.list.selected == 5)
    driver.type("<A-1>0j")
    #expect(driver.state.screen.episodes.list.selected == 11)
    driver.type("<A-3>G")
    #expect(driver.state.screen.episodes.list.selected == 2)
    driver.type("2")
    #expect(driver.state.tab == .new)
    driver.state.preferences.counts = true
    driver.type("<A-1>3j<A-3>")
    #expect(driver.state.tab == .queue)
  }

  @Test func panesCanBeResized() {
    var driver = Driver(size: Size(120, 30))
    let before = driver.state.layout.area(.podcasts)!.rect.width
    driver.type("}}")
    #expect(driver.state.layout.area(.podcasts)!.rect.width == before + 4)
    #expect(driver.takeEffects() == [.saveSetting(.sideWidth, "2"), .saveSetting(.sideWidth, "4")])
    for _ in 0..<100 { driver.type("{") }
    #expect(driver.state.layout.areas.allSatisfy { $0.rect.width >= 16 })
  }

  @Test func themePickerPreviewsThemes() {
    var driver = Driver()
    let before = driver.state.theme
    driver.type(":theme<Enter>j")
    #expect(driver.takeEffects() == [.loadTheme("light")])
    driver.send(.theme(Theme(name: "light", kind: .light, styles: [:])))
    driver.type("<Esc>")
    #expect(driver.state.theme == before)
  }

  @Test func refreshCanBeCancelled() {
    var driver = Driver()
    driver.refresh(.started(total: 9))
    driver.type("<C-g>")
    #expect(driver.takeEffects() == [.cancel(driver.state.awaited.last)])
    driver.refresh(.failed(title: "x", ReportedError("cancelled"), done: 2, total: 9))
    #expect(driver.state.message?.text == "Stopping the refresh…")
    driver.refresh(.finished(new: 1, unchanged: 0, failed: 8))
    #expect(driver.state.message?.text == "Refresh stopped: 1 new episode until then")
    #expect(driver.state.refresh == nil)
  }
}
