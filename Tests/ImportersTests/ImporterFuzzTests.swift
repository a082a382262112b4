import Foundation
import Model
import Seeded
import Testing

@testable import Importers

/// Fuzzes the files of other programs (see `Fuzz`). Reading gives a library or an error, writes nothing beside the
/// files, and returns only what they contain.
@Suite struct ImporterFuzzTests {
  @Test func importOfRandomDatabases() async throws {
    let files = try ForeignFiles()
    let corpus = try [Foreign.castero, Foreign.shellcaster, Foreign.newsboat, Foreign.gPodder].enumerated().map {
      try Data(contentsOf: URL(filePath: try files.database("\($0.offset).db", $0.element)))
    }
    let path = files.path + "/changed.db"
    var fuzz = Fuzz(defaultRounds: 60)
    while await fuzz.begins() {
      try Self.change(corpus, &fuzz).write(to: URL(filePath: path))
      do throws(ImportError) {
        guard let library = try files.importer.read(path) else { continue }
        let episodes = library.podcasts.flatMap(\.episodes)
        #expect(library.podcasts.count < 10_000 && episodes.count < 100_000, "\(fuzz.name)")
        #expect(episodes.allSatisfy { ($0.position ?? 0).isFinite }, "\(fuzz.name)")
      } catch {}
      let scratch = (try? FileManager.default.contentsOfDirectory(atPath: files.scratch)) ?? []
      #expect(scratch.isEmpty, "\(fuzz.name) leaves \(scratch)")
    }
  }

  /// Changes bytes of a page, and sometimes the length of the file, because SQLite checks its counts.
  private static func change(_ corpus: [Data], _ fuzz: inout Fuzz) throws -> Data {
    guard fuzz.below(4) > 0 else { return try fuzz.mutate(corpus) }
    var bytes = corpus[fuzz.below(corpus.count)]
    for _ in 0...fuzz.below(40) {
      bytes[fuzz.below(bytes.count)] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(fuzz.below(256))][fuzz.below(6)]
    }
    return bytes
  }

  @Test func importOfRandomPodlinerFiles() async throws {
    let files = try ForeignFiles()
    let corpus = [Data(Foreign.podliner.utf8)]
    var fuzz = Fuzz(defaultRounds: 200)
    while await fuzz.begins() {
      let path = try files.text("library.json", String(decoding: try fuzz.mutate(corpus), as: UTF8.self))
      do throws(ImportError) { _ = try files.importer.read(path) } catch {}
    }
  }
}
