import Foundation
import Testing

@testable import FeedKit

/// Bytes that once broke a reader, or were written to break one. Every reader reads all of them in every run.
/// Findings of `make fuzz` and `make fuzz-coverage` are added to `Fixtures/seeds`.
@Suite struct SeedTests {
  @Test(arguments: ForeignReader.allCases) func seedsBreakNoReader(reader: ForeignReader) throws {
    let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/seeds")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 7)
    for file in files {
      let data = try Data(contentsOf: file)
      reader.read(data)
      // Truncated anywhere, as by a broken connection.
      for length in stride(from: 0, to: min(data.count, 2000), by: 7) { reader.read(data.prefix(length)) }
    }
  }
}
