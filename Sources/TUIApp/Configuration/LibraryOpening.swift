import FeedKit
import Foundation
import Store

/// Opens the listener's library, and creates its directories.
enum LibraryOpening {
  static func open(_ directories: Directories) throws -> OpenOutcome {
    try directories.create()
    return try Library.open(path: directories.database, now: Date(), plainText: { HTMLDocument.plainText($0) })
  }

  /// Opens the library for playing. If the disk does not allow a new library, a temporary one is used. A library that
  /// exists and cannot be read is still an error.
  static func openForPlaying(_ directories: Directories) throws -> OpenOutcome {
    do {
      return try open(directories)
    } catch {
      guard isDiskError(error), !FileManager.default.fileExists(atPath: directories.database) else { throw error }
      return try Library.openTemporary(
        reason: String(describing: error), plainText: { HTMLDocument.plainText($0) })
    }
  }

  private static func isDiskError(_ error: any Error) -> Bool {
    switch error {
    case SetupError.cannotCreate: true
    case let error as StoreError: error.isTransient
    default: false
    }
  }
}

extension OpenOutcome {
  /// A warning if the library is not stored; else nil.
  var warning: String? {
    guard let reason else { return nil }
    if library.isTemporary { return "\(reason). Nothing is kept: what you hear and change is forgotten at the end." }
    guard library.isReadOnly else { return nil }
    return "\(reason) \(ListeningRecorder.Notice.unsaved) Nothing else can be changed."
  }
}
