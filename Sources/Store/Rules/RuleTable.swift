import Foundation
import GRDB
import Model

/// The listener's rules, in their order. Each change of them is one step of the undo log.
extension Library {
  /// Rules with an action of a newer version are left out.
  public func rules() throws(StoreError) -> [Rule] { try read { db in try RuleTable.read(db, skipsUnknown: true) } }

  /// Adds a rule at the end.
  @discardableResult
  public func addRule(
    name: String, filter: String, action: RuleAction, isOn: Bool = true, now: Date
  ) throws(StoreError) -> RuleID {
    try changeRules("Make the rule “\(name)”", now: now) { rules, db in
      let id = RuleID(try RuleTable.nextID(db, rules.map(StoredRule.init)))
      rules.append(Rule(id: id, name: name, filter: filter, action: action, isOn: isOn))
      return id
    }
  }

  /// Changes name, filter and action of a rule, and whether it is on.
  public func changeRule(_ id: RuleID, now: Date, _ change: (inout Rule) -> Void) throws(StoreError) {
    var name = ""
    try changeRules("Change the rule “\(name)”", now: now) { rules, _ in
      let index = try Self.index(of: id, rules)
      change(&rules[index])
      name = rules[index].name
    }
  }

  public func removeRule(_ id: RuleID, now: Date) throws(StoreError) {
    try changeRules("Delete a rule", now: now) { rules, _ in rules.remove(at: try Self.index(of: id, rules)) }
  }

  /// Moves a rule to an index (0 is the first; indexes beyond the end mean the end).
  public func moveRule(_ id: RuleID, to index: Int, now: Date) throws(StoreError) {
    try changeRules("Move a rule", now: now) { rules, _ in
      let rule = rules.remove(at: try Self.index(of: id, rules))
      rules.insert(rule, at: min(max(0, index), rules.count))
    }
  }

  private static func index(of id: RuleID, _ rules: [Rule]) throws -> Int {
    guard let index = rules.firstIndex(where: { $0.id == id }) else { throw StoreError.unknown("rule \(id)") }
    return index
  }

  /// - Parameter label: for the undo log; it is made after the change.
  @discardableResult
  private func changeRules<Answer>(
    _ label: @autoclosure () -> String, now: Date, _ change: (inout [Rule], Database) throws -> Answer
  ) throws(StoreError) -> Answer {
    try write { db in
      let before = try RuleTable.read(db)
      var after = before
      let answer = try change(&after, db)
      for rule in after where !before.contains(rule) { try RuleTable.check(rule, among: after) }
      guard after != before else { return answer }
      try UndoLog.record(db, label: label(), step: .rules(before: before.map(StoredRule.init)), now: now)
      try RuleTable.write(db, after.map(StoredRule.init))
      return answer
    }
  }
}

/// A rule as the undo log stores it. The property names are JSON keys.
struct StoredRule: Codable, Equatable {
  var id: Int64
  var name: String
  var filter: String
  var action: String
  var isOn: Bool

  /// Nil for an action of a newer version.
  var rule: Rule? {
    RuleAction(action).map { Rule(id: RuleID(id), name: name, filter: filter, action: $0, isOn: isOn) }
  }
}

extension StoredRule {
  init(_ rule: Rule) {
    self.init(
      id: rule.id.rawValue, name: rule.name, filter: rule.filter, action: rule.action.text, isOn: rule.isOn)
  }
}

/// The rows of the rules.
enum RuleTable {
  static func stored(_ db: Database) throws -> [StoredRule] {
    let rows = try db.rows("SELECT id, name, filter, action, isOn FROM rule ORDER BY position, id")
    return try rows.map { row in
      try StoredRule(id: row[0], name: row[1], filter: row[2], action: row[3], isOn: row[4])
    }
  }

  /// - Parameter skipsUnknown: leaves out rules with an action of a newer version, instead of throwing.
  static func read(_ db: Database, skipsUnknown: Bool = false) throws -> [Rule] {
    try stored(db).compactMap { row in
      if row.rule == nil, !skipsUnknown { throw StoreError.unknownCode(row.action, what: "the action of a rule") }
      return row.rule
    }
  }

  static func write(_ db: Database, _ rules: [StoredRule]) throws {
    try db.run("DELETE FROM rule")
    for (position, rule) in rules.enumerated() {
      try db.run(
        "INSERT INTO rule (id, position, name, filter, action, isOn) VALUES (?, ?, ?, ?, ?, ?)",
        [rule.id, position, rule.name.withoutNUL, rule.filter.withoutNUL, rule.action.withoutNUL, rule.isOn])
    }
  }

  /// Lets the rules that add to a playlist follow its new title.
  /// - Returns: the rules before. Nil if none of them adds to it.
  static func renamePlaylist(_ db: Database, from old: String, to new: String) throws -> [StoredRule]? {
    let before = try stored(db)
    var after = before
    for index in after.indices {
      guard case .playlist(let title)? = after[index].rule?.action, Playlist.isSameTitle(title, old) else { continue }
      let action = RuleAction.playlist(new)
      // What the rule did under the old title is not done again.
      try db.run(
        "UPDATE OR IGNORE ruleAct SET action = ? WHERE action = ?", [action.key, RuleAction.playlist(title).key])
      after[index].action = action.text
    }
    guard after != before else { return nil }
    try write(db, after)
    return before
  }

  /// SQLite never uses an id twice (AUTOINCREMENT).
  static func nextID(_ db: Database, _ rules: [StoredRule]) throws -> Int64 {
    let last = try Int64.fetchOne(db, "SELECT seq FROM sqlite_sequence WHERE name = 'rule'") ?? 0
    return max(last, rules.map(\.id).max() ?? 0) + 1
  }

  /// Refuses a rule without a name, with the name of another one, or with a filter that cannot be read.
  static func check(_ rule: Rule, among rules: [Rule]) throws {
    let name = rule.name.trimmed
    guard !name.isEmpty else { throw StoreError.invalid("A rule needs a name.") }
    if rules.contains(where: { $0.id != rule.id && $0.name.folded == name.folded }) {
      throw StoreError.invalid("There is a rule named “\(name)” already.")
    }
    do throws(FilterError) { _ = try EpisodeFilter(parsing: rule.filter) } catch {
      throw StoreError.invalid(error.description)
    }
  }
}
