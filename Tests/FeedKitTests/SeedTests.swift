import Foundation
import Testing

@testable import FeedKit

/// Bytes that have broken a reader, or were written to: every reader takes them all, in every run. What `make fuzz` or
/// `make fuzz-coverage` finds is put into `Fixtures/seeds`.
@Suite struct SeedTests {
  @Test(arguments: ForeignReader.allCases) func seedsBreakNoReader(reader: ForeignReader) throws {
    let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/seeds")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 7)
    for file in files {
      let data = try Data(contentsOf: file)
      reader.read(data)
      // Cut anywhere: what a connection that breaks off leaves.
      for length in stride(from: 0, to: min(data.count, 2000), by: 7) { reader.read(data.prefix(length)) }
    }
  }
}
