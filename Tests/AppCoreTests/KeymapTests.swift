import Model
import TerminalKit
import Testing

@testable import AppCore

@Suite struct KeymapTests {
  @Test func defaultKeysHaveOneMeaningInEachContext() {
    var seen: [String: CommandName] = [:]
    for command in Command.table {
      for key in command.keys {
        let place = "\(command.contexts) \(key)"
        #expect(seen[place] == nil, "\(key) is bound to \(command.name) and \(seen[place]!)")
        seen[place] = command.name
        #expect(KeyNotation.parse(key) != nil)
      }
    }
  }

  /// g and G never seek, d never unsubscribes, and j, k and l never control playback.
  @Test func movementKeysNeverSeekOrUnsubscribe() {
    let keymap = Keymap()
    for (key, allowed) in [("g", CommandName.first), ("G", .last), ("j", .down), ("k", .up), ("l", .right)] {
      #expect(keymap.match(KeyNotation.parse(key)!, in: .episodes) == .command(allowed))
    }
    #expect(keymap.match([Key("d")], in: .podcasts) != .command(.unsubscribe))
  }

  /// Few terminals tell ^I from Tab, so messages name the other key.
  @Test func controlIIsNotTab() {
    let keymap = Keymap()
    #expect(keymap.match([Key("i", .control)], in: .episodes) == .command(.jumpForward))
    #expect(keymap.match([Key(.tab)], in: .episodes) == .command(.nextPane))
    #expect(keymap.hint(.jumpForward) == "^P")
  }

  @Test func rebindingReplacesTheKeyAndReportsConflicts() throws {
    var keymap = Keymap()
    try keymap.rebind("delete", to: ["<Del>", "zz"])
    #expect(keymap.match([Key("x")], in: .episodes) == .none)
    #expect(keymap.match([Key("z")], in: .episodes) == .prefix)
    #expect(keymap.match([Key("z"), Key("z")], in: .episodes) == .command(.delete))
    #expect(keymap.keys(of: .delete) == ["<Del>", "zz"])
    #expect(throws: ReportedError("<Del> is bound to both delete and played")) {
      try keymap.rebind("played", to: ["<Del>"])
    }
    // z is the beginning of zz, so zz could never be typed.
    #expect(throws: ReportedError("z is bound to both delete and played")) {
      try keymap.rebind("played", to: ["z"])
    }
    #expect(throws: ReportedError("there is no command named “dance”")) {
      try keymap.rebind("dance", to: ["d"])
    }
    #expect(throws: ReportedError("“<Nope>” is not a key (for played); write j, <Enter>, <C-d>, <S-Left>")) {
      try keymap.rebind("played", to: ["<Nope>"])
    }
  }

  @Test func sequenceRemovesTheDefaultKeyThatItBeginsWith() throws {
    var keymap = Keymap()
    try keymap.rebind("first", to: ["gg"])
    #expect(keymap.match([Key("g")], in: .episodes) == .prefix)
    #expect(keymap.match([Key("g"), Key("g")], in: .episodes) == .command(.first))
    try keymap.rebind("history", to: ["gh"])
    #expect(keymap.match([Key("g"), Key("h")], in: .queue) == .command(.history))
    #expect(keymap.match([Key("g"), Key("g")], in: .queue) == .command(.first))
  }
}
