import Foundation

/// How opening the library went.
public struct OpenOutcome: Sendable {
  public var library: Library
  /// Where a file that was damaged or not ours has been put; `library` is a new, empty one then.
  public var setAside: String?
  /// What was wrong, for people: why a file was set aside, or why `library.isReadOnly`.
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
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
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
