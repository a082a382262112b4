import Foundation
import GRDB
import Model
import Synchronization

/// The dictionary for compressing new show notes, and the compression of old ones.
final class NotesCompression: Sendable {
  private struct State {
    var packer = NotesPacker()
    var isMaking = false
  }

  private let state = Mutex(State())

  /// The packer with the newest dictionary. When there are enough episodes for the first time, one thread creates a
  /// dictionary from them; other threads do not wait for it.
  func packer(for library: Library) throws(StoreError) -> NotesPacker {
    let known = state.withLock { $0.packer }
    if known.madeAt != nil { return known }
    guard
      state.withLock({ state in
        defer { state.isMaking = true }
        return !state.isMaking
      })
    else { return known }
    defer { state.withLock { $0.isMaking = false } }
    return try renew(for: library)
  }

  /// Creates a new dictionary if the library has grown eightfold since the newest one. Compressed notes keep theirs.
  @discardableResult
  func renew(for library: Library) throws(StoreError) -> NotesPacker {
    let (newest, last) = try library.read { db in
      let row = try Row.fetchOne(db, sql: "SELECT dictionary, madeAt FROM notesDictionary ORDER BY madeAt DESC LIMIT 1")
        .map(CheckedRow.init)
      let newest = try row.map { NotesPacker(dictionary: try $0[0], madeAt: try $0[1]) }
      return (newest, try Int64.fetchOne(db, sql: "SELECT max(episodeID) FROM episodeContent") ?? 0)
    }
    if let newest, let madeAt = newest.madeAt, last < madeAt * 8 {
      state.withLock { $0.packer = newest }
      return newest
    }
    guard !library.isReadOnly, last >= NotesDictionary.minimum, let made = try Self.make(library, last) else {
      return newest ?? state.withLock { $0.packer }
    }
    state.withLock { $0.packer = made }
    return made
  }

  private static func make(_ library: Library, _ last: Int64) throws(StoreError) -> NotesPacker? {
    // Samples are spread over the whole library, because podcasts differ in language and style.
    let step = max(1, Int(last) / NotesDictionary.samples)
    let texts = try library.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT plain(coalesce(contentHTML, summary)) FROM episodeContent WHERE episodeID = ?")
      return try stride(from: 1, through: Int(last), by: step).compactMap {
        try String.fetchOne(statement, arguments: [$0])
      }
    }
    guard let (id, dictionary) = NotesDictionary.made(of: texts) else { return nil }
    // Stored before anything is compressed with it.
    try library.write { db in
      try db.execute(
        sql: "INSERT OR IGNORE INTO notesDictionary (id, madeAt, dictionary) VALUES (?, ?, ?)",
        arguments: [id, last, dictionary])
    }
    return NotesPacker(dictionary: dictionary, madeAt: last)
  }
}

extension Library {
  /// Indexes the episodes that are marked for it, compresses notes that an older version stored as text, and merges the
  /// segments of the search index. It works in steps that let other writers in between. Call it when the program is
  /// idle; an interrupted call is continued by the next one.
  /// - Parameter isWanted: called before each step; false stops.
  public func maintain(while isWanted: () -> Bool = { true }) throws(StoreError) {
    try indexAllPending(while: isWanted)
    try notes.renew(for: self)
    while isWanted(), try packNotes() {}
    try mergeSearchIndex(while: isWanted)
  }

  /// Compresses the notes of the next 200 old episodes, which takes about 10 ms.
  /// - Returns: whether there may be more.
  func packNotes() throws(StoreError) -> Bool {
    let session = try notes.packer(for: self).session()
    return try write { db in
      let place = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'notesToPack'").flatMap { Int64($0) }
      guard let place else { return false }
      // Newest first, because they are read most.
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT episodeID, summary, contentHTML FROM episodeContent WHERE episodeID <= ?
          ORDER BY episodeID DESC LIMIT 200
          """, arguments: [place])
      for row in rows {
        let packed = [1, 2].map { Self.packed(row[$0], session) }
        guard packed.contains(where: { $0 != nil }) else { continue }
        try db.cachedStatement(
          sql: """
            UPDATE episodeContent SET summary = coalesce(?, summary), contentHTML = coalesce(?, contentHTML)
            WHERE episodeID = ?
            """
        ).execute(arguments: [packed[0], packed[1], try CheckedRow(row)[0] as Int64])
      }
      if let last = rows.last {
        let next = try CheckedRow(last)[0] as Int64 - 1
        try db.execute(sql: "UPDATE meta SET value = ? WHERE key = 'notesToPack'", arguments: [String(next)])
      } else {
        try db.execute(
          sql: """
            DELETE FROM meta WHERE key = 'notesToPack';
            INSERT OR REPLACE INTO meta (key, value) VALUES ('compactionDue', '1');
            """)
      }
      return !rows.isEmpty
    }
  }

  /// Frees the space of the old notes once all of them are compressed. It copies the library and blocks writers, so
  /// call it at the end of a session. If another process uses the library, or the disk has no space for the copy, it
  /// is tried again later. A large library keeps its file size, and its free pages are reused.
  /// - Parameter largest: bytes; copying more would take too long.
  public func compactIfDue(largest: Int = 250_000_000) throws(StoreError) {
    let isDue = try read { db in
      let size = try ["page_count", "page_size"].map { try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0 }
      let mark = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'compactionDue'")
      return mark != nil && size[0] * size[1] <= largest
    }
    guard isDue else { return }
    do {
      try pool.vacuum()
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL, .SQLITE_LOCKED].contains(error.resultCode) {
      return
    } catch {
      throw StoreError(error, path: path)
    }
    try write { try $0.execute(sql: "DELETE FROM meta WHERE key = 'compactionDue'") }
  }

  /// Nil for notes that are already compressed, or do not get smaller.
  private static func packed(_ value: DatabaseValue, _ session: NotesPacker.Session) -> StoredNotes? {
    guard case .string(let text) = value.storage, case .packed(let bytes) = session.pack(.text(text)) else {
      return nil
    }
    return .packed(bytes)
  }
}
