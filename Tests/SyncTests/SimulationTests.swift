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

  /// The first of the runs; others than those of every day.
  private static let first = ProcessInfo.processInfo.environment["EARSHOT_SYNC_SEED"].flatMap { Int($0) } ?? 0

  private static func simulate(_ runs: Int, piece: Int, isReal: Bool) async throws {
    // Folders cost ten times as much.
    let servers = ServerModel.Kind.allCases.map { Optional($0) }
    let kinds = isReal ? servers + [nil] : servers + servers + [nil]
    var failed = 0
    for run in stride(from: first + piece, to: first + runs, by: pieces.count) {
      let world = try SimulatedWorld(
        seed: UInt64(run), kind: kinds[(isReal ? run : run / pieces.count) % kinds.count], isReal: isReal)
      try await world.live()
      try await world.settle()
      let faults = try world.faults()
      guard !faults.isEmpty else { continue }
      failed += 1
      if failed <= 3 {
        Issue.record("seed \(run), \(world.kind.map { "\($0)" } ?? "folder"): \(faults.joined(separator: "; "))")
      }
    }
    #expect(failed == 0)
  }

  @Test(arguments: pieces)
  func allDevicesAgree(piece: Int) async throws {
    try await Self.simulate(Self.runs, piece: piece, isReal: false)
  }

  /// A real library costs fifty times as much as one in memory.
  @Test(arguments: pieces)
  func allLibrariesAgree(piece: Int) async throws {
    try await Self.simulate(max(Self.pieces.count * 2, Self.runs / 50), piece: piece, isReal: true)
  }
}
