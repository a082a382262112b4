import Foundation
import Sync

/// Reads a file of the folder in pieces, line by line. Another program put it there, so it may be anything: a pipe, a
/// device, a file of any size, a line without an end.
final class FolderReader {
  /// The maximum length of a line in bytes. Longer lines are skipped.
  static let maxLine = 256_000
  private static let pieceSize = 65_536

  private let descriptor: Int32
  private let path: String
  /// The size in bytes when the file was opened.
  let size: Int
  /// Lines that were too long.
  private(set) var skipped = 0

  private var piece: [UInt8] = []
  /// The index in `piece` of the next line.
  private var next = 0
  /// Where `piece` begins in the file, in bytes.
  private var start: Int

  /// Throws if it is not a regular file, or cannot be opened.
  /// - Parameter offset: where a line begins, in bytes.
  init(_ path: String, from offset: Int = 0) throws(SyncError) {
    // Opening a pipe without O_NONBLOCK would wait for a writer.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file(path: path, cause: String(cString: strerror(errno))) }
    var info = stat()
    let isFile = fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    (self.path, size, start) = (path, Int(clamping: info.st_size), offset)
    guard isFile, offset == 0 || lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
      throw .file(path: path, cause: "it is not a file")
    }
  }

  deinit { close(descriptor) }

  /// Where the next line begins in the file, in bytes.
  var offset: Int { start + next }

  /// The next line that is not too long, without its end. Nil at the end of the file.
  func line() throws(SyncError) -> ArraySlice<UInt8>? {
    // Where to search for the end of the line.
    var searched = next
    var isTooLong = false
    while true {
      if let end = lineEnd(from: searched) {
        let line = piece[next..<end]
        next = end + 1
        if !isTooLong { return line }
        skipped += 1
        (isTooLong, searched) = (false, next)
        continue
      }
      if piece.count - next > Self.maxLine {
        isTooLong = true
        start += piece.count
        (piece, next) = ([], 0)
      }
      searched = piece.count - next
      if try !read() {
        if isTooLong { skipped += 1 }
        // An incomplete line, perhaps.
        let line = piece[next...]
        next = piece.count
        return line.isEmpty || isTooLong ? nil : line
      }
    }
  }

  private func lineEnd(from index: Int) -> Int? {
    piece.withUnsafeBytes { bytes in
      guard index < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + index, 0x0A, bytes.count - index)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Reads on. The lines before `next` are dropped.
  /// - Returns: false at the end of the file.
  private func read() throws(SyncError) -> Bool {
    piece.removeFirst(next)
    start += next
    next = 0
    let old = piece.count
    piece += repeatElement(0, count: Self.pieceSize)
    var count = -1
    repeat {
      count = piece.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress! + old, Self.pieceSize) }
    } while count < 0 && errno == EINTR
    let failure = errno
    piece.removeLast(Self.pieceSize - max(0, count))
    guard count >= 0 else { throw .file(path: path, cause: String(cString: strerror(failure))) }
    return count > 0
  }
}
