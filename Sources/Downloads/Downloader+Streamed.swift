import Model
import Store
import Streams

/// What was streamed need not be fetched again: it is put where the network's bytes would go, and these are asked for
/// up to the next of those.
extension Downloader {
  /// Bytes: a shorter run in the middle is fetched with what lies around it, rather than asking once more.
  private static let leastStreamed: Int64 = 256 * 1024
  /// Bytes that are copied before others of the queue get their turn.
  private static let turn: Int64 = 32 << 20
  private static let piece = 1 << 20

  /// Puts what is held behind what is there, as far as it goes.
  /// - Returns: `end`, where the next run begins that is held of the same version of the file; nil when none is. `isMore`:
  ///   the turn was over.
  func takeStreamed(
    of entry: inout DownloadEntry, into file: PartFile
  ) throws(DownloadError) -> (end: Int64?, isMore: Bool) {
    guard entry.mismatches == 0, let copy = options.streams?.copy(of: entry.address), let version = copy.version,
      version.validator.ifRange != nil
    else { return (nil, false) }
    if entry.resume.ifRange == nil || file.size == 0 {
      // The validators must be stored before the first byte is, as when they come from the server.
      entry.resume.adopt(version.validator, total: version.total)
      try file.truncate()
      save(entry)
    }
    guard entry.resume.validator == version.validator, entry.resume.total == version.total else { return (nil, false) }
    if copy.count(from: file.size, of: version) > 0, let error = spaceCheck(for: entry)(version.total - file.size) {
      throw error
    }
    let end = file.size + Self.turn
    while file.size < end {
      let bytes = copy.read(at: file.size, count: Self.piece, of: version)
      guard !bytes.isEmpty else { break }
      try bytes.withUnsafeBytes { bytes in Result { () throws(DownloadError) in try file.append(bytes) } }.get()
    }
    entry.stored = file.size
    let next = copy.next(after: file.size, least: Self.leastStreamed, of: version)
    return (next, file.size >= end && copy.count(from: file.size, of: version) > 0)
  }
}
