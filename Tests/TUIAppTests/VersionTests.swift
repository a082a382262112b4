import Foundation
import Testing

@testable import TUIApp

/// The output of `earshot --version` and of `scripts/version`.
@Suite(InTurn()) struct VersionTests {
  @Test func versionContainsCommitAndDateIfKnown() {
    #expect(Version.text(commit: "", date: "") == Version.number)
    #expect(
      Version.text(commit: "567fbe2925", date: "2026-11-22") == "\(Version.number) (commit 567fbe2925, 2026-11-22)")
    #expect(Version.text(commit: "", date: "2026-11-22") == "\(Version.number) (2026-11-22)")
  }

  @Test func scriptPrintsTheSameNumber() async throws {
    #expect(try await script("number") == Version.number)
  }

  @Test func packagesHaveTheSameNumber() async throws {
    #expect(try await script("--check").isEmpty)
  }

  /// A source archive has no git repository. The commit is in .commit, if `git archive` has written it.
  @Test func archiveHasItsCommit() async throws {
    let home = try TemporaryHome()
    let tree = home.path + "/earshot"
    for directory in ["scripts", "Sources/TUIApp"] {
      try FileManager.default.createDirectory(atPath: "\(tree)/\(directory)", withIntermediateDirectories: true)
    }
    for file in ["scripts/version", "Sources/TUIApp/Version.swift", ".commit"] {
      try FileManager.default.copyItem(atPath: "\(SourceTree.root)/\(file)", toPath: "\(tree)/\(file)")
    }
    #expect(try await script("commit", in: tree).isEmpty)
    #expect(try await script("date", in: tree).isEmpty)
    try "567fbe2925\n1795000000\n".write(toFile: tree + "/.commit", atomically: true, encoding: .utf8)
    #expect(try await script("commit", in: tree) == "567fbe2925")
    #expect(try await script("date", in: tree) == "2026-11-18")
    #expect(try await script("date", in: tree, epoch: "0") == "1970-01-01")
  }

  private func script(
    _ argument: String, in tree: String = SourceTree.root, epoch: String? = nil
  ) async throws -> String {
    let variables = epoch.map { ["SOURCE_DATE_EPOCH": $0] } ?? [:]
    // The copy is started by sh. It could not be started directly while a process of another test has it open
    // (ETXTBSY).
    let outcome = try await BuiltProgram.run(
      "/usr/bin/env", ["bash", tree + "/scripts/version", argument], in: TemporaryHome(), environment: variables)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    return outcome.text.trimmingCharacters(in: .newlines)
  }
}
