import AppCore
import Foundation
import Model
import Services
import Testing

@testable import TUIApp

/// The manual is made from tables, and must contain all of their rows.
@Suite(InTurn()) struct ManualTests {
  @Test(arguments: ManualPages.all.map(\.name)) func pagesAreValidMdoc(name: String) throws {
    let page = try #require(ManualPages.all.first { $0.name == name })
    let lines = page.mdoc(day: "2026-11-22").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      Array(lines.prefix(4)) == [
        ".Dd November 22, 2026", ".Dt \(name.uppercased()) \(page.section)", ".Os", ".Sh NAME",
      ])
    let macros: Set<Substring> = [
      ".Dd", ".Dt", ".Os", ".Sh", ".Ss", ".Nm", ".Nd", ".Pp", ".Bl", ".It", ".El", ".Bd", ".Ed", ".Xr",
    ]
    var open: [Substring] = []
    for (number, line) in lines.dropLast().enumerated() {
      #expect(!line.isEmpty || open.last == ".Bd", "\(name):\(number + 1): a blank line")
      #expect(line.utf8.count <= 80 || line.hasPrefix(".It"), "\(name):\(number + 1): too long: \(line)")
      #expect(!line.hasPrefix("'"), "\(name):\(number + 1): a control line: \(line)")
      guard line.hasPrefix(".") else {
        let fonts = ["\\fB", "\\fP"].map { line.ranges(of: $0).count }
        #expect(fonts[0] == fonts[1], "\(name):\(number + 1): \(line)")
        continue
      }
      let macro = line.prefix { $0 != " " }
      #expect(macros.contains(macro), "\(name):\(number + 1): \(line)")
      switch macro {
      case ".Bl", ".Bd": open.append(macro)
      case ".El": #expect(open.popLast() == ".Bl")
      case ".Ed": #expect(open.popLast() == ".Bd")
      case ".It": #expect(open.last == ".Bl")
      default: break
      }
    }
    #expect(open.isEmpty)
  }

  @Test func textsWithRoffSyntaxAreEscaped() {
    let page = ManualDocument(
      name: "x", section: 1, summary: "y",
      blocks: [
        .paragraph("'a' .b\\c `d-e` f. Pp is no macro. , alone"),
        .list([(".", "A dot"), ("`word = \"a b\"`", "A term")]),
      ], related: [])
    let text = page.mdoc(day: "")
    #expect(text.contains("\\&'a' \\&.b\\ec \\fBd\\-e\\fP f.\n\\&Pp is no macro.\n\\&, alone\n"))
    #expect(text.contains(".It \\&.\nA dot\n"))
    #expect(text.contains(".It word = \\(dqa b\\(dq\nA term\n"), "quotation marks would group the words")
  }

  @Test func manualHasEveryKeyAndVerb() {
    let text = ManualPages.program.mdoc(day: "")
    for command in Command.table { #expect(text.contains(command.name.description.replacing("-", with: "\\-"))) }
    for verb in EarshotCommand.configuration.subcommands where verb.configuration.shouldDisplay {
      let name = "earshot \(verb.configuration.commandName ?? "?")"
      #expect(text.contains(name))
      for part in verb.configuration.subcommands {
        #expect(text.contains("\(name) \(part.configuration.commandName ?? "?")"))
      }
    }
  }

  @Test func manualHasEveryFilterWord() {
    let text = ManualPages.filters.text(columns: 80)
    let words =
      FilterFlag.allCases.map(\.rawValue) + FilterField.allCases.map(\.rawValue)
      + FilterFeature.allCases.map(\.rawValue)
      + EpisodeFilter.Order.allCases.map(\.rawValue)
    for word in words { #expect(text.contains(word), "\(word)") }
  }

  /// The sample of docs/CONFIGURATION.md contains every setting with its default.
  @Test func configurationDocumentHasEverySetting() throws {
    let text = try String(contentsOfFile: SourceTree.root + "/docs/CONFIGURATION.md", encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.trimmingPrefix("# ") }
    let rows =
      Configuration.settings.map { ($0.name, $0.standard) }
      + DownloadPreferences.settings.map { ($0.name, $0.standard) }
      + SyncPreferences.settings.map { ($0.name, $0.standard) }
      + TranscribingPreferences.settings.map { ($0.name, $0.standard) }
      + SitePreferences.settings.map { ($0.name, $0.standard) }
      + VideoPreferences.settings.map { ($0.name, $0.standard) }
    for (name, standard) in rows {
      let line = lines.first { $0.hasPrefix("\(name) =") }
      #expect(line != nil, "docs/CONFIGURATION.md does not name \(name)")
      guard let line, let standard else { continue }
      let value = line.dropFirst(name.count + 2).split(separator: " #")[0].trimmingCharacters(in: .whitespaces)
      #expect(value == standard, "docs/CONFIGURATION.md gives \(name) another value")
    }
    for row in DiscoverPreferences.settings { #expect(text.contains(row.name), "\(row.name)") }
    for row in Configuration.directoryRows { #expect(lines.contains { $0.hasPrefix("\(row.name) =") }) }
  }

  /// The defaults in the manuals are allowed values, and are what holds without a file.
  @Test func documentedDefaultsAreTheDefaults() {
    func defaults<Target>(_ settings: [SettingRow<Target>]) -> [String] {
      settings.compactMap { row in row.standard.map { "\(row.name) = \($0)" } }
    }
    var lines = defaults(Configuration.settings)
    lines += ["[downloads]"] + defaults(DownloadPreferences.settings)
    lines += ["[sync]"] + defaults(SyncPreferences.settings)
    lines += ["[discover]"] + defaults(DiscoverPreferences.settings)
    lines += ["[transcribe]"] + defaults(TranscribingPreferences.settings)
    lines += ["[sites]"] + defaults(SitePreferences.settings)
    lines += ["[video]"] + defaults(VideoPreferences.settings)
    // A default stands in the table and in the property.
    #expect(Configuration.changes(by: lines.joined(separator: "\n")) == [])
  }

  @Test func helpHasTopicsAndVerbs() async throws {
    let home = try TemporaryHome()
    func help(_ words: String...) async throws -> BuiltProgram.Outcome {
      try await BuiltProgram.run(["help"] + words, in: home)
    }
    let all = try await help()
    for topic in HelpTopic.allCases {
      #expect(all.text.contains("  \(topic.rawValue)  "))
      let one = try await help(topic.rawValue)
      #expect(one.status == 0 && one.lines.count > 3)
      #expect(one.lines.allSatisfy { $0.count <= 80 || !$0.contains(" ") || $0.hasPrefix("  ") }, "\(topic)")
    }
    #expect(try await help("refresh").text.contains("--due"))
    #expect(try await help("queue", "add").text.contains("earshot queue add"))
    #expect(try await help("nothing").status == 64)
    #expect(try await help("keys", "--json").object()["topic"] as? String == "keys")
  }
}
