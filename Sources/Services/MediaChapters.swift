import FeedKit
import Foundation
import HTTP
import Model
import Streams

/// Corrects the chapters that the player has found in a media file, by the tag at its start (`ID3Chapters`). The bytes
/// are those of the local file, or those that were received while the stream is played. Nothing is fetched.
package struct MediaChapters: Sendable {
  private let streams: StreamCache?

  /// - Parameter streams: nil if no copies of streams are kept.
  package init(streams: StreamCache?) { self.streams = streams }

  /// - Parameter address: what the player has opened.
  package func corrected(_ found: [Chapter], in address: String) -> [Chapter] {
    guard !found.isEmpty else { return [] }
    return ChapterMerge.fileChapters(tag(of: address)?.corrected(found) ?? found)
  }

  private func tag(of address: String) -> ID3Chapters? {
    if address.hasPrefix("/") {
      // A file that cannot be read has no tag. The player reports it.
      guard let file = FileHandle(forReadingAtPath: address) else { return nil }
      defer { try? file.close() }
      return ID3Chapters { offset, count in
        guard (try? file.seek(toOffset: UInt64(offset))) != nil else { return [] }
        return [UInt8]((try? file.read(upToCount: count)) ?? Data())
      }
    }
    guard let url = try? WebAddress(address), let copy = streams?.copy(of: url), let version = copy.version else {
      return nil
    }
    return ID3Chapters { copy.read(at: Int64($0), count: $1, of: version) }
  }
}
