import Foundation
import Model
import TemporaryFiles
import Testing

@testable import Folders

/// A folder in a temporary directory, which is deleted when the value is released.
final class TestFolder {
  private let place: TemporaryDirectory
  var path: String { place.path + "/Book" }
  var bytes: [UInt8] { Array(path.utf8) }

  init() throws {
    place = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  func add(_ name: String, _ text: String = "sound") throws {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  func scan(limit: Int = 10_000) throws(FolderError) -> FolderContents { try FolderScanner(limit: limit).scan(bytes) }

  func sounds() throws -> [String] { try scan().sounds.map { String(decoding: $0.path, as: UTF8.self) } }
}

@Suite struct FolderScannerTests {
  @Test func filesAreInNaturalOrder() throws {
    let folder = try TestFolder()
    for name in ["10 end.mp3", "9 middle.MP3", "ä.ogg", "b.opus", "A.flac", "CD 10/1.mp3", "CD 9/2.mp3", "CD 9/10.mp3"]
    {
      try folder.add(name)
    }
    for name in ["cover.jpg", "notes.txt", "book.cue", ".hidden.mp3", ".git/x.mp3", "@eaDir/x.mp3", "lost+found/x.mp3"]
    {
      try folder.add(name)
    }
    #expect(
      try folder.sounds() == [
        "9 middle.MP3", "10 end.mp3", "A.flac", "ä.ogg", "b.opus", "CD 9/2.mp3", "CD 9/10.mp3", "CD 10/1.mp3",
      ])
    let contents = try folder.scan()
    #expect(contents.pictures.map(\.path) == [Array("cover.jpg".utf8)])
    #expect(contents.cueSheets.map(\.path) == [Array("book.cue".utf8)])
    #expect(
      contents.sounds[0].bytes == 5 && abs(contents.sounds[0].modified - Int64(Date().timeIntervalSince1970)) < 60)
  }

  /// Links within the folder count, as git-annex makes them. Whatever could lead out or block is left out.
  @Test func onlyRegularFilesOfTheFolderCount() throws {
    let folder = try TestFolder()
    try folder.add("1.mp3")
    try folder.add(".annex/object.mp3", "other")
    try Data("secret".utf8).write(to: URL(fileURLWithPath: folder.path + "/../outside.mp3"))
    let links = [
      ("2.mp3", folder.path + "/.annex/object.mp3"), ("3.mp3", "1.mp3"), ("4.mp3", "../outside.mp3"),
      ("5.mp3", "missing.mp3"), ("6.mp3", "/dev/zero"), ("loop", "."), ("up", ".."), ("7.mp3", "7.mp3"),
    ]
    for (name, target) in links {
      try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
    }
    #expect(mkfifo(folder.path + "/pipe.mp3", 0o600) == 0)
    #expect(try folder.sounds() == ["1.mp3", "2.mp3"])
    #expect(FileIdentity.guid(of: folder.bytes + Array("/pipe.mp3".utf8)) == nil)
    #expect(FileIdentity.guid(of: Array("/dev/zero".utf8)) == nil)
  }

  #if os(Linux)
    /// Root may read everything, but no path that is longer than the system allows.
    @Test func unreadableFolderIsNamedAndTheOthersAreRead() throws {
      let folder = try TestFolder()
      let deep = "b/" + Array(repeating: String(repeating: "d", count: 250), count: 15).joined(separator: "/")
      for name in ["a/1.mp3", deep + "/2.mp3", "c/3.mp3"] { try folder.add(name) }
      let known = try folder.scan().sounds
      #expect(known.count == 3)
      let long = folder.path + String(repeating: "x", count: 240) + "/" + String(repeating: "x", count: 240)
      try FileManager.default.createDirectory(
        atPath: (long as NSString).deletingLastPathComponent, withIntermediateDirectories: false)
      try FileManager.default.moveItem(atPath: folder.path, toPath: long)
      defer { try? FileManager.default.moveItem(atPath: long, toPath: folder.path) }
      let contents = try FolderScanner().scan(Array(long.utf8))
      #expect(contents.sounds.map { String(decoding: $0.path, as: UTF8.self) } == ["a/1.mp3", "c/3.mp3"])
      guard case .unreadable(let path, let reason)? = contents.unreadable.first, contents.unreadable.count == 1 else {
        Issue.record("\(contents.unreadable)")
        return
      }
      #expect(path.starts(with: Array((long + "/b/ddd").utf8)) && reason == String(cString: strerror(ENAMETOOLONG)))
      // What is in it stays, and only that.
      let gone = FolderFile(path: Array("a/0.mp3".utf8), bytes: 5, modified: 5)
      #expect(try FolderScanner().scan(Array(long.utf8), known: known + [gone]).sounds.map(\.path) == known.map(\.path))
      try FileManager.default.removeItem(atPath: long + "/a")
      try FileManager.default.removeItem(atPath: long + "/c")
      #expect(throws: contents.unreadable[0]) { try FolderScanner().scan(Array(long.utf8)) }
    }

    /// They have many files, none of which is the listener's.
    @Test(arguments: ["/proc", "/sys"]) func filesOfTheKernelAreNotListed(path: String) throws {
      #expect(throws: FolderError.empty) { try FolderScanner(limit: 1).scan(Array(path.utf8)) }
      #expect(try FolderScanner().folders(in: Array(path.utf8)) == [])
    }
  #endif

  /// Its names can be read, and nothing else.
  @Test(.enabled(if: geteuid() != 0, "root may read everything"), arguments: [mode_t(0o444), 0])
  func folderWithoutPermissionIsUnreadable(mode: mode_t) throws {
    let folder = try TestFolder()
    for name in ["a/1.mp3", "b/2.mp3"] { try folder.add(name) }
    let known = try folder.scan().sounds
    chmod(folder.path + "/b", mode)
    defer { chmod(folder.path + "/b", 0o700) }
    let contents = try FolderScanner().scan(folder.bytes, known: known)
    #expect(contents.sounds == known && contents.unreadable.count == 1)
  }

  @Test func folderBehindALinkIsRead() throws {
    let folder = try TestFolder()
    try folder.add("1.mp3")
    let link = folder.path + "-link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    #expect(try FolderScanner().scan(Array(link.utf8)).sounds.count == 1)
  }

  @Test(.enabled(if: canHaveAnyName, "file names must be UTF-8 here"))
  func nameThatIsNotUTF8IsKept() throws {
    let folder = try TestFolder()
    let name: [UInt8] = [0x31, 0xFF, 0xE4] + Array(".mp3".utf8)
    let file = FolderScanner.withPath(folder.bytes + [0x2F] + name) { open($0, O_CREAT | O_WRONLY, 0o600) }
    try #require(file >= 0)
    close(file)
    let found = try #require(try folder.scan().sounds.first)
    #expect(found.path == name)
    let address = FolderAddress.file(name, in: FolderAddress.address(of: folder.bytes))
    #expect(address.hasSuffix("/Book/1%FF%E4.mp3"))
    #expect(FolderAddress.path(of: address) == folder.bytes + [0x2F] + name)
    #expect(FileIdentity.guid(of: FolderAddress.path(of: address) ?? []) != nil)
  }

  #if os(Linux)
    private static let canHaveAnyName = true
  #else
    private static let canHaveAnyName = false
  #endif

  @Test func missingAndEmptyFoldersAreErrors() throws {
    let folder = try TestFolder()
    #expect(throws: FolderError.empty) { try folder.scan() }
    try folder.add("readme.txt")
    #expect(throws: FolderError.empty) { try folder.scan() }
    #expect(throws: FolderError.missing) { try FolderScanner().scan(folder.bytes + Array("/none".utf8)) }
    #expect(throws: FolderError.notAFolder) { try FolderScanner().scan(folder.bytes + Array("/readme.txt".utf8)) }
    #expect(throws: FolderError.notAFolder) { try FolderScanner().scan(folder.bytes + Array("/readme.txt/x".utf8)) }
  }

  @Test func limitIsSaid() throws {
    let folder = try TestFolder()
    for number in 1...4 { try folder.add("\(number).mp3") }
    #expect(throws: FolderError.tooMany(limit: 3)) { try folder.scan(limit: 3) }
    #expect(try folder.scan(limit: 4).sounds.count == 4)
    for number in 1...80 { try folder.add("\(number).txt") }
    // Names of other files are not looked at without end either.
    #expect(throws: FolderError.tooMany(limit: 4)) { try folder.scan(limit: 4) }
  }

  @Test func foldersInAFolderAreNamed() throws {
    let folder = try TestFolder()
    for name in ["Part 10/1.mp3", "part 9/1.mp3", ".x/1.mp3", "file.mp3"] { try folder.add(name) }
    let names = try FolderScanner().folders(in: folder.bytes).map { String(decoding: $0, as: UTF8.self) }
    #expect(names == ["part 9", "Part 10"])
  }

  /// Renaming keeps the identity, and a change of the contents at either end does not.
  @Test func identityIsThatOfTheContents() throws {
    let folder = try TestFolder()
    let long = String(repeating: "0123456789", count: 20_000)
    try folder.add("a.mp3", long)
    try folder.add("b.mp3", long)
    try folder.add("c.mp3", long.dropLast() + "X")
    try folder.add("d.mp3", "X" + long.dropFirst())
    try folder.add("e.mp3", long + "0")
    try folder.add("f.mp3", "")
    let guids = try folder.scan().sounds.map { FileIdentity.guid(of: folder.bytes + [0x2F] + $0.path) }
    #expect(!guids.contains(nil))
    #expect(guids[0] == guids[1] && Set(guids).count == 5)
    #expect(guids[0]?.hasPrefix("file:200000-") == true)
  }
}

@Suite struct FolderAddressTests {
  @Test func addressIsThatOfThePath() {
    let address = FolderAddress.address(of: "/home/me/A b/ü?#%.mp3".utf8)
    #expect(address == "file:///home/me/A%20b/%C3%BC%3F%23%25.mp3")
    #expect(FolderAddress.path(of: address) == Array("/home/me/A b/ü?#%.mp3".utf8))
    #expect(FolderAddress.shownPath(of: address) == "/home/me/A b/ü?#%.mp3")
  }

  @Test(arguments: [
    "file:///a/../etc/passwd", "file:///a/%2e%2E/x", "file:///a/%2F..%2Fx", "file:///a/x%00y", "file:///a/%F",
    "file:///a/%zz",
    "file://host/x", "http://example.org/x", "/a/x", "FILE:///a/x",
  ]) func hostileAddressHasNoPath(address: String) {
    #expect(FolderAddress.path(of: address) == nil)
    #expect(!FolderAddress.contains("file:///a", address))
  }

  @Test func onlyFilesBelowTheFolderAreInIt() {
    #expect(FolderAddress.contains("file:///a/b", "file:///a/b/c/d.mp3"))
    #expect(!FolderAddress.contains("file:///a/b", "file:///a/bc/d.mp3"))
    #expect(!FolderAddress.contains("file:///a/b", "file:///a/b"))
    #expect(!FolderAddress.contains("https://example.org", "https://example.org/x.mp3"))
  }

  @Test func pathsAreToldFromAddresses() {
    for text in ["/a", "~", "~/a", ".", "..", "./a", "../a"] { #expect(FolderAddress.isPath(text)) }
    for text in ["", "a", "example.org/feed", "https://a.example/x", "file:///a", ".example.org", "feed:///a"] {
      #expect(!FolderAddress.isPath(text))
    }
  }
}
