import AppCore
import Foundation
import TerminalKit
import Testing

@testable import TUIApp

/// The built-in themes are valid and readable. Invalid themes are reported with the reason.
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
    #expect(roles.isSuperset(of: Role.allCases.map(\.rawValue)))
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

  /// The roles of text, and the roles of their backgrounds.
  private static let text: [(roles: [Role], grounds: [Role])] = [
    (
      [.text, .dim, .title, .accent, .new, .progress, .played, .downloaded, .queued, .gone],
      [.text, .selection, .selectionUnfocused]
    ),
    ([.link, .heading, .code, .quote, .header, .error, .warning, .success], [.text]),
    ([.status, .error, .warning, .success, .progress, .key], [.status]),
    ([.player, .playerTitle, .dim, .accent, .progress, .warning], [.player]),
    ([.overlay, .overlayTitle, .key, .dim], [.overlay]), ([.input], [.input]), ([.match], [.match]),
    ([.selection], [.selection]), ([.selectionUnfocused], [.selectionUnfocused]),
  ]

  /// WCAG 2.1 §1.4.3: 4.5 for text, and 7 (§1.4.6) in a theme of kind "contrast". Colours that the terminal defines
  /// cannot be measured.
  @Test(arguments: shipped.names) func textStandsOutFromItsBackground(name: String) throws {
    let theme = try Self.shipped.load(name)
    let least = theme.kind == .contrast ? 7.0 : 4.5
    for (roles, grounds) in Self.text {
      for role in roles {
        for ground in grounds {
          let style = theme[role].over(theme[ground]).over(theme[.text])
          guard let ratio = Contrast.ratio(style.foreground, style.background) else { continue }
          #expect(ratio >= least, "\(role.rawValue) on \(ground.rawValue): \(ratio)")
        }
      }
    }
  }

  @Test func contrastFollowsWCAG() throws {
    // The examples of WCAG's own definition and of webaim.org: black on white is 21, #777 on white 4.48.
    #expect(Contrast.ratio(.rgb(0, 0, 0), .rgb(255, 255, 255)) == 21)
    let grey = try #require(Contrast.ratio(.rgb(0x77, 0x77, 0x77), .rgb(255, 255, 255)))
    #expect(abs(grey - 4.48) < 0.005)
    #expect(Contrast.ratio(.standard, .rgb(0, 0, 0)) == nil)
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
    ("inherits = \"broken\"", ": inherits: these themes inherit from each other"),
    ("inherits = \"other\"", ": inherits: these themes inherit from each other"),
    ("inherits = \"absent\"", "absent: no such theme"),
    ("inherits = \"../../secret\"", "../../secret: no such theme"),
  ]

  @Test(arguments: broken) func invalidThemeReportsTheLine(text: String, says: String) throws {
    let (files, home) = try themes(["broken": text, "other": "inherits = \"broken\""])
    do throws(ConfigurationProblem) {
      _ = try files.load("broken")
      Issue.record("it was read")
    } catch {
      #expect(error.description.contains(says), "\(error.description)")
    }
    withExtendedLifetime(home) {}
  }
}

/// The contrast of two colours.
private enum Contrast {
  /// (L1 + 0.05) / (L2 + 0.05) as WCAG 2.1 defines it; nil for a colour that the terminal chooses.
  static func ratio(_ first: Color, _ second: Color) -> Double? {
    guard let first = luminance(first), let second = luminance(second) else { return nil }
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  private static func luminance(_ color: Color) -> Double? {
    guard case .rgb(let red, let green, let blue) = color else { return nil }
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
