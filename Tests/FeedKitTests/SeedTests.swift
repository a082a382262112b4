import Foundation
import Seeded
import Testing

@testable import FeedKit

/// Bytes that once broke a reader, or were written to break one. Every reader reads all of them in every run.
/// Findings of `make fuzz` and `make fuzz-coverage` are added to `Fixtures/seeds`.
@Suite struct SeedTests {
  @Test(arguments: ForeignReader.allCases) func seedsBreakNoReader(reader: ForeignReader) throws {
    let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/seeds")
    #expect(try SeedFiles.read(folder, longest: 2000) { reader.read($0) } >= 7)
  }
}
