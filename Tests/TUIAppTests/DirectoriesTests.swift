import Foundation
import Testing

@testable import Services
@testable import TUIApp

/// The directories of Earshot's files, and the files of the package.
@Suite(InTurn()) struct DirectoriesTests {
  @Test func directoriesAreBelowHomeByDefault() {
    let directories = Directories(environment: ["HOME": "/home/x"])
    #expect(directories.configFile == "/home/x/.config/earshot/config.toml")
    #expect(directories.themes == "/home/x/.config/earshot/themes")
    #expect(directories.database == "/home/x/.local/share/earshot/earshot.db")
    #expect(directories.downloads == "/home/x/.local/share/earshot/downloads")
    #expect(directories.cache == "/home/x/.cache/earshot")
    #expect(directories.logFile == "/home/x/.local/state/earshot/earshot.log")
  }

  @Test func variablesChangeTheDirectories() {
    let directories = Directories(environment: [
      "HOME": "/home/x", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/k", "XDG_STATE_HOME": "/s",
    ])
    #expect(directories.config == "/c/earshot" && directories.data == "/d/earshot")
    #expect(directories.cache == "/k/earshot" && directories.state == "/s/earshot")
    #expect(directories.downloads == "/d/earshot/downloads")
  }

  /// XDG Base Directory Specification 0.8: "If an implementation encounters a relative path … it should consider the
  /// path invalid and ignore it."
  @Test(arguments: ["", "relative", "./here", "~/there"]) func emptyAndRelativePathsAreIgnored(value: String) {
    let directories = Directories(environment: ["HOME": "/home/x", "XDG_DATA_HOME": value])
    #expect(directories.data == "/home/x/.local/share/earshot")
  }

  @Test func directoriesAreMadeForTheOwnerOnly() throws {
    let home = try TemporaryHome()
    let directories = home.directories
    try directories.create()
    try directories.create()
    for path in [directories.data, directories.state] {
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o700, "\(path)")
    }
  }

  // MARK: The package's files

  @Test func welcomePodcastIsFoundBesideTheProgram() throws {
    let resources = Resources(executable: try BuiltProgram.path())
    let feed = try #require(resources.file(of: "earshot:welcome/feed.xml"))
    #expect(FileManager.default.fileExists(atPath: feed))
    #expect(resources.themes.contains(SourceTree.root + "/themes"))
  }

  @Test func installedProgramFindsItsFiles() throws {
    let home = try TemporaryHome()
    for directory in ["bin", "share/earshot/welcome", "share/earshot/themes", "themes"] {
      try FileManager.default.createDirectory(atPath: "\(home.path)/\(directory)", withIntermediateDirectories: true)
    }
    let resources = Resources(executable: home.path + "/bin/earshot")
    #expect(resources.welcome == home.path + "/share/earshot/welcome")
    #expect(resources.themes == [home.path + "/share/earshot/themes"], "“themes” alone is somebody else's")
  }

  /// Addresses come from feeds. Only the names of files beside the built-in feed are read as files.
  @Test(arguments: [
    "earshot:welcome/../feed.xml", "earshot:welcome/../../etc/passwd", "earshot:welcome//etc/passwd",
    "earshot:welcome/a/../../b", "earshot:welcome/..", "earshot:welcome/.", "earshot:welcome/.hidden",
    "earshot:welcome/", "earshot:welcome", "earshot:welcome\\feed.xml", "file:///etc/passwd", "/etc/passwd", "",
    "EARSHOT:WELCOME/../x", "earshot:other/feed.xml", "xearshot:welcome/feed.xml",
  ])
  func otherAddressesAreNotFiles(address: String) throws {
    #expect(Resources(executable: try BuiltProgram.path()).file(of: address) == nil)
  }
}
