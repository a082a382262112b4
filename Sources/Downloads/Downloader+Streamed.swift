import Model
import Store
import Streams

/// Reuses the bytes of streamed copies: they are written to the partial file, and the server is asked only for the
/// gaps.
extension Downloader {
  /// Bytes. A shorter run in the middle is fetched again, which saves a request.
  private static let minimumCachedRun: Int64 = 256 * 1024
  /// Bytes that are copied before other downloads get their turn.
  private static let bytesPerTurn: Int64 = 32 << 20
  private static let chunkSize = 1 << 20

  /// Appends cached bytes to the file, up to the next gap.
  /// - Returns: `end`, where the next cached run of the same version starts; nil if there is none. `isMore`: there is
  ///   more to copy in the next turn.
  func reuseStreamedBytes(
    of entry: inout DownloadEntry, into file: PartFile
  ) throws(DownloadError) -> (end: Int64?, isMore: Bool) {
    guard entry.mismatches == 0, let copy = options.streams?.copy(of: entry.address), let version = copy.version,
      version.validator.ifRange != nil
    else { return (nil, false) }
    if entry.resume.ifRange == nil || file.size == 0 {
      // The validators must be saved before the first byte is written, as with a response of the server.
      entry.resume.adopt(version.validator, total: version.total)
      try file.truncate()
      save(entry)
    }
    guard entry.resume.validator == version.validator, entry.resume.total == version.total else { return (nil, false) }
    if copy.count(from: file.size, of: version) > 0, let error = spaceCheck(for: entry)(version.total - file.size) {
      throw error
    }
    let end = file.size + Self.bytesPerTurn
    while file.size < end {
      let bytes = copy.read(at: file.size, count: Self.chunkSize, of: version)
      guard !bytes.isEmpty else { break }
      try bytes.withUnsafeBytes { bytes in Result { () throws(DownloadError) in try file.append(bytes) } }.get()
    }
    entry.stored = file.size
    let next = copy.next(after: file.size, atLeast: Self.minimumCachedRun, of: version)
    return (next, file.size >= end && copy.count(from: file.size, of: version) > 0)
  }
}
