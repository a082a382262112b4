import Foundation
import Model

/// A regular file that is open for reading. Pipes and devices are not opened.
final class RegularFile {
  private let descriptor: Int32
  let size: Int

  /// Nil if it cannot be read, or is something else.
  init?(_ path: [UInt8]) {
    // Without O_NONBLOCK, a pipe at the path of the file would block the thread.
    descriptor = FolderScanner.withPath(path) { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if descriptor >= 0 { close(descriptor) }
      size = 0
      return nil
    }
    size = Int(status.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Nil if there are fewer bytes.
  func read(at offset: Int, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + done, count - done, off_t(offset + done))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }
}

/// What a file is recognised by after it was renamed or moved: its size, and a hash of its first and last 64 kB.
public enum FileIdentity {
  private static let part = 64 * 1024

  /// The guid of the file's episode. Nil if it cannot be read, or is no regular file any more.
  /// - Parameter path: absolute.
  public static func guid(of path: [UInt8]) -> String? {
    guard let file = RegularFile(path) else { return nil }
    let end = max(part, file.size - part)
    guard let head = file.read(at: 0, min(part, file.size)), let tail = file.read(at: end, max(0, file.size - end))
    else { return nil }
    return "file:\(file.size)-\(AddressKey.hash(head + tail))"
  }
}
