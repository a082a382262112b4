import Foundation

/// A file that a verb was asked to write. The whole of it is written, or the file stays as it was.
enum OutputFile {
  static func write(_ data: Data, to path: String) throws(OutputFailure) {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      let code = code(of: error)
      throw OutputFailure(name: path, code: code, isNew: !causesWhileWriting.contains(code))
    }
  }

  /// What only a write can meet; all else keeps the file from being made.
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
