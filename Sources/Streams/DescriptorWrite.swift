import Foundation

/// Writing to a file that is open.
public enum DescriptorWrite {
  /// Writes all of it at a place, in as many calls as the system wants (pwrite(2)). Returns how many bytes were written;
  /// when that is less, `errno` says why.
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
