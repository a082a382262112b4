import Foundation
import GRDB

/// A copy of the library that is being written. It gets its name when it is complete, so a kill never leaves an
/// incomplete copy under that name.
struct LibraryCopy {
  /// The path of the library, for errors.
  var source: String
  var target: String

  /// Parts that are older come from a process that was killed. Writing a copy takes seconds.
  private static let oldest = 3600.0

  /// - Parameter write: writes the copy to a path where no file is.
  func make(_ write: (String) throws -> Void) throws(StoreError) {
    let target = LibraryFile(path: target).path
    removeOldParts()
    // Each process has its own part, because two may copy to the same file at once.
    let part = "\(target).\(UUID().uuidString.prefix(8).lowercased()).part"
    do {
      try write(part)
      OwnerOnly.restrict(part)
      guard LibraryFile.sync(part), rename(part, target) == 0 else {
        throw StoreError.cannotCopy(path: target, detail: String(cString: strerror(errno)))
      }
    } catch {
      for name in [part, part + "-journal"] { unlink(name) }
      throw StoreError(copying: error, from: source, to: target)
    }
    // Some file systems cannot flush directories, but keep the order themselves.
    _ = LibraryFile.sync(LibraryFile(path: target).directory)
  }

  /// Deletes what killed processes left of copies with this name or, in the directory of backups, with any other.
  private func removeOldParts() {
    let directory = LibraryFile(path: target).directory
    let backups = BackupDirectory(library: source)
    let start = directory == backups.path ? backups.prefix : URL(fileURLWithPath: target).lastPathComponent + "."
    // Files that cannot be listed or deleted only cost space.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    where name.hasPrefix(start) && (name.hasSuffix(".part") || name.hasSuffix(".part-journal")) {
      let path = directory + "/" + name
      guard let written = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date,
        written.timeIntervalSinceNow < -Self.oldest
      else { continue }
      unlink(path)
    }
  }
}
