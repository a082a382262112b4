import Model

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
