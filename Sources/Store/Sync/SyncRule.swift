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
    let rows = try Row.fetchAll(db, sql: "SELECT name, filter, action, isOn FROM rule ORDER BY position, id")
    return try rows.map(CheckedRow.init).map { row in
      let name: String = try row[0]
      let value: [String: JSONValue] = [
        "name": .string(name), "filter": .string(try row[1]), "action": .string(try row[2]), "on": .bool(try row[3]),
      ]
      return (String(key(name).dropFirst(prefix.count)), value)
    }
  }

  /// Makes, changes, moves or removes a rule.
  /// - Returns: false if a newer version has made the rule, and this one does not understand it.
  static func apply(
    _ db: Database, _ key: String, _ value: JSONValue?, _ undo: inout SyncUndo, now: Date
  ) throws -> Bool {
    let before = try RuleTable.stored(db)
    var after = before
    after.removeAll { self.key($0.name) == key }
    if let value {
      guard let name = value["name"]?.string?.withoutNUL.trimmed, self.key(name) == key,
        let filter = value["filter"]?.string?.withoutNUL, (try? EpisodeFilter(parsing: filter)) != nil,
        let action = value["action"]?.string.flatMap({ RuleAction($0) })
      else { return false }
      let id = try before.first { self.key($0.name) == key }?.id ?? RuleTable.nextID(db, before)
      let rule = Rule(id: RuleID(id), name: name, filter: filter, action: action, isOn: value["on"]?.bool ?? true)
      // Another name for a rule that is here, such as one that differs in case only.
      do { try RuleTable.check(rule, among: after.compactMap(\.rule)) } catch { return false }
      guard after.count < maxRules else { return false }
      after.append(StoredRule(rule))
      after = try sorted(db, after, key, value["place"]?.string)
    }
    guard after != before else { return true }
    try undo.add("rules", db, now: now) { .rules(before: before) }
    try RuleTable.write(db, after)
    return true
  }

  /// By their order keys. Rules without one come last.
  private static func sorted(
    _ db: Database, _ rules: [StoredRule], _ key: String, _ place: String?
  ) throws -> [StoredRule] {
    var places: [String: String] = [:]
    for rule in rules {
      let own = self.key(rule.name)
      let stored =
        try own == key
        ? place
        : String.fetchOne(
          db.cachedStatement(sql: "SELECT value FROM syncRegister WHERE key = ?"), arguments: [own]
        ).flatMap { JSONValue($0)?["place"]?.string }
      if let stored, OrderKey.isValid(stored) { places[own] = stored }
    }
    let order = OrderKey.order(places)
    let indexes = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    // Stable: the others stay in their order.
    return rules.enumerated().sorted { left, right in
      let one = indexes[self.key(left.element.name)] ?? order.count + left.offset
      let other = indexes[self.key(right.element.name)] ?? order.count + right.offset
      return one < other
    }.map(\.element)
  }
}
