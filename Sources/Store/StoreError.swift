import Foundation
import GRDB
import Model

/// All errors of the library. Only `description` has their texts.
public enum StoreError: Error, Sendable, Equatable {
  /// The file is not an SQLite database, or belongs to another program.
  case notALibrary(path: String, detail: String)
  /// SQLite found damage in the file. Nothing was overwritten.
  case damaged(path: String, detail: String)
  /// A newer Earshot wrote the file, so this one must not change it.
  case newer(path: String)
  /// An older Earshot wrote the file. It was opened read-only, so it cannot be migrated.
  case older(path: String)
  /// The file or its directory cannot be written. Stored data is safe.
  case readOnly(path: String)
  /// The disk is full. The failed change was rolled back.
  case diskFull(path: String)
  /// A copy of the library cannot be written. The library itself is not concerned.
  case cannotCopy(path: String, detail: String)
  /// Another process locked the library for too long.
  case busy(path: String)
  /// The file cannot be opened or created.
  case cannotOpen(path: String, detail: String)
  /// The file was moved away or deleted while it was open, and could not be written again.
  case moved(path: String, detail: String)
  /// The caller named something that does not exist ("podcast 7").
  case unknown(String)
  /// The caller's request is not valid ("A clip ends after it starts.").
  case invalid(String)
  /// The caller cancelled the operation.
  case interrupted
  /// Any other SQLite error.
  case failed(path: String, detail: String)

  /// A stored code that this version does not know, because a newer one wrote it.
  static func unknownCode(_ word: String, what: String) -> StoreError {
    .invalid(
      "The library has \(what) of a kind that this Earshot does not know (“\(word)”). A newer one wrote it; please update."
    )
  }

  /// Maps an error of GRDB by its result code (https://www.sqlite.org/rescode.html).
  init(_ error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError: self = Self.sorted(error, path: path)
    default: self = .failed(path: path, detail: String(describing: error))
    }
  }

  private static func sorted(_ error: DatabaseError, path: String) -> StoreError {
    let detail = error.message ?? String(describing: error.resultCode)
    // No space for the index of the write-ahead log: https://www.sqlite.org/rescode.html#ioerr_shmsize
    if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE { return .diskFull(path: path) }
    switch error.resultCode {
    case .SQLITE_NOTADB: return .notALibrary(path: path, detail: detail)
    case .SQLITE_CORRUPT: return .damaged(path: path, detail: detail)
    case .SQLITE_READONLY, .SQLITE_PERM: return .readOnly(path: path)
    case .SQLITE_FULL: return .diskFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy(path: path)
    case .SQLITE_INTERRUPT: return .interrupted
    case .SQLITE_CANTOPEN, .SQLITE_IOERR:
      // SQLite does not report why the system refused.
      switch DiskState.of(path) {
      case .full: return .diskFull(path: path)
      case .readOnly: return .readOnly(path: path)
      case .writable: break
      }
      return error.resultCode == .SQLITE_CANTOPEN
        ? .cannotOpen(path: path, detail: detail) : .failed(path: path, detail: detail)
    default: return .failed(path: path, detail: detail)
    }
  }

  /// Maps an error of copying the library, which has its cause in the library or in the copy.
  init(copying error: any Error, from source: String, to target: String) {
    guard let error = error as? DatabaseError, !error.concernsTheSource else {
      self.init(error, path: source)
      return
    }
    let detail =
      switch DiskState.of(target) {
      case _ where error.resultCode == .SQLITE_FULL: "the disk is full"
      case .full: "the disk is full"
      case .readOnly: "the disk is read-only"
      case .writable: LibraryFile(path: target).reason(error.message ?? String(describing: error.resultCode))
      }
    self = .cannotCopy(path: target, detail: detail)
  }

  /// Maps a system error by its errno.
  static func system(_ code: Int32, path: String, _ what: String) -> StoreError {
    switch code {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EROFS: .readOnly(path: path)
    default: .cannotOpen(path: path, detail: "\(what): \(String(cString: strerror(code)))")
    }
  }

  /// Whether the problem may go away: the disk or another process prevents writing.
  public var isTransient: Bool {
    switch self {
    case .readOnly, .diskFull, .cannotCopy, .busy, .cannotOpen, .failed, .moved: true
    case .notALibrary, .damaged, .newer, .older, .unknown, .invalid, .interrupted: false
    }
  }
}

extension StoreError {
  /// What a program says that cannot write at its end.
  public static let waitsForOthers =
    "Waiting for another process that uses the library. Your position is saved as soon as it is done."
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notALibrary(let path, let detail): "\(path) is not Earshot's library (\(detail))."
    case .damaged(let path, let detail): "The library \(path) is damaged (\(detail))."
    case .newer(let path): "The library \(path) was written by a newer Earshot; please update this one."
    case .older(let path):
      "The library \(path) was written by an older Earshot, and must be brought up to date before it can be read."
    case .readOnly(let path): "The library \(path) cannot be written: the file or its directory is read-only."
    case .diskFull(let path): "The disk is full: nothing was changed in the library \(path)."
    case .cannotCopy(let path, let detail): "The backup \(path) cannot be written: \(detail)."
    case .busy(let path): "The library \(path) is in use by another process."
    case .cannotOpen(let path, let detail): "The library \(path) cannot be opened (\(detail))."
    case .moved(let path, let detail): "The library \(path) was moved or deleted while it was open. \(detail)"
    case .unknown(let what): "The library has no \(what)."
    case .invalid(let why): why
    case .interrupted: "It was cancelled."
    case .failed(let path, let detail): "The library \(path) failed (\(detail))."
    }
  }
}

extension DatabaseError {
  /// Whether an error of copying comes from the file that is read, not from the one that is written.
  var concernsTheSource: Bool {
    switch extendedResultCode {
    case .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS, .SQLITE_IOERR_SHMSIZE: true
    default: [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT].contains(resultCode)
    }
  }
}
