import Foundation

/// Writes a file for a command. Either all of it is written, or the old file is unchanged.
enum OutputFile {
  static func write(_ data: Data, to path: String) throws(OutputFailure) {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      let code = code(of: error)
      throw OutputFailure(name: path, code: code, isNew: !causesWhileWriting.contains(code))
    }
  }

  /// Errors that only occur while writing. All others mean that the file could not be created.
  private static let causesWhileWriting: Set<Int32> = [ENOSPC, EDQUOT, EIO, EFBIG, EPIPE]

  private static func code(of error: any Error) -> Int32 {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(clamping: error.code) }
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { return code(of: cause) }
    return switch CocoaError.Code(rawValue: error.code) {
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteNoPermission: EACCES
    case .fileWriteVolumeReadOnly: EROFS
    case .fileNoSuchFile: ENOENT
    default: EIO
    }
  }
}
