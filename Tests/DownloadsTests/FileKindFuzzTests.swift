import Foundation
import Seeded
import Testing

@testable import Downloads

/// Fuzzes the detection of answers that are not media (see `Fuzz`).
@Suite(InTurn()) struct FileKindFuzzTests {
  private static let starts: [Data] = [
    Data("<?xml version='1.0'?><!-- a --><!DOCTYPE html PUBLIC 'x'><html><head>".utf8),
    Data("#EXTM3U\n#EXT-X-A\n".utf8),
    Data("[playlist]\n".utf8), Data([0xFF, 0xFE, 0x3C, 0, 0x68, 0, 0x74, 0]), Data([0xFE, 0xFF, 0, 0x3C, 0, 0x68]),
    Data([UInt8]("ID3".utf8) + [4, 0, 0, 0, 0, 0x21, 0x76]), Data([0xFF, 0xFB, 0x90, 0x64]),
  ]

  @Test func fileKindOfRandomBytes() async throws {
    var fuzz = Fuzz(defaultRounds: 2000)
    while await fuzz.begins() {
      let bytes = try fuzz.mutate(Self.starts)
      let kind = FileKind(bytes)
      #expect(kind == FileKind(bytes.prefix(FileKind.sampleSize)), "\(fuzz.name)")
      // A byte that cannot occur in text turns the verdict from text to media.
      let isUTF16 = [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(bytes.prefix(2)))
      if kind == .text, !isUTF16, bytes.count < FileKind.sampleSize {
        #expect(FileKind(bytes + [0]) != .text, "\(fuzz.name)")
      }
      let text = String(decoding: bytes, as: UTF8.self)
      _ = (MediaType.isPage(text, length: nil), MediaType.manifest(text, length: 1), ResumeData(text))
      #expect(!MediaType.fileExtension(address: text, type: text).contains("/"), "\(fuzz.name)")
    }
  }
}
