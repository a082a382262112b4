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
    let file: FileHandle
    do {
      file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } catch { throw .unreadableFile(path: path, reason: FileFailure.text(error)) }
    let reader = FeedReader(feedURL: url, contentType: contentType)
    // `FileHandle.read` would ask the system for a page at a time and copy it twice.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(file.fileDescriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .unreadableFile(path: path, reason: String(cString: strerror(errno))) }
      if count == 0 { break }
      do { try reader.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) } catch { throw FeedError(error) }
    }
    do { return try reader.finish() } catch { throw FeedError(error) }
  }
}
