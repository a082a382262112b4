import CZstd
import Foundation
import GRDB

@testable import Store

/// Compresses notes with a dictionary that was made from the library, as earlier versions did.
enum OlderNotes {
  /// - Parameter id: only the notes of later episodes are compressed.
  static func pack(in library: Library, after id: Int64) throws {
    try library.write { db in
      let texts = try String.fetchAll(
        db, sql: "SELECT plain(coalesce(contentHTML, summary)) FROM episodeContent ORDER BY episodeID")
      let dictionary = dictionary(of: texts)
      try db.execute(
        sql: "INSERT INTO notesDictionary (id, madeAt, dictionary) VALUES (?, ?, ?)",
        arguments: [Int64(ZDICT_getDictID([UInt8](dictionary), dictionary.count)), id, dictionary])
      for column in ["summary", "contentHTML"] {
        let rows = try Row.fetchAll(
          db,
          sql:
            "SELECT episodeID, plain(\(column)) FROM episodeContent WHERE episodeID > ? AND typeof(\(column)) = 'blob'",
          arguments: [id])
        for row in rows {
          try db.execute(
            sql: "UPDATE episodeContent SET \(column) = ? WHERE episodeID = ?",
            arguments: [packed(row[1], dictionary), row[0] as Int64])
        }
      }
    }
  }

  private static func dictionary(of texts: [String]) -> Data {
    var dictionary = [UInt8](repeating: 0, count: 16_384)
    let sizes = texts.map(\.utf8.count)
    let size = ZDICT_trainFromBuffer(
      &dictionary, dictionary.count, Array(texts.joined().utf8), sizes, UInt32(sizes.count))
    precondition(ZDICT_isError(size) == 0)
    return Data(dictionary[..<size])
  }

  private static func packed(_ text: String, _ dictionary: Data) -> Data {
    let context = ZSTD_createCCtx()
    defer { ZSTD_freeCCtx(context) }
    var buffer = [UInt8](repeating: 0, count: ZSTD_compressBound(text.utf8.count))
    let size = ZSTD_compress_usingDict(
      context, &buffer, buffer.count, text, text.utf8.count, [UInt8](dictionary), dictionary.count, 3)
    precondition(ZSTD_isError(size) == 0)
    return Data(buffer[..<size])
  }
}
