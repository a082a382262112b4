import Foundation
import HTTP
import Model
import TemporaryFiles
import Testing

@testable import Streams

/// What the cache keeps of streams, and for how long.
@Suite(InTurn()) struct CopyTests {
  private let place: TemporaryDirectory
  private let address: WebAddress
  /// The cache makes it.
  private var directory: String { place.path + "/copies" }

  init() throws {
    place = try TemporaryDirectory()
    address = try WebAddress("https://example.org/a.mp3")
  }

  private static func head(_ headers: [(String, String)] = [("ETag", "\"1\"")], status: Int = 200) -> HTTPHead {
    HTTPHead(status: status, headers: headers.map { (name: $0.0, value: $0.1) })
  }

  private func cache(limit: Int64 = 1 << 20) -> StreamCache { StreamCache(directory: directory, limit: limit) }

  private func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }

  private func write(_ bytes: [UInt8], at offset: Int64, of copy: StreamCopy, _ version: StreamCopy.Version) -> Bool {
    bytes.withUnsafeBytes { copy.write($0, at: offset, of: version) }
  }

  private func fill(_ cache: StreamCache, _ address: WebAddress, bytes: Int) throws -> StreamCopy {
    let copy = cache.copy(of: address)
    let version = try #require(copy.begin(Self.head(), total: Int64(bytes)))
    try #require(write([UInt8](repeating: 7, count: bytes), at: 0, of: copy, version))
    copy.save()
    return copy
  }

  @Test func missingPartsOfACopyAreKnown() throws {
    let copy = cache().copy(of: address)
    #expect(copy.version == nil)
    let version = try #require(copy.begin(Self.head(), total: 100))
    #expect(write([1, 2, 3], at: 10, of: copy, version))
    #expect(write([4, 5], at: 13, of: copy, version))
    #expect(write([9], at: 99, of: copy, version))
    #expect(copy.count(from: 0, of: version) == 0)
    #expect(copy.count(from: 10, of: version) == 5)
    #expect(copy.count(from: 14, of: version) == 1)
    #expect(copy.count(from: 15, of: version) == 0)
    #expect(copy.next(after: 0, atLeast: 1, of: version) == 10)
    #expect(copy.next(after: 10, atLeast: 1, of: version) == 99)
    #expect(copy.next(after: 10, atLeast: 2, of: version) == nil)
    #expect(copy.read(at: 11, count: 100, of: version) == [2, 3, 4, 5])
    #expect(copy.read(at: 15, count: 100, of: version).isEmpty)
    #expect(copy.size == 6)
  }

  @Test func writesOutsideTheFileAreRefused() throws {
    let copy = cache(limit: 100).copy(of: address)
    #expect(copy.begin(Self.head(), total: 101) == nil)
    #expect(copy.begin(Self.head(), total: 0) == nil)
    let version = try #require(copy.begin(Self.head(), total: 100))
    #expect(!write([1, 2], at: 99, of: copy, version))
    #expect(!write([1, 2], at: -1, of: copy, version))
    #expect(!write([1], at: .max, of: copy, version))
    #expect(copy.size == 0)
  }

  @Test func nextRunFindsTheCopies() throws {
    _ = try fill(cache(), address, bytes: 50)
    let copy = cache().copy(of: address)
    let version = try #require(copy.version)
    #expect(version.total == 50)
    #expect(version.validator == StrongValidator(etag: "\"1\""))
    #expect(copy.count(from: 0, of: version) == 50)
    // Only the server can confirm that the copy is current.
    #expect(!copy.isCurrent)
    #expect(copy.version(matching: Self.head(), total: 50) != nil)
    #expect(copy.isCurrent)
  }

  /// The program saves at its end, and must not end while a save in the background is not finished.
  @Test func savingWaitsForASaveInTheBackground() throws {
    let copy = cache().copy(of: address)
    let version = try #require(copy.begin(Self.head(), total: 100))
    for count in 1...100 {
      #expect(write([7], at: Int64(count) - 1, of: copy, version))
      copy.saveSoon()
      // Sometimes this is a moment later, so that the save in the background has begun.
      if count.isMultiple(of: 2) { usleep(UInt32(count)) }
      copy.save()
      #expect(cache().copy(of: address).size == Int64(count))
    }
  }

  @Test(arguments: [[], [("ETag", "W/\"1\"")], [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]])
  func copyWithoutValidatorIsNotKept(headers: [(String, String)]) throws {
    let copy = cache().copy(of: address)
    let version = try #require(copy.begin(Self.head(headers), total: 3))
    #expect(write([1, 2, 3], at: 0, of: copy, version))
    copy.save()
    #expect(!files().contains { $0.hasSuffix(".json") })
    #expect(cache().copy(of: address).version == nil)
    // The next run deletes the file that the killed run left.
    #expect(cache().copy(of: address).begin(Self.head(), total: 3) != nil)
    #expect(files().count == 1)
  }

  @Test func copyOfAnotherVersionIsNotUsed() throws {
    let copy = try fill(cache(), address, bytes: 50)
    #expect(copy.version(matching: Self.head([], status: 206), total: 50) != nil)
    #expect(copy.version(matching: Self.head([("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]), total: 50) == nil)
    #expect(copy.version(matching: Self.head([], status: 206), total: 51) == nil)
    #expect(copy.version(matching: Self.head([]), total: 50) == nil)
    #expect(copy.version(matching: Self.head([("ETag", "\"2\"")]), total: 50) == nil)
    #expect(copy.version(matching: Self.head([("ETag", "\"2\"")], status: 206), total: 50) == nil)
    #expect(copy.version(matching: Self.head(), total: nil) == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"url":"https://example.org/a.mp3","total":9,"file":"../../x","held":[[0,9]]}"#,
    #"{"url":"https://example.org/a.mp3","total":9,"file":"none.bytes","held":[[0,9]]}"#,
    #"{"url":"https://example.org/a.mp3","total":-1,"file":"F","held":[[0,9]]}"#,
    #"{"url":"https://example.org/b.mp3","total":9,"file":"F","held":[[0,9]]}"#,
  ])
  func impossibleMetadataOfACopyIsIgnored(text: String) throws {
    let copy = try fill(cache(), address, bytes: 9)
    let file = try #require(files().first { $0.hasSuffix(".bytes") })
    let metadata = try #require(files().first { $0.hasSuffix(".json") })
    try text.replacingOccurrences(of: "\"F\"", with: "\"\(file)\"").write(
      toFile: "\(directory)/\(metadata)", atomically: true, encoding: .utf8)
    #expect(cache().copy(of: address).version == nil)
    #expect(copy.size == 9)
  }

  @Test func twoVersionsAreNeverMixed() throws {
    let copy = try fill(cache(), address, bytes: 50)
    let old = try #require(copy.version)
    let new = try #require(copy.begin(Self.head([("ETag", "\"2\"")]), total: 50))
    #expect(write([1, 2, 3], at: 0, of: copy, new))
    // Writes of connections and downloads that began with the old version are refused.
    #expect(!write([9, 9, 9], at: 0, of: copy, old))
    #expect(copy.read(at: 0, count: 3, of: old).isEmpty)
    #expect(copy.count(from: 0, of: old) == 0)
    #expect(copy.read(at: 0, count: 3, of: new) == [1, 2, 3])
  }

  @Test func impossibleRangesOfACopyAreIgnored() throws {
    var metadata = StreamMetadata(url: "a", total: 10, file: "f")
    metadata.held = [[0, 2], [5], [7, 6], [-3, 4], [8, 11], [9, 10], []]
    #expect(Array(metadata.ranges.ranges) == [0..<2, 9..<10])
  }

  @Test func truncatedFileHasFewerParts() throws {
    _ = try fill(cache(), address, bytes: 50)
    let file = try #require(files().first { $0.hasSuffix(".bytes") })
    #expect(truncate("\(directory)/\(file)", 20) == 0)
    let copy = cache().copy(of: address)
    #expect(copy.count(from: 0, of: try #require(copy.version)) == 20)
  }

  @Test func oldestCopiesAreDeletedFirst() throws {
    let addresses = try (1...3).map { try WebAddress("https://example.org/\($0).mp3") }
    let cache = cache(limit: 300_000)
    for (age, address) in zip([1.0, 3, 2], addresses) {
      _ = try fill(cache, address, bytes: 100_000)
      let key = AddressKey.fileName(address.text)
      for name in files() where name.hasPrefix(key) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -age * 3600)], ofItemAtPath: "\(directory)/\(name)")
      }
    }
    cache.prune(keeping: try WebAddress("https://example.org/new.mp3"))
    #expect(cache.copy(of: addresses[1]).version == nil)
    #expect(cache.copy(of: addresses[2]).version != nil)
    #expect(cache.copy(of: addresses[0]).version != nil)
    // The copy that is about to be played is kept, although it is the oldest now.
    _ = try fill(cache, addresses[1], bytes: 100_000)
    cache.prune(keeping: addresses[2])
    #expect(cache.copy(of: addresses[2]).version != nil)
    #expect(cache.copy(of: addresses[0]).version == nil)
  }

  @Test func copiesAreReadableOnlyByTheOwner() throws {
    _ = try fill(cache(), address, bytes: 9)
    var status = stat()
    #expect(stat(directory, &status) == 0 && status.st_mode & 0o777 == 0o700)
    let file = try #require(files().first { $0.hasSuffix(".bytes") })
    #expect(stat("\(directory)/\(file)", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func requestsAreParsed() throws {
    let request = try #require(
      RelayRequest("GET /abc/media.mp3 HTTP/1.1\r\nRange: bytes=5-\r\nIcy-MetaData: 1\r\nHost: x"))
    #expect(request.token == "abc")
    #expect(request.first == 5 && request.last == nil && request.wantsIcyMetadata)
    #expect(RelayRequest("GET /abc HTTP/1.1\r\nRANGE:bytes=5-9")?.last == 9)
    #expect(RelayRequest("GET / HTTP/1.0")?.token == "")
    for bad in ["", "GET /a", "GET /a FTP/1", "GET /a HTTP/1.1\r\nRange: bytes=1-2,4-5", "GET /a HTTP/1.1\r\nRange: x"]
    {
      #expect(RelayRequest(bad) == nil)
    }
  }
}
