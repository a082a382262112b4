import Foundation

/// Writes to open files.
public enum DescriptorWrite {
  /// Writes all bytes at an offset, with as many calls of pwrite(2) as needed. Returns how many were written; if
  /// fewer, `errno` gives the reason.
  public static func all(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Int {
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + Int64(written)))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    return written
  }
}
