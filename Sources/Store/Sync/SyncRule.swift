import Foundation
import GRDB
import Model
import Sync

/// The listener's rules as registers: `rule/NAME`. Names are unique, so rules of the same name on two devices are one.
enum SyncRule {
  static let prefix = "rule/"
  /// Each rule is run for each refresh.
  private static let maxRules = 500

  private static func key(_ name: String) -> String {
    prefix + name.precomposedStringWithCanonicalMapping.percentEncoded
  }

  /// In their order.
  static func read(_ db: Database) throws -> [CollectionReader.Item] {
    let rows = try db.rows("SELECT name, filter, action, isOn FROM rule ORDER BY position, id")
    return try rows.map { row in
      let name: String = try row[0]
      let value: [String: JSONValue] = [
        "name": .string(name), "filter": .string(try row[1]), "action": .string(try row[2]), "on": .bool(try row[3]),
      ]
      return (String(key(name).dropFirst(prefix.count)), value)
    }
  }

  /// Applies the registers of all rules, and sorts the rules by their order keys. Rules without one come last.
  ///
  /// Registers that a newer version has made, and that this one does not understand, stay pending. So do those that are
  /// too many, and those with another name for a rule that is here, such as one that differs in case only.
  static func order(_ db: Database, _ undo: inout SyncUndo, now: Date) throws {
    let before = try RuleTable.stored(db)
    var rules = before.map { (key: key($0.name), rule: $0) }
    // Their keys by their folded names.
    var keys = Dictionary(rules.map { ($0.rule.name.folded, $0.key) }) { first, _ in first }
    var nextID = try RuleTable.nextID(db, before)
    var orderKeys: [String: String] = [:]
    var applied: [String] = []
    let table = RegisterTable(db: db)
    for (key, register) in try table.items(of: prefix) {
      if let orderKey = register.value?["place"]?.string, OrderKey.isValid(orderKey) { orderKeys[key] = orderKey }
      guard !register.isApplied else { continue }
      let index = rules.firstIndex { $0.key == key }
      if let value = register.value {
        guard index != nil || rules.count < maxRules else { continue }
        guard let rule = rule(key, value, id: index.map { rules[$0].rule.id } ?? nextID),
          keys[rule.name.folded] ?? key == key
        else { continue }
        keys[rule.name.folded] = key
        if let index { rules[index].rule = StoredRule(rule) } else { rules.append((key, StoredRule(rule))) }
        if index == nil { nextID += 1 }
      } else if let index {
        keys[rules.remove(at: index).rule.name.folded] = nil
      }
      applied.append(key)
    }
    let indexes = Dictionary(uniqueKeysWithValues: OrderKey.order(orderKeys).enumerated().map { ($1, $0) })
    // The others stay in their order.
    let after = rules.sorted { (indexes[$0.key] ?? .max) < (indexes[$1.key] ?? .max) }.map(\.rule)
    if after != before {
      try undo.add("rules", db, now: now) { .rules(before: before) }
      try RuleTable.write(db, after)
    }
    try table.markApplied(applied)
  }

  /// Nil if this version does not understand it.
  private static func rule(_ key: String, _ value: JSONValue, id: Int64) -> Rule? {
    guard let name = value["name"]?.string?.withoutNUL.trimmed, self.key(name) == key,
      let filter = value["filter"]?.string?.withoutNUL, let action = value["action"]?.string.flatMap({ RuleAction($0) })
    else { return nil }
    let rule = Rule(id: RuleID(id), name: name, filter: filter, action: action, isOn: value["on"]?.bool ?? true)
    return (try? RuleTable.check(rule, among: [])) == nil ? nil : rule
  }
}
