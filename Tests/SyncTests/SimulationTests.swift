import Foundation
import Testing

@testable import Sync
@testable import SyncBackends

/// Devices that are used in turn and at the same time, offline, with wrong clocks and over bad networks. Afterwards
/// all must have the same state, with the listener's last actions.
///
/// `EARSHOT_SYNC_RUNS` sets the number of runs.
@Suite struct SimulationTests {
  private static let runs = ProcessInfo.processInfo.environment["EARSHOT_SYNC_RUNS"].flatMap { Int($0) } ?? 200

  /// The runs are divided into pieces, which run in parallel.
  private static let pieces = 0..<8

  /// The number of the first run. A change gives other random runs.
  private static let first = ProcessInfo.processInfo.environment["EARSHOT_SYNC_SEED"].flatMap { Int($0) } ?? 0

  private static func simulate(
    _ runs: Int, piece: Int, isReal: Bool, losesEverything: Bool = false
  ) async throws {
    // A folder simulation takes ten times as long.
    let servers = ServerModel.Kind.allCases.map { Optional($0) }
    let kinds = losesEverything ? servers : isReal ? servers + [nil] : servers + servers + [nil]
    var failed = 0
    for run in stride(from: first + piece, to: first + runs, by: pieces.count) {
      let world = try SimulatedWorld(
        seed: UInt64(run), kind: kinds[(isReal ? run : run / pieces.count) % kinds.count], isReal: isReal)
      try await world.live()
      try await world.settle()
      let lost = losesEverything ? try await world.reinstallServer() : []
      let faults = try world.faults() + lost.map { "\($0) was not sent again" }
      guard !faults.isEmpty else { continue }
      failed += 1
      if failed <= 3 {
        Issue.record("seed \(run), \(world.kind.map { "\($0)" } ?? "folder"): \(faults.joined(separator: "; "))")
      }
    }
    #expect(failed == 0)
  }

  @Test func everyBackEndIsSimulated() {
    let simulated = ServerModel.Kind.allCases.map { $0.backend.kind } + [FolderBackend.kind]
    #expect(Set(simulated) == Set(BackendTable.all.map { $0.kind }))
  }

  @Test(arguments: pieces)
  func allDevicesAgree(piece: Int) async throws {
    try await Self.simulate(Self.runs, piece: piece, isReal: false)
  }

  /// A real library takes fifty times as long as one in memory.
  @Test(arguments: pieces)
  func allLibrariesAgree(piece: Int) async throws {
    try await Self.simulate(max(Self.pieces.count * 2, Self.runs / 50), piece: piece, isReal: true)
  }

  /// A server that was installed again, or whose database was emptied.
  @Test(arguments: pieces, [false, true])
  func emptiedServerGetsEverythingAgain(piece: Int, isReal: Bool) async throws {
    let runs = isReal ? max(Self.pieces.count * 2, Self.runs / 50) : Self.runs / 4
    try await Self.simulate(runs, piece: piece, isReal: isReal, losesEverything: true)
  }
}
