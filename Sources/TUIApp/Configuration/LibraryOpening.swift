import FeedKit
import Foundation
import Logging
import Services
import Store

/// Opens the listener's library, and creates its directories.
enum LibraryOpening {
  private static let notes = NotesReader(
    plainText: { HTMLDocument.plainText($0) }, chapters: { NotesChapters.find(in: $0, duration: $1) })

  static func open(_ directories: Directories) throws -> OpenOutcome {
    try directories.create()
    return try Library.open(path: directories.database, now: Date(), notes: notes)
  }

  /// Opens the library for playing. If the disk does not allow a new library, a temporary one is used. A library that
  /// exists and cannot be read is still an error.
  static func openForPlaying(_ directories: Directories) throws -> OpenOutcome {
    do {
      return try open(directories)
    } catch {
      guard isDiskError(error), !FileManager.default.fileExists(atPath: directories.database) else { throw error }
      return try Library.openTemporary(
        reason: String(describing: error), notes: notes)
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

/// A library that could not be read was renamed, and a new one begins. The listener is told until they have restored a
/// backup, or have subscribed to a podcast again. Another process, such as a timer, may have opened the library first.
struct LibraryLoss {
  /// The remedy comes first, because a small screen may cut the end.
  let text: String

  init?(_ outcome: OpenOutcome) {
    guard let path = outcome.setAside, let reason = outcome.reason else { return nil }
    let remedy = outcome.backup.map { ". Run “earshot restore \($0.path)” to restore the backup" } ?? ""
    text = "A new library was made\(remedy). \(reason) It was kept as \(path)."
  }

  private static let key = "library.lost"

  /// Writes it to the log and to the new library.
  func record(in library: Library, _ log: Logger) {
    log.error("\(text)")
    do throws(StoreError) { try library.setSetting(Self.key, text) } catch { log.error("\(error)") }
  }

  /// The text of a loss that was recorded. Nil once the listener has subscribed to a podcast; then the record is
  /// deleted.
  static func recorded(in library: Library) throws(StoreError) -> String? {
    guard let text = try library.setting(key) else { return nil }
    let podcasts = try library.podcasts()
    if podcasts.allSatisfy({ $0.feedURL.hasPrefix(Resources.welcomeAddress) }) { return text }
    // If it cannot be deleted now, a later start deletes it.
    if !library.isReadOnly { try? library.setSetting(key, nil) }
    return nil
  }
}

extension OpenOutcome {
  /// A warning if the library is not stored; else nil.
  var warning: String? {
    guard let reason else { return nil }
    if library.isTemporary {
      // Errors of the library are sentences with a full stop, those of a directory have none.
      let end = reason.hasSuffix(".") ? "" : "."
      return "\(reason)\(end) Nothing is saved: what you hear and change is lost when Earshot ends."
    }
    guard library.isReadOnly else { return nil }
    return "\(reason) \(ListeningRecorder.Notice.unsaved) Nothing else can be changed."
  }
}
