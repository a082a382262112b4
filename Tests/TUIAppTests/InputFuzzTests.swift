import AppCore
import Foundation
import Model
import Seeded
import TerminalKit
import Testing

@testable import Services
@testable import TUIApp

/// Fuzzes terminal input and configuration files (see `Fuzz`).
@Suite(InTurn()) struct InputFuzzTests {
  private static let input = [
    "jk\u{1B}[A\u{1B}OP\u{1B}x:quit\r", "\u{1B}[<0;10;5M\u{1B}[<0;10;5m\u{1B}[<64;1;1M\u{1B}[<35;99999;0M",
    "\u{1B}[?62;4;22c\u{1B}[?1;2", "a流\u{301}👩‍👩‍👧‍👦\u{7F}\u{3}\u{0}", "\u{1B}\u{1B}[\u{1B}[1;5C\u{1B}[200~x",
  ].map { Data($0.utf8) }

  /// Any input is consumed, and the keys after it are decoded.
  @Test func terminalInputIsDecoded() async throws {
    var fuzz = Fuzz(defaultRounds: 1000)
    while await fuzz.begins() {
      var codes: [InputDecoder.Code] = String(decoding: try fuzz.mutate(Self.input), as: UTF8.self).unicodeScalars.map {
        .character($0.value)
      }
      let numbers = KeySequences.definitions.map(\.number) + [KEY.resize, 258, 410, 0, .max]
      for _ in 0..<fuzz.below(8) {
        codes.insert(.function(numbers[fuzz.below(numbers.count)]), at: fuzz.below(codes.count + 1))
      }
      var decoder = InputDecoder()
      var rest = codes[...]
      var rounds = 0
      while !rest.isEmpty {
        rounds += 1
        let events = InputEvent.joined(decoder.events(milliseconds: 0) { rest.popFirst() })
        #expect(events.count <= codes.count, "\(fuzz.name)")
      }
      #expect(rounds <= codes.count / InputDecoder.batch + 1, "\(fuzz.name)")
      // Ends a paste or an answer that had only begun.
      rest = [.function(KeySequences.pasteEnd), .character(0x0D), .character(0x6A)]
      let last = decoder.events(milliseconds: 1_000_000, after: 1_000_000) { rest.popFirst() }
      #expect(last.last == .key(Key("j")), "\(fuzz.name) \(last)")
    }
  }

  private enum KEY { static let resize: UInt32 = 0o632 }

  private static let settings = [
    "theme = \"nord\"\nvolume = 80\n[keys]\npause = [\"p\", \"<C-p>\"]\n[directories]\ndata = \"~/x\"\n[downloads]\n",
    "name = \"x\"\nkind = \"dark\"\ninherits = \"y\"\n[palette]\na = \"#12345\"\n[roles]\ntext = \"a on #000000 bold\"\n",
    "a = [[[[1, 2], {b = 'c'}]]]\nd = 1979-05-27T07:32:00Z\ne = 1e999\nf = \"\"\"x\"\"\"\n[[g]]\nh.i.\"j\" = nan\n",
  ].map { Data($0.utf8) }

  @Test func configurationsAreRead() async throws {
    let home = try TemporaryHome()
    let file = home.path + "/config/earshot/config.toml"
    let themes = ThemeFiles(directories: [home.path + "/config/earshot"] + Resources().themes)
    var fuzz = Fuzz(defaultRounds: 200)
    while await fuzz.begins() {
      let bytes = try fuzz.mutate(Self.settings)
      try bytes.write(to: URL(filePath: file))
      let configuration = Configuration.load(home.directories)
      #expect(configuration.problems.count <= 51, "\(fuzz.name)")
      #expect(configuration.preferences.speed > 0 && configuration.maxPerHost > 0, "\(fuzz.name)")
      do throws(ConfigurationProblem) { _ = try themes.load("config") } catch {}
      let text = String(decoding: bytes.prefix(2000), as: UTF8.self)
      _ = (KeyNotation.parse(text), try? EpisodeFilter(parsing: text))
    }
  }
}
