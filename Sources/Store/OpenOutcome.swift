import Foundation

/// How opening the library went.
public struct OpenOutcome: Sendable {
  public var library: Library
  /// Where a file that was damaged or not ours has been put; `library` is a new, empty one then.
  public var setAside: String?
  /// What was wrong, for people: why a file was set aside, why `library.isReadOnly` or `library.isTemporary`.
  public var reason: String?
  /// The newest good backup, when a file was set aside: `Library.restore` brings it back.
  public var backup: Backup?
}

extension Library {
  /// Opens the library, and makes its directory. A file that is damaged or no library is set aside under a new name,
  /// never overwritten, and a new library begins. One that cannot be written is opened to be read.
  /// - Parameter now: names the file that is set aside.
  public static func open(
    path: String, now: Date, plainText: @escaping @Sendable (String) -> String = { $0 }
  ) throws(StoreError) -> OpenOutcome {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: Int(OwnerOnly.directoryMode)])
    } catch {
      throw .cannotOpen(path: path, detail: error.localizedDescription)
    }
    do throws(StoreError) {
      // A library that was there is gone when its file is empty. Without a backup it is a first start that was cut off.
      if LibraryFile(path: path).isEmptied, !backups(of: path).isEmpty {
        throw StoreError.damaged(path: path, detail: "it is empty")
      }
      return OpenOutcome(library: try Library(path: path, plainText: plainText))
    } catch {
      switch error {
      case .readOnly, .cannotOpen, .diskFull:
        // What is there can be read, and what is heard is not kept: better than nothing, when it is said.
        do throws(StoreError) {
          let library = try Library(path: path, isReadOnly: true, plainText: plainText)
          library.obstacle.withLock { $0 = error }
          return OpenOutcome(library: library, reason: error.description)
        } catch .older {
          throw .cannotOpen(
            path: path,
            detail: "an older Earshot wrote it, and it cannot be brought up to date where nothing can be written")
        } catch _ {
          throw error
        }
      case .damaged, .notALibrary:
        let setAside = try LibraryFile(path: path).setAside(now: now)
        let library = try Library(path: path, plainText: plainText)
        return OpenOutcome(
          library: library, setAside: setAside, reason: error.description, backup: newestGoodBackup(of: path))
      default: throw error
      }
    }
  }
}

extension Library {
  /// Makes a library in a temporary directory, for a player where no library can be made at all. `close` removes it.
  /// - Parameter reason: why, for people.
  public static func openTemporary(
    reason: String, plainText: @escaping @Sendable (String) -> String = { $0 }
  ) throws(StoreError) -> OpenOutcome {
    let places = [FileManager.default.temporaryDirectory.path, "/tmp", "/dev/shm"]
    var failure = StoreError.cannotOpen(path: places[0], detail: "no temporary directory")
    for place in places {
      var name = Array("\(place)/earshot-XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else {
        failure = .system(errno, path: place, "no directory can be made in it")
        continue
      }
      let directory = String(decoding: name.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
      do throws(StoreError) {
        let library = try Library(path: directory + "/earshot.db", plainText: plainText)
        library.temporaryDirectory.withLock { $0 = directory }
        return OpenOutcome(library: library, reason: reason)
      } catch {
        failure = error
        // What was begun there is worth nothing.
        try? FileManager.default.removeItem(atPath: directory)
      }
    }
    throw failure
  }

  /// Nothing of it is left after `close`.
  public var isTemporary: Bool { temporaryDirectory.withLock { $0 != nil } }
}
