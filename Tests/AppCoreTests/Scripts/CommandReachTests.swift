import Model
import TerminalKit
import Testing

@testable import AppCore

/// Every row of the command table by its keys and by its name, in every pane of every screen.
@Suite struct CommandReachTests {
  /// Keys that lead to each place where a command can be used.
  static let places = [
    "", "<Enter>", "<Enter>l", "<Enter>i", "2", "2l", "2i", "3", "3l", "6", "6l", "7café<Enter>", "7café<Enter>l", "4",
    "5", "5j<Enter>", "8<Esc>", "8<Esc>l", "t", "<Enter><Enter>p", "<Enter><Enter>p<Tab><Tab><Tab>",
  ]
  static let libraries: [(name: String, library: FakeLibrary)] = [
    ("empty", FakeLibrary(podcasts: [], episodes: [])), ("sample", .sample), ("queued", queued),
  ]
  static var queued: FakeLibrary {
    var library = FakeLibrary.sample
    library.queue = [EpisodeID(1), EpisodeID(2), EpisodeID(3)]
    return library
  }

  @Test(arguments: places, libraries.map(\.name)) func commandsAreReachableByKeyAndByName(place: String, name: String) {
    let library = Self.libraries.first { $0.name == name }!.library
    for size in [Size(80, 24), Size(40, 12)] {
      var there = Driver(size: size, library: library)
      there.type(place)
      for command in Command.table {
        for keys in command.keys + [":\(command.name)<Enter>"] {
          var driver = there
          let before = driver.state.messages.log.count
          driver.type(keys)
          expectValidScreen(driver, "\(keys) in “\(place)”")
          let unknown = driver.state.messages.log.dropFirst(before).first {
            ["is not bound", "does nothing here", "no command"].contains(where: $0.text.contains)
          }
          // J and K have a meaning only in the queue.
          if command.contexts.contains(.everywhere) || keys.hasPrefix(":") {
            #expect(unknown == nil, "\(keys) in “\(place)”: \(unknown?.text ?? "")")
          }
        }
      }
    }
  }

  @Test func placesCoverEveryContext() {
    let contexts = Self.places.map { place in
      var driver = Driver(size: Size(120, 30))
      driver.type(place)
      return driver.state.context
    }
    #expect(Set(contexts + [.everywhere]) == Set(Context.allCases))
  }

  @Test func commandNameCanBeAbbreviatedIfUnambiguous() {
    var driver = Driver()
    driver.type(":unsub<Enter>")
    #expect(driver.state.overlays.count == 1)
    #expect(driver.message(after: "n:ref<Enter>") == "There is no command “ref”: it could be refresh, refresh-all")
    #expect(driver.message(after: ":dance<Enter>") == "There is no command “dance”. Press ? to list them.")
    driver.type(":pause<Enter>")
    #expect(driver.state.message?.text == "There is no command “pause”: it could be play-pause, pause-downloads")
    #expect(driver.message(after: ":end<Enter>") == "There is no command “end”: it could be clip-end")
    driver.type(":chapter<Enter>")
    #expect(driver.state.message?.text.hasPrefix("There is no command") == false)
    driver.type(":stats<Enter>")
    #expect(driver.state.message?.text == "There is no command “stats”: it could be statistics, sync-status")
    #expect(driver.message(after: ":settings<Enter>") == "There is no command “settings”: it could be show")
    driver.type(":refresh<Enter>")
    #expect(driver.takeEffects().refreshes.last == [PodcastID(1)])
  }

  /// The links of an episode are known where its details are shown.
  @Test(arguments: [":open-link 1<Enter>", ":copy-link 1<Enter>"]) func linksOfHiddenDetailsAreNotDenied(keys: String) {
    var driver = Driver()
    driver.type(keys)
    #expect(driver.state.message?.text == "Press i to show the details, with their links.")
  }

  @Test func commandReportsTooManyArguments() {
    for command in Command.table where command.argument == .none {
      var driver = Driver()
      driver.type(":\(command.name) 3<Enter>")
      #expect(driver.state.message == Message(.error, "\(command.name) takes nothing after its name"))
      #expect(driver.takeEffects() == [])
    }
  }

  @Test(arguments: [
    (":seek soon<Enter>", "“soon” is not a time: write 93, 1:33, +30 or -10"),
    (":volume loud<Enter>", "“loud” is not a number"),
    (":speed nan<Enter>", "“nan” is not a number"),
    (":volume +10<Enter>", "“+10” is not a volume: write a number from 0 to 150"),
    (":theme dusk<Enter>", "There is no theme named “dusk”; there are dark, light"),
  ]) func wrongArgumentsSayWhatIsWrong(keys: String, text: String) {
    var driver = Driver()
    driver.type(keys)
    #expect(driver.state.message == Message(.error, text))
    #expect(driver.takeEffects() == [])
  }

  @Test(arguments: ["seek", "volume", "speed"]) func commandAsksForAMissingArgument(name: String) {
    var driver = Driver.playing()
    driver.type(":\(name)<Enter>")
    #expect(PromptScripts.text(driver) == "\(name) ")
    driver.type("2<Enter>")
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.takeEffects().isEmpty == false)
  }

  @Test func unboundKeyIsReported() {
    var driver = Driver()
    #expect(driver.message(after: "€") == "€ is not bound. Press ? to see the keys.")
    // It orders the podcasts.
    #expect(driver.message(after: "5O") == "O does nothing here. Press ? to see the keys.")
  }
}

private func isVisible(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy {
    switch $0.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }
}

/// Expects that every row is exactly as wide as the screen, and that cells contain only visible characters.
func expectValidScreen(_ driver: Driver, _ what: @autoclosure () -> String) {
  let frame = render(driver.state)
  let size = Size(max(0, driver.state.size.width), max(0, driver.state.size.height))
  guard frame.size == size, frame.cells.count == size.width * size.height else {
    Issue.record("\(what()): a screen of \(frame.size) for \(size)")
    return
  }
  let (none, blank) = (ClusterText(), ClusterText(" "))
  var known: Set<ClusterText> = [none]
  for y in 0..<size.height {
    let row = frame.row(y)
    var width = 0
    for cell in row {
      width += Int(cell.width)
      // Most cells have the text of another one. Reading the properties of all their characters takes half of the time.
      let isKnown = cell.scalars == blank || known.contains(cell.scalars)
      if !isKnown { known.insert(cell.scalars) }
      if !isKnown && !isVisible(cell.text) || (cell.width == 0) != (cell.scalars == none) {
        Issue.record("\(what()): “\(cell.text.debugDescription)” of width \(cell.width) in row \(y)")
        return
      }
    }
    guard width == size.width else {
      Issue.record("\(what()): row \(y) is \(width) wide, not \(size.width)")
      return
    }
  }
  if let cursor = frame.cursor, !Rect(size).contains(cursor) {
    Issue.record("\(what()): the cursor stands at \(cursor), outside")
  }
}
