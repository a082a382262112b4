import Model
import TerminalKit

/// A rule that is made or changed. Prompts and pickers pass it on.
public struct RuleDraft: Equatable, Sendable {
  /// The rule to change; nil makes a new one.
  var rule: Rule?
  var filter = ""
  var action: RuleAction?

  init() {}

  init(_ rule: Rule) { (self.rule, filter, action) = (rule, rule.filter, rule.action) }

  /// Goes on after the filter was typed: a new rule needs an action.
  func finish(filter: String, _ state: inout State) -> [Effect] {
    guard let rule else {
      var draft = self
      draft.filter = filter
      return state.openRuleActions(draft)
    }
    return state.change(rule, .filter(filter))
  }

  /// Goes on after the action was chosen: a new rule needs a name.
  func finish(_ action: RuleAction, _ state: inout State) -> [Effect] {
    guard let rule else {
      var draft = self
      draft.action = action
      return state.open(Prompt(RuleNamePrompt(draft: draft), offered: Rule.standardName(filter)))
    }
    return state.change(rule, .action(action))
  }
}

/// Asks for the filter of a rule.
public struct RuleFilterPrompt: FilterTyping {
  let draft: RuleDraft

  public var label: String { "Episodes of the rule: " }
  public var example: String { "such as: podcast:daily duration > 5m" }

  /// If the filter has an error, the prompt stays open.
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    guard !text.isEmpty else { return state.tell(.info, "A rule needs a filter; nothing was saved") }
    return prompt.problem == nil ? draft.finish(filter: text, &state) : state.open(prompt)
  }
}

/// Asks for the tag that a rule gives.
public struct RuleTagPrompt: PromptPurpose {
  let draft: RuleDraft
  public var label: String { "Tag: " }
  public func completions(of head: String, _ state: State) -> [String] { state.tagCompletions(of: head) }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    guard let action = RuleAction("tag \(text)") else { return [] }
    return draft.finish(action, &state)
  }
}

/// Asks for the name of a rule.
public struct RuleNamePrompt: PromptPurpose {
  let draft: RuleDraft
  public var label: String { "Name of the rule: " }

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    guard !text.isEmpty else { return [] }
    if let rule = draft.rule { return state.change(rule, .name(text)) }
    guard let action = draft.action else { return [] }
    return state.write(.add(name: text, filter: draft.filter, action), "New rule “\(text)”")
  }
}
