import FeedKit
import Foundation
import Store

/// Opens the listener's library, and its directories.
enum LibraryOpening {
  static func open(_ directories: Directories) throws -> OpenOutcome {
    try directories.create()
    return try Library.open(path: directories.database, now: Date(), plainText: { HTMLDocument.plainText($0) })
  }

  /// For who plays: where no library can be made, one that goes with the process. What is there and cannot be read is an
  /// error all the same.
  static func openForPlaying(_ directories: Directories) throws -> OpenOutcome {
    do {
      return try open(directories)
    } catch {
      guard isOfTheDisk(error), !FileManager.default.fileExists(atPath: directories.database) else { throw error }
      return try Library.openTemporary(
        reason: String(describing: error), plainText: { HTMLDocument.plainText($0) })
    }
  }

  private static func isOfTheDisk(_ error: any Error) -> Bool {
    switch error {
    case SetupError.cannotCreate: true
    case let error as StoreError: error.isTransient
    default: false
    }
  }
}

extension OpenOutcome {
  /// What the listener should know of a library that is not kept; nil of any other.
  var warning: String? {
    guard let reason else { return nil }
    if library.isTemporary { return "\(reason). Nothing is kept: what you hear and change is forgotten at the end." }
    guard library.isReadOnly else { return nil }
    return "\(reason) Your place is not kept; it is remembered until it can be. Nothing else can be changed."
  }
}
