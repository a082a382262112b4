import Foundation
import LoopbackServer
import Model
import Synchronization
import Testing

@testable import Sync
@testable import SyncBackends

/// Whole sync runs against misbehaving servers.
@Suite struct RunTests {
  private static let feed = "http://p.example/f"

  private func store(_ episodes: Int) -> MemoryStore {
    let store = MemoryStore(device: "here")
    store.subscribe(Self.feed, true, at: 1_700_000_000)
    for number in 1...max(1, episodes) where episodes > 0 {
      store.mark(
        MemoryStore.episode(Self.feed, number), EpisodeMark(.played, position: 0, isWhole: true), at: 1_700_000_000)
    }
    return store
  }

  /// A server that stores what it accepts. `fails` gives the error status for the values that it does not accept.
  private func server(_ fails: @escaping @Sendable (String) -> Int?) throws -> (LoopbackServer, taken: Taken) {
    let taken = Taken()
    let server = try LoopbackServer { request in
      let body = String(decoding: request.body, as: UTF8.self)
      guard request.method == "POST", request.path.contains("/episodes/") else {
        return .text(#"{"add":[],"remove":[],"actions":[],"timestamp":1700000500}"#)
      }
      if let status = fails(body) { return .status(status, text: "<html>") }
      let actions = JSONValue(body)?.array ?? []
      taken.episodes.withLock { $0.formUnion(actions.compactMap { $0["episode"]?.string }) }
      return .text(#"{"timestamp":1700000500,"update_urls":[]}"#)
    }
    return (server, taken)
  }

  private final class Taken: Sendable {
    let episodes = Mutex<Set<String>>([])
  }

  private func run(_ server: LoopbackServer, _ store: MemoryStore) async throws -> SyncRun.Report {
    await SyncRun(backend: try MannersTests.backend(server), pause: { _ in }) { Date().timeIntervalSince1970 }.perform(
      on: store)
  }

  /// A value is too long for the server's column, or an address is not accepted. PHP and Django servers then answer
  /// 500 to the whole batch. The other values must be sent without it.
  @Test(arguments: [400, 500]) func refusedValueDoesNotBlockTheBatch(status: Int) async throws {
    let bad = MemoryStore.episode(Self.feed, 37)
    let (server, taken) = try server { $0.contains("\(bad)\"") ? status : nil }
    let store = store(150)
    let report = try await run(server, store)
    #expect(report.errors == [] && report.problems.count == 1)
    #expect(taken.episodes.withLock { $0.count } == 149)
    #expect(report.pushed.episodes == 149)
    // The value remains in the outbox.
    #expect(try store.outgoing(.episodes, limit: 1000, rules, without: []).keys == [bad])
  }

  private var rules: SyncRules {
    SyncRules(
      clock: SyncClock(step: 1, now: Date().timeIntervalSince1970),
      traits: SyncTraits(
        timeResolution: 1, storesSubscriptionTimes: false, categories: [], batch: 100, mayLoseValues: true))
  }

  @Test func serverThatRefusesEverythingIsNotAskedForEachValue() async throws {
    let (server, _) = try server { _ in 500 }
    let report = try await run(server, store(150))
    guard case .fault = report.errors.first else {
      Issue.record("\(report.errors)")
      return
    }
    #expect(server.requests.count { $0.method == "POST" && $0.path.contains("/episodes/") } < 25)
    // The same is no problem of single values.
    #expect(report.problems == [])
    let one = try await run(server, store(1))
    #expect(one.errors.count == 1 && one.problems == [])
  }

  /// If such a time were replaced by the current time on each sync, it would undo the listener's later changes each
  /// time.
  @Test func actionWithAnImpossibleTimeIsIgnored() async throws {
    let name = MemoryStore.episode(Self.feed, 1)
    let far =
      #"{"podcast":"\#(Self.feed)","episode":"\#(name)","action":"play","timestamp":"7600-01-01T00:00:00","#
      + #""started":0,"position":500,"total":1800}"#
    let server = try LoopbackServer { request in
      .text(#"{"add":[],"remove":[],"actions":[\#(far)],"timestamp":9999999999}"#)
    }
    let store = store(0)
    _ = try await run(server, store)
    // No other change of this episode is known.
    #expect(store.mark(of: name)?.position == 500)
    store.mark(name, EpisodeMark(.played, position: 0, isWhole: true), at: Date().timeIntervalSince1970)
    for _ in 0..<3 {
      let report = try await run(server, store)
      #expect(report.errors == [])
      #expect(store.mark(of: name)?.status == .played)
    }
    // The next pull does not ask for changes after that time.
    let time = try #require(GPodderCursor(store.cursors[.episodes]).time)
    #expect(Double(time) < Date().timeIntervalSince1970 + 60)
  }

  /// A clock that was corrected may have left a time in the future. Some servers hide such actions, others refuse
  /// them.
  @Test func futureTimesAreNotSent() {
    let clock = SyncClock(step: 1, now: 1_700_000_000)
    #expect(clock.shared(1_700_500_000) == 1_700_000_000)
    #expect(SyncClock(offset: 100, step: 1, now: 1_700_000_000).shared(1_700_500_000) == 1_700_000_100)
  }
}
