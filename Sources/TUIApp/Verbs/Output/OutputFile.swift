import Foundation
import Model
import Store

/// Writes a file for a command. Either all of it is written, or the old file is unchanged. A link stays, and what it
/// leads to is written. So is a named pipe or a device.
enum OutputFile {
  /// Throws if the file exists, unless `--force` is given. Prints the reason.
  static func refuseExisting(_ path: String, unless force: Bool) throws {
    guard !force, FileManager.default.fileExists(atPath: path) else { return }
    throw ExitStatus.cannotCreate.error(saying: "\(path) exists. Use --force to replace it.")
  }

  static func write(_ data: Data, to path: String) throws(OutputFailure) {
    guard !path.isEmpty else { throw OutputFailure(name: "A file without a name", code: ENOENT, isNew: true) }
    let target = SymbolicLink.target(of: path)
    var old = stat()
    let exists = stat(target, &old) == 0
    if exists, old.st_mode & S_IFMT != S_IFREG { return try writeInPlace(data, to: path) }
    do {
      try data.write(to: URL(fileURLWithPath: target), options: .atomic)
      if exists { chmod(target, old.st_mode & 0o777) }
    } catch {
      let code = FileFailure.code(error) ?? EIO
      throw OutputFailure(name: path, code: code, isNew: !causesWhileWriting.contains(code))
    }
  }

  private static func writeInPlace(_ data: Data, to path: String) throws(OutputFailure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OutputFailure(name: path, code: errno, isNew: true) }
    defer { close(descriptor) }
    if let code = data.withUnsafeBytes({ DescriptorOutput.write($0, to: descriptor) }) {
      throw OutputFailure(name: path, code: code)
    }
  }

  /// Errors that only occur while writing. All others mean that the file could not be created.
  private static let causesWhileWriting: Set<Int32> = [ENOSPC, EDQUOT, EIO, EFBIG, EPIPE]
}
