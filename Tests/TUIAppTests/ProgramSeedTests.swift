import Foundation
import Testing

/// Bytes that once broke a reader, or were written to break one. Every reader reads all of them in every run. Findings of
/// `make fuzz-coverage` are added to `Seeds`.
@Suite struct ProgramSeedTests {
  @Test(arguments: ProgramReader.allCases) func seedsBreakNoReader(reader: ProgramReader) throws {
    let folder = URL(filePath: SourceTree.root + "/Tests/TUIAppTests/Seeds")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 5)
    for file in files {
      let data = try Data(contentsOf: file)
      reader.read(data)
      // Truncated anywhere.
      for length in stride(from: 0, to: min(data.count, 700), by: 7) { reader.read(data.prefix(length)) }
    }
  }
}
