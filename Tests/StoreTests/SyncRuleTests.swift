import Foundation
import Model
import Sync
import Testing

@testable import Store

/// The listener's rules on several devices that share a folder.
@Suite struct SyncRuleTests {
  private let here: SyncDevice
  private let there: SyncDevice

  init() throws { (here, there) = try SyncDevice.pair() }

  private func syncAll() async throws {
    for device in [here, there, here, there] { try await device.sync() }
  }

  private static func names(_ device: SyncDevice) throws -> [String] {
    try device.library.rules().map { "\($0.name) \($0.action.text) \($0.filter) \($0.isOn)" }
  }

  @Test func rulesAndTheirOrderReachTheOtherDevice() async throws {
    let first = try here.library.addRule(name: "Daily", filter: "duration > 5m", action: .queue, now: here.now)
    try here.library.addRule(name: "No reruns", filter: "title ~ rerun", action: .deleted, now: here.now)
    try await syncAll()
    #expect(try Self.names(there) == ["Daily queue duration > 5m true", "No reruns deleted title ~ rerun true"])

    let changed = try #require(try there.library.rules().first)
    try there.library.changeRule(changed.id, now: there.now) { ($0.filter, $0.isOn) = ("duration > 10m", false) }
    try here.library.moveRule(first, to: 1, now: here.now)
    try await syncAll()
    #expect(try Self.names(here).map { $0.prefix(2) } == Self.names(there).map { $0.prefix(2) })

    let last = try #require(try there.library.rules().last)
    try there.library.removeRule(last.id, now: there.now)
    try await syncAll()
    #expect(try here.library.rules().map(\.name) == there.library.rules().map(\.name))
    #expect(try here.library.rules().count == 1)
    // Undo of what came brings the rule back, on both.
    #expect(try here.library.undo(now: here.now) != nil)
    try await syncAll()
    #expect(try Self.names(here) == Self.names(there))
    #expect(try here.library.rules().count == 2)
  }

  /// Both devices have a rule of the same name before their first sync.
  @Test func equalRulesBecomeOne() async throws {
    for device in [here, there] {
      try device.library.addRule(name: "Daily", filter: "duration > 5m", action: .queue, now: device.now)
    }
    try there.library.addRule(name: "Über", filter: "age > 30d", action: .played, now: there.now)
    try await syncAll()
    #expect(try Self.names(here) == Self.names(there))
    #expect(try here.library.rules().map(\.name).sorted() == ["Daily", "Über"])
  }

  /// Written once, not once for each that arrives.
  @Test func manyRulesAreWrittenTogether() async throws {
    let count = 400
    let lines = (0..<count).map { number -> JSONValue in
      let value: JSONValue = .object([
        "name": .string("R\(number)"), "filter": .string("title ~ \(number)"), "action": .string("played"),
        "place": .string("A" + Gregorian.padded(count - number, 5) + "V"),
      ])
      let key: JSONValue = .string("rule/R\(number)")
      return .object(["key": key, "time": .number(here.now.timeIntervalSince1970), "value": value])
    }
    try await here.sync()
    try SyncDevice.write(lines, "collections", to: here.folder.path)
    let before = try here.library.write { $0.totalChangesCount }
    try await here.sync()
    let rows = try here.library.write { $0.totalChangesCount } - before
    #expect(try here.library.rules().map(\.name) == (0..<count).reversed().map { "R\($0)" })
    #expect(rows < 10 * count, "\(rows)")
  }

  @Test func rulesOfNewerVersionsWait() async throws {
    try SyncDevice.write(
      [
        .object([
          "key": .string("rule/New"), "time": .number(here.now.timeIntervalSince1970),
          "value": .object([
            "name": .string("New"), "filter": .string("duration > 5m"), "action": .string("teleport"),
          ]),
        ]),
        .object([
          "key": .string("rule/Other"), "time": .number(here.now.timeIntervalSince1970),
          "value": .object(["name": .string("Not the key"), "filter": .string("new"), "action": .string("queue")]),
        ]),
      ], "collections", to: here.folder.path)
    try await here.sync()
    #expect(try here.library.rules().isEmpty)
    try here.library.addRule(name: "Mine", filter: "duration > 5m", action: .queue, now: here.now)
    try await syncAll()
    #expect(try Self.names(there) == ["Mine queue duration > 5m true"])
  }

  /// A newer version has changed a rule so that this one does not understand it. This one does not change it back.
  @Test func ruleThatANewerVersionChangedIsNotChangedBack() async throws {
    try here.library.addRule(name: "New", filter: "duration > 5m", action: .queue, now: here.now)
    try await syncAll()
    let value: JSONValue = .object([
      "name": .string("New"), "filter": .string("duration > 5m"), "action": .string("teleport"),
    ])
    let time = here.now.timeIntervalSince1970 + 10
    try SyncDevice.write(
      [.object(["key": .string("rule/New"), "time": .number(time), "value": value])], "collections",
      to: here.folder.path)
    for device in [here, there] { try await device.sync() }
    #expect(try await here.sync().pushed == SyncChanges())
    #expect(try here.library.rules().map(\.action) == [.queue])
  }

  /// A fifth episode arrives in a refresh of this device.
  private func refresh(_ device: SyncDevice) throws {
    device.now += 1
    try device.refresh(SyncDevice.episodes(5))
  }

  @Test(arguments: [RuleAction.played, .deleted], [false, true])
  func whatIsTakenBackOnOneDeviceStaysBack(action: RuleAction, isSyncedFirst: Bool) async throws {
    try here.library.addRule(name: "R", filter: "title:\"episode 5\"", action: action, now: here.now)
    try await syncAll()
    try refresh(here)
    let episode = try here.episode(5)
    #expect(try here.state(5).hasPrefix("\(action)"))
    here.now += 1
    try here.library.setStatus([episode], .new, now: here.now)
    try here.library.setPosition(episode, seconds: 7, now: here.now)
    try here.library.enqueue([episode], now: here.now)
    try await here.sync()
    there.now = here.now + 100
    if isSyncedFirst { try await there.sync() }
    try refresh(there)
    try await syncAll()
    #expect(try here.state(5) == "paused 7.0" && there.state(5) == "paused 7.0")
    #expect(try here.queue() == ["0-5"] && there.queue() == ["0-5"])
  }

  /// The other device had the result of the rule by sync, and runs the rule itself later.
  @Test(arguments: [RuleAction.played, .deleted])
  func timedRuleDoesNotRepeatWhatAnotherDeviceTookBack(action: RuleAction) async throws {
    try here.library.addRule(name: "R", filter: "age > 3w and title:\"episode 2\"", action: action, now: here.now)
    try await syncAll()
    let later = here.now.addingTimeInterval(86_400 * 60)
    for device in [here, there] { device.now = later }
    let rule = try #require(try here.library.rules().first)
    try here.library.changeRule(rule.id, now: here.now) {
      $0.filter = "age > 3w and title:\"episode 2\" and (catalogue or not catalogue)"
    }
    #expect(try here.library.runTimedRules(isDue: true, now: here.now).acts.count == 1)
    try await syncAll()
    #expect(try there.state(2).hasPrefix("\(action)"))
    here.now += 1
    try here.library.setStatus([here.episode(2)], .new, now: here.now)
    try await syncAll()
    #expect(try there.library.runTimedRules(isDue: true, now: there.now).acts.isEmpty)
    try await syncAll()
    #expect(try here.state(2) == "new 0.0" && there.state(2) == "new 0.0")
  }

  /// Names that differ in case only. Each device keeps its own rule.
  @Test func alikeNamesStayOneRuleOnEachDevice() async throws {
    try here.library.addRule(name: "News", filter: "duration > 5m", action: .queue, now: here.now)
    try there.library.addRule(name: "news", filter: "duration > 9m", action: .played, now: there.now)
    try await syncAll()
    #expect(try here.library.rules().map(\.name) == ["News"])
    #expect(try there.library.rules().map(\.name) == ["news"])
  }

  /// The listener takes an episode out of the queue on one device. The rule of the other device leaves it out, too.
  @Test func ruleQueuesNothingThatWasTakenOut() async throws {
    try here.library.enqueue([here.episode(1), here.episode(2)], now: here.now)
    try await syncAll()
    try there.library.dequeue([there.episode(1)], now: there.now)
    try await syncAll()
    let rule = try here.library.addRule(
      name: "All", filter: "catalogue or not catalogue", action: .queue, now: here.now)
    _ = try here.library.runRules(rule, now: here.now)
    #expect(try Set(here.queue()) == ["0-2", "0-3", "0-4"])
    try await syncAll()
    #expect(try there.queue() == here.queue())
  }
}
