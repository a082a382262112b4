import Foundation
import Seeded
import Testing

/// Bytes that once broke a reader, or were written to break one. Every reader reads all of them in every run. Findings
/// of `make fuzz-coverage` are added to `Seeds`.
@Suite(InTurn()) struct ProgramSeedTests {
  @Test(arguments: ProgramReader.allCases) func seedsBreakNoReader(reader: ProgramReader) throws {
    let folder = URL(filePath: SourceTree.root + "/Tests/TUIAppTests/Seeds")
    #expect(try SeedFiles.read(folder, longest: 700) { reader.read($0) } >= 5)
  }
}
