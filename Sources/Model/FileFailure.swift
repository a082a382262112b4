import Foundation

/// Why a file cannot be used. The texts of Foundation's own errors repeat the path and name no cause.
public enum FileFailure {
  /// From errno(3). Nil for other errors.
  public static func code(_ error: any Error) -> Int32? {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(clamping: error.code) }
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError, let code = code(cause) { return code }
    guard error.domain == NSCocoaErrorDomain else { return nil }
    return switch CocoaError.Code(rawValue: error.code) {
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteNoPermission, .fileReadNoPermission: EACCES
    case .fileWriteVolumeReadOnly: EROFS
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    case .fileWriteFileExists: EEXIST
    default: nil
    }
  }

  /// The system's text, such as "No such file or directory".
  public static func text(_ error: any Error) -> String {
    code(error).map { String(cString: strerror($0)) } ?? error.localizedDescription
  }

  /// What the path is if it is not a regular file, such as "a FIFO". Nil if it is one, or does not exist. Opening a
  /// FIFO would block, and a device may be endless.
  public static func wrongKind(_ path: String) -> String? {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    return switch info.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }
}
