import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Every row of the command table does what it describes.
@Suite struct CommandTests {
  /// Commands that may have no effect, because the state is already as they want: at the end of a list, or on the shown
  /// screen.
  static let quiet: Set<CommandName> = [
    .down, .up, .left, .right, .first, .last, .nextPane, .previousPane, .halfPageDown, .halfPageUp, .pageDown, .pageUp,
    .open, .back, .moveDown, .moveUp, .podcasts, .new, .queue, .downloads, .playlists, .history,
  ]

  @Test func pageKeepsOneRowVisible() {
    #expect(MoveStep(.pageDown)?.rows(height: 10) == 9)
    #expect(MoveStep(.halfPageUp)?.rows(height: 10) == -5)
    #expect(MoveStep(.pageUp)?.rows(height: 1) == -1)
  }

  @Test func commandsHaveOneRowEachAndTheirOrderInTheHelp() {
    let names = Command.table.map(\.name)
    #expect(Set(names).count == names.count)
    let help = HelpOverlay().lines(Driver().state).compactMap { line in
      if case .command(_, let name, _) = line { name.split(separator: " ").first.map(String.init) } else { nil }
    }
    #expect(help == names.map(\.description))
  }

  /// On a screen with 80 columns, each row of the help has the whole text and the whole name, and all names end in one
  /// column. On a narrow one, the whole text.
  @Test(arguments: [Size(80, 24), Size(40, 12)]) func helpShowsEachCommandCompletely(size: Size) {
    var driver = Driver(size: size)
    driver.type("?")
    var (rows, ends) = ([String](), Set<Int>())
    for _ in 0..<40 {
      for line in driver.lines where line.first == "│" {
        let row = String(line.dropFirst(2).dropLast(2))
        if size.width == 80, let name = row.firstRange(of: #/ :[a-z-]+( [A-Z|]+)? *$/#) {
          ends.insert(row[..<name.upperBound].trimmingSuffix().count)
        }
        // A page begins with the last row of the page before.
        if rows.last != row { rows.append(row) }
      }
      driver.type("<PageDown>")
    }
    let text = rows.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: " ")
    #expect(!text.contains("…") || size.width < 80)
    for command in Command.table {
      let name = [command.name.description, command.argument.word].filter { !$0.isEmpty }.joined(separator: " ")
      #expect(text.contains(size.width == 80 ? "\(command.help) :\(name)" : command.help), "\(name)")
    }
    #expect(ends.count == (size.width == 80 ? 1 : 0))
  }

  /// People type the names and write them in the configuration.
  @Test func commandNamesAreLowerCaseWords() {
    #expect(Command.table.map(\.name.description).filter { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) == nil } == [])
  }

  /// Every command changes State, shows a message or asks for something.
  @Test func commandsDoSomethingOrExplainOnEveryScreen() {
    var active: Set<CommandName> = []
    for (name, library) in CommandReachTests.libraries {
      for place in CommandReachTests.places {
        var there = Driver(size: Size(120, 30), library: library)
        there.type(place)
        _ = there.takeEffects()
        there.state.messages.clear()
        for command in Command.table.map(\.name) {
          var driver = there
          driver.send { $0.perform(command) }
          let hasActed = driver.state != there.state || !driver.takeEffects().isEmpty
          if hasActed { active.insert(command) }
          #expect(hasActed || Self.quiet.contains(command), "\(command) in “\(place)”, library \(name)")
        }
      }
    }
    #expect(active == Set(Command.table.map(\.name)))
  }

  /// A disabled command shows the reason and does nothing else.
  @Test func disabledCommandOnlyReportsTheReason() {
    for (_, library) in CommandReachTests.libraries {
      for place in CommandReachTests.places {
        var there = Driver(library: library)
        there.type(place)
        for command in Command.table {
          guard let reason = command.disabledReason(there.state) else { continue }
          var state = there.state
          #expect(state.perform(command.name) == [])
          #expect(state.message?.kind == .info && state.message?.text == reason)
          state.messages = there.state.messages
          #expect(state == there.state, "\(command.name) in “\(place)”")
        }
      }
    }
  }
}

/// No text contains a fixed key: after a rebinding no text has the old one.
@Suite struct HintTests {
  /// A keymap with a different Cyrillic letter for every command.
  private static func rebound() throws -> Keymap {
    var keymap = Keymap()
    for (index, command) in Command.table.enumerated() {
      let letter = try #require(Unicode.Scalar(0x0400 + UInt32(index)))
      try keymap.rebind(command.name.description, to: [String(Character(letter))])
    }
    return keymap
  }

  /// The default keys as a text may show them. Digits, `a` and `A` may also be words: see `oldKeys(in:)`. A dash
  /// separates facts, and a percent sign follows a share.
  private static let old: Set<String> = {
    let keys = Command.table.flatMap(\.keys)
    let shown = Command.table.compactMap { Keymap().key($0.name) }
    return Set(keys + shown).subtracting(["a", "A", "1", "2", "3", "4", "5", "6", "7", ".", "-", "%"])
  }()

  /// Verbs that follow a key which could also be a word or a number: `a adds one`, `5 shows it`.
  private static let verbs: Set = ["adds", "makes", "shows", "asks", "searches", "on"]

  private static func oldKeys(in text: String) -> [String] {
    // The answers to a question are its own keys.
    let text = text.replacing("y yes", with: "").replacing("n no", with: "").replacing("1-9 choose", with: "")
    let words = text.split(whereSeparator: { $0 == " " || $0 == "│" }).map { word in
      word.count > 1 ? word.trimmingCharacters(in: .init(charactersIn: ":;,.“”")) : String(word)
    }
    return words.enumerated().compactMap { index, word in
      let next = index + 1 < words.count ? words[index + 1] : ""
      let isKeyWithVerb = (word.lowercased() == "a" || Int(word) != nil) && verbs.contains(next)
      return old.contains(word) || isKeyWithVerb ? word : nil
    }
  }

  /// Words of one letter in titles would be mistaken for keys. So would the first letter of a title that a box covers.
  private static var library: FakeLibrary {
    var library = FakeLibrary.sample
    for index in library.episodes.indices { library.episodes[index].title = "Ωmega \(index + 10)" }
    library.notes = [:]
    library.transcripts = [:]
    library.queue = [EpisodeID(1), EpisodeID(2)]
    return library
  }

  /// Places where every command is tried, too. This takes a while.
  private static let busyPlaces = ["", "<Enter>", "3", "5j<Enter>", "<Enter><Enter>p"]

  @Test func textsNameTheNewKeyAfterRebinding() throws {
    let keymap = try Self.rebound()
    let empty = FakeLibrary(podcasts: [], episodes: [])
    for (name, library) in [("empty", empty), ("full", Self.library)] {
      for place in CommandReachTests.places {
        for isLinear in [false, true] {
          var there = Driver(size: Size(120, 40), library: library)
          there.type(place)
          if isLinear { there.enableLinearMode() }
          there.state.keymap = keymap
          // The texts of the reader are made again, also the widest.
          for width in [80, 132] { there.send(.input(.resize(Size(width, 40)))) }
          there.state.messages = Messages()
          expectNoOldKey(there, "“\(place)”, library \(name)")
          guard !isLinear, Self.busyPlaces.contains(place) else { continue }
          for command in Command.table.map(\.name) {
            var driver = there
            driver.send { $0.perform(command) }
            expectNoOldKey(driver, "\(command) in “\(place)”, library \(name)")
          }
        }
      }
    }
  }

  @Test func oldKeyDetectorFindsKeys() {
    #expect(Self.oldKeys(in: "U undoes, a adds one; press Enter (5 shows it)") == ["U", "a", "Enter"])
    #expect(Self.oldKeys(in: "Press Enter. 5 shows a list: n, N") == ["Enter", "5", "n", "N"])
    #expect(Self.oldKeys(in: "There is a list of 5 episodes") == [])
  }

  private func expectNoOldKey(_ driver: Driver, _ place: String) {
    for message in driver.state.messages.log {
      #expect(Self.oldKeys(in: message.text) == [], "\(place): \(message.text)")
    }
    for line in driver.lines {
      // The mark of the search in the help and the colon of the command line belong to the line. They are not keys.
      // Beside a border is a space, or the rest of a word that a box covers.
      let found = Self.oldKeys(in: line.replacing(/[^ │]*│[^ │]*/, with: "│")).filter { !(["/", ":"].contains($0)) }
      #expect(found == [], "\(place): \(line)")
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix() -> Substring { self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)] }
}
