import ChildProcesses
import Foundation
import Testing

/// Small file systems in memory, for tests that run as root.
enum TestDisk {
  static let mayMount: Bool = {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)").path
    guard geteuid() == 0, mkdir(place, 0o700) == 0 else { return false }
    defer { rmdir(place) }
    return mount(place, size: "64k") && run("/bin/umount", [place])
  }()

  /// Mounts a file system in the library's directory. The test must unmount it.
  static func mounted(beside box: TemporaryLibrary, size: String) throws -> String {
    let place = box.directory + "/disk"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try #require(mount(place, size: size))
    return place
  }

  /// - Parameter size: as `mount` writes it, such as `3m`.
  static func mount(_ place: String, size: String) -> Bool {
    run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", place])
  }

  /// Fills a small file system with a file.
  /// - Returns: the path of the file.
  static func fill(_ place: String) throws -> String {
    let path = place + "/ballast"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    let ballast = try #require(FileHandle(forWritingAtPath: path))
    while (try? ballast.write(contentsOf: Data(count: 4096))) != nil {}
    try ballast.close()
    return path
  }

  static func makeReadOnly(_ place: String) -> Bool { run("/bin/mount", ["-o", "remount,ro", place]) }

  static func unmount(_ place: String) { _ = run("/bin/umount", ["-l", place]) }

  private static func run(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    return (try? process.runToEnd()) == 0
  }
}
