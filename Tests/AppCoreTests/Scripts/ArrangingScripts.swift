import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The order of the podcasts, their groups, and their tags.
@Suite struct ArrangingScripts {
  /// Five podcasts: number, title, unplayed, days since the newest, tags.
  private static func driver(_ size: Size = Size(80, 24)) -> Driver {
    var library = FakeLibrary.sample
    let podcasts: [(Int64, String, Int, Double, [String])] = [
      (1, "Alpha", 3, 5, ["news"]), (2, "Beta", 0, 1, []), (3, "Gamma", 9, 30, ["news", "tech"]),
      (4, "Delta day", 1, 2, ["tech"]), (5, "Epsilon", 0, 400, []),
    ]
    library.podcasts = podcasts.map { id, title, unplayed, days, tags in
      PodcastRow(
        id: PodcastID(id), feedURL: "https://example.org/\(id)", title: title, unplayed: unplayed,
        new: unplayed / 3, episodes: 10,
        lastPubDate: Driver.now.addingTimeInterval(-days * 86_400), health: .good, tags: tags)
    }
    return Driver(size: size, library: library)
  }

  private func titles(_ driver: Driver) -> [String] { driver.state.library.podcastLines.map(\.title) }

  /// Bold titles are those with new episodes, and the number is that of the new ones.
  @Test func listOfPodcastsShowsWhatIsNew() {
    let driver = Self.driver()
    let rows = (0..<5).map { PodcastsPane().row($0, driver.state) }
    #expect(rows.map(\.role) == [.title, .text, .title, .text, .text])
    #expect(rows.map(\.count) == ["1", "", "3", "", ""])
    #expect(driver.lines[0].contains("2 New 4  3 Queue"), "\(driver.lines[0])")
  }

  @Test(arguments: [
    ("title", ["Alpha", "Beta", "Gamma", "Delta day", "Epsilon"]),
    ("newest", ["Beta", "Delta day", "Alpha", "Gamma", "Epsilon"]),
    ("new", ["Alpha", "Gamma", "Beta", "Delta day", "Epsilon"]),
    ("unplayed", ["Gamma", "Alpha", "Delta day", "Beta", "Epsilon"]),
  ]) func podcastOrderIsChosenAndStored(order: String, expected: [String]) {
    var driver = Self.driver()
    driver.type("jj")
    _ = driver.takeEffects()
    driver.type(":sort \(order)<Enter>")
    #expect(titles(driver) == expected)
    #expect(driver.takeEffects() == [.saveSetting(.podcastOrder, order)])
    #expect(driver.state.selectedPodcast?.title == "Gamma", "the selection stays on its podcast")
    // The store returns the podcasts in order of title.
    driver.send(.library(.changed))
    #expect(titles(driver) == expected)
    #expect(driver.state.selectedPodcast?.title == "Gamma")
  }

  @Test func podcastOrderHasAKeyAndAPicker() {
    var driver = Self.driver()
    #expect(driver.screen(after: "O").contains("By title  (now)"))
    driver.type("jjj<Enter>")
    #expect(titles(driver).first == "Gamma")
    #expect(driver.state.message?.text == "Podcasts most unplayed first")
    driver.type("OG<Enter>")
    #expect(driver.state.library.arrangement.isGrouped)
  }

  @Test func unknownOrderIsRefused() {
    var driver = Self.driver()
    driver.type(":sort size<Enter>")
    #expect(driver.state.message?.kind == .error)
    #expect(driver.takeEffects() == [])
  }

  @Test func podcastsCanBeOrderedManually() {
    var driver = Self.driver()
    _ = driver.takeEffects()
    driver.type("GK")
    let ids = (1...5).map { PodcastID($0) }
    #expect(
      driver.takeEffects() == [
        .write(.movePodcast(PodcastID(5), to: 3, among: ids)), .saveSetting(.podcastOrder, "hand"),
      ])
    #expect(titles(driver) == ["Alpha", "Beta", "Gamma", "Epsilon", "Delta day"])
    #expect(driver.state.selectedPodcast?.title == "Epsilon")
    driver.type("KKKKK")
    #expect(titles(driver).first == "Epsilon")
    driver.type("J")
    #expect(titles(driver) == ["Alpha", "Epsilon", "Beta", "Gamma", "Delta day"])
    #expect(
      driver.takeEffects().last
        == .write(.movePodcast(PodcastID(5), to: 1, among: [5, 1, 2, 3, 4].map { PodcastID($0) })))
  }

  @Test func groupsAreInAlphabeticalOrderWithoutRegardToCase() {
    let rows = [["tech", "Zoo"], ["Ärzte", "History"], ["asia"]].enumerated().map { index, tags in
      PodcastRow(
        id: PodcastID(Int64(index + 1)), feedURL: "https://example.org/\(index)", title: "A", unplayed: 0, episodes: 1,
        lastPubDate: Driver.now, health: .good, tags: tags)
    }
    var arrangement = PodcastArrangement()
    arrangement.isGrouped = true
    let groups = arrangement.lines(rows).compactMap { $0.group?.tag }
    #expect(groups == ["Ärzte", "asia", "History", "tech", "Zoo"])
  }

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(200, 60)]) func groupsCanBeFolded(size: Size) {
    var driver = Self.driver(size)
    driver.type("jj:group-by-tag<Enter>")
    #expect(
      titles(driver) == [
        "news", "Alpha", "Gamma", "tech", "Gamma", "Delta day", "Without a tag", "Beta", "Epsilon",
      ])
    #expect(driver.state.selectedPodcast?.title == "Gamma")
    _ = driver.takeEffects()
    driver.type("z")
    #expect(titles(driver) == ["news", "tech", "Gamma", "Delta day", "Without a tag", "Beta", "Epsilon"])
    #expect(driver.takeEffects() == [.saveSetting(.foldedTags, "news\u{1F}")])
    #expect(driver.state.selectedPodcastLine?.group?.tag == "news")
    #expect(driver.screen.contains("▸ news (2)"))
    #expect(driver.screen.contains("▾ tech"))
    // Enter on the heading unfolds the group. A group has no episodes.
    #expect(driver.state.screen.episodes.ids == [])
    driver.type("<Enter>")
    #expect(titles(driver).count == 9)
    driver.type("j")
    #expect(driver.state.selectedPodcast?.title == "Alpha")
    #expect(driver.state.screen.episodes.ids.count == 12)
    driver.type(":group-by-tag<Enter>")
    #expect(titles(driver).count == 5)
    #expect(driver.state.selectedPodcast?.title == "Alpha")
  }

  @Test func searchUnfoldsTheGroupOfTheMatch() {
    var driver = Self.driver()
    driver.type(":group-by-tag<Enter>gz:search tech<Enter>z:search without<Enter>zg")
    let folded = ["news", "tech", "Without a tag"]
    #expect(titles(driver) == folded)
    driver.type("/gamma<Enter>")
    #expect(titles(driver) == ["news", "Alpha", "Gamma", "tech", "Without a tag"])
    #expect(driver.state.selectedPodcast?.title == "Gamma")
    driver.type("n")
    #expect(titles(driver) == ["news", "Alpha", "Gamma", "tech", "Gamma", "Delta day", "Without a tag"])
    #expect(driver.state.podcastGroup(of: driver.state.screens.podcasts.list.selected)?.tag == "tech")
    driver.type("zgz/nothing<Enter>")
    #expect(titles(driver) == folded)
    #expect(driver.state.selectedPodcastLine?.group?.tag == "news")
    driver.type("/tech<Enter>")
    #expect(titles(driver) == folded)
    #expect(driver.state.selectedPodcastLine?.group?.tag == "tech")
  }

  @Test func groupHeadingRefusesPodcastCommands() {
    var driver = Self.driver()
    driver.type(":group-by-tag<Enter>g")
    for key in ["D", "r", "#"] {
      driver.type(key)
      #expect(driver.state.message?.text.contains("Choose a podcast first") == true, "\(key)")
      #expect(driver.state.overlays.isEmpty)
    }
    for key in ["J", "K"] {
      driver.type(key)
      #expect(driver.state.message?.text.contains("groups are in the order of their names") == true)
    }
    #expect(titles(driver).first == "news")
    // It has no details to read.
    driver.type("i")
    #expect(driver.state.message?.text == "Choose a podcast first" && !driver.state.screen.isReading)
  }

  /// The pane beside a heading says that Enter folds the group.
  @Test(arguments: [Size(40, 12), Size(80, 24), Size(120, 36)]) func enterBesideAHeadingFoldsTheGroup(size: Size) {
    var driver = Self.driver(size)
    #expect(driver.screen(after: ":group-by-tag<Enter>gl").contains("Press Enter to hide them."))
    #expect(driver.lines[driver.lines.count - 3].contains("Enter fold"))
    driver.type("<Enter>")
    #expect(driver.state.message == nil)
    #expect(driver.screen.contains("▸ news (2)"))
    #expect(driver.state.focusedPane == .podcasts)
  }

  @Test func listWithoutTagsHasNoGroups() {
    var driver = Driver()
    driver.type(":group-by-tag<Enter>")
    #expect(titles(driver).count == 2)
    #expect(driver.state.message?.text.contains("No podcast has a tag yet") == true)
    #expect(driver.message(after: "z") == "No groups yet: no podcast has a tag")
    driver.type(":group-by-tag<Enter>")
    #expect(driver.message(after: "z") == "No groups yet. Type :group-by-tag to group by tag.")
  }

  /// `O`, which orders the podcasts, sorts the queue there.
  @Test(arguments: ["2", "3"]) func groupsAreFoldedOnlyWhereTheyAreShown(screen: String) {
    var driver = Self.driver()
    driver.type(":group-by-tag<Enter>\(screen)")
    let message = driver.message(after: ":fold<Enter>")
    #expect(message == "Only groups of podcasts can be folded. Press 1 to show them.")
  }

  @Test func arrangementIsRestoredAfterARestart() {
    var arrangement = PodcastArrangement()
    arrangement.order = .unplayed
    arrangement.isGrouped = true
    for folded in [[], [""], ["news"], ["", "a b", "c,d"]] as [Set<String>] {
      arrangement.folded = folded
      let again = PodcastArrangement(
        order: arrangement.order.rawValue, groups: "1", folded: arrangement.foldedText)
      #expect(again == arrangement)
    }
    #expect(PodcastArrangement(order: nil, groups: nil, folded: nil) == PodcastArrangement())
    #expect(PodcastArrangement(order: "size", groups: "x", folded: "news").folded == [])
  }

  @Test func searchFindsGroupsAndPodcasts() {
    var driver = Self.driver()
    driver.type(":group-by-tag<Enter>/epsilon<Enter>")
    #expect(driver.state.selectedPodcast?.title == "Epsilon")
    driver.type("g/tech<Enter>")
    #expect(driver.state.selectedPodcastLine?.group?.tag == "tech")
  }

  @Test func clickOnTheSignOfAGroupFoldsIt() {
    var driver = Self.driver(Size(80, 24))
    driver.type("jj:group-by-tag<Enter>")
    func click(_ x: Int) { driver.send(.input(.mouse(MouseEvent(.press, at: Point(x, 2))))) }
    click(1)
    #expect(driver.screen.contains("▸ news (2)"))
    click(5)
    #expect(driver.screen.contains("▸ news (2)"), "its name only selects it")
    click(1)
    #expect(driver.screen.contains("▾ news"))
  }

  @Test func tagsCanBeEdited() {
    var driver = Self.driver()
    #expect(driver.screen(after: "jj#").contains("Tags: news, tech"))
    driver.type(",Berlin<Enter>")
    let owner = TagOwner.podcast(PodcastID(3))
    #expect(driver.takeEffects().last == .write(.editTags(owner, adding: ["Berlin"], removing: [])))
    #expect(driver.effects(of: "#<C-u>news<Enter>").last == .write(.editTags(owner, adding: [], removing: ["tech"])))
    #expect(driver.effects(of: ":tags a, b , a,,c<Enter>").last == .write(.setTags(["a", "b", "c"], owner)))
    // Tab completes the tags of other podcasts.
    driver.type("jj#te<Tab><Enter>")
    #expect(driver.takeEffects().last == .write(.editTags(.podcast(PodcastID(5)), adding: ["tech"], removing: [])))
  }

  @Test func linearModeDescribesAFoldedGroup() {
    var driver = Self.driver()
    driver.enableLinearMode()
    driver.type(":group-by-tag<Enter>gz")
    #expect(driver.screen.contains("news, group of 2 podcasts, 4 new, 12 unplayed, folded"))
  }
}
