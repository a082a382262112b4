import ArgumentParser
import Downloads
import Foundation
import Model
import Services
import Store
import TerminalKit

/// `earshot rule`: what Earshot does by itself with episodes that a filter finds.
struct RuleVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule", abstract: "Show, make, change and run rules.",
    discussion: """
      A rule acts on each episode that a refresh brings and that its filter finds. Rules are applied in their order. The \
      actions are queue, queue-next, download, played, deleted, “tag NAME”, “playlist TITLE”, notify, transcribe, and keep, after \
      which no later rule touches the episode. Rules whose filters compare age, heard or left run daily, too.

        earshot rule add 'podcast:"Daily" and duration > 5m' --do queue --name Daily
        earshot rule add 'age > 3w' --do played
        earshot rule preview Daily

      A rule is identified by its name, or by # and its number in the list. Run `earshot undo` to undo what rules \
      did, and changes of rules. Run “earshot help filters” to read about filters.
      """,
    subcommands: [List.self, Add.self, Edit.self, Remove.self, Move.self, Preview.self, Run.self],
    defaultSubcommand: List.self)

  struct List: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the rules, and the settings that act by themselves.")
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let playlists = try context.library.playlists()
      let rules = try context.library.rules().enumerated().map { RuleJSON($1, place: $0 + 1, playlists: playlists) }
      let settings = try settings(context)
      if output.json { return try Report.json(["rules": rules, "settings": settings] as JSONObject) }
      for rule in rules { Report.line(rule.line) }
      if rules.isEmpty {
        Report.message("there are no rules. Run “earshot rule add FILTER --do ACTION” to add one.")
      }
      for setting in settings { Report.line(" set  \(setting.line)") }
    }

    private func settings(_ context: VerbContext) throws -> [AutomaticSetting] {
      let own = try context.library.podcastSettings()
      let podcasts = try context.library.podcasts().compactMap { row in own[row.id].map { (row.title, $0) } }
      let configuration = context.configuration
      return AutomaticSetting.all(
        general: configuration.podcastRules, deletesPlayed: configuration.downloads.options.cleanUp.deletesPlayed,
        own: podcasts)
    }
  }

  struct Add: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Make a rule.")
    @Argument(help: "The filter for its episodes.", completion: VerbCompletion.filter) var filter: String
    @Option(name: .customLong("do"), help: "The action, such as queue or “tag news”.", completion: RuleVerb.actions)
    var action: String
    @Option(help: "The name; by default the filter.") var name: String?
    @Flag(help: "Make it without turning it on.") var off = false
    @OptionGroup var application: Application
    @OptionGroup var output: JSONOption

    func validate() throws {
      _ = try VerbContext.filter(filter)
      _ = try RuleVerb.action(action)
    }

    func perform(_ context: VerbContext) throws {
      let filter = try VerbContext.filter(filter)
      let action = try RuleVerb.action(action)
      try RuleVerb.check(action, context)
      let text = filter.description
      let id = try context.library.addRule(
        name: name ?? Rule.standardName(self.filter), filter: text, action: action, isOn: !off, now: Date())
      try application.answer(id, context, output)
    }
  }

  struct Edit: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Change a rule, or turn it on or off.")
    @Argument(help: "Its name, or # and its number.", completion: VerbCompletion.rule) var rule: String
    @Option(help: "The filter.", completion: VerbCompletion.filter) var filter: String?
    @Option(name: .customLong("do"), help: "The action.", completion: RuleVerb.actions) var action: String?
    @Option(help: "The name.") var name: String?
    @Flag(help: "Turn it on.") var on = false
    @Flag(help: "Turn it off.") var off = false
    @OptionGroup var application: Application
    @OptionGroup var output: JSONOption

    func validate() throws {
      if on, off { throw ValidationError("A rule is on or off.") }
      guard filter != nil || action != nil || name != nil || on || off else {
        throw ValidationError("Say what to change: --filter, --do, --name, --on or --off.")
      }
      _ = try filter.map(VerbContext.filter)
      _ = try action.map(RuleVerb.action)
    }

    func perform(_ context: VerbContext) throws {
      let filter = try self.filter.map(VerbContext.filter)
      let action = try self.action.map(RuleVerb.action)
      let rule = try context.rule(rule)
      if let action { try RuleVerb.check(action, context) }
      try context.library.changeRule(rule.id, now: Date()) {
        $0.filter = filter?.description ?? $0.filter
        $0.action = action ?? $0.action
        $0.name = name ?? $0.name
        if on || off { $0.isOn = on }
      }
      try application.answer(rule.id, context, output, asks: filter != nil || action != nil || on)
    }
  }

  struct Remove: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Delete a rule. What it did stays.")
    @Argument(help: "Its name, or # and its number.", completion: VerbCompletion.rule) var rule: String
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let rule = try context.rule(rule)
      let json = try RuleJSON(rule.id, context)
      try context.library.removeRule(rule.id, now: Date())
      if output.json { return try Report.json(json) }
      Report.line("Deleted the rule “\(rule.name)”. Run “earshot undo” to undo.")
    }
  }

  struct Move: LibraryVerb {
    static let configuration = CommandConfiguration(commandName: "move", abstract: "Move a rule to another place.")
    @Argument(help: "Its name, or # and its number.", completion: VerbCompletion.rule) var rule: String
    @Argument(help: "The new number in the list; 1 is the first.") var number: Int
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard number >= 1 else { throw ValidationError("The first number is 1.") }
    }

    func perform(_ context: VerbContext) throws {
      let rule = try context.rule(rule)
      try context.library.moveRule(rule.id, to: number - 1, now: Date())
      let json = try RuleJSON(rule.id, context)
      if output.json { try Report.json(json) } else { Report.line(json.line) }
    }
  }

  struct Preview: Verb {
    static let configuration = CommandConfiguration(
      commandName: "preview", abstract: "List the episodes that a rule would act on now.")
    @Argument(help: "Its name, # and its number, or a filter with --do.", completion: VerbCompletion.rule)
    var rule: String
    @Option(name: .customLong("do"), help: "The action of a rule that is not made yet.", completion: RuleVerb.actions)
    var action: String?
    @OptionGroup var output: JSONOption

    func perform() throws {
      let action = try self.action.map(RuleVerb.action)
      let filter = try action.map { _ in try VerbContext.filter(rule) }
      let context = try VerbContext()
      let previewed: Rule =
        if let action, let filter {
          Rule(id: RuleID(0), name: "", filter: filter.description, action: action)
        } else {
          try context.rule(rule)
        }
      let preview = try context.library.preview(previewed, now: Date())
      if output.json {
        let episodes = try preview.episodes.compactMap { try context.library.episode($0).map { EpisodeJSON($0) } }
        return try Report.json(["preview": preview.json, "episodes": episodes] as JSONObject)
      }
      for row in try context.library.episodeRows(preview.episodes) { Report.line(EpisodeLine.text(row)) }
      Report.message(preview.text)
    }
  }

  struct Run: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: "Apply the rules that are on, or one rule, to the whole library.")
    @Argument(help: "Its name, or # and its number.", completion: VerbCompletion.rule) var rule: String?
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let report = try context.library.runRules(try rule.map { try context.rule($0).id }, now: Date())
      if output.json { return try Report.json(report) }
      report.lines.forEach(Report.line)
      if report.isEmpty { Report.message("nothing to do") }
    }
  }

  /// Whether a new rule is applied to the episodes that it matches now.
  struct Application: ParsableArguments {
    @Flag(
      inversion: .prefixedNo,
      help: "Apply it to the episodes that it matches now, or not, without being asked.")
    var apply: Bool?

    /// Shows the rule and what it matches now, and applies it if the listener wants that.
    func answer(_ id: RuleID, _ context: VerbContext, _ output: JSONOption, asks: Bool = true) throws {
      let library = context.library
      let json = try RuleJSON(id, context)
      guard let rule = try library.rules().first(where: { $0.id == id }) else {
        throw StoreError.unknown("rule \(id)")
      }
      let preview = try library.preview(rule, now: Date())
      if !output.json {
        Report.line(json.line)
        Report.message(preview.text)
      }
      let isWanted = apply ?? (asks && !output.json && !preview.episodes.isEmpty && asked())
      // Episodes that arrive during the question are not among them.
      let episodes = apply == nil ? preview.episodes : nil
      let report = isWanted ? try library.runRules(id, among: episodes, now: Date()) : nil
      if output.json {
        return try Report.json(["rule": json, "preview": preview.json, "run": report] as JSONObject)
      }
      report?.lines.forEach(Report.line)
    }

    private func asked() -> Bool {
      if let answer = Report.confirms("Apply it to them?") { return answer }
      Report.message("nothing was applied. Run “earshot rule run” to apply it.")
      return false
    }
  }

  static let actions = CompletionKind.list(RuleAction.words)

  static func action(_ text: String) throws -> RuleAction {
    if let action = RuleAction(text) { return action }
    throw ValidationError(
      "“\(text)” is no action: \(RuleAction.words.joined(separator: ", ")). tag and playlist want a name, as in “tag news”."
    )
  }

  /// A new rule needs a playlist that exists.
  static func check(_ action: RuleAction, _ context: VerbContext) throws {
    guard case .playlist(let title) = action else { return }
    let playlist = try context.library.playlists().first { Playlist.isSameTitle($0.title, title) }
    guard let playlist, !playlist.isSmart else {
      throw StoreError.invalid(
        playlist == nil
          ? "There is no playlist “\(title)”. Run “earshot playlist create” to create it."
          : "“\(title)” is a smart playlist: a rule cannot add to it.")
    }
  }
}

/// A rule as JSON.
struct RuleJSON: Encodable {
  /// From 1.
  var place: Int
  var name: String
  var filter: String
  var action: RuleAction
  var isOn: Bool
  /// Why it does nothing.
  var problem: String?

  init(_ rule: Rule, place: Int, playlists: [Playlist]) {
    (self.place, name, filter, action, isOn) = (place, rule.name, rule.filter, rule.action, rule.isOn)
    if case .playlist(let title) = rule.action, !playlists.contains(where: { Playlist.isSameTitle($0.title, title) }) {
      problem = "there is no playlist “\(title)”"
    }
  }

  init(_ id: RuleID, _ context: VerbContext) throws {
    let rules = try context.library.rules()
    guard let index = rules.firstIndex(where: { $0.id == id }) else { throw StoreError.unknown("rule \(id)") }
    self.init(rules[index], place: index + 1, playlists: try context.library.playlists())
  }

  /// Such as `  1  on   Daily: queue  podcast ~ "Daily"`.
  var line: String {
    "\(String(place).leftPadded(3))  \(isOn ? "on " : "off")  \(name): \(action.text)  \(filter)\(problem.map { "  (\($0))" } ?? "")"
  }
}

extension RulePreview {
  /// With the number of episodes that the rule would act on now.
  fileprivate var json: JSONObject {
    ["now": episodes.count, "recent": recent, "backCatalogue": backCatalogue, "episodes": episodes]
  }
}

extension VerbContext {
  /// Finds a rule by its name, or by # and its number.
  func rule(_ text: String) throws -> Rule {
    let rules = try library.rules()
    if let rule = rules.first(where: { TextFolding.fold($0.name) == TextFolding.fold(text) }) { return rule }
    if text.hasPrefix("#"), let number = Int(text.dropFirst()), rules.indices.contains(number - 1) {
      return rules[number - 1]
    }
    throw StoreError.unknown("rule \(text)")
  }
}

extension VerbCompletion {
  static let rule = CompletionKind.custom { _, _, _ in answers { try $0.rules().map(\.name) } }
}
