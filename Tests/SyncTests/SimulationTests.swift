import Foundation
import Testing

@testable import Sync

/// Devices that are used alternately and at once, offline, with wrong clocks, over bad networks: afterwards all have the
/// same, and what the listener did last.
///
/// A share of the runs is made each time; `EARSHOT_SYNC_RUNS=10000` makes as many.
@Suite struct SimulationTests {
  private static let runs = ProcessInfo.processInfo.environment["EARSHOT_SYNC_RUNS"].flatMap { Int($0) } ?? 200

  /// So many pieces, for the machine's cores.
  private static let pieces = 0..<8

  @Test(arguments: pieces)
  func allDevicesAgree(piece: Int) async throws {
    // Folders cost ten times as much.
    let servers = ServerModel.Kind.allCases.map { Optional($0) }
    let kinds = servers + servers + [nil]
    var failed = 0
    for run in stride(from: piece, to: Self.runs, by: Self.pieces.count) {
      let seed = UInt64(run)
      let world = try SimulatedWorld(seed: seed, kind: kinds[(run / Self.pieces.count) % kinds.count])
      await world.live()
      await world.settle()
      let faults = world.faults()
      guard !faults.isEmpty else { continue }
      failed += 1
      if failed <= 3 {
        Issue.record("seed \(seed), \(world.kind.map { "\($0)" } ?? "folder"): \(faults.joined(separator: "; "))")
      }
    }
    #expect(failed == 0)
  }
}
