import Foundation
import Model

extension FeedClient {
  /// Parses a feed from a local file, for `earshot feed FILE`.
  ///
  /// - Parameters:
  ///   - url: the base for relative addresses.
  ///   - contentType: the value of an HTTP Content-Type header.
  public static func read(
    file path: String, url: String? = nil, contentType: String? = nil
  ) throws(FeedError) -> Feed {
    // `FileHandle` takes a millisecond for its first file, asks for a page at a time and copies it twice.
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .unreadableFile(path: path, reason: Self.reason(errno)) }
    defer { close(file) }
    let reader = FeedReader(feedURL: url, contentType: contentType)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(file, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .unreadableFile(path: path, reason: Self.reason(errno)) }
      if count == 0 { break }
      do { try reader.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch { throw FeedError(error) }
    }
    do { return try reader.finish() } catch { throw FeedError(error) }
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file"
    case EACCES: "permission denied"
    default: String(cString: strerror(code))
    }
  }
}
