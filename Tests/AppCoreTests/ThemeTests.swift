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
  ]) func aRoleInWords(text: String, style: Style) throws {
    #expect(try Self.style(text) == style)
  }

  @Test(arguments: [
    ("pink", "pink"), ("ink on", "on"), ("ink on bold-ish", "bold-ish"), ("256", "256"), ("-1", "-1"),
    ("#12345", "#12345"), ("#+12345", "#+12345"), ("#12345g", "#12345g"), ("BOLD", "BOLD"),
  ]) func aWrongWordIsNamedWithItsRole(text: String, word: String) {
    #expect(throws: Theme.ThemeError.badStyle(role: "title", word: word)) { try Self.style(text) }
    #expect(Theme.ThemeError.badStyle(role: "title", word: word).description.contains("title: “\(word)”"))
  }

  @Test func wrongTablesAreNamed() {
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

  @Test func whatATableDoesNotSayIsTheBases() throws {
    let base = try Theme(name: "b", kind: "light", palette: [:], roles: ["link": "4", "title": "5"], base: nil)
    let heir = try Theme(name: "h", kind: nil, palette: [:], roles: ["title": "6"], base: base)
    #expect(heir.kind == .light)
    #expect(heir[.link] == Style(.palette(4)))
    #expect(heir[.title] == Style(.palette(6)))
    #expect(heir[.error] == Theme.fallback[.error])
    #expect(try Theme(name: "h", kind: "mono", palette: [:], roles: [:], base: base).kind == .mono)
  }

  @Test func aThemeArrivesOnTheScreen() throws {
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

  @Test func noThemesAndUnknownThemesAreSaid() {
    var driver = Driver()
    driver.type(":theme dusk<Enter>")
    #expect(driver.state.message?.text == "There is no theme named “dusk”; there are dark, light")
    driver.state.themes = []
    driver.type("T")
    #expect(driver.state.message?.text == "No other themes were found")
  }
}
