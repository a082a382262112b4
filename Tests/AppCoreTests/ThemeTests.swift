import Foundation
import TerminalKit
import Testing

@testable import AppCore

@Suite struct ThemeTests {
  static func style(_ text: String) throws -> Style {
    try Theme(
      name: "t", kind: nil, palette: ["ink": "#102030", "paper": "255"], roles: ["title": text], base: nil)[.title]
  }

  @Test(arguments: [
    ("ink", Style(.rgb(0x10, 0x20, 0x30))), ("ink on paper", Style(.rgb(0x10, 0x20, 0x30), on: .palette(255))),
    ("on paper", Style(.standard, on: .palette(255))), ("bold", Style(.standard, on: .standard, .bold)),
    ("#FFffff on #000000 italic underline", Style(.rgb(255, 255, 255), on: .rgb(0, 0, 0), [.italic, .underline])),
    ("bold 7 on default dim reverse", Style(.palette(7), on: .standard, [.bold, .dim, .reverse])),
    ("  ink   bold ", Style(.rgb(0x10, 0x20, 0x30), on: .standard, .bold)), ("", .plain), ("default", .plain),
  ]) func styleIsParsedFromWords(text: String, style: Style) throws {
    #expect(try Self.style(text) == style)
  }

  @Test(arguments: [
    ("pink", "pink"), ("ink on", "on"), ("ink on bold-ish", "bold-ish"), ("256", "256"), ("-1", "-1"),
    ("#12345", "#12345"), ("#+12345", "#+12345"), ("#12345g", "#12345g"), ("BOLD", "BOLD"),
  ]) func invalidStyleIsReportedWithItsRole(text: String, word: String) {
    #expect(throws: Theme.ThemeError.badStyle(role: "title", word: word)) { try Self.style(text) }
    #expect(Theme.ThemeError.badStyle(role: "title", word: word).description.contains("title: “\(word)”"))
  }

  @Test func invalidTablesAreReported() {
    #expect(throws: Theme.ThemeError.unknownRole("titel")) {
      try Theme(name: "t", kind: nil, palette: [:], roles: ["titel": "bold"], base: nil)
    }
    #expect(throws: Theme.ThemeError.badColor(name: "ink", value: "blueish")) {
      try Theme(name: "t", kind: nil, palette: ["ink": "blueish"], roles: [:], base: nil)
    }
    #expect(throws: Theme.ThemeError.badKind("dusk")) {
      try Theme(name: "t", kind: "dusk", palette: [:], roles: [:], base: nil)
    }
    for error in [Theme.ThemeError.unknownRole("titel"), .badColor(name: "ink", value: "blueish"), .badKind("dusk")] {
      let text = error.description
      #expect(text.contains("titel") || text.contains("ink: “blueish”") || text.contains("“dusk”"))
    }
  }

  @Test func missingStylesAreInherited() throws {
    let base = try Theme(name: "b", kind: "light", palette: [:], roles: ["link": "4", "title": "5"], base: nil)
    let heir = try Theme(name: "h", kind: nil, palette: [:], roles: ["title": "6"], base: base)
    #expect(heir.kind == .light)
    #expect(heir[.link] == Style(.palette(4)))
    #expect(heir[.title] == Style(.palette(6)))
    #expect(heir[.error] == Theme.fallback[.error])
    #expect(try Theme(name: "h", kind: "mono", palette: [:], roles: [:], base: base).kind == .mono)
  }

  @Test func themeIsAppliedToTheScreen() throws {
    var driver = Driver()
    let theme = try Theme(name: "dark", kind: nil, palette: [:], roles: ["text": "1 on 2"], base: nil)
    driver.type(":theme dark<Enter>")
    #expect(driver.takeEffects() == [.loadTheme("dark"), .saveSetting(.theme, "dark")])
    driver.send(.theme(theme))
    #expect(driver.state.theme.name == "dark")
    #expect(render(driver.state).cells.contains { $0.style.background == .palette(2) })
    driver.type("T")
    #expect(driver.takeEffects() == [.loadTheme("light"), .saveSetting(.theme, "light")])
  }

  /// A terminal with eight colours may have a black or a white background. Text must be readable on both (WCAG requires
  /// 3 for large text; with xterm's colours).
  @Test(arguments: Role.allCases, [true, false])
  func ansiColoursAreReadableOnBlackAndOnWhite(role: Role, isBlack: Bool) {
    let page: ColorMap.RGB = isBlack ? (0, 0, 0) : (255, 255, 255)
    let style = Theme.fallback[role]
    let pair = ColorMap.pair(of: style, depth: .ansi8)
    let colors: [ColorMap.RGB] = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    ]
    let ink: ColorMap.RGB = isBlack ? (229, 229, 229) : (0, 0, 0)
    let foreground = pair.foreground < 0 ? ink : colors[pair.foreground]
    let background = pair.background < 0 ? page : colors[pair.background]
    #expect(Self.contrast(foreground, background) >= 3)
  }

  /// Shapes that only decorate are left out, as in `scripts/theme-contrast`.
  @Test(arguments: Role.allCases.filter { ![.border, .barBuffered, .barEmpty].contains($0) })
  func eightColoursAreReadable(role: Role) {
    let colors: [ColorMap.RGB] = [
      (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    ]
    let pair = ColorMap.pair(of: Theme.eightColors[role], depth: .ansi8)
    #expect(pair.foreground >= 0 && pair.background >= 0, "its own background")
    // Red and magenta are as dark as these terminals show them.
    let least = role == .error ? 3 : role == .queued ? 4.4 : 4.5
    #expect(Self.contrast(colors[pair.foreground], colors[pair.background]) >= least)
  }

  @Test func eightColoursHaveMeanings() {
    let roles: [Role] = [.new, .progress, .queued, .error, .accent]
    #expect(Set(roles.map { Theme.eightColors[$0].foreground }).count == roles.count)
  }

  private static func contrast(_ first: ColorMap.RGB, _ second: ColorMap.RGB) -> Double {
    func luminance(_ color: ColorMap.RGB) -> Double {
      func linear(_ part: Int) -> Double {
        let part = Double(part) / 255
        return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    let (one, other) = (luminance(first), luminance(second))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  @Test func missingAndUnknownThemesAreReported() {
    var driver = Driver()
    #expect(driver.message(after: ":theme dusk<Enter>") == "There is no theme named “dusk”; there are dark, light")
    driver.state.themes = []
    #expect(driver.message(after: "T") == "No other themes were found")
  }
}
