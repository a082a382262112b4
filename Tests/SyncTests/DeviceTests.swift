import Foundation
import HTTP
import Model
import Store
import TemporaryFiles
import Testing

@testable import Services
@testable import Sync
@testable import SyncBackends

/// Ids of devices.
@Suite struct DeviceTests {
  /// Libraries beside an empty folder.
  private struct Place {
    private let directory: TemporaryDirectory
    var path: String { directory.path }

    init() throws { directory = try TemporaryDirectory() }

    func service(_ name: String) throws -> SyncService {
      let directory = path + "/" + name
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      return try SyncService.withNewLibrary(in: directory)
    }

    func logIn(_ service: SyncService, _ name: String?) async throws -> String {
      try await service.logIn(FolderBackend.self, path: path + "/folder", device: name).device
    }

    var devices: Set<String> {
      Set((try? FileManager.default.contentsOfDirectory(atPath: path + "/folder/earshot-sync")) ?? [])
    }
  }

  @Test(arguments: [
    ("Ноутбук", "earshot-abc"), ("laptop", "laptop-abc"), ("my laptop!", "my-laptop-abc"), ("...", "earshot-abc"),
    ("-x", "x-abc"), ("", "earshot-abc"), ("日本 PC", "PC-abc"),
  ])
  func idEndsInTheLibrarysOwn(name: String, id: String) {
    #expect(SyncService.deviceID(name, library: "abc") == id)
  }

  @Test func equalNamesAreTwoDevices() async throws {
    let place = try Place()
    let (here, there) = (try place.service("here"), try place.service("there"))
    let ids = [try await place.logIn(here, "Телефон"), try await place.logIn(there, "Телефон")]
    #expect(ids[0] != ids[1] && place.devices == Set(ids))
    // A device that logs in again stays the same device.
    _ = try await here.logOut()
    #expect(try await place.logIn(here, "another name") == ids[0])
  }

  /// Earlier versions took the name as the id, and did not write whose a directory is.
  @Test func devicesWithOneDirectoryBecomeTwo() async throws {
    let place = try Place()
    let (here, there) = (try place.service("here"), try place.service("there"))
    for service in [here, there] {
      _ = try await place.logIn(service, "x")
      var account = try #require(try service.library.syncAccount())
      try FileManager.default.removeItem(atPath: place.path + "/folder/earshot-sync/" + account.device)
      account.device = "laptop"
      try service.library.setSyncAccount(account)
    }
    let old = place.path + "/folder/earshot-sync/laptop"
    try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: true)
    try Data(#"{"earshot":"device","format":1,"name":"laptop"}"#.utf8)
      .write(to: URL(fileURLWithPath: old + "/device.json"))
    try here.library.subscribe(feed: Feed(), feedURL: "https://p.example/1", now: Date())
    try there.library.subscribe(feed: Feed(), feedURL: "https://p.example/2", now: Date())
    // The first one keeps the directory.
    #expect(try await here.run().account.device == "laptop")
    let other = try await there.run().account.device
    #expect(other != "laptop" && place.devices == ["laptop", other])
    #expect(try there.library.syncAccount()?.device == other)
    _ = try await here.run()
    for service in [here, there] {
      let feeds = try service.library.podcasts().map(\.feedURL).filter { $0.hasPrefix("http") }
      #expect(Set(feeds) == ["https://p.example/1", "https://p.example/2"])
    }
    #expect(try await there.run().account.device == other)
  }
}
