import AppCore
import Foundation
import TerminalKit
import Testing

@testable import TUIApp

/// The built-in themes are valid. Invalid themes are reported with the reason.
@Suite(InTurn()) struct ThemeFilesTests {
  private static let shipped = ThemeFiles(directories: [SourceTree.root + "/themes"])

  @Test func severalThemesAreShipped() throws {
    let themes = try Self.shipped.names.map { try Self.shipped.load($0) }
    #expect(themes.count >= 4)
    #expect(Set(themes.map(\.kind)) == [.dark, .light, .contrast, .mono])
    #expect(Self.shipped.names.contains("earshot-dark") && Self.shipped.names == Self.shipped.names.sorted())
  }

  /// Each theme, with its inherited themes, defines every role. No role falls back to the program's default.
  @Test(arguments: shipped.names) func themeSetsEveryRole(name: String) throws {
    let files = Self.shipped
    _ = try files.load(name)
    var roles = Set<String>()
    var next: String? = name
    while let current = next {
      let text = try String(contentsOfFile: "\(files.directories[0])/\(current).toml", encoding: .utf8)
      let table = text.split(separator: "[roles]", maxSplits: 1).last ?? ""
      roles.formUnion(table.matches(of: /(?m)^([a-z-]+) *=/).map { String($0.1) })
      next = text.firstMatch(of: /(?m)^inherits *= *"(.+)"/).map { String($0.1) }
    }
    #expect(roles.isSuperset(of: Role.allCases.map(\.name)))
  }

  /// The selected row differs from the others with any number of colours, and the theme keeps its name.
  @Test(arguments: [ColorDepth.monochrome, .ansi8, .ansi16, .palette256, .trueColor], shipped.names)
  func selectedRowDiffersFromTheOthers(depth: ColorDepth, name: String) throws {
    let theme = try ThemeFiles(directories: Self.shipped.directories, depth: depth).load(name)
    let chosen = ColorMap.pair(of: theme[.selection], depth: depth)
    let isGround = chosen.background != ColorMap.pair(of: theme[.text], depth: depth).background
    #expect(isGround || chosen.attributes.contains(.reverse))
    #expect(theme.name == name)
    if depth >= .palette256 { #expect(try theme == Self.shipped.load(name)) }
  }

  // MARK: The listener's themes

  private func themes(_ files: [String: String]) throws -> (ThemeFiles, TemporaryHome) {
    let home = try TemporaryHome()
    let directory = home.directories.themes
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for (name, text) in files { try text.write(toFile: "\(directory)/\(name).toml", atomically: true, encoding: .utf8) }
    return (ThemeFiles(directories: [directory] + Self.shipped.directories), home)
  }

  @Test func themeNeedsOnlyAPalette() throws {
    let (files, home) = try themes(["mine": "inherits = \"earshot-dark\"\n[palette]\nfg = \"#123456\"\n"])
    let theme = try files.load("mine")
    #expect(theme[.text].foreground == .rgb(0x12, 0x34, 0x56) && theme.kind == .dark)
    #expect(theme[.error] == (try files.load("earshot-dark"))[.error])
    #expect(files.names.contains("mine"))
    withExtendedLifetime(home) {}
  }

  @Test func ownThemeReplacesABuiltInOne() throws {
    let (files, home) = try themes(["nord": "kind = \"light\"\n[roles]\ntext = \"1 on 2 bold\"\n"])
    let theme = try files.load("nord")
    #expect(theme.kind == .light && theme[.text] == Style(.palette(1), on: .palette(2), .bold))
    withExtendedLifetime(home) {}
  }

  /// The text of the file, and the message after the file's path.
  private static let broken: [(text: String, says: String)] = [
    ("[roles]\ntext = \"nocolour\"", ":2: [roles] text: “nocolour” is not a colour"),
    ("[roles]\n\nfancy = \"1\"", ":3: [roles] fancy: there is no such role"),
    ("[palette]\nred = \"reddish\"", ":2: [palette] red: “reddish” is not"),
    ("kind = \"pink\"", ":1: kind: “pink” is not"),
    ("kind =", ":1: is not TOML"),
    ("kind = 1", ":1: kind: must be a text in quotes"),
    ("inherits = 5", ":1: inherits: must be a text in quotes"),
    ("palette = \"red\"", ":1: palette: must be a table"),
    ("[[roles]]\ntext = \"1\"", ":1: roles: must be a table"),
    ("[palette]\nred = true", ":2: [palette] red: must be a text in quotes"),
    ("roles.text = [1]", ":1: [roles] text: must be a text in quotes"),
    ("inherits = \"broken\"", ": inherits: these themes inherit from each other"),
    ("inherits = \"other\"", ": inherits: these themes inherit from each other"),
    ("inherits = \"absent\"", "absent: no such theme"),
    ("inherits = \"../../secret\"", "../../secret: no such theme"),
  ]

  @Test(arguments: broken) func invalidThemeReportsTheLine(text: String, says: String) throws {
    let (files, home) = try themes(["broken": text, "other": "inherits = \"broken\""])
    let error = #expect(throws: ConfigurationProblem.self) { try files.load("broken") }
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    withExtendedLifetime(home) {}
  }
}
