import Foundation
import Model

/// The result of opening the library.
public struct OpenOutcome: Sendable {
  public var library: Library
  /// The new path of a file that was damaged or not a library. `library` is then new and empty.
  public var setAside: String?
  /// Why a file was renamed, or why `library.isReadOnly` or `library.isTemporary`. Text for the user.
  public var reason: String?
  /// The newest good backup if a file was renamed. `Library.restore` restores it.
  public var backup: Backup?
}

extension Library {
  /// Opens the library, and creates its directory. A file that is damaged or not a library is renamed, never
  /// overwritten, and a new library is created. A file that cannot be written is opened read-only.
  /// - Parameter now: for the name of the renamed file.
  public static func open(
    path: String, now: Date, notes: NotesReader = NotesReader()
  ) throws(StoreError) -> OpenOutcome {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: Int(OwnerOnly.directoryMode)])
    } catch {
      throw .cannotOpen(path: path, detail: FileFailure.text(error))
    }
    do throws(StoreError) {
      // An empty file was a library if there are backups. Without backups it is from an interrupted first start.
      if LibraryFile(path: path).isEmptied, !backups(of: path).isEmpty {
        throw StoreError.damaged(path: path, detail: "it is empty")
      }
      return OpenOutcome(library: try Library(path: path, notes: notes))
    } catch {
      switch error {
      case .readOnly, .cannotOpen, .diskFull:
        // The library can be read, and nothing is saved. The outcome says so.
        do throws(StoreError) {
          let library = try Library(path: path, isReadOnly: true, notes: notes)
          library.openFailure.withLock { $0 = error }
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
        let library = try Library(path: path, notes: notes)
        return OpenOutcome(
          library: library, setAside: setAside, reason: error.description, backup: newestGoodBackup(of: path, now: now))
      default: throw error
      }
    }
  }
}

extension Library {
  /// Creates a library in a temporary directory, for a player where no library can be created at all. `close` deletes
  /// it.
  /// - Parameter reason: the reason, for the user.
  public static func openTemporary(reason: String, notes: NotesReader) throws(StoreError) -> OpenOutcome {
    let parents = [FileManager.default.temporaryDirectory.path, "/tmp", "/dev/shm"]
    var failure = StoreError.cannotOpen(path: parents[0], detail: "no temporary directory")
    for parent in parents {
      var name = Array("\(parent)/earshot-XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else {
        failure = .system(errno, path: parent, "no directory can be made in it")
        continue
      }
      let directory = String(decoding: name.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
      do throws(StoreError) {
        let library = try Library(path: directory + "/earshot.db", notes: notes)
        library.temporaryDirectory.withLock { $0 = directory }
        return OpenOutcome(library: library, reason: reason)
      } catch {
        failure = error
        // Removes an incomplete library.
        try? FileManager.default.removeItem(atPath: directory)
      }
    }
    throw failure
  }

  /// Whether the library is deleted by `close`.
  public var isTemporary: Bool { temporaryDirectory.withLock { $0 != nil } }
}
