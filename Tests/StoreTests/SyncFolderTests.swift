import Foundation
import Model
import Sync
import Testing

@testable import Store

/// Folders whose files another program has deleted or truncated.
@Suite struct SyncFolderTests {
  @Test func emptiedFolderIsFilledAgain() async throws {
    let folder = try SyncFolder()
    let (here, there) = (try SyncDevice("here", folder: folder.path), try SyncDevice("there", folder: folder.path))
    try here.library.setStatus([here.episode(1)], .played, now: here.now)
    try await here.sync()
    let own = folder.path + "/earshot-sync/here"
    for file in try FileManager.default.contentsOfDirectory(atPath: own) where file.hasSuffix(".jsonl") {
      try FileManager.default.removeItem(atPath: own + "/" + file)
    }
    for device in [here, there] { try await device.sync() }
    let state = try there.state(1)
    #expect(state == "played 0.0")
    // A change that was repeated is sent only once.
    let quiet = try await here.sync()
    #expect(quiet.pushed == SyncChanges())
  }

  @Test func folderWithMissingPartsIsFilledAgain() async throws {
    let folder = try SyncFolder()
    let (here, there) = (try SyncDevice("here", folder: folder.path), try SyncDevice("there", folder: folder.path))
    try here.library.enqueue([here.episode(1)], now: here.now)
    try here.library.setStatus([here.episode(2)], .played, now: here.now)
    try await here.sync()
    let own = folder.path + "/earshot-sync/here"
    // First the whole directory of a device is deleted, then the tail of a file.
    try FileManager.default.removeItem(atPath: own)
    for device in [here, there] { try await device.sync() }
    #expect(try there.queue() == ["0-1"])
    #expect(try there.state(2) == "played 0.0")
    try here.library.setStatus([here.episode(3)], .played, now: here.now)
    try await here.sync()
    let file = own + "/episodes.000001.jsonl"
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: handle.seekToEnd() - 20)
    try handle.close()
    for device in [here, there] { try await device.sync() }
    #expect(try there.state(3) == "played 0.0")
  }
}
