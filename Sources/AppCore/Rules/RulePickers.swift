import Model
import TerminalKit

/// The list of rules, and of the settings that act by themselves.
public struct RulePicker: PickerPurpose {
  /// Only rules that may touch its episodes are listed.
  var podcast: PodcastName?
  /// How many rules there are.
  var count: Int

  public enum Choice: Equatable, Sendable {
    case rule(Rule)
    case new
    case setting(AutomaticSetting)
  }

  public var title: String { podcast.map { "Rules for “\(Sanitize.line($0.title))”" } ?? "Rules" }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .rule(let rule):
      Sanitize.line("\(rule.isOn ? "on " : "off")  \(rule.name): \(rule.action.text)  \(rule.filter)")
    case .new: "New rule…"
    case .setting(let setting): Sanitize.line("setting  \(setting.line)")
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .rule(let rule): return state.open(Picker(RuleMenu(rule: rule), RuleMenu.Choice.allCases))
    case .new: return state.open(Prompt(RuleFilterPrompt(draft: RuleDraft()), start))
    case .setting(let setting):
      return state.tell(
        .info,
        setting.podcast == nil
          ? "\(setting.name) is set in config.toml. Run “earshot help configuration” to read about it."
          : "\(setting.name) is a setting of the podcast. \(state.keymap.press(.show)) on it to change it.")
    }
  }

  /// The beginning of the filter of a new rule.
  private var start: String { podcast.map { "podcast = \(EpisodeFilter.Condition.quoted($0.title)) and " } ?? "" }

  public func handle(_ name: CommandName, _ choice: Choice, _ state: inout State) -> OverlayOutcome? {
    name == .add ? .close(choose(.new, &state)) : nil
  }

  public func remove(_ choice: Choice, _ state: inout State) -> [Effect]? {
    if case .rule(let rule) = choice { RuleMenu(rule: rule).choose(.delete, &state) } else { nil }
  }

  public var hints: [(CommandName, String)] {
    [(.open, "change"), (.add, "new"), (.delete, "delete"), (.back, "close")]
  }
}

/// What can be done with a rule.
public struct RuleMenu: PickerPurpose {
  let rule: Rule

  public enum Choice: CaseIterable, Equatable, Sendable {
    case preview, run, toggle, filter, action, name, up, down, delete
  }

  public var title: String { "Rule “\(Sanitize.line(rule.name))”" }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .preview: "Show the episodes that it would act on now"
    case .run: "Apply it to these episodes"
    case .toggle: rule.isOn ? "Turn it off" : "Turn it on"
    case .filter: Sanitize.line("Change the filter: \(rule.filter)")
    case .action: Sanitize.line("Change the action: \(rule.action.text)")
    case .name: "Change the name"
    case .up: "Move it up"
    case .down: "Move it down"
    case .delete: "Delete it"
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    let draft = RuleDraft(rule)
    switch choice {
    case .preview: return [state.ask(RulePreviewQuestion(rule: rule, now: state.now))]
    case .run: return state.write(.run(rule.id), "Applied the rule")
    case .toggle:
      return state.write(.update(rule.id, .isOn(!rule.isOn)), rule.isOn ? "Turned the rule off" : "Turned the rule on")
    case .filter: return state.open(Prompt(RuleFilterPrompt(draft: draft), rule.filter))
    case .action: return state.openRuleActions(draft)
    case .name: return state.open(Prompt(RuleNamePrompt(draft: draft), offered: rule.name))
    case .up, .down: return [state.ask(RuleMoveQuestion(rule: rule, step: choice == .up ? -1 : 1))]
    case .delete: return state.write(.remove(rule.id), "Deleted the rule")
    }
  }
}

extension State {
  /// Changes rules. `text` is what was done.
  mutating func write(_ change: RuleChange, _ text: String) -> [Effect] { write(.rules(change), text) }

  /// Changes one thing of a rule.
  /// - Parameter rule: as the listener has seen it. What has not been changed is not written.
  mutating func change(_ rule: Rule, _ change: Rule.Change) -> [Effect] {
    var changed = rule
    change.apply(to: &changed)
    return changed == rule ? [] : write(.update(rule.id, change), "Changed the rule")
  }

  mutating func openRuleActions(_ draft: RuleDraft) -> [Effect] {
    let words = RuleAction.words
    let chosen = draft.action.map { String($0.text.prefix { $0 != " " }) }
    return open(Picker(RuleActionPicker(draft: draft), words, selected: words.firstIndex { $0 == chosen } ?? 0))
  }
}

/// Moves a rule by its index in the whole list.
struct RuleMoveQuestion: LibraryQuestion {
  var rule: Rule
  var step: Int

  func read(_ library: any LibraryReader) throws -> [RuleID]? { try library.rules().map(\.id) }

  func receive(_ rules: [RuleID], _ state: inout State) -> [Effect] {
    guard let index = rules.firstIndex(of: rule.id), rules.indices.contains(index + step) else {
      return state.tell(.info, "“\(rule.name)” is the \(step < 0 ? "first" : "last") rule already")
    }
    return state.write(.move(rule.id, to: index + step), "Moved the rule")
  }
}

/// The actions of rules.
struct RuleActionPicker: PickerPurpose {
  let draft: RuleDraft
  var title: String { "What the rule does" }

  func text(_ word: String, _ state: State) -> String {
    switch word {
    case "queue": "queue       adds the episode to the end of the queue"
    case "queue-next": "queue-next  adds it behind the episode that plays"
    case "download": "download    downloads it"
    case "played": "played      marks it as played"
    case "deleted": "deleted     hides it, unless you have begun or collected it"
    case "tag": "tag         gives it a tag"
    case "playlist": "playlist    adds it to a playlist"
    case "notify": "notify      shows a desktop notification"
    case "transcribe": "transcribe  makes a transcript of it, if a program for that is configured"
    default: "keep        protects it from the rules below"
    }
  }

  func choose(_ word: String, _ state: inout State) -> [Effect] {
    switch word {
    case "tag": return state.open(Prompt(RuleTagPrompt(draft: draft)))
    case "playlist": return [state.ask(RulePlaylistsQuestion(draft: draft))]
    default:
      guard let action = RuleAction(word) else { return [] }
      return draft.finish(action, &state)
    }
  }
}

/// Reads the playlists that a rule can add to.
struct RulePlaylistsQuestion: LibraryQuestion {
  var draft: RuleDraft

  func read(_ library: any LibraryReader) throws -> [Playlist]? {
    try library.playlistRows().filter { !$0.isSmart }
  }

  func receive(_ rows: [Playlist], _ state: inout State) -> [Effect] {
    state.open(Picker(RulePlaylistPicker(draft: draft), rows.map(\.title)))
  }
}

struct RulePlaylistPicker: PickerPurpose {
  let draft: RuleDraft
  var title: String { "Playlist of the rule" }
  func text(_ title: String, _ state: State) -> String { Sanitize.line(title) }
  func choose(_ title: String, _ state: inout State) -> [Effect] { draft.finish(.playlist(title), &state) }
}

/// The episodes that a rule would act on now.
struct RulePreviewPicker: PickerPurpose {
  let rule: Rule
  let preview: RulePreview
  var title: String { "“\(Sanitize.line(rule.name))”: \(preview.text)" }
  func text(_ row: EpisodeRow, _ state: State) -> String { Sanitize.line("\(row.podcastTitle): \(row.title)") }

  func choose(_ row: EpisodeRow, _ state: inout State) -> [Effect] {
    state.open(Picker(RuleMenu(rule: rule), RuleMenu.Choice.allCases))
  }

  var hints: [(CommandName, String)] { [(.open, "the rule"), (.back, "close")] }
}

/// Episodes that rules have deleted. Choosing one puts it back.
struct HiddenPicker: PickerPurpose {
  let title = "Hidden by rules"
  func text(_ row: EpisodeRow, _ state: State) -> String { Sanitize.line("\(row.podcastTitle): \(row.title)") }

  func choose(_ row: EpisodeRow, _ state: inout State) -> [Effect] {
    state.showMessage(.success, "“\(Sanitize.line(row.title))” is back. No rule deletes it again.")
    return [.write(.setStatus([row.id], .new))]
  }

  var hints: [(CommandName, String)] { [(.open, "put back"), (.back, "close")] }
}
