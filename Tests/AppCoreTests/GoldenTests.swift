import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Compares screens with recorded ones: text, and the role of each cell, at four sizes. `EARSHOT_RECORD=1 swift test
/// --filter Golden` records them again. Review the diff.
@Suite struct GoldenTests {
  static let sizes = [Size(40, 12), Size(80, 24), Size(120, 40), Size(200, 60)]

  static let scripts: [(name: String, keys: String)] = [
    ("podcasts", ""), ("episodes", "<Enter>"), ("reader", "<Enter>i"), ("new", "2"), ("empty-queue", "3"),
    ("help", "?"), ("command", ":se<Tab>"), ("unsubscribe", "D"), ("add", "aexample.org/流動"), ("downloads", "4"),
    ("playlists", "5"), ("playlist", "5j<Enter>"),
    ("filter", "5Sday<Enter>unplayed and durattion <lt> 3"), ("links", "<Enter>io"), ("podcast-page", "i"),
    ("history", "6"), ("order", "O"), ("groups", ":group-by-tag<Enter>"), ("reading", "<Enter>it"),
    ("clip-ends", "5j<Enter>C<Tab>"), ("messages", "mU:log<Enter>"),
  ]

  @Test(arguments: sizes, scripts.map(\.name)) func screen(size: Size, name: String) throws {
    var library = FakeLibrary.sample
    if name == "groups" { library.podcasts[0].tags = ["news"] }
    var driver = Driver(size: size, library: library)
    driver.state.theme = RolePicture.theme
    driver.type(Self.scripts.first { $0.name == name }!.keys)
    try expectGolden(driver.state, "\(name)-\(size.width)x\(size.height)")
  }

  /// The page of an episode without a transcript.
  @Test(arguments: sizes) func listeningWithoutATranscript(size: Size) throws {
    var driver = Driver(size: size)
    driver.state.theme = RolePicture.theme
    driver.type("<Enter>j")
    driver.startPlaying()
    driver.type("p")
    try expectGolden(driver.state, "no-transcript-\(size.width)x\(size.height)")
  }

  @Test(arguments: sizes) func statistics(size: Size) throws {
    var driver = Driver(size: size)
    driver.state.theme = RolePicture.theme
    driver.type("H")
    let saved = [
      YearInListening.Entry(title: "speed", amount: 1500), YearInListening.Entry(title: "silence", amount: 40),
    ]
    let lines = ["2025-11-20", "2025-11-21"].map {
      ListeningStatistics.Line(name: $0, heard: 4800, episodes: 3, saved: $0.hasSuffix("1") ? saved : [])
    }
    let page = ListeningStatistics(sections: [.init(title: "The last two weeks", lines: lines)])
    driver.send(.answer(driver.state.awaited.request(StatisticsQuestion.self)!, StatisticsQuestion().answer(page)))
    try expectGolden(driver.state, "statistics-\(size.width)x\(size.height)")
  }

  @Test(arguments: sizes) func playing(size: Size) throws {
    var driver = Driver(size: size)
    driver.state.theme = RolePicture.theme
    driver.type("<Enter>")
    driver.startPlaying()
    try expectGolden(driver.state, "playing-\(size.width)x\(size.height)")
  }

  @Test(arguments: sizes) func listening(size: Size) throws {
    var driver = Driver(size: size)
    driver.state.theme = RolePicture.theme
    driver.type("<Enter>")
    driver.startPlaying()
    driver.type("e" + "t")
    try expectGolden(driver.state, "transcript-\(size.width)x\(size.height)")
    driver.type("<Tab>")
    try expectGolden(driver.state, "chapters-\(size.width)x\(size.height)")
  }

  @Test(arguments: sizes) func discovering(size: Size) throws {
    var driver = Driver(size: size)
    driver.state.theme = RolePicture.theme
    driver.state.preferences.country = "DE"
    driver.state.preferences.genres = ["Arts", "Science", "Technology"]
    driver.library.suggestions = [
      Suggestion(
        target: .podcast(RemoteItem(feedURL: "https://a.example/feed", title: "A Friend 流動")), podcasts: ["Daodu Tech"],
        weight: 2),
      Suggestion(target: .person("Ada Lovelace"), podcasts: ["Daodu Tech", "Radio Nowhere"], weight: 1),
      Suggestion(target: .category("Science"), podcasts: ["Daodu Tech"], weight: 1),
    ]
    driver.library.subscribed = ["feed moon.example/feed": PodcastID(1)]
    let name = { (screen: String) in "\(screen)-\(size.width)x\(size.height)" }
    driver.type("8<Esc>")
    try expectGolden(driver.state, name("discover-start"))
    driver.type("8moon")
    driver.answerDiscover(
      ["Moon", "A title that goes on and on, well past the edge of any pane that is called narrow", "Moonlight 流動"],
      failures: ["fyyd accepts no more requests for about a minute"])
    try expectGolden(driver.state, name("discover-found"))
    driver.type("<Enter><Tab>")
    try expectGolden(driver.state, name("discover-opened"))
    guard size.width <= 80 else { return }
    driver.enableLinearMode()
    driver.type("h<Esc>")
    try expectGolden(driver.state, name("linear-discover"))
  }

  /// The screens of linear mode, for screen readers.
  @Test(arguments: sizes.prefix(2), [("podcasts", ""), ("episodes", "<Enter>"), ("reader", "<Enter>i"), ("help", "?")])
  func linear(size: Size, script: (name: String, keys: String)) throws {
    var driver = Driver(size: size)
    driver.state.theme = RolePicture.theme
    driver.enableLinearMode()
    driver.type(script.keys)
    try expectGolden(driver.state, "linear-\(script.name)-\(size.width)x\(size.height)")
  }

  private func expectGolden(_ state: State, _ name: String) throws {
    let screen = RolePicture(render(state)).text
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
    let file = directory.appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["EARSHOT_RECORD"] != nil {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data((screen + "\n").utf8).write(to: file)
    }
    let golden = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    #expect(screen + "\n" == golden, "\(name) looks different")
  }
}

extension Driver {
  /// Plays the selected episode to 5:30, with chapters and a buffer.
  mutating func startPlaying() {
    type("<Enter>")
    let row = state.library.rows[state.screen.episodes.selected!]!
    let generation = state.player.generation
    let chapters = [0.0, 120, 300, 480].map { Chapter(start: $0, title: "Part at \(Int($0))") }
    send(.library(.playing(generation: generation, row, chapters, from: row.position)))
    send(.player(.started(generation: generation, duration: row.duration, seekable: true)))
    send(.player(.position(generation: generation, seconds: 330)))
    send(.player(.buffered(generation: generation, until: 420)))
  }
}
