import CZstd
import Foundation
import GRDB

/// The show notes of an episode as `episodeContent.summary` and `contentHTML` hold them: text, or a frame of Zstandard
/// (RFC 8878) as a BLOB. In SQL `plain(column)` is the text of either.
///
/// Notes are two thirds of a library. A dictionary that was made of the library itself takes them to a quarter, without one it
/// is two fifths; a page of notes is there again in a tenth of a millisecond.
enum StoredNotes: Equatable {
  case text(String)
  case packed([UInt8])
}

extension StoredNotes: DatabaseValueConvertible {
  var databaseValue: DatabaseValue {
    switch self {
    case .text(let text): text.databaseValue
    case .packed(let bytes): Data(bytes).databaseValue
    }
  }

  static func fromDatabaseValue(_ value: DatabaseValue) -> StoredNotes? {
    switch value.storage {
    case .string(let text): .text(text)
    case .blob(let bytes): .packed([UInt8](bytes))
    default: nil
    }
  }
}

/// Compresses notes with one dictionary, or without.
///
/// `@unchecked Sendable`: a ZSTD_CDict is never changed once it is made, and any number of threads may use it at a time (zstd.h).
final class NotesPacker: @unchecked Sendable {
  /// Of zstd's levels, which go from 1 to 22: 3 is its own choice. Measured with a library of 150,000 episodes: 131 MB/s and
  /// 23.4 % of the size; 1 has 153 MB/s and 29 %, 6 has 46 MB/s and 22.9 %.
  private static let level: Int32 = 3
  /// Shorter texts hardly become smaller.
  private static let least = 120

  private let dictionary: OpaquePointer?
  /// The last episode when its dictionary was made; nil without one.
  let madeAt: Int64?

  /// - Parameter dictionary: what `ZDICT_trainFromBuffer` made.
  init(dictionary: Data? = nil, madeAt: Int64? = nil) {
    self.dictionary = dictionary?.withUnsafeBytes { ZSTD_createCDict($0.baseAddress, $0.count, Self.level) }
    self.madeAt = self.dictionary == nil ? nil : madeAt
  }

  deinit { ZSTD_freeCDict(dictionary) }

  /// Compresses many texts in a row, on one thread.
  func session() -> Session { Session(self) }

  final class Session {
    private let packer: NotesPacker
    private let context = ZSTD_createCCtx()
    private var buffer: [UInt8] = []

    fileprivate init(_ packer: NotesPacker) { self.packer = packer }

    deinit { ZSTD_freeCCtx(context) }

    /// The text as it is, where that takes no more room.
    func pack(_ text: String) -> StoredNotes {
      var text = text
      let packed: [UInt8]? = text.withUTF8 { source in
        guard source.count >= NotesPacker.least, let context else { return nil }
        let room = ZSTD_compressBound(source.count)
        if buffer.count < room { buffer = [UInt8](repeating: 0, count: room) }
        let size =
          if let dictionary = packer.dictionary {
            ZSTD_compress_usingCDict(context, &buffer, room, source.baseAddress, source.count, dictionary)
          } else {
            ZSTD_compressCCtx(context, &buffer, room, source.baseAddress, source.count, NotesPacker.level)
          }
        guard ZSTD_isError(size) == 0, size < source.count else { return nil }
        return Array(buffer[..<size])
      }
      return packed.map { .packed($0) } ?? .text(text)
    }
  }
}

/// Makes a dictionary of notes.
enum NotesDictionary {
  /// Bytes. What zstd's own program takes.
  private static let size = 112_640
  /// How many episodes there must be.
  static let least: Int64 = 1000
  /// How many are looked at.
  static let samples = 500

  /// - Returns: its id, and itself; nil when the texts are too few or too short.
  static func made(of texts: [String]) -> (id: Int64, dictionary: Data)? {
    var joined: [UInt8] = []
    var sizes: [Int] = []
    for text in texts {
      // Twice as many samples, or longer ones, take twice as long and save less than a hundredth of the packed size.
      let part = text.utf8.prefix(4096)
      joined += part
      sizes.append(part.count)
    }
    var dictionary = [UInt8](repeating: 0, count: size)
    let made = ZDICT_trainFromBuffer(&dictionary, size, joined, sizes, UInt32(sizes.count))
    guard ZDICT_isError(made) == 0 else { return nil }
    let id = ZDICT_getDictID(dictionary, made)
    return id == 0 ? nil : (Int64(id), Data(dictionary[..<made]))
  }
}
