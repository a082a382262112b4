import CZstd
import Foundation
import GRDB
import Model

/// Compresses many notes on one thread.
///
/// The show notes of an episode in `episodeContent.summary` and `contentHTML` are text, or a Zstandard frame (RFC 8878)
/// as a BLOB. The SQL expression `plain(column)` gives the text of both.
///
/// Notes are two thirds of a library, and shrink to two fifths. Decompressing the notes of an episode takes 0.1 ms.
/// Earlier versions made a dictionary from the notes of the library. It is still read (`PlainFunction`), but saved only
/// 4% to 7% of a file with the notes of real feeds.
final class NotesPacker {
  /// A zstd level from 1 to 22; 3 is the default.
  private static let level: Int32 = 3
  /// Bytes. Shorter texts hardly shrink.
  private static let minimumSize = 120

  private let context = ZSTD_createCCtx()
  private var buffer: [UInt8] = []

  deinit { ZSTD_freeCCtx(context) }

  /// Returns the notes unchanged if they do not get smaller, or are no text.
  func pack(_ notes: DatabaseValue) -> DatabaseValue {
    guard case .string(var text) = notes.storage else { return notes }
    let packed: Data? = text.withUTF8 { source in
      guard source.count >= Self.minimumSize, let context else { return nil }
      let room = ZSTD_compressBound(source.count)
      if buffer.count < room { buffer = [UInt8](repeating: 0, count: room) }
      let size = ZSTD_compressCCtx(context, &buffer, room, source.baseAddress, source.count, Self.level)
      guard ZSTD_isError(size) == 0, size < source.count else { return nil }
      return Data(buffer[..<size])
    }
    return packed?.databaseValue ?? notes
  }
}

/// Reads show notes, which the store has as HTML. The store parses nothing itself.
public struct NotesReader: Sendable {
  /// Converts show notes to plain text for the search index. Called on any thread.
  public var plainText: @Sendable (_ notes: String) -> String
  /// The chapters that show notes list. The duration of the episode is in seconds; nil if unknown.
  public var chapters: @Sendable (_ notes: String, _ duration: Double?) -> [Chapter]

  public init(
    plainText: @escaping @Sendable (String) -> String = { $0 },
    chapters: @escaping @Sendable (String, Double?) -> [Chapter] = { _, _ in [] }
  ) {
    self.plainText = plainText
    self.chapters = chapters
  }
}
