import CZstd
import Foundation
import GRDB

/// The show notes of an episode in `episodeContent.summary` and `contentHTML`: text, or a Zstandard frame (RFC 8878)
/// as a BLOB. The SQL expression `plain(column)` gives the text of both.
///
/// Notes are two thirds of a library. They shrink to a quarter with a dictionary made from the library, and to two
/// fifths without one. Decompressing the notes of an episode takes 0.1 ms.
enum StoredNotes: Equatable {
  case text(String)
  case packed([UInt8])

  /// Nil if they are packed.
  var text: String? { if case .text(let text) = self { text } else { nil } }
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

/// Compresses notes, with or without a dictionary.
///
/// `@unchecked Sendable`: a ZSTD_CDict is immutable, and any number of threads may use it at the same time (zstd.h).
final class NotesPacker: @unchecked Sendable {
  /// A zstd level from 1 to 22; 3 is the default. Measured with a library of 150,000 episodes: level 3 compresses 131
  /// MB/s to 23.4% of the size, level 1 153 MB/s to 29%, level 6 46 MB/s to 22.9%.
  private static let level: Int32 = 3
  /// Bytes. Shorter texts hardly shrink.
  private static let minimumSize = 120

  private let dictionary: OpaquePointer?
  /// The last episode id when the dictionary was made. Nil without a dictionary.
  let madeAt: Int64?

  /// - Parameter dictionary: made by `ZDICT_trainFromBuffer`.
  init(dictionary: Data? = nil, madeAt: Int64? = nil) {
    self.dictionary = dictionary?.withUnsafeBytes { ZSTD_createCDict($0.baseAddress, $0.count, Self.level) }
    self.madeAt = self.dictionary == nil ? nil : madeAt
  }

  deinit { ZSTD_freeCDict(dictionary) }

  /// A session for compressing many texts on one thread.
  func session() -> Session { Session(self) }

  final class Session {
    private let packer: NotesPacker
    private let context = ZSTD_createCCtx()
    private var buffer: [UInt8] = []

    fileprivate init(_ packer: NotesPacker) { self.packer = packer }

    deinit { ZSTD_freeCCtx(context) }

    /// Returns the notes unchanged if they do not get smaller.
    func pack(_ notes: StoredNotes) -> StoredNotes {
      guard case .text(var text) = notes else { return notes }
      let packed: [UInt8]? = text.withUTF8 { source in
        guard source.count >= NotesPacker.minimumSize, let context else { return nil }
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
      return packed.map { .packed($0) } ?? notes
    }
  }
}

/// Creates dictionaries from notes.
enum NotesDictionary {
  /// Bytes. The default of the zstd program.
  private static let size = 112_640
  /// How many episodes are needed.
  static let minimum: Int64 = 1000
  /// How many episodes are sampled.
  static let samples = 250

  /// - Returns: the dictionary and its id. Nil if the texts are too few or too short.
  static func made(of texts: [String]) -> (id: Int64, dictionary: Data)? {
    var joined: [UInt8] = []
    var sizes: [Int] = []
    for text in texts {
      // The beginning of a long text is representative enough. Longer or more samples take twice as long, and the
      // compressed notes become less than a hundredth smaller.
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
