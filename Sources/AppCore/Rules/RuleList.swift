import Foundation
import Model

/// `:rules`: the listener's rules, and the settings that act by themselves.
extension State {
  /// The start of the time whose hidden episodes are shown: two weeks ago, in whole hours, so that equal questions
  /// are equal.
  var hiddenSince: Date {
    Date(timeIntervalSince1970: (now.timeIntervalSince1970 / 3600).rounded(.down) * 3600 - 14 * 86_400)
  }

  /// Shows the list of rules again after a change, and asks whether to apply the changed one.
  mutating func receiveRules(selected: RuleID?, _ preview: RulePreview?) -> [Effect] {
    [ask(RulesQuestion(podcast: podcastOfRules, selected: selected, preview: preview))] + invalidate()
  }

  /// Opens the list of rules.
  fileprivate mutating func openRules(
    _ rules: [Rule], of podcast: PodcastName?, own: [PodcastID: PodcastSettings], selected: RuleID?
  ) -> [Effect] {
    podcastOfRules = podcast
    // A change was made in the list below a menu, which is closed. After a removal the selected row stays.
    let old = overlays.lazy.compactMap { $0.content as? Picker<RulePicker> }.last?.list.selection
    overlays.removeAll { $0.content is Picker<RulePicker> }
    let named = library.podcasts.compactMap { row in own[row.id].map { (podcast: row.title, settings: $0) } }
    let settings = AutomaticSetting.all(
      general: preferences.podcastRules, deletesPlayed: preferences.deletesPlayed,
      own: named.filter { podcast == nil || $0.podcast == podcast?.title })
    let choices = rules.map { RulePicker.Choice.rule($0) } + [.new] + settings.map { .setting($0) }
    return open(
      Picker(
        RulePicker(podcast: podcast, count: rules.count), choices,
        selected: rules.firstIndex { $0.id == selected } ?? old.map { min($0, choices.count - 1) } ?? 0))
  }

  /// Asks whether to apply a rule that was made or changed.
  fileprivate mutating func offer(_ rule: Rule, _ preview: RulePreview) -> [Effect] {
    guard rule.isOn, !preview.episodes.isEmpty else { return tell(.info, "Rule “\(rule.name)”: \(preview.text)") }
    // Episodes that arrive during the question are not among them.
    return ask(
      "Rule “\(rule.name)”: \(preview.text). Apply it to them?",
      yes: [.write(.rules(.run(rule.id, among: preview.episodes)))],
      done: "Applied the rule. \(keymap.press(.undo)) to undo.")
  }
}

/// Reads the rules and what is shown with them.
struct RulesQuestion: LibraryQuestion {
  /// Only those that may touch the episodes of this podcast.
  var podcast: PodcastName?
  var selected: RuleID?
  /// What the selected rule, which was changed, would do now.
  var preview: RulePreview?

  typealias Value = (rules: [Rule], own: [PodcastID: PodcastSettings])

  func read(_ library: any LibraryReader) throws -> Value? {
    let rules = try podcast.map { try library.rules(for: $0.id) } ?? library.rules()
    return (rules: rules, own: try library.podcastSettings())
  }

  func receive(_ value: Value, _ state: inout State) -> [Effect] {
    let effects = state.openRules(value.rules, of: podcast, own: value.own, selected: selected)
    guard let preview, let rule = value.rules.first(where: { $0.id == selected }) else { return effects }
    return effects + state.offer(rule, preview)
  }
}

/// Reads what a rule would do now.
struct RulePreviewQuestion: LibraryQuestion {
  var rule: Rule
  var now: Date

  /// The most episodes that are listed.
  private static let listed = 200

  typealias Value = (preview: RulePreview, rows: [EpisodeRow])

  func read(_ library: any LibraryReader) throws -> Value? {
    let preview = try library.preview(rule, now: now)
    return (preview: preview, rows: try library.episodeRows(Array(preview.episodes.prefix(Self.listed))))
  }

  func receive(_ value: Value, _ state: inout State) -> [Effect] {
    guard !value.rows.isEmpty else { return state.tell(.info, "Rule “\(rule.name)”: \(value.preview.text)") }
    return state.open(Picker(RulePreviewPicker(rule: rule, preview: value.preview), value.rows))
  }
}

/// Reads the episodes that rules have deleted.
struct HiddenQuestion: LibraryQuestion {
  var since: Date

  func read(_ library: any LibraryReader) throws -> [EpisodeRow]? {
    try library.episodeRows(try library.hiddenByRules(since: since))
  }

  func receive(_ rows: [EpisodeRow], _ state: inout State) -> [Effect] {
    guard !rows.isEmpty else { return state.tell(.info, "Rules have hidden nothing in the last two weeks") }
    return state.open(Picker(HiddenPicker(), rows))
  }
}

/// Counts the episodes that rules have hidden lately.
struct HiddenCountQuestion: LibraryQuestion {
  var since: Date
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> Int? { try library.hiddenByRules(since: since).count }

  func receive(_ count: Int, _ state: inout State) -> [Effect] {
    state.library.hiddenCount = count
    return []
  }
}
