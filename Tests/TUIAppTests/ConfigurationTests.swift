import Desktop
import Foundation
import Model
import Programs
import TerminalKit
import Testing

@testable import AppCore
@testable import TUIApp

/// Reading `config.toml`, and the messages about its problems.
@Suite(InTurn()) struct ConfigurationTests {
  private func read(_ text: String) -> Configuration { Configuration(text: text) }

  /// The only problem of a text.
  private func problem(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
    let problems = read(text).problems
    try #require(problems.count == 1, "\(problems)", sourceLocation: sourceLocation)
    return problems[0].description
  }

  @Test func everySettingIsRead() {
    let configuration = read(
      """
      theme = "nord"
      refresh_on_start = false
      refresh_every = 90
      seek_back = 5
      seek_forward = 15.5
      seek_back_long = 120
      seek_forward_long = 90
      volume = 80
      volume_step = 2
      speed = 1.5
      speed_step = 0.25
      mouse = false
      ascii = true
      max_per_host = 7
      [directories]
      data = "/data"
      cache = "~/cache"
      """)
    #expect(configuration.problems.isEmpty)
    var expected = Preferences()
    expected.refreshOnStart = false
    (expected.seekBack, expected.seekForward, expected.seekBackLong, expected.seekForwardLong) = (5, 15.5, 120, 90)
    (expected.volume, expected.volumeStep, expected.speed, expected.speedStep) = (80, 2, 1.5, 0.25)
    expected.ascii = true
    #expect(configuration.preferences == expected)
    #expect(configuration.theme == "nord" && !configuration.mouse && configuration.maxPerHost == 7)
    #expect(configuration.setNames.isSuperset(of: ["volume", "speed"]) && configuration.refreshEvery == 90)
    #expect(configuration.directories.data == "/data")
    #expect(configuration.directories.downloads == "/data/downloads", "downloads move with the data")
    #expect(configuration.directories.cache == HomePath.directory() + "/cache")
  }

  @Test func refreshIntervalHasAMinimum() throws {
    #expect(read("").refreshEvery == 60)
    #expect(read("refresh_every = 0").refreshEvery == 0)
    #expect(try problem("refresh_every = 2") == "config.toml:1: refresh_every: must be 0 (off), or from 5 to 10080")
  }

  @Test func directoriesAreReadInAnyOrder() {
    for text in ["data = \"/d\"\ndownloads = \"/big\"", "downloads = \"/big\"\ndata = \"/d\""] {
      let directories = read("[directories]\n" + text).directories
      #expect(directories.data == "/d" && directories.downloads == "/big")
    }
  }

  @Test func hooksArePrograms() throws {
    let configuration = read(
      "[hooks]\nfinished = \"~/bin/scrobble 'right now' {title}\"\ndownloaded = [\"copy to\", \"{file}\"]")
    #expect(configuration.problems.isEmpty)
    #expect(
      try configuration.hooks == [
        Hook(.downloaded, ["copy to", "{file}"]),
        Hook(.finished, [HomePath.directory() + "/bin/scrobble", "right now", "{title}"]),
      ])
  }

  @Test(arguments: [
    ("playin = \"x\"", "[hooks] playin: there is no event of this name; did you mean playing?"),
    ("state = \"x\"", "[hooks] state: there is no event of this name"), ("playing = 3", "must be a program, or a list"),
    ("playing = [3]", "must be a program, or a list"), ("playing = []", "must name a program"),
    ("playing = \" \"", "must name a program"), ("playing = [\"x\", \"a{title}\"]", "must be a whole argument"),
  ]) func wrongHookIsReported(line: String, says: String) throws {
    #expect(try problem("[hooks]\n\(line)").contains(says))
    #expect(read("[hooks]\n\(line)\nquit = \"x\"").hooks.count == 1)
  }

  @Test func emptyFileIsTheDefault() {
    let configuration = read("")
    #expect(configuration.problems.isEmpty && configuration.preferences == Preferences())
    #expect(configuration.keymap == Keymap() && configuration.setNames.isEmpty)
  }

  /// Key, value, and the problem that is reported.
  private static let wrong: [(key: String, value: String, says: String)] = [
    ("theme", "3", "must be a text in quotes"), ("refresh_on_start", "\"yes\"", "must be true or false"),
    ("mouse", "1", "must be true or false"), ("ascii", "[]", "must be true or false"),
    ("seek_back", "\"far\"", "must be a number"), ("seek_forward", "0", "must be from 1 to 3600"),
    ("seek_back_long", "3601", "must be from 1 to 3600"), ("seek_forward_long", "-5", "must be from 1 to 3600"),
    ("volume", "151", "must be from 0 to 150"), ("volume_step", "0.5", "must be from 1 to 50"),
    ("speed", "5", "must be from 0.5 to 4"), ("speed_step", "2", "must be from 0.01 to 1"),
    ("speed", "nan", "must be from 0.5 to 4"), ("max_per_host", "0", "must be from 1 to 32"),
    ("directories", "1", "must be a table"), ("keys", "\"j\"", "must be a table"),
    ("sped", "1", "there is no setting of this name; did you mean speed?"),
    ("seek_foward", "1", "there is no setting of this name; did you mean seek_forward?"),
    ("zzzzzz", "1", "there is no setting of this name"),
  ]

  @Test(arguments: wrong) func invalidValueIsReportedAndIgnored(key: String, value: String, says: String) throws {
    let text = "# a remark\n\n\(key) = \(value)\n"
    #expect(try problem(text) == "config.toml:3: \(key): \(says)")
    // The other settings are read, and the wrong value changes nothing.
    let configuration = read(text + "seek_back\t= 33\n".filter { _ in key != "seek_back" })
    var expected = Preferences()
    if key != "seek_back" { expected.seekBack = 33 }
    #expect(configuration.preferences == expected)
  }

  @Test func syntaxErrorReportsItsLine() throws {
    let text = try problem("theme = \"nord\"\nvolume = = 3\n")
    #expect(text.hasPrefix("config.toml:2: is not TOML: "))
  }

  /// TOMLKit aborts at these.
  @Test(arguments: [
    ("[;]", 1), (" [ #x]", 1), ("[[<]]", 1), ("[\n", 1), ("\u{FEFF}[;]", 1), ("\u{A0}[;]", 1), ("\r[;]", 1),
    ("a = '''x''''\n[;]", 2), ("a = \"\\\"\" # \"\n[;]", 2), ("a = [1,\n[2]]\n[;]", 3), ("a = [}", 1),
    ("a = [1, # x\n}", 2), ("a = [\u{2028}", 1), ("\na = [{b = [}", 2), ("a = [é", 1), ("\né = 1", 2), ("a = 1 あ", 1),
    ("a = [\u{FEFF}]", 1), ("a = \"\"\"\\é\"\"\"", 1), ("a = \"\"\"x \\  é\"\"\"", 1), ("a = \"\"\"x\\\n \té\"\"\"", 2),
    ("a = \"\"\"x \\ \r\n\n\\\n é\"\"\"", 4), ("a = \"\"\"\n\\\\\\\né", 3),
  ])
  func tableWithoutANameIsASyntaxError(text: String, line: Int) {
    #expect(TOMLText.firstProblem(in: text)?.line == line)
    #expect(throws: ConfigurationProblem.self) { try TOMLText.table(text, file: "a") }
  }

  @Test(arguments: [
    "[a]", "[ 'a' ]", "[[\"a\"]]", "a = [\n[1],\n[{b = 1}]]", "a = \"\"\"\n[;]\"\"\"", "a = \"[\\\"\\\\\"", "# [;]",
    "a = ''\n[-]", "a = '''\n[;]'''''", "\u{FEFF}a = \"é\" # あ", "\"é\" = 'é'",
    "a = \"\"\"é\\nあ\\\\\né \\\n  x é\"\"\"", "a = '''\\\né'''", "a = \"\"\"é\\\n\"\"\"\nb = \"é\"",
  ])
  func validTextIsParsed(text: String) throws {
    #expect(TOMLText.firstProblem(in: text) == nil)
    _ = try TOMLText.table(text, file: "a")
  }

  @Test func directoriesMustBeKnownAndAbsolute() throws {
    #expect(try problem("[directories]\ndata = \"here\"").contains("data: must begin with / or ~/"))
    #expect(try problem("[directories]\nmusic = \"/m\"").contains("music: there is no directory of this name"))
    #expect(try problem("[directories]\ncache = 3").contains("must be a text in quotes"))
  }

  /// Otherwise a new library would be made in the default place.
  @Test func wrongDirectoryLeavesTheOthersValid() {
    let configuration = read("[directories]\ncache = \"rel\"\ndata = \"/x\"\nmusic = \"/m\"")
    #expect(configuration.directories.data == "/x")
    #expect(configuration.problems.map(\.line) == [2, 4])
  }

  @Test func unreadableFileIsReported() throws {
    let home = try TemporaryHome()
    #expect(Configuration.load(home.directories).problems.isEmpty)
    try Data([0x74, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: home.directories.configFile))
    let problems = Configuration.load(home.directories).problems
    #expect(problems.count == 1 && problems[0].file == home.directories.configFile)
  }

  // MARK: Keys

  @Test func keysAreBoundAndReplaced() throws {
    let keymap = read("[keys]\nrefresh = \"x\"\nquit = [\"Z\", \"<C-q>\"]\nundo = []").keymap
    func command(_ keys: String) throws -> Keymap.Match {
      keymap.match(try #require(KeyNotation.parse(keys)), in: .everywhere)
    }
    #expect(try command("x") == .command(.refresh), "taken from delete")
    #expect(try command("Z") == .command(.quit) && command("<C-q>") == .command(.quit))
    #expect(try command("Q") == .none && command("U") == .none && command("r") == .none)
    #expect(try command("j") == .command(.down), "the others stay")
  }

  @Test func invalidBindingsAreReported() throws {
    #expect(try problem("[keys]\nfly = \"f\"") == "config.toml:2: [keys] fly: there is no command named “fly”")
    #expect(try problem("[keys]\n\nquit = \"<Nokey>\"").hasPrefix("config.toml:3: [keys] quit: “<Nokey>” is not a key"))
    #expect(try problem("[keys]\nquit = 3") == "config.toml:2: [keys] quit: must be a key or a list of keys")
    #expect(try problem("[keys]\nquit = [3]").contains("[keys] quit: must be a text in quotes"))
    let conflict = try problem("[keys]\nquit = \"z\"\nundo = \"z\"")
    #expect(conflict.contains("z is bound to both") && conflict.contains("quit") && conflict.contains("undo"))
  }

  /// The sample of the manual contains the defaults, and its example keys are commands.
  @Test func documentedSampleIsTheDefault() throws {
    let page = try String(contentsOfFile: SourceTree.root + "/docs/CONFIGURATION.md", encoding: .utf8)
    let block = try #require(page.components(separatedBy: "```toml\n").dropFirst().first)
    let sample = try #require(block.components(separatedBy: "```").first)
    #expect(Configuration.changes(by: sample) == [])
    let configuration = read(sample)
    #expect(configuration.mouse && configuration.maxPerHost == 4 && configuration.theme == "earshot-dark")
  }

  /// The order of the settings does not matter.
  @Test(arguments: ["linear = true\nascii = false\ncover_art = true", "ascii = false\ncover_art = true\nlinear = true"])
  func linearSetsItsParts(text: String) {
    let preferences = read(text).preferences
    #expect(preferences.isLinear && preferences.ascii && preferences.reducedMotion && !preferences.coverArt)
  }

  /// A file with a million keys, an endless device and a pipe without a writer are reported immediately.
  @Test func unsuitableFileIsRefused() async throws {
    let home = try TemporaryHome()
    let file = home.directories.configFile
    try home.configure((0..<1_000_000).map { "key\($0) = 1\n" }.joined())
    let large = try await BuiltProgram.run(["list"], in: home)
    #expect(large.status == 78 && large.stderr.contains("\(file): cannot be read: it has more than 256 kB"))
    for target in ["/dev/zero", "/dev/tty", home.path] {
      unlink(file)
      #expect(symlink(target, file) == 0)
      let outcome = try await BuiltProgram.run(["list"], in: home)
      #expect(outcome.status == 78 && outcome.stderr.contains("\(file): cannot be read: "), "\(target)")
    }
    unlink(file)
    #expect(mkfifo(file, 0o600) == 0)
    #expect(try await BuiltProgram.run(["list"], in: home).status == 78)
  }

  /// Each wrong line has a line of its own, in the order of the file.
  @Test(arguments: [["list"], ["doctor"]]) func wrongLinesAreReportedInTheirOrder(arguments: [String]) async throws {
    let home = try TemporaryHome()
    try home.configure("vollume = 80\nspeed = \"fast\"\n[keys]\nstop = \"<Foo>\"\n")
    let outcome = try await BuiltProgram.run(arguments, in: home)
    #expect(outcome.status == 78)
    let lines = outcome.stderr.split(separator: "\n").filter { $0.contains("config.toml:") }
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("earshot: ") }, "\(outcome.stderr)")
    for (line, number) in zip(lines, [1, 2, 4]) { #expect(line.contains("config.toml:\(number): ")) }
  }

  /// The most wrong keys that fit into a file are found in one pass, and only some are reported.
  @Test func manyUnknownKeysAreReported() {
    let text = (0..<15_000).map { "k\($0) = 1\n" }.joined()
    let configuration = read(text)
    #expect(configuration.problems.count == 51)
    #expect(configuration.problems.first?.description == "config.toml:1: k0: there is no setting of this name")
    #expect(configuration.problems.last?.description == "config.toml: 14950 more lines are wrong")
  }
}

extension Configuration {
  /// What a file with this text says.
  init(text: String) {
    self.init(directories: Directories(environment: ["HOME": "/home/x"]))
    read(text, file: "config.toml")
  }

  /// The properties that a file with this text changes, with their values, also if it has problems. What only notes
  /// that the file has a line is left out.
  static func changes(by text: String) -> [String] {
    let standard = Configuration(directories: Directories(environment: ["HOME": HomePath.directory()]))
    var read = standard
    read.read(text, file: "config.toml")
    let pairs = zip(Mirror(reflecting: read).children, Mirror(reflecting: standard).children)
    let changed = pairs.compactMap { new, old -> String? in
      guard let name = new.label, !name.hasPrefix("set"), !["theme", "keymap"].contains(name),
        String(describing: new.value) != String(describing: old.value)
      else { return nil }
      return "\(name): \(new.value)"
    }
    // Its dictionaries have no order, so texts of it cannot be compared.
    return changed + (read.keymap == standard.keymap ? [] : ["keymap"])
  }
}
